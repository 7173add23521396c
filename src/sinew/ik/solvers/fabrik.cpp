// FABRIK, forward and backward reaching inverse kinematics [Aristidou2011]: works on points, not on angles. Backward:
// the tip is put at its goal, and each joint above it is pulled along the line to its old place until its bone has its
// length. Forward: the root is put back, and the same is done downwards. Rotations follow from the points, with the
// least twist.
//
// Several goals: where branches meet, a joint (a "sub-base") takes the mean of what its branches propose. A joint with
// several children turns as one rigid piece, so going forward it takes the rotation that suits all of them best. Limits
// are kept in that same step. A loop is closed by pulling both of its ends to their middle.
#include <sinew/ik/body/free_chain.h>
#include <sinew/ik/body/ik_loop.h>
#include <sinew/ik/body/pull.h>
#include <sinew/ik/solvers/ik_solvers.h>
#include <algorithm>

namespace sinew {
namespace {

// The point at `length` from `from` on the line to `towards`.
Vec3d point_towards(const Vec3d& from, const Vec3d& towards, double length) {
    const Vec3d way = towards - from;
    const double distance = way.norm();
    return distance > 0.0 ? Vec3d(from + way * (length / distance)) : Vec3d(from + length * Vec3d::UnitY());
}

// ---- One free chain: points alone, rotations once at the end.

void reach_once(std::span<Vec3d> points, std::span<const double> lengths, const Vec3d& target) {
    const Vec3d root = points.front();
    points.back() = target;
    for (size_t i = lengths.size(); i-- > 0;) points[i] = point_towards(points[i + 1], points[i], lengths[i]);
    points.front() = root;
    for (size_t i = 0; i < lengths.size(); ++i) points[i + 1] = point_towards(points[i], points[i + 1], lengths[i]);
}

int solve_free_chain(IkMemory& memory, const IkTask& task) {
    IkBody& body = memory.body;
    apply_poles(body);
    turn_tips(body);
    if (all_reached(body, task.options)) return 0;
    if (is_stationary(body, exactly_flat)) bend_joints(body, first_bend);
    chain_points(body, memory.points, memory.lengths);
    const Vec3d target = body.goals[0].target;
    const double enough = 0.5 * task.options.tolerance * body.goals[0].length;
    int i = 0;
    while (i < task.budget && (memory.points.back() - target).norm() > enough) {
        reach_once(memory.points, memory.lengths, target);
        ++i;
    }
    turn_to_points(body, memory.points);
    apply_poles(body);
    turn_tips(body);
    return i;
}

// ---- Several goals, limits, loops.

// Tips to roots: every joint comes to the mean of what its goals and its branches propose.
void reach_backward(const IkBody& body, std::span<Vec3d> points, std::span<Proposal> proposals) {
    std::ranges::fill(proposals, Proposal{});
    const auto propose = [&](int32_t joint, const Vec3d& place, double weight) {
        proposals[at(joint)].sum += weight * place;
        proposals[at(joint)].weight += weight;
    };
    for (const BodyGoal& goal : body.goals) {
        if (!goal.has_position) continue;
        const Vec3d target = goal_target(body, goal);
        propose(goal.joint, target, goal.weight);
        if (goal.meets >= 0) propose(goal.meets, target, goal.weight);
    }
    for (size_t j = body.joints.size(); j-- > body.first;) {
        const Proposal& here = proposals[j];
        if (!(here.weight > 0.0)) continue;
        points[j] = here.sum / here.weight;
        const int32_t parent = body.joints[j].parent;
        if (parent < static_cast<int32_t>(body.first)) continue;
        const Vec3d bone = body.position[j] - body.position[at(parent)];
        propose(parent,
                body.joints[at(parent)].turns ? point_towards(points[j], points[at(parent)], bone.norm())
                                              : Vec3d(points[j] - bone),
                here.weight);
    }
}

// What pulls at a joint: its children, towards their points. A limit may stop a joint from pointing at them, and then
// how it twists matters for all that is below: so everything below pulls at a joint with a limit.
Pull pull_of_points(const IkBody& body, size_t joint, std::span<const Vec3d> points) {
    Pull pull;
    const bool limited = body.joints[joint].limit != nullptr;
    for (size_t k = joint + 1; k < body.joints.size(); ++k) {
        int32_t above = body.joints[k].parent;
        while (limited && above > static_cast<int32_t>(joint)) above = body.joints[at(above)].parent;
        if (above == static_cast<int32_t>(joint))
            pull.add(body.position[k] - body.position[joint], points[k] - body.position[joint], 1.0);
    }
    return pull;
}

// Roots to tips: every joint turns so that what pulls at it comes as near to its points as one rigid piece can bring
// it.
void reach_forward(IkBody& body, std::span<const Vec3d> points) {
    for (size_t j = body.first; j < body.joints.size(); ++j) {
        if (!body.joints[j].turns) continue;
        const Pull pull = pull_of_points(body, j, points);
        if (pull.empty()) continue;
        turn_joint(body, j, best_turn(body, j, pull));
        place_joints(body);
    }
}

}  // namespace

int solve_fabrik(IkMemory& memory, const IkTask& task) {
    IkBody& body = memory.body;
    if (is_free_chain(body)) return solve_free_chain(memory, task);
    memory.proposals.resize(body.joints.size());
    return iterate(body, task.options, task.budget, false, [&] {
        memory.points.assign(body.position.begin(), body.position.end());
        reach_backward(body, memory.points, memory.proposals);
        reach_forward(body, memory.points);
        turn_tips(body);
        return false;
    });
}

}  // namespace sinew
