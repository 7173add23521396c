// The chain of transforms behind one FBX node: pivots, offsets, and rotations before and after its own.
// Data flow: a model's properties → *here*, with animated values → Placement.
#pragma once

#include <sinew/io/fbx/document/objects.h>
#include <sinew/io/fbx/space.h>

namespace sinew::fbx {

// What animation changes of a node. Rotation in degrees about the axes.
struct LocalValues {
    Vec3d translation = Vec3d::Zero();
    Vec3d rotation = Vec3d::Zero();
    Vec3d scaling = Vec3d::Ones();
};

enum class RotationOrder : uint8_t { xyz, xzy, yzx, yxz, zxy, zyx };  // the first is applied first

// translate · rotation offset · rotation pivot · pre-rotation · rotation · post-rotation⁻¹ · rotation pivot⁻¹ ·
// scaling offset · scaling pivot · scale · scaling pivot⁻¹
struct TransformChain {
    RotationOrder order = RotationOrder::xyz;
    Quatd pre_rotation = Quatd::Identity(), post_rotation_inverse = Quatd::Identity();
    Vec3d rotation_offset = Vec3d::Zero(), rotation_pivot = Vec3d::Zero();
    Vec3d scaling_offset = Vec3d::Zero(), scaling_pivot = Vec3d::Zero();

    Placement place(const LocalValues& values) const;
};

TransformChain chain_of(const Object& model);
LocalValues rest_values(const Object& model);
// How the geometry lies apart from its node; children of the node do not inherit it.
AffineD geometric_transform(const Object& model);

Quatd rotation_from_degrees(const Vec3d& angles, RotationOrder order);
// Angles of that rotation in that order; of the many, those with the middle one within ±90°.
Vec3d degrees_from_rotation(const Quatd& rotation, RotationOrder order);

}  // namespace sinew::fbx
