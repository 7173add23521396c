// A character's joints as posing sees them: roles, which of them are bones, and joints by what users call them.
// Data flow: Character → *here* → pose/reach.h, pose/drag.h.
#pragma once

#include <sinew/character/character.h>
#include <sinew/skeleton/humanoid.h>

namespace sinew {

struct PoseBody {
    const Skeleton* skeleton = nullptr;
    HumanoidMap roles;
    std::vector<Role> role_of;     // of each joint, or Role::count
    std::vector<bool> is_bone;     // carries skin, itself or below it; all joints where nothing is skinned
    std::vector<int> bones_below;  // children that are bones
};
PoseBody make_pose_body(const Character& character);

// By name, by role ("leftHand"), or by number ("joint 7"). Fails with the closest names; `where` is the option.
Result<int32_t> find_pose_joint(const PoseBody& body, const std::string& name, const std::string& where);

// What a joint is to reach, in world space.
struct PoseGoal {
    int32_t joint = -1;   // −1: the vertex below, for the elastic solver
    int32_t vertex = -1;  // counted over the character's skinned meshes, in order
    std::string name;     // as the report has it
    Vec3d target = Vec3d::Zero();
};

// Where the goals ended.
struct PoseOutcome {
    std::vector<Transform> pose;
    std::vector<double> errors;  // of each goal
    std::vector<bool> reached;
    std::vector<std::string> solvers;
    std::vector<int> iterations;
};

}  // namespace sinew
