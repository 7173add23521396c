// Spring bones: hair, tails, ears and skirts that follow a body by themselves, as VRM defines them. The steps follow
// VRMC_springBone 1.0.
// Data flow: a file's extension, or chains found by name → *here*, pose after pose → poses → keys of a clip.
#pragma once

#include <sinew/skeleton/pose.h>
#include <sinew/skeleton/skeleton.h>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace sinew {

// A ball, or a capsule from offset to tail, in the space of a joint. `inside`: tails stay in it.
struct SpringCollider {
    int32_t joint = 0;
    Vec3d offset = Vec3d::Zero(), tail = Vec3d::Zero();
    double radius = 0.0;
    bool capsule = false, inside = false;
};

// One bone that swings: from its joint to `child`, or, where that is −1, 7 cm on (VRM 0.x).
struct SpringBone {
    int32_t joint = 0, child = -1;
    double stiffness = 1.0, gravity_power = 0.0, drag = 0.4, hit_radius = 0.0;
    Vec3d gravity_direction = Vec3d(0, -1, 0);
    int32_t center = -1;                   // moves in this joint's space; −1: in the world's
    std::vector<uint32_t> colliders = {};  // into SpringBones::colliders
};

struct SpringBones {
    std::vector<SpringCollider> colliders;
    std::vector<SpringBone> bones;  // parents before children
    bool by_name = false;           // a guess: what a clip moves already is left to the clip
};

// Swings from one pose to the next. Keeps the tails; nothing is allocated in a step.
class SpringBoneSimulation {
public:
    // `rest` are the local transforms from which bones are turned.
    SpringBoneSimulation(SpringBones bones, const Skeleton& skeleton, std::span<const Transform> rest);

    // Puts every tail where the pose has it, at rest.
    void reset(std::span<const Transform> pose);
    // Turns the bones in the pose. All else in the pose stays. `air`: how far the air moves in this step; drag slows
    // bones down to its speed. VRM's own is still.
    void step(double seconds, std::span<Transform> pose, const Vec3d& air = Vec3d::Zero());

    Vec3d tail(size_t bone) const { return tails_[bone]; }  // in its centre's space
    size_t size() const { return set_.bones.size(); }

private:
    AffineD center_of(const SpringBone& bone) const;
    void update(int32_t joint, std::span<const Transform> pose);
    void leave_colliders(const SpringBone& bone, const Vec3d& head, double length, Vec3d& tail) const;

    SpringBones set_;
    std::vector<int32_t> parents_;
    std::vector<Transform> rest_;
    std::vector<Vec3d> tails_, last_tails_, child_places_;  // the last: in the bone's own space, at rest
    std::vector<AffineD> world_;
};

// The word stands alone in a name or begins a part of it: "Tail_01", "hairFront", "Skirts"; not "detail" or "forearm".
bool name_has_word(std::string_view name, std::string_view word);

// Chains that swing on a body and are found by their joints' names: tails, ears, hair, skirts, capes, and the like.
// VRM's numbers are for people in metres: other sizes swing alike.
SpringBones find_spring_bones(const Skeleton& skeleton);

}  // namespace sinew
