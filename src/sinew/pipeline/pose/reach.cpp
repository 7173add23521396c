#include <sinew/pipeline/pose/reach.h>

#include <sinew/skeleton/joint_label.h>
#include <sinew/skeleton/pose.h>
#include <algorithm>

#include <fmt/format.h>

namespace sinew {
namespace {

// A limb whose middle joint lies off the line between its ends by less than this share of its length counts as
// straight: 9 degrees for bones of one length. It does not say to which side it bends.
constexpr double straight_limb = 0.04;

struct Limb {
    Role root, mid, tip;
    bool leg, left;
};
constexpr Limb limbs[] = {
    {Role::left_upper_arm, Role::left_lower_arm, Role::left_hand, false, true},
    {Role::right_upper_arm, Role::right_lower_arm, Role::right_hand, false, false},
    {Role::left_upper_leg, Role::left_lower_leg, Role::left_foot, true, true},
    {Role::right_upper_leg, Role::right_lower_leg, Role::right_foot, true, false},
};

const Limb* limb_of(const PoseBody& body, int32_t tip) {
    for (const Limb& limb : limbs)
        if (body.roles[limb.tip] == tip && body.roles[limb.root] >= 0 && body.roles[limb.mid] >= 0) return &limb;
    return nullptr;
}

int32_t parent_of(const PoseBody& body, int32_t joint) {
    return body.skeleton->parents()[static_cast<size_t>(joint)];
}

bool is_above(const PoseBody& body, int32_t above, int32_t joint) {
    for (; joint >= 0; joint = parent_of(body, joint))
        if (joint == above) return true;
    return false;
}

bool is_trunk(Role role) {
    return role == Role::chest || role == Role::upper_chest || role == Role::neck || role == Role::head;
}

std::vector<AffineD> world_of(const PoseBody& body, std::span<const Transform> pose) {
    std::vector<AffineD> world(pose.size());
    local_to_world(body.skeleton->parents(), pose, world);
    return world;
}

Vec3d place(std::span<const AffineD> world, int32_t joint) {
    return world[static_cast<size_t>(joint)].translation();
}

// Which way the body looks, and which way its left is.
struct BodyAxes {
    Vec3d forward = Vec3d::UnitZ(), left = Vec3d::UnitX();
};
BodyAxes body_axes(const PoseBody& body, std::span<const AffineD> world) {
    BodyAxes axes;
    for (const auto& [l, r] : {std::pair(Role::left_upper_leg, Role::right_upper_leg),
                               std::pair(Role::left_upper_arm, Role::right_upper_arm)}) {
        if (body.roles[l] < 0 || body.roles[r] < 0) continue;
        Vec3d left = place(world, body.roles[l]) - place(world, body.roles[r]);
        left.y() = 0.0;
        if (!(left.norm() > 0.0)) continue;
        axes.left = left.normalized();
        axes.forward = axes.left.cross(Vec3d::UnitY());
        break;
    }
    return axes;
}

// The side to which a straight arm or leg bends: knees forwards; elbows down, backwards and outwards.
Vec3d natural_bend(const BodyAxes& axes, const Limb& limb) {
    if (limb.leg) return axes.forward;
    const Vec3d outwards = limb.left ? axes.left : Vec3d(-axes.left);
    return -0.7 * Vec3d::UnitY() - 0.6 * axes.forward + 0.4 * outwards;
}

bool is_straight(std::span<const AffineD> world, int32_t root, int32_t mid, int32_t tip) {
    const Vec3d line = place(world, tip) - place(world, root), bone = place(world, mid) - place(world, root);
    const double length = bone.norm() + (place(world, tip) - place(world, mid)).norm();
    if (!(line.norm() > straight_limb * length)) return false;
    return line.normalized().cross(bone).norm() < straight_limb * length;
}

double length_of(const PoseBody& body, std::span<const AffineD> world, const IkChain& chain) {
    double length = 0.0;
    for (int32_t j = chain.tip; j != chain.root && j >= 0; j = parent_of(body, j))
        if (parent_of(body, j) >= 0) length += (place(world, j) - place(world, parent_of(body, j))).norm();
    return length;
}

// The joint in the middle of a chain, by length.
int32_t middle_of(const PoseBody& body, std::span<const AffineD> world, const IkChain& chain) {
    std::vector<int32_t> joints;
    for (int32_t j = chain.tip; j != chain.root && j >= 0; j = parent_of(body, j)) joints.push_back(j);
    const double length = length_of(body, world, chain);
    double walked = 0.0;
    for (const int32_t j : joints) {
        walked += (place(world, j) - place(world, parent_of(body, j))).norm();
        if (walked >= 0.5 * length && j != chain.tip) return j;
    }
    return parent_of(body, chain.tip);
}

Result<std::vector<IkPole>> make_poles(const PoseBody& body, std::span<const AffineD> world,
                                       std::span<const IkChain> chains, const ReachOptions& options) {
    std::vector<IkPole> poles;
    for (const auto& [joint, direction] : options.poles) {
        const auto on = std::find_if(chains.begin(), chains.end(), [&, j = joint](const IkChain& chain) {
            return j != chain.root && is_above(body, chain.root, j) && is_above(body, j, chain.tip);
        });
        if (on == chains.end())
            return fail(
                ErrorCode::invalid_argument,
                fmt::format("{} bends for no target; give a --pole for the knee or elbow of a limb that has one",
                            joint_label(*body.skeleton, joint)),
                "--pole");
        const Limb* limb = limb_of(body, on->tip);
        const int32_t mid = joint != on->tip ? joint : limb ? body.roles[limb->mid] : middle_of(body, world, *on);
        poles.push_back({*on, mid, direction});
    }
    const BodyAxes axes = body_axes(body, world);
    for (const IkChain& chain : chains) {
        const Limb* limb = limb_of(body, chain.tip);
        const auto given = [&](const IkPole& pole) { return pole.chain.tip == chain.tip; };
        if (!limb || std::any_of(poles.begin(), poles.end(), given)) continue;
        const int32_t mid = body.roles[limb->mid];
        if (is_straight(world, chain.root, mid, chain.tip)) poles.push_back({chain, mid, natural_bend(axes, *limb)});
    }
    return poles;
}

std::vector<IkLimit> make_limits(const PoseBody& body, const ReachOptions& options) {
    if (!options.anatomical || !body.roles.is_body()) return {};
    std::vector<IkLimit> limits = anatomical_limits(body.roles, *body.skeleton);
    std::erase_if(limits, [&](const IkLimit& limit) {
        return std::find(options.keep.begin(), options.keep.end(), limit.joint) != options.keep.end();
    });
    return limits;
}

// One call of a solver.
struct Attempt {
    const PoseBody& body;
    std::span<const Transform> start;
    std::span<const PoseGoal> goals;
    std::span<const IkLimit> limits;
    const ReachOptions& options;

