// Bind skin: weights for a character's meshes and chosen joints of its skeleton.
// Data flow: bind_character.cpp, rig_character.cpp → *here* → weights/weights.h → Character with a skin.
#pragma once

#include <sinew/character/character.h>
#include <sinew/io/bone_hints.h>
#include <sinew/weights/soften/soften_weights.h>
#include <sinew/weights/weights.h>
#include <span>
#include <vector>

namespace sinew {

// Puts the joints of `rig` into the character's own skeleton, where they stand at rest, and says where they are now:
// the joints of the rig's skins with what they hang on, or all its nodes when it has no skin (a BVH).
struct AddedSkeleton {
    std::vector<int32_t> joints;  // that a skin may use
    BoneHints hints;              // what the rig's file says of them, per joint of the character's skeleton
};
Result<AddedSkeleton> add_skeleton(Character& character, const Character& rig);

// Binds every mesh in the scene, as it stands at rest, to `joints` of the character's skeleton. Existing skins go.
// Meshes are solved together, so that seams between materials and meshes hold. A mesh that is shown twice becomes two.
Result<WeightReport> bind_skin(Character& character, std::span<const int32_t> joints, const WeightOptions& options = {},
                               const BoneHints& hints = {});

// Vertices that follow one joint alone. They are numbered through all shown primitives, as shown_triangles() lists
// them.
Result<void> follow_alone(Character& character, std::span<const uint32_t> vertices, int32_t joint);

// Takes jumps out of the weights of every skin, over all meshes that follow it (weights/soften/soften_weights.h).
// Meshes are in bind pose. Returns how many places of the skins changed.
size_t soften_skins(Character& character, const SoftenOptions& options = {});

}  // namespace sinew
