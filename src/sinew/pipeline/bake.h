// Bake: a character's deformed vertices at chosen times.
// Data flow: Character, clip, times → *here* → JSON, or a Character without bones that any writer takes.
#pragma once

#include <sinew/character/character_deformer.h>
#include <sinew/core/bytes.h>
#include <sinew/core/progress.h>
#include <sinew/core/result.h>
#include <filesystem>
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

}  // namespace sinew
