// What a skinning needs of a character's primitives, prepared once. Internal to character.
// Data flow: Character at rest → *here* → deform.cpp, for every pose.
#pragma once

#include <sinew/character/deform.h>
#include <sinew/skin/deformers/bend_twist.h>
#include <sinew/skin/deformers/centres_of_rotation.h>
#include <sinew/skin/deformers/delta_mush.h>
#include <sinew/skin/deformers/weight_gradients.h>

namespace sinew {

// One primitive of one instance in the scene, in the order of deform()'s output.
struct BoundPart {
    int32_t instance = 0;
    int32_t primitive = 0;
    int32_t skin = -1;  // −1: not skinned
    BendTwist bend_twist;
    std::span<const Vec3> centres;
    Influences centre_influences;
    const WeightGradients* gradients = nullptr;
    size_t first_gradient = 0;
};

// Skinned parts that one skin moves form one surface, whatever materials and meshes it is cut into.
struct BoundSurface {
    std::vector<size_t> parts;
    Centres centres;  // of all parts, one after another
    DeltaMush mush;
    WeightGradients gradients;
};

struct BoundParts {
    std::vector<BoundPart> all;
    std::vector<BoundSurface> surfaces;        // only where something is made of them
    std::vector<std::vector<SkinBone>> bones;  // per skin; empty where not needed
};

BoundParts bind_parts(const Character& character, const DeformOptions& options);

const MeshInstance& instance_of(const Character& character, const BoundPart& part);
const Primitive& primitive_of(const Character& character, const BoundPart& part);

}  // namespace sinew
