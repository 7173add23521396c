// Preview: a file → a picture of it, or a moving one.
// Data flow: a file → Character → render/preview.h → *here* → .png, .webp, .gif.
#pragma once

#include <sinew/core/progress.h>
#include <sinew/render/preview.h>
#include <filesystem>
#include <optional>
#include <string>

namespace sinew {

// A still shows the rest pose unless a clip or a time is asked for. A moving picture shows a clip, or goes round the
// character when there is none.
struct PreviewJob {
    std::filesystem::path input = {};  // "-" is standard input
    // .png for a still, .webp or .gif for a moving picture; "-" is PNG on standard output
    std::filesystem::path output = {};
    std::string clip = {};           // by number or name; empty: the first where a clip is needed
    std::optional<float> time = {};  // one moment of the clip, in seconds
    float fps = 0.0f;                // 0: 24 for .webp, 20 for .gif
    std::string joint = {};          // show this joint's weights as a heat map; empty: none
    std::string focus = {};          // look at this joint, and go along with it; empty: at the whole character
    // Columns and rows of moments, spread evenly over the clip, as one still; 0: none. `look` gives the size of one,
    // and the camera goes along with the character.
    int32_t sheet_columns = 0, sheet_rows = 0;
    PreviewOptions look = {};    // clip, times, turns, weight_joint, focus_joint and progress are set by the above
    bool replace_input = false;  // the output may be the input
    Listener listener = {};
};
struct PreviewReport {
    std::string input, output;
    size_t frames = 0, bytes = 0;
};
// Errors name their file first in `where`.
Result<PreviewReport> preview_file(const PreviewJob& job);

// The report as one JSON object, indented; fields are only ever added.
std::string encode_json(const PreviewReport& report);

}  // namespace sinew
