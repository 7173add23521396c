// Clean: a motion file cleaned up, as `sinew clean` does it. Data flow: a file → *here* (sets/clean/clean_clip.h) → a
// file, a report, a picture of the curves before and after.
#pragma once

#include <sinew/core/progress.h>
#include <sinew/sets/clean/clean_clip.h>
#include <filesystem>
#include <string>
#include <vector>

namespace sinew {

struct CleanJob {
    std::filesystem::path input = {};
    std::filesystem::path output = {};   // .bvh: one clip; .glb, .gltf, .fbx: all of them
    std::filesystem::path report = {};   // encode_json() of the report, frame by frame
    std::filesystem::path picture = {};  // the curves that changed most, before and after
    std::string clip = {};               // by number or name; empty: all clips
    bool replace_input = false;          // the output may be the input
    CleanOptions options = {};
    Listener listener = {};
};
struct CleanedClip {
    std::string name;
    CleanResult result;
};
struct CleanFileReport {
    std::string input, output;
    std::vector<std::string> joints;  // names, by number
    std::vector<CleanedClip> clips;
    StageSeconds seconds;
    std::vector<std::string> warnings;
};
// Writes all of it or nothing. Errors name their file first in `where`.
Result<CleanFileReport> clean_file(const CleanJob& job);

// The report as one JSON object, indented; fields are only ever added.
std::string encode_json(const CleanFileReport& report);

}  // namespace sinew
