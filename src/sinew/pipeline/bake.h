// Bake: a character's deformed vertices at chosen times.
// Data flow: Character, clip, times → *here* → JSON, or a Character without bones that any writer takes.
#pragma once

#include <sinew/character/character_deformer.h>
#include <sinew/core/bytes.h>
#include <sinew/core/result.h>
#include <span>
#include <string_view>
#include <vector>

namespace sinew {

struct BakedFrame {
    float time = 0.0f;
    std::vector<DeformedPrimitive> primitives;
};

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

}  // namespace sinew
