// Tracking: torques that keep a ragdoll's joints where a pose has them: proportional to what is missing, less what
// moves there already. Data flow: a Pose of a clip as parts → *here* → RagdollWorld.
#pragma once

#include <sinew/ragdoll/world/ragdoll_world.h>

namespace sinew {

struct TrackingOptions {
    double frequency = 8.0;  // how fast a joint follows, in swings a second
    double damping = 1.0;    // 1: without swinging over
    double root = 8.0;       // the same of the root; 0: nobody holds it
};

// Prepared once per body: the inertia of all that each joint carries, at rest.
class PoseTracker {
public:
    explicit PoseTracker(const RagdollBody& body, const TrackingOptions& options = {});

    // Drives all joints towards `target` for one step, which has the speeds of the target's parts as well. `strength`
    // from 0, limp, to 1. The root is pulled along if the options say so.
    void apply(RagdollWorld& world, size_t body, std::span<const PartState> target, double strength = 1.0) const;
    // One part's joint alone, by a torque: proportional to what is missing, less what moves there already.
    void hold(RagdollWorld& world, size_t body, size_t part, const Quatd& relative, const Vec3d& relative_spin,
              double strength = 1.0) const;

private:
    TrackingOptions options_;
    std::vector<Mat3d> carried_;  // inertia about the joint, in the part's frame
    std::vector<double> ratio_;   // how many times the part's own, where it is most
    double mass_ = 0.0;
};

// The largest angle between a joint's rotation and the target's, over all joints but the root; radians.
double worst_tracking_error(const RagdollBody& body, std::span<const PartState> parts,
                            std::span<const PartState> target);

// The turn from one rotation to another as an axis times an angle below π.
Vec3d turn_between(const Quatd& from, const Quatd& to);

}  // namespace sinew
