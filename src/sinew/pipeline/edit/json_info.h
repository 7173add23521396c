// What is in a JSON file of Sinew's: a state machine, or controls. Data flow: a file → *here* → `sinew info`.
#pragma once

#include <sinew/core/result.h>
#include <filesystem>
#include <string>
#include <vector>

namespace sinew {

struct JsonFileInfo {
    std::string file, format;                     // "state machine" or "controls"
    std::vector<std::string> parameters, states;  // of a state machine, and the clips that it plays
    std::vector<std::string> clips;
    size_t transitions = 0;
    std::vector<std::string> controls, poses;  // of a file of controls
    size_t driven = 0;
    std::string text;  // for people: a line per state, transition, control
};
// Reads and proves it, as playing it would. A state machine is what has states. Fails with the place of what is wrong.
Result<JsonFileInfo> describe_json_file(const std::filesystem::path& file);

// It as one JSON object, indented; fields are only ever added.
std::string encode_json(const JsonFileInfo& info);

}  // namespace sinew
