// Cyclic coordinate descent [Wang1991]: from the tip to the root, each joint turns so that the tip comes as near to its
// goal as this one joint can bring it. Then again, until it is there.
//
// With one goal the best turn is the shortest one that points the tip at it, seen from the joint. With several goals,
// or orientations, it is the rotation that best brings all tips, and the axes of their frames, to where they should be.
// A smaller largest_turn damps it: the bend is spread over all joints, where undamped descent prefers those near the
// tip.
#include <sinew/ik/body/ik_loop.h>
#include <sinew/ik/body/pull.h>
#include <sinew/ik/solvers/ik_solvers.h>
#include <cmath>
#include <numbers>

namespace sinew {
namespace {

Quatd at_most(const Quatd& turn, double largest) {
    if (largest >= std::numbers::pi) return turn;
    const double angle = 2.0 * std::atan2(turn.vec().norm(), std::abs(turn.w()));
    return angle <= largest ? turn : Quatd(Quatd::Identity().slerp(largest / angle, turn));
}

bool carries(const IkBody& body, size_t joint, int32_t end) {
    while (end > static_cast<int32_t>(joint)) end = body.joints[at(end)].parent;
    return end == static_cast<int32_t>(joint);
}

// What the goals below a joint ask of it.
Pull pull_on(const IkBody& body, size_t joint) {
    Pull pull;
    const Vec3d& pivot = body.position[joint];
    for (const BodyGoal& goal : body.goals) {
        const bool has_tip = carries(body, joint, goal.joint),
                   has_other = goal.meets >= 0 && carries(body, joint, goal.meets);
        if (goal.has_position && has_tip != has_other) {
            const Vec3d tip = body.position[at(goal.joint)] - pivot;
            const Vec3d there = (goal.meets < 0 ? goal.target : body.position[at(goal.meets)]) - pivot;
            pull.add(has_tip ? tip : there, has_tip ? there : tip, goal.weight);
        }
        if (goal.has_orientation && has_tip)
            pull.add(goal.orientation * body.rotation[at(goal.joint)].conjugate(),
                     goal.weight * goal.length * goal.length);
    }
    return pull;
}

// The joints above have not turned yet in this sweep, so their frames still hold. The tips below have moved along.
void turn_best(IkBody& body, size_t joint, double largest_turn) {
    const Pull pull = pull_on(body, joint);
    if (pull.empty()) return;
    const Quatd done = turn_joint(body, joint, at_most(best_turn(body, joint, pull), largest_turn));
    const Vec3d pivot = body.position[joint];
    for (const BodyGoal& goal : body.goals) {
        for (const int32_t end : {goal.joint, goal.meets}) {
            if (end < 0 || !carries(body, joint, end)) continue;
            body.position[at(end)] = pivot + done * (body.position[at(end)] - pivot);
            body.rotation[at(end)] = done * body.rotation[at(end)];
        }
    }
}

}  // namespace

int solve_ccd(IkBody& body, const IkTask& task) {
    return iterate(body, task.options, task.budget, false, [&] {
        for (size_t j = body.joints.size(); j-- > body.first;)
            if (body.joints[j].turns) turn_best(body, j, task.largest_turn);
        place_joints(body);
        return false;
    });
}

}  // namespace sinew
