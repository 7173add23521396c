#include <sinew/ik/body/ik_body.h>

#include <fmt/format.h>
#include <algorithm>
#include <cmath>

namespace sinew {
namespace {

AffineD world_of(std::span<const int32_t> parents, std::span<const Transform> pose, int32_t joint) {
    AffineD world = to_affine_d(pose[at(joint)]);
    for (int32_t j = parents[at(joint)]; j >= 0; j = parents[at(j)]) world = to_affine_d(pose[at(j)]) * world;
    return world;
}

// Measured on the pose itself, by its matrices.
double distance_in_pose(const IkProblem& problem, const IkGoal& goal, std::span<const Transform> pose) {
    const Vec3d is = world_of(problem.parents, pose, goal.joint).translation();
    const Vec3d should =
        goal.meets >= 0 ? Vec3d(world_of(problem.parents, pose, goal.meets).translation()) : goal.position.value_or(is);
    const double distance = (is - should).norm();
    return std::isfinite(distance) ? distance : INFINITY;
}

double angle_in_pose(const IkProblem& problem, const IkGoal& goal, std::span<const Transform> pose) {
    if (!goal.orientation) return 0.0;
    Quatd world = Quatd::Identity();
    for (int32_t j = goal.joint; j >= 0; j = problem.parents[at(j)])
        world = pose[at(j)].rotation.cast<double>() * world;
    const Quatd left = *goal.orientation * world.conjugate();
    const double angle = 2.0 * std::atan2(left.vec().norm(), std::abs(left.w()));
    return std::isfinite(angle) ? angle : INFINITY;
}

Result<void> check_joint(const IkProblem& problem, int32_t joint, std::string_view whose) {
    if (joint >= 0 && at(joint) < problem.parents.size()) return {};
    return fail(ErrorCode::invalid_argument, fmt::format("{} is joint {}, but joints go from 0 to {}; name one of them",
                                                         whose, joint, problem.parents.size() - 1));
}

Result<void> check_chain(const IkProblem& problem, const IkChain& chain) {
    SINEW_TRY_VOID(check_joint(problem, chain.root, "a chain's root"));
    SINEW_TRY_VOID(check_joint(problem, chain.tip, "a chain's tip"));
    int32_t j = chain.tip;
    while (j > chain.root) j = problem.parents[at(j)];
    if (j == chain.root) return {};
    return fail(ErrorCode::invalid_argument,
                fmt::format("joint {} is not below joint {}; a chain goes from a joint down to one below it", chain.tip,
                            chain.root));
}

bool in_order(double least, double min, double max, double most) {
    return least <= min && min <= max && max <= most;
}
bool has_ranges(const HingeLimit& limit) {
    return in_order(-M_PI, limit.min, limit.max, M_PI) && limit.axis.allFinite();
}
bool has_ranges(const SwingTwistLimit& limit) {
    return in_order(-M_PI, limit.twist_min, limit.twist_max, M_PI) && in_order(0.0, limit.swing, limit.swing, M_PI) &&
           limit.axis.allFinite();
}
bool has_ranges(const EulerLimit& limit) {
    for (int i = 0; i < 3; ++i)
        if (!in_order(-M_PI, limit.min[i], limit.max[i], M_PI)) return false;
    return true;
}

}  // namespace

Result<void> check_ik(const IkProblem& problem) {
    if (problem.pose.size() != problem.parents.size() ||
        (!problem.preferred.empty() && problem.preferred.size() != problem.parents.size()))
        return fail(ErrorCode::invalid_argument,
                    "a pose has more or fewer joints than the skeleton; give one transform per joint");
    for (size_t j = 0; j < problem.parents.size(); ++j)
        if (problem.parents[j] < -1 || problem.parents[j] >= static_cast<int32_t>(j))
            return fail(ErrorCode::invalid_argument,
                        fmt::format("joint {} stands before its parent; sort joints so that parents come first", j));
    for (const IkGoal& goal : problem.goals) {
        SINEW_TRY_VOID(check_joint(problem, goal.joint, "a goal's joint"));
        if (goal.meets != -1) SINEW_TRY_VOID(check_joint(problem, goal.meets, "what a goal meets"));
        if (!(goal.weight >= 0.0))
            return fail(ErrorCode::invalid_argument, "a goal's weight is negative; give 0 or more");
    }
    for (const IkChain& chain : problem.chains) SINEW_TRY_VOID(check_chain(problem, chain));
    for (const IkPole& pole : problem.poles) {
        SINEW_TRY_VOID(check_chain(problem, pole.chain));
        SINEW_TRY_VOID(check_chain(problem, {pole.chain.root, pole.joint}));
        SINEW_TRY_VOID(check_chain(problem, {pole.joint, pole.chain.tip}));
    }
    for (const IkLimit& limit : problem.limits) {
        SINEW_TRY_VOID(check_joint(problem, limit.joint, "a limit's joint"));
        if (!std::visit([](const auto& shape) { return has_ranges(shape); }, limit.shape))
            return fail(
                ErrorCode::invalid_argument,
                fmt::format("the limit of joint {} has a range that is empty or beyond half a turn; give min ≤ max "
                            "within ±π",
                            limit.joint));
    }
    if (problem.moving_root != -1) SINEW_TRY_VOID(check_joint(problem, problem.moving_root, "the moving root"));
    if (problem.balance && problem.balance->mass.size() != problem.parents.size())
        return fail(ErrorCode::invalid_argument, "balance has more or fewer masses than joints; give one per joint");
    return {};
}

void report_errors(const IkProblem& problem, const IkBody& body, const IkOptions& options, IkResult& result) {
    result.errors.assign(problem.goals.size(), {});
    result.reached = true;
    size_t used = 0;
    for (size_t g = 0; g < problem.goals.size(); ++g) {
        const IkGoal& goal = problem.goals[g];
        IkGoalError& error = result.errors[g];
        const bool in_body = used < body.goals.size() && at(body.goals[used].goal) == g;
        double length = body.length;
        if (in_body) {
            length = body.goals[used].length;
            error = goal_error(body, body.goals[used++], options);
        }
        if (!in_body || body.sheared) {
            error.distance = distance_in_pose(problem, goal, result.pose);
            error.angle = angle_in_pose(problem, goal, result.pose);
        }
        error.reached = error.distance <= options.tolerance * length && error.angle <= options.angle_tolerance;
        if (goal.weight > 0.0) result.reached &= error.reached;
    }
}

}  // namespace sinew
