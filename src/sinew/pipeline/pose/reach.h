// Reaching: targets for joints, solved by inverse kinematics along chains that suit them.
// Data flow: PoseBody, a pose, goals → *here* (ik/ik.h) → a pose.
#pragma once

#include <sinew/ik/ik.h>
#include <sinew/pipeline/pose/pose_body.h>

namespace sinew {

struct ReachOptions {
    std::optional<IkSolver> solver;  // none: what suits
    std::vector<std::pair<int32_t, Vec3d>> poles;
    std::vector<int32_t> hold;  // full body: joints that stay; empty: the feet
    std::vector<int32_t> keep;  // joints whose rotation the user gave: no limit changes it
    bool anatomical = false;
};

// The joints that turn for a target: an arm or a leg for a hand or a foot, the spine for head and chest, and otherwise
// all up to where the bones branch. Root and tip are the same where nothing above the joint suits.
IkChain chain_for(const PoseBody& body, int32_t joint);

// Fails when a pole lies on no chain, or when a solver needs more joints than a chain has.
Result<PoseOutcome> reach(const PoseBody& body, std::span<const Transform> start, std::span<const PoseGoal> goals,
                          const ReachOptions& options);

}  // namespace sinew
