// Colliders: solid things that nothing simulated pushes: planes, spheres and capsules, which may move and be turned
// inside out. Data flow: a scene, a skeleton's bones → *here* → spheres, cloth, particles.
#pragma once

#include <sinew/math/types.h>
#include <cstdint>

namespace sinew {

enum class ColliderShape : uint8_t { plane, sphere, capsule };

// A plane is solid below: normal · x < normal · a. A sphere has its centre at a; a capsule reaches from a to b.
struct Collider {
    ColliderShape shape = ColliderShape::plane;
    Vec3d a = Vec3d::Zero(), b = Vec3d::Zero();
    Vec3d normal = Vec3d::UnitY();  // of a plane, unit
    double radius = 0.0;
    Vec3d velocity_a = Vec3d::Zero(), velocity_b = Vec3d::Zero();  // how a and b move
    double bounce = 0.0, friction = 0.5;
    bool hollow = false;  // spheres and capsules: solid outside, so that things stay in
};

// How far a point is from the surface, negative inside; which way is out, and how the surface moves there.
struct ColliderContact {
    double distance = 0.0;
    Vec3d normal = Vec3d::UnitY();
    Vec3d velocity = Vec3d::Zero();
};
ColliderContact touch(const Collider& collider, const Vec3d& point);

// The collider `seconds` later, as it moves now.
Collider moved(Collider collider, double seconds);

}  // namespace sinew
