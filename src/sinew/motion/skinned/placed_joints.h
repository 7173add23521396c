// Joints that are put somewhere at each key of a clip: what carrying, loose feet and puppets share.
// Data flow: Clip → poses in the world → *here* → tracks of the clip.
#pragma once

#include <sinew/clip/clip.h>
#include <sinew/skeleton/pose.h>
#include <sinew/skeleton/skeleton.h>
#include <span>
#include <utility>
#include <vector>

namespace sinew {

// The times of the track with the most keys.
std::vector<float> longest_times(const Clip& clip);

// Calls visit(world) with the places of all joints at each of the times. O(times · joints).
template <class Visit>
void visit_keys(const Skeleton& skeleton, const Clip& clip, std::span<const float> times, Visit visit) {
    Pose pose;
    std::vector<AffineD> world(skeleton.size());
    for (const float time : times) {
        pose.local = skeleton.rest();
        sample(clip, time, pose);
        local_to_world(skeleton.parents(), pose.local, world);
        visit(std::as_const(world));
    }
}

// Where a joint's parent is: without one, the world.
AffineD place_above(const std::vector<AffineD>& world, int32_t parent);

// Keys of one joint, relative to its parent.
struct PlacedJoint {
    std::vector<Vec3d> positions;
    std::vector<Quatd> rotations;

    void add(const AffineD& parent_from_joint);
    // The joint's translation and rotation in the clip are these from now on.
    void write(int32_t joint, const std::vector<float>& times, Clip& clip) const;
};

}  // namespace sinew
