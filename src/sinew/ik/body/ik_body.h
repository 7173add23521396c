// IkBody: what the solvers work on: the joints between those that turn and those with goals, as rigid frames in double.
// Data flow: IkProblem (ik.h) → *here* → one step of a solver after another → IkResult.
#pragma once

#include <sinew/ik/ik.h>

namespace sinew {

inline size_t at(int32_t index) {
    return static_cast<size_t>(index);
}

// The goals' joints and all above them, parents first. A joint's frame has no scale: uniform scales
// and mirrors of the pose are in the offsets and in `after`, so that everything here is rigid.
struct IkJoint {
    int32_t joint = -1;   // in the pose
    int32_t parent = -1;  // here; −1: a root
    bool turns = false;
    bool moves = false;               // the moving root
    const IkLimit* limit = nullptr;   // or none
    Vec3d offset = Vec3d::Zero();     // from the parent, in the parent's frame
    Quatd after = Quatd::Identity();  // local = the pose's rotation * after: the half turn that a mirror leaves
    double scale = 1.0;               // of lengths below it; negative where it is mirrored
};

struct BodyGoal {
    int32_t goal = -1;   // in the problem
    int32_t joint = -1;  // here, as `meets`
    int32_t meets = -1;
    bool has_position = false, has_orientation = false;
    Vec3d target = Vec3d::Zero();
    Quatd orientation = Quatd::Identity();
    double weight = 1.0;
    double cost_weight = 1.0;  // the same, less by priority
    int32_t priority = 0;
    double length = 0.0;  // of the bones that turn for it
};

struct IkBody {
    std::vector<IkJoint> joints;
    size_t first = 0;             // joints before it stay where they are
    std::vector<Quatd> local;     // the unknowns: each joint's frame in its parent's
    std::vector<Quatd> start;     // the locals of the pose that was given
    std::vector<Vec3d> position;  // world, as place_joints leaves them
    std::vector<Quatd> rotation;
    std::vector<BodyGoal> goals;  // those with a weight, a finite target, and a joint that can move
    double length = 0.0;          // the longest of the goals': the unit of everything that needs one
    bool limited = false;         // some joint that turns has a limit

    std::vector<IkPole> poles;  // with joints of this body

    // The best state so far; see ik_loop.h.
    std::vector<Quatd> best_local;
    std::vector<Vec3d> best_offset;
    std::vector<Quatd> before_step;

    std::vector<int32_t> slot;  // of every joint of the pose: its place here, or −1
    bool sheared = false;       // some scale is not uniform, so that lengths here are not quite the pose's
};

// Allocates only what a larger problem than the last one needs.
void build_body(const IkProblem& problem, IkBody& body, int32_t moving_root = -1);

// Positions and rotations of the joints that may move, from the locals.
void place_joints(IkBody& body);

// The frame that a joint hangs in.
inline Quatd parent_rotation(const IkBody& body, size_t joint) {
    const IkJoint& j = body.joints[joint];
    return j.parent < 0 ? Quatd(Quatd::Identity()) : body.rotation[at(j.parent)];
}

// Turns a joint by a world rotation, as far as its limit allows. Only the local changes; place_joints moves the rest.
// Requires that the parent's rotation is placed. Returns the world rotation that was done.
Quatd turn_joint(IkBody& body, size_t joint, const Quatd& world_turn);

// Brings all joints within their limits, and places them.
void clamp_joints(IkBody& body);

// Where a goal wants its joint to be now: for a loop, half-way between the two.
Vec3d goal_target(const IkBody& body, const BodyGoal& goal);
IkGoalError goal_error(const IkBody& body, const BodyGoal& goal, const IkOptions& options);
// Σ cost_weight · (distance² + (angle · length)²), in units of the body's length.
double body_cost(const IkBody& body);
bool all_reached(const IkBody& body, const IkOptions& options);

// Writes the locals that have changed into a pose.
void write_pose(const IkBody& body, std::span<Transform> pose);

// The errors of all goals, also of those that took no part; `result` has its pose.
void report_errors(const IkProblem& problem, const IkBody& body, const IkOptions& options, IkResult& result);

}  // namespace sinew