    Result<PoseOutcome> chains(std::optional<IkSolver> solver) const;
    Result<PoseOutcome> full_body() const;
};

void take(const IkResult& result, IkSolver solver, size_t goal, size_t error, PoseOutcome& outcome) {
    outcome.errors[goal] = result.errors[error].distance;
    outcome.reached[goal] = result.errors[error].reached;
    outcome.solvers[goal] = to_string(solver);
    outcome.iterations[goal] = result.iterations;
}

PoseOutcome empty_outcome(std::span<const Transform> start, size_t goals) {
    return {{start.begin(), start.end()},
            std::vector<double>(goals, 0.0),
            std::vector<bool>(goals, true),
            std::vector<std::string>(goals),
            std::vector<int>(goals, 0)};
}

// Each target by its own chain, chains nearer to the root first: what they move, the others see.
Result<PoseOutcome> Attempt::chains(std::optional<IkSolver> solver) const {
    PoseOutcome outcome = empty_outcome(start, goals.size());
    std::vector<size_t> order(goals.size());
    for (size_t g = 0; g < order.size(); ++g) order[g] = g;
    std::vector<IkChain> all;
    for (const PoseGoal& goal : goals) all.push_back(chain_for(body, goal.joint));
    std::stable_sort(order.begin(), order.end(), [&](size_t a, size_t b) { return all[a].root < all[b].root; });
    const std::vector<AffineD> world = world_of(body, start);
    SINEW_TRY(const std::vector<IkPole> poles, make_poles(body, world, all, options));
    for (const size_t g : order) {
        IkSolver by =
            solver.value_or(limb_of(body, goals[g].joint) ? IkSolver::two_bone : IkSolver::damped_least_squares);
        const IkGoal goal{.joint = goals[g].joint, .position = goals[g].target};
        std::vector<IkPole> own;
        for (const IkPole& pole : poles)
            if (pole.chain.tip == all[g].tip) own.push_back(pole);
        IkProblem problem{.parents = body.skeleton->parents(),
                          .pose = outcome.pose,
                          .chains = {&all[g], 1},
                          .goals = {&goal, 1},
                          .poles = own,
                          .limits = limits,
                          .preferred = start};
        SINEW_TRY_VOID(check_ik(problem));
        IkResult result = solve_ik(problem, by);
        if (!solver && !result.reached && by == IkSolver::two_bone && !limits.empty()) {
            // The closed form knows no limits; within them the other side may still reach.
            IkResult other = solve_ik(problem, IkSolver::damped_least_squares);
            if (other.errors[0].distance < result.errors[0].distance) {
                result = std::move(other);
                by = IkSolver::damped_least_squares;
            }
        }
        outcome.pose = std::move(result.pose);
        take(result, by, g, 0, outcome);
    }
    // Later chains may have moved what earlier ones had put right.
    const std::vector<AffineD> after = world_of(body, outcome.pose);
    for (size_t g = 0; g < goals.size(); ++g) {
        const double error = (place(after, goals[g].joint) - goals[g].target).norm();
        const double enough = IkOptions{}.tolerance * length_of(body, world, all[g]);
        outcome.reached[g] = outcome.reached[g] && error <= std::max(enough, outcome.errors[g]);
        outcome.errors[g] = error;
    }
    return outcome;
}

// All targets at once: the hips move, and the feet, or what else is held, stay.
Result<PoseOutcome> Attempt::full_body() const {
    const std::vector<AffineD> world = world_of(body, start);
    std::vector<IkGoal> all;
    for (const PoseGoal& goal : goals) all.push_back({.joint = goal.joint, .position = goal.target});
    std::vector<int32_t> hold = options.hold;
    if (hold.empty())
        for (const Role foot : {Role::left_foot, Role::right_foot})
            if (body.roles[foot] >= 0) hold.push_back(body.roles[foot]);
    for (const int32_t joint : hold) {
        const auto aimed = [&](const PoseGoal& goal) { return goal.joint == joint; };
        if (std::any_of(goals.begin(), goals.end(), aimed)) continue;
        const Mat3d axes = world[static_cast<size_t>(joint)].linear().colwise().normalized();
        IkGoal stay{.joint = joint, .position = place(world, joint)};
        if (axes.determinant() > 0.0) stay.orientation = Quatd(axes).normalized();
        all.push_back(stay);
    }
    std::vector<IkChain> limb_chains;
    for (const IkGoal& goal : all)
        if (limb_of(body, goal.joint)) limb_chains.push_back(chain_for(body, goal.joint));
    for (const PoseGoal& goal : goals)
        if (!limb_of(body, goal.joint)) limb_chains.push_back(chain_for(body, goal.joint));
    SINEW_TRY(const std::vector<IkPole> poles, make_poles(body, world, limb_chains, options));
    IkProblem problem{.parents = body.skeleton->parents(),
                      .pose = start,
                      .goals = all,
                      .poles = poles,
                      .limits = limits,
                      .preferred = start,
                      .moving_root = body.roles[Role::hips]};
    SINEW_TRY_VOID(check_ik(problem));
    IkResult result = solve_ik(problem, IkSolver::full_body);
    PoseOutcome outcome = empty_outcome(start, goals.size());
    outcome.pose = std::move(result.pose);
    for (size_t g = 0; g < goals.size(); ++g) take(result, IkSolver::full_body, g, g, outcome);
    return outcome;
}

}  // namespace

IkChain chain_for(const PoseBody& body, int32_t joint) {
    if (const Limb* limb = limb_of(body, joint)) return {body.roles[limb->root], joint};
    const Role role = body.role_of[static_cast<size_t>(joint)];
    const int32_t spine = body.roles[Role::spine];
    if (is_trunk(role) && spine >= 0 && spine != joint && is_above(body, spine, joint)) return {spine, joint};
    IkChain chain{joint, joint};
    for (int32_t above = parent_of(body, joint); above >= 0; above = parent_of(body, above)) {
        const auto a = static_cast<size_t>(above);
        if (!body.is_bone[a] || body.bones_below[a] > 1) break;
        chain.root = above;
    }
    // A joint right below a branch turns with the branch.
    if (chain.root == joint && parent_of(body, joint) >= 0 && body.is_bone[static_cast<size_t>(parent_of(body, joint))])
        chain.root = parent_of(body, joint);
    return chain;
}

Result<PoseOutcome> reach(const PoseBody& body, std::span<const Transform> start, std::span<const PoseGoal> goals,
                          const ReachOptions& options) {
    const std::vector<IkLimit> limits = make_limits(body, options);
    const Attempt attempt{body, start, goals, limits, options};
    if (options.solver == IkSolver::full_body) return attempt.full_body();
    const bool can_move = body.roles[Role::hips] >= 0;
    bool rootless = false;  // a target for a joint that has nothing above it to turn
    for (const PoseGoal& goal : goals) {
        const IkChain chain = chain_for(body, goal.joint);
        rootless = rootless || chain.root == chain.tip || (can_move && goal.joint == body.roles[Role::hips]);
        if (options.solver == IkSolver::two_bone && parent_of(body, goal.joint) == chain.root)
            return fail(ErrorCode::invalid_argument,
                        fmt::format("{} has only one bone to turn; two-bone needs two, use --solver auto", goal.name),
                        "--solver");
    }
    if (rootless && (options.solver || !can_move))
        return fail(
            ErrorCode::invalid_argument,
            "a joint that has a target has no bone above it to turn; give a target to one farther down the tree",
            "--target");
    if (options.solver) return attempt.chains(options.solver);
    if (rootless) return attempt.full_body();
    SINEW_TRY(PoseOutcome outcome, attempt.chains({}));
    const bool all_reached = std::find(outcome.reached.begin(), outcome.reached.end(), false) == outcome.reached.end();
    if (all_reached || goals.size() < 2 || !can_move) return outcome;
    return attempt.full_body();
}

}  // namespace sinew
