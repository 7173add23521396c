#include <sinew/ik/body/ik_body.h>

#include <sinew/core/check.h>
#include <algorithm>
#include <cmath>

namespace sinew {
namespace {

constexpr double uniform_within = 1e-4;  // scales along the axes differ by less: float files say 1.0000001
constexpr int32_t not_here = -1, wanted = -2;

// A scale as a factor and the half turn that is left of a mirror: diag(−1, 1, 1) = −1 · (half a turn about x).
struct Scale {
    double factor = 1.0;
    Quatd after = Quatd::Identity();
    bool uniform = true;
};
Scale split_scale(const Vec3& scale) {
    if (scale == Vec3::Ones()) return {};
    const Vec3d s = scale.cast<double>(), size = s.cwiseAbs();
    Scale result;
    const bool mirrored = s.prod() < 0.0;
    result.factor = std::cbrt(size.prod()) * (mirrored ? -1.0 : 1.0);
    result.uniform = size.maxCoeff() - size.minCoeff() <= uniform_within * size.maxCoeff();
    // What is left, diag(±1), has an even number of −1 once the mirror is taken out: none, or a half turn.
    const Vec3d left = s.cwiseSign() * (mirrored ? -1.0 : 1.0);
    for (int axis = 0; axis < 3; ++axis)
        if (left[axis] > 0.0 && left.minCoeff() < 0.0) result.after = Quatd(0.0, axis == 0, axis == 1, axis == 2);
    return result;
}

Quatd rotation_of(const Transform& local) {
    const Quatd q = local.rotation.cast<double>();
    return q.squaredNorm() > 0.0 ? Quatd(q.normalized()) : Quatd(Quatd::Identity());
}

// Lengths that overflow are as good as infinite, and a quaternion of zeros is no orientation.
bool is_finite(const IkGoal& goal) {
    if (goal.position && !std::isfinite(goal.position->norm())) return false;
    return !goal.orientation || (std::isfinite(goal.orientation->norm()) && goal.orientation->norm() > 0.0);
}
bool is_used(const IkGoal& goal) {
    return goal.weight > 0.0 && is_finite(goal) && (goal.position || goal.orientation || goal.meets >= 0);
}

void want_ancestors(const IkProblem& problem, int32_t joint, std::vector<int32_t>& slot) {
    for (; joint >= 0 && slot[at(joint)] != wanted; joint = problem.parents[at(joint)]) slot[at(joint)] = wanted;
}

// Marks in `turns` (of body joints) what may turn: the joints of the chains, or everything from the moving root on.
void mark_turning(const IkProblem& problem, int32_t moving_root, IkBody& body) {
    const auto may_turn = [&](int32_t j) {
        if (problem.chains.empty()) {
            while (j > moving_root) j = problem.parents[at(j)];
            return j == moving_root;
        }
        for (const IkChain& chain : problem.chains)
            for (int32_t k = chain.tip; k >= 0; k = k == chain.root ? -1 : problem.parents[at(k)])
                if (k == j) return true;
        return false;
    };
    // A joint turns for what hangs on it, and for its own orientation.
    for (const BodyGoal& goal : body.goals) {
        for (const int32_t end : {goal.joint, goal.meets}) {
            if (end < 0) continue;
            if (end == goal.joint && goal.has_orientation) body.joints[at(end)].turns = true;
            for (int32_t j = body.joints[at(end)].parent; j >= 0; j = body.joints[at(j)].parent)
                body.joints[at(j)].turns = true;
        }
    }
    for (IkJoint& j : body.joints) j.turns = j.turns && may_turn(j.joint);
}

// The joints that are wanted, with what their scales leave.
void add_joints(const IkProblem& problem, int32_t moving_root, IkBody& body) {
    body.joints.clear();
    body.local.clear();
    body.sheared = false;
    for (size_t j = 0; j < problem.parents.size(); ++j) {
        if (body.slot[j] != wanted) continue;
        const int32_t parent = problem.parents[j];
        const Transform& local = problem.pose[j];
        const Scale scale = split_scale(local.scale);
        IkJoint& to = body.joints.emplace_back();
        to.joint = static_cast<int32_t>(j);
        to.parent = parent < 0 ? -1 : body.slot[at(parent)];
        to.moves = to.joint == moving_root;
        const double above = to.parent < 0 ? 1.0 : body.joints[at(to.parent)].scale;
        to.offset = above * local.translation.cast<double>();
        to.scale = above * scale.factor;
        to.after = scale.after;
        body.slot[j] = static_cast<int32_t>(body.joints.size() - 1);
        body.local.push_back(rotation_of(local) * scale.after);
        body.sheared |= !scale.uniform;
    }
    body.start.assign(body.local.begin(), body.local.end());
}

void add_limits_and_poles(const IkProblem& problem, IkBody& body) {
    for (const IkLimit& limit : problem.limits)
        if (const int32_t slot = body.slot[at(limit.joint)]; slot >= 0) body.joints[at(slot)].limit = &limit;
    body.limited = std::ranges::any_of(body.joints, [](const IkJoint& j) { return j.turns && j.limit; });
    body.poles.clear();
    for (IkPole pole : problem.poles) {
        for (int32_t* joint : {&pole.chain.root, &pole.chain.tip, &pole.joint}) *joint = body.slot[at(*joint)];
        if (pole.chain.root >= 0 && pole.chain.tip >= 0 && pole.joint >= 0) body.poles.push_back(pole);
    }
}

void add_goals(const IkProblem& problem, IkBody& body) {
    body.goals.clear();
    for (size_t g = 0; g < problem.goals.size(); ++g) {
        const IkGoal& goal = problem.goals[g];
        if (!is_used(goal)) continue;
        BodyGoal& to = body.goals.emplace_back();
        to = {.goal = static_cast<int32_t>(g), .joint = body.slot[at(goal.joint)]};
        to.meets = goal.meets >= 0 ? body.slot[at(goal.meets)] : -1;
        to.has_position = goal.position.has_value() || goal.meets >= 0;
        to.has_orientation = goal.orientation.has_value();
        if (goal.position) to.target = *goal.position;
        if (goal.orientation) to.orientation = goal.orientation->normalized() * body.joints[at(to.joint)].after;
        to.weight = to.cost_weight = goal.weight;
        to.priority = goal.priority;
    }
}

void measure_goals(IkBody& body) {
    body.length = 0.0;
    for (BodyGoal& goal : body.goals) {
        goal.length = 0.0;
        for (const int32_t end : {goal.joint, goal.meets}) {
            double length = 0.0;
            for (int32_t j = end; j >= 0; j = body.joints[at(j)].parent) {
                const int32_t parent = body.joints[at(j)].parent;
                if (body.joints[at(j)].turns) goal.length = std::max(goal.length, length);
                if (parent >= 0) length += body.joints[at(j)].offset.norm();
            }
        }
        body.length = std::max(body.length, goal.length);
    }
    // Goals that no bone turns for (a joint that only turns itself) still need a unit.
    if (!(body.length > 0.0)) body.length = 1.0;
    for (BodyGoal& goal : body.goals)
        if (!(goal.length > 0.0)) goal.length = body.length;
}

}  // namespace

void build_body(const IkProblem& problem, IkBody& body, int32_t moving_root) {
    const size_t count = problem.parents.size();
    SINEW_CHECK(problem.pose.size() == count);
    SINEW_CHECK(problem.preferred.empty() || problem.preferred.size() == count);
    body.slot.assign(count, not_here);
    for (const IkGoal& goal : problem.goals) {
        if (!is_used(goal)) continue;
        SINEW_CHECK(goal.joint >= 0 && at(goal.joint) < count && goal.meets < static_cast<int32_t>(count));
        want_ancestors(problem, goal.joint, body.slot);
        want_ancestors(problem, goal.meets, body.slot);
    }
    add_joints(problem, moving_root, body);
    add_goals(problem, body);
    mark_turning(problem, moving_root, body);
    measure_goals(body);
    add_limits_and_poles(problem, body);
    body.position.resize(body.joints.size());
    body.rotation.resize(body.joints.size());
    body.first = 0;
    place_joints(body);
    const auto moves = [](const IkJoint& j) { return j.turns || j.moves; };
    body.first = static_cast<size_t>(std::ranges::find_if(body.joints, moves) - body.joints.begin());
}

void place_joints(IkBody& body) {
    for (size_t j = body.first; j < body.joints.size(); ++j) {
        const IkJoint& joint = body.joints[j];
        if (joint.parent < 0) {
            body.position[j] = joint.offset;
            body.rotation[j] = body.local[j];
        } else {
            const Quatd& parent = body.rotation[at(joint.parent)];
            body.position[j] = body.position[at(joint.parent)] + parent * joint.offset;
            body.rotation[j] = parent * body.local[j];
        }
    }
}

Quatd turn_joint(IkBody& body, size_t joint, const Quatd& world_turn) {
    const IkJoint& j = body.joints[joint];
    const Quatd parent = parent_rotation(body, joint), old = body.local[joint];
    Quatd turned = (parent.conjugate() * world_turn * parent * old).normalized();
    if (!j.limit) {
        body.local[joint] = turned;
        return world_turn;
    }
    turned = clamp_to_limit(*j.limit, turned * j.after.conjugate()) * j.after;
    body.local[joint] = turned;
    return parent * turned * old.conjugate() * parent.conjugate();
}

void clamp_joints(IkBody& body) {
    if (!body.limited) return;
    for (size_t j = 0; j < body.joints.size(); ++j) {
        const IkJoint& joint = body.joints[j];
        if (joint.turns && joint.limit)
            body.local[j] = clamp_to_limit(*joint.limit, body.local[j] * joint.after.conjugate()) * joint.after;
    }
    place_joints(body);
}

Vec3d goal_target(const IkBody& body, const BodyGoal& goal) {
    if (goal.meets < 0) return goal.target;
    return 0.5 * (body.position[at(goal.joint)] + body.position[at(goal.meets)]);
}

IkGoalError goal_error(const IkBody& body, const BodyGoal& goal, const IkOptions& options) {
    IkGoalError error;
    if (goal.has_position) {
        const Vec3d there = goal.meets < 0 ? goal.target : body.position[at(goal.meets)];
        error.distance = (body.position[at(goal.joint)] - there).norm();
    }
    if (goal.has_orientation) {
        const Quatd left = goal.orientation * body.rotation[at(goal.joint)].conjugate();
        error.angle = 2.0 * std::atan2(left.vec().norm(), std::abs(left.w()));
    }
    error.reached = error.distance <= options.tolerance * goal.length && error.angle <= options.angle_tolerance;
    return error;
}

double body_cost(const IkBody& body) {
    double cost = 0.0;
    for (const BodyGoal& goal : body.goals) {
        const IkGoalError error = goal_error(body, goal, {});
        const double turn = error.angle * goal.length;
        cost += goal.cost_weight * (error.distance * error.distance + turn * turn);
    }
    return cost / (body.length * body.length);
}

bool all_reached(const IkBody& body, const IkOptions& options) {
    return std::ranges::all_of(body.goals, [&](const BodyGoal& g) { return goal_error(body, g, options).reached; });
}

void write_pose(const IkBody& body, std::span<Transform> pose) {
    for (size_t j = 0; j < body.joints.size(); ++j) {
        const IkJoint& joint = body.joints[j];
        const double above = joint.parent < 0 ? 1.0 : body.joints[at(joint.parent)].scale;
        if (joint.moves && above != 0.0) pose[at(joint.joint)].translation = (joint.offset / above).cast<float>();
        if (body.local[j].coeffs() != body.start[j].coeffs())
            pose[at(joint.joint)].rotation = (body.local[j] * joint.after.conjugate()).normalized().cast<float>();
    }
}

}  // namespace sinew
