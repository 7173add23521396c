// A body dropped from a seeded pose, and how it fell. For tests and the bench.
#pragma once

#include <sinew/ragdoll/body/ragdoll_body.h>
#include <sinew/ragdoll/world/ragdoll_world.h>
#include <algorithm>
#include <vector>

namespace sinew::test {

struct Fall {
    double rest_after = INFINITY;  // seconds
    double excess_deg = 0.0, fastest = 0.0, deepest = 0.0;
    std::vector<PartState> parts;  // at the end
};

// From half a metre above the floor, for six seconds.
inline Fall drop(const RagdollBody& body, uint64_t seed, double seconds = 6.0) {
    RagdollWorld world;
    world.add_plane(Vec3d::Zero(), Vec3d::UnitY());
    std::vector<PartState> parts = parts_of_pose(body, random_ragdoll_pose(body, seed));
    double lowest = INFINITY;
    for (size_t i = 0; i < parts.size(); ++i)
        lowest = std::min(lowest, parts[i].position.y() - body.parts[i].half - body.parts[i].radius);
    for (PartState& p : parts) p.position.y() += 0.5 - lowest;
    const size_t me = world.add(body, parts);
    Fall fall;
    while (world.time() < seconds) {
        world.step();
        fall.excess_deg = std::max(fall.excess_deg, 57.29578 * world.worst_excess(me));
        fall.fastest = std::max(fall.fastest, world.fastest(me));
        fall.deepest = std::max(fall.deepest, world.deepest(me));
        if (!world.at_rest(me)) fall.rest_after = INFINITY;
        if (world.at_rest(me) && fall.rest_after == INFINITY) fall.rest_after = world.time();
    }
    fall.parts = world.parts(me);
    return fall;
}

// Between the places that one joint has in two poses, at most.
inline double furthest_joint(const Skeleton& skeleton, const Pose& a, const Pose& b) {
    std::vector<AffineD> x(skeleton.size()), y(skeleton.size());
    local_to_world(skeleton.parents(), a.local, x), local_to_world(skeleton.parents(), b.local, y);
    double furthest = 0.0;
    for (size_t j = 0; j < x.size(); ++j)
        furthest = std::max(furthest, (x[j].translation() - y[j].translation()).norm());
    return furthest;
}

}  // namespace sinew::test
