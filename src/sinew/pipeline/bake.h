// Bake and preview: what a character looks like at chosen times, as vertices or as pictures.
// Data flow: Character, clip, times → *here* → JSON, or a Character without bones that any writer takes; a file →
// render/preview.h → .png, .webp, .gif.
#pragma once

#include <sinew/character/character_deformer.h>
#include <sinew/core/bytes.h>
#include <sinew/core/progress.h>
#include <sinew/core/result.h>
#include <sinew/render/preview.h>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace sinew {

struct BakedFrame {
    float time = 0.0f;
    std::vector<DeformedPrimitive> primitives;
};

// The character's vertices in world space at each time of the clip (null: at rest).
std::vector<BakedFrame> bake(const Character& character, const Clip* clip, std::span<const float> times,
                             const DeformOptions& options);

// 0, 1/fps, 2/fps … and the clip's end.
std::vector<float> frame_times(const Clip& clip, float fps);

// The same without the end: a picture that plays in a loop shows its first moment once.
std::vector<float> loop_times(const Clip& clip, float fps);

// {"file", "clip", "frames": [{"time", "meshes": [{"name", "node", "mesh", "primitive", "skinned", "count",
// "positions"}]}]}: world space, vertices in accessor order, numbers as in the file. Floats are written so that
// reading them gives the same float.
Bytes encode_bake_json(const Character& character, std::string_view file, const Clip* clip,
                       std::span<const BakedFrame> frames);

// The frames as a character of plain meshes in world space: the first frame as the mesh; further frames as morph
// targets with a clip that runs through them.
Character baked_character(const Character& character, std::span<const BakedFrame> frames);

// The whole job on files, as `sinew bake` does it. "-" is standard input, or JSON on standard output.
struct BakeJob {
    std::filesystem::path input = {};
    // .json; .glb or .gltf; .obj: one file per frame, numbered where there are several
    std::filesystem::path output = {};
    std::string clip = {};          // by number or name; empty: the first where times or a rate are given, else at rest
    std::vector<float> times = {};  // seconds; empty: by the rate
    float fps = 0.0f;               // over the whole clip; 0: one frame
    bool replace_input = false;     // the output may be the input
    DeformOptions deform = {};
    Listener listener = {};
};
struct BakeReport {
    std::string input, output;
    size_t frames = 0;
};
// All or nothing is written. Fails when the frames would not fit into memory. Errors name their file first in `where`.
Result<BakeReport> bake_file(const BakeJob& job);

// The report as one JSON object, indented; fields are only ever added.
std::string encode_json(const BakeReport& report);

// Pictures, as `sinew preview` makes them. A still shows the rest pose unless a clip or a time is asked for. A moving
// picture shows a clip, or goes round the character when there is none.
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
