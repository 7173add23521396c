// What deforming needs to know of a character's primitives, prepared once. Internal to character.
// Data flow: Character at rest → *here* → character_deformer.cpp, for every pose.
#pragma once

#include <sinew/character/character_deformer.h>
#include <sinew/character/compiled_morphs.h>
#include <sinew/skin/deformers/bend_twist.h>
#include <sinew/skin/deformers/centres_of_rotation.h>
#include <sinew/skin/deformers/delta_mush.h>
#include <sinew/skin/deformers/weight_gradients.h>

namespace sinew {

// One primitive of one instance in the scene, in the order of CharacterDeformer's parts. Kernels deform it if it is
// compiled, a scalar deformer if it is not.
struct PreparedPart {
    int32_t instance = 0;
    int32_t primitive = 0;
    int32_t skin = -1;      // −1: not skinned, moved by its instance's joint
    int32_t compiled = -1;  // into PreparedCharacter::compiled; −1: not compiled
    CompiledMorphs morphs;  // of the compiled skin
    // What scalar deformers ask for (DeformBinding).
    BendTwist bend_twist;
    std::span<const Vec3> centres;
    Influences centre_influences;
    const WeightGradients* gradients = nullptr;
    size_t first_gradient = 0;
};

// Skinned parts that one skin moves form one surface, whatever materials and meshes it is cut into.
struct PreparedSurface {
    std::vector<size_t> parts;
    Centres centres;  // of all parts, one after another; so are the others
    DeltaMush mush;
    WeightGradients gradients;
};

struct PreparedCharacter {
    std::vector<PreparedPart> parts;
    std::vector<PreparedSurface> surfaces;     // only where something is made of them
    std::vector<std::vector<SkinBone>> bones;  // per skin; empty where not needed
    std::vector<CompiledSkin> compiled;        // instances without morphs share one
    std::vector<int32_t> same_skin;            // per skin: the first one with the same joints and matrices
};

PreparedCharacter prepare_parts(const Character& character, const DeformOptions& options);

const MeshInstance& instance_of(const Character& character, const PreparedPart& part);
const Primitive& primitive_of(const Character& character, const PreparedPart& part);

}  // namespace sinew
