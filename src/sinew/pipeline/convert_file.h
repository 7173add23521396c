// Convert: a file → a file of another format. What the output format can hold, it keeps.
// Data flow: io/read.h → *here* → io/write.h.
#pragma once

#include <sinew/core/progress.h>
#include <sinew/core/result.h>
#include <sinew/pipeline/edit/edit_clips.h>
#include <filesystem>
#include <string>
#include <vector>

namespace sinew {

// Formats follow the extensions; "-" is standard input or output.
struct ConvertJob {
    std::filesystem::path input, output;
    float optimize_mm = 0.0f;    // clips with fewer keys, nothing farther off than this; 0: as they are
    float fps = 0.0f;            // linear keys at this rate; 0: as they are
    int32_t clip = 0;            // for formats that hold one motion: which one
    bool replace_input = false;  // the output may be the input
    Listener listener;
};
struct ConvertReport {
    std::string input, output;
    size_t bytes = 0;                   // of all files written
    std::vector<ClipEditReport> clips;  // what became of each, where they were changed
    std::vector<std::string> warnings;
};
// Errors name their file first in `where`.
Result<ConvertReport> convert_file(const ConvertJob& job);

}  // namespace sinew
