// Getting up: from where a ragdoll lies, over sitting or kneeling and crouching, an animal over gathering its legs, to
// where a clip goes on.
// Data flow: the pose it lies in, a clip's first pose → *here* → poses, without a pop at either end.
#pragma once

#include <sinew/ragdoll/body/ragdoll_body.h>

namespace sinew {

class GetUp {
public:
    // `lying` is where it is and `standing` how it should stand at the end; where, and which way it looks, follows from
    // how it lies. `ground` is the floor's height.
    GetUp(const RagdollBody& body, const Pose& lying, const Pose& standing, double ground = 0.0);

    double seconds() const { return seconds_; }
    void pose_at(double time, Pose& pose) const;  // at 0 it is `lying`; from seconds() on it stands

    // What to do with parts of the `standing` pose, to have them where the body stands: turn, then move.
    Quatd turn() const { return turn_; }
    Vec3d move() const { return move_; }

private:
    std::vector<PartState> assemble(std::span<const Quatd> relative) const;
    void slow_down(double most);
    Vec3d middle_of_feet(std::span<const PartState> parts) const;

    RagdollBody body_;
    Pose lying_, standing_;
    double ground_ = 0.0, seconds_ = 2.0;
    std::vector<std::vector<Quatd>> keys_;  // relative rotations
    std::vector<double> times_;
    Vec3d pelvis_start_ = Vec3d::Zero(), feet_end_ = Vec3d::Zero();
    double lift_start_ = 0.0, lift_end_ = 0.0;  // of the lowest point over the ground
    Quatd turn_ = Quatd::Identity();
    Vec3d move_ = Vec3d::Zero();
};

}  // namespace sinew
