// Inverse kinematics: joints turn until hands, feet or any other joints are where you want them.
// Data flow: parents, Pose, goals → *here* → Pose → skeleton/pose.h. One problem, many solvers.
#pragma once

#include <sinew/core/result.h>
#include <sinew/math/transform.h>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <variant>
#include <vector>

namespace sinew {

class Skeleton;
struct HumanoidMap;

// Joints are indices into the pose. Positions, orientations and directions are in world space unless they say
// otherwise.

// What a joint should come to: a place, an orientation, or both.
struct IkGoal {
    int32_t joint = -1;
    std::optional<Vec3d> position = {};
    std::optional<Quatd> orientation = {};
    int32_t meets = -1;    // closes a loop: the joint should be where this other joint is. Instead of a position
    double weight = 1.0;   // against other goals of the same priority, where not all can be reached; 0 switches it off
    int32_t priority = 0;  // full_body alone: a goal gives way to every goal with a smaller number
};

// The joints from `root` down to `tip`. All of them may turn; the tip only if a goal sets its orientation.
struct IkChain {
    int32_t root = -1, tip = -1;
};

// The side to which a joint between root and tip bends: forwards for a knee, backwards for an elbow. Only the part of
// `direction` across the line from root to tip counts. The chain turns about that line, which moves no goal of its tip.
struct IkPole {
    IkChain chain = {};
    int32_t joint = -1;
    Vec3d direction = Vec3d::Zero();
};

// Limits hold for the turn of a joint from `reference`, a local rotation, usually that of the rest pose:
//     local rotation = reference * turn.
// Axes are directions in the joint's own frame. Angles are radians, and −π ≤ min ≤ max ≤ π.
struct HingeLimit {  // turns about one axis
    Vec3d axis = Vec3d::UnitX();
    double min = 0.0, max = 0.0;
};
struct SwingTwistLimit {          // turn = swing * twist
    Vec3d axis = Vec3d::UnitY();  // along the bone: the twist turns about it, the swing moves it
    double swing = 0.0;           // how far the axis may lean from where the reference has it: a cone; 0 … π
    double twist_min = 0.0, twist_max = 0.0;
};
struct EulerLimit {  // turn = about z * about y * about x; y within ±1.55, where x and z are still two things
    Vec3d min = Vec3d::Zero(), max = Vec3d::Zero();
};
struct IkLimit {
    int32_t joint = -1;
    Quatd reference = Quatd::Identity();
    std::variant<HingeLimit, SwingTwistLimit, EulerLimit> shape = {};
};

// A local rotation within the limit: the given one where it is, else one on the boundary. limit_excess says by how much
// a rotation is outside, in radians: the largest angle beyond its range, 0 within.
Quatd clamp_to_limit(const IkLimit& limit, const Quatd& local);
double limit_excess(const IkLimit& limit, const Quatd& local);

// What a person's joints can do, around the rest pose of `skeleton`; the rest pose is always within. Joints without a
// role stay free. The numbers are the healthy adult's ranges of motion [AAOS1965], and the bones' directions tell the
// axes: knees and elbows are hinges, hips, shoulders and the trunk are cones.
std::vector<IkLimit> anatomical_limits(const HumanoidMap& map, const Skeleton& skeleton);

// Balance, for full_body: the centre of mass, seen along `up`, stays over the support.
struct IkBalance {
    std::span<const double> mass = {};  // one per joint, at the joint; body_masses gives a person's
    // Where the body stands: points whose convex hull, seen along `up`, is the support.
    std::span<const Vec3d> support = {};
    Vec3d up = Vec3d::UnitY();
    double weight = 1.0;
    int32_t priority = 0;
};
// How a person's mass is spread over the joints [Winter2009]; sums to 1. Joints without a role weigh nothing.
std::vector<double> body_masses(const HumanoidMap& map, const Skeleton& skeleton);

// Everything is plain data of the caller's. Requires −1 ≤ parents[j] < j, equal sizes, and joints in range; check_ik
// says whether that holds, for problems that a user describes.
struct IkProblem {
    std::span<const int32_t> parents = {};
    std::span<const Transform> pose = {};  // local; where the search starts: last frame's solution makes a warm start
    // Which joints may turn. None: every joint above a goal's, from the moving root on.
    std::span<const IkChain> chains = {};
    std::span<const IkGoal> goals = {};
    std::span<const IkPole> poles = {};
    std::span<const IkLimit> limits = {};  // at most one per joint
    // newton and full_body: what to be like, as far as the goals leave it open; or none.
    std::span<const Transform> preferred = {};
    int32_t moving_root = -1;               // full_body: this joint, usually the hips, may also move; −1: none may
    std::optional<IkBalance> balance = {};  // full_body
};
Result<void> check_ik(const IkProblem& problem);

enum class IkSolver : uint8_t {
    two_bone,              // closed form, for limbs: exact and fastest
    ccd,                   // cyclic coordinate descent: one joint at a time points the tip at the goal
    fabrik,                // forward and backward reaching: points first, rotations afterwards
    jacobian_transpose,    // steepest descent
    pseudo_inverse,        // Gauss–Newton by singular values
    damped_least_squares,  // the same with each singular value damped as it needs
    newton,                // exact second derivatives; keeps to a preferred pose
    full_body,             // many goals with priorities, balance and a root that moves
};
std::vector<std::string_view> ik_solver_names();  // "two-bone", "ccd", …
std::string_view to_string(IkSolver solver);
Result<IkSolver> parse_ik_solver(std::string_view name);  // fails on an unknown name, and lists those there are

struct IkOptions {
    double tolerance = 1e-3;  // a position is reached within this share of the length of the bones that turn for it
    double angle_tolerance = 1e-2;  // an orientation is reached within this, in radians
    int max_iterations = 0;         // 0: as many as ik_budget says
    double largest_turn = 0.0;  // the most that a joint turns in one iteration, in radians; 0: the solver's own choice
};
int ik_budget(IkSolver solver);  // iterations that suffice for 99 of 100 goals within reach

struct IkGoalError {
    double distance = 0.0;  // from the joint to its goal; infinite where the goal is not finite
    double angle = 0.0;     // between the orientations, radians
    bool reached = false;
};

struct IkResult {
    std::vector<Transform> pose;      // local
    std::vector<IkGoalError> errors;  // of each goal
    bool reached = false;             // all goals are, that have a weight
    int iterations = 0;               // 0: the pose was good as it was, or the answer has a closed form
};

// Memory that solves share. One per thread; starts empty and grows to what the largest problem needs.
struct IkMemory;
class IkWorkspace {
public:
    IkWorkspace();
    ~IkWorkspace();
    IkWorkspace(IkWorkspace&&) noexcept;
    IkWorkspace& operator=(IkWorkspace&&) noexcept;
    IkMemory& memory() { return *memory_; }

private:
    std::unique_ptr<IkMemory> memory_;
};

// Solves a problem. Bone lengths never change: only rotations do, and the moving root's translation. Joints that turn
// are always within their limits; those that start outside are brought inside first. Goals out of reach are approached
// as near as the solver gets. Finite input never gives NaN; a goal that is not finite is left out, with an infinite
// error. A pose that has reached all goals comes back bit for bit. Deterministic. Scales must be uniform for lengths to
// be kept; mirrors are.
//
// The first form allocates nothing once `workspace` and `result` have been used for a problem of this size; result.pose
// may be the problem's own pose.
void solve_ik(const IkProblem& problem, IkSolver solver, const IkOptions& options, IkWorkspace& workspace,
              IkResult& result);
IkResult solve_ik(const IkProblem& problem, IkSolver solver, const IkOptions& options = {});

// Looks at a point: the joints of a chain turn together until `forward`, a direction in the tip's own frame, points
// from the tip at `target`. Every joint takes its share of the turn; what a limit refuses goes to the others.
struct IkAim {
    IkChain chain = {};  // the tip turns too
    Vec3d target = Vec3d::Zero();
    Vec3d forward = Vec3d::UnitZ();
    Vec3d up = Vec3d::Zero();  // a direction in the tip's frame which should point towards world_up; zero: the tip
    Vec3d world_up = Vec3d::UnitY();  // is not rolled
};
// Uses the problem's parents, pose and limits. `errors` has one entry: the angle between forward and the target.
IkResult solve_aim(const IkProblem& problem, const IkAim& aim, const IkOptions& options = {});

}  // namespace sinew
