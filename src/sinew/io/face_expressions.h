// FaceExpressions: what a VRM file says of its face: which morphs show "happy". Data flow: Character (its glTF
// document) → *here* → pipeline, which makes controls of them.
#pragma once

#include <sinew/character/character.h>
#include <string>
#include <utility>
#include <vector>

namespace sinew {

struct VrmExpression {
    std::string name;                               // VRM 1.0's name of a preset ("happy"), else the file's own
    std::vector<std::pair<int32_t, float>> morphs;  // number in Pose::morphs, and its weight
};

// VRM 1.0 (VRMC_vrm) and 0.x (VRM, whose presets are given their new names). Binds to morphs that the character does
// not have are left out, as are expressions that move none. Empty for all other files.
std::vector<VrmExpression> read_face_expressions(const Character& character);

}  // namespace sinew
