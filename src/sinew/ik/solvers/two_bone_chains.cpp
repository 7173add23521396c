// The two-bone solver (two_bone.h) for goals of a problem: each goal's limb is found, solved in closed form and turned.
#include <sinew/ik/body/ik_loop.h>
#include <sinew/ik/solvers/ik_solvers.h>
#include <sinew/ik/two_bone.h>
#include <algorithm>
#include <cmath>

namespace sinew {
namespace {

struct Limb {
    int32_t root = -1, mid = -1, tip = -1;
    Vec3d pole = Vec3d::Zero();
};

double path_length(const IkBody& body, int32_t top, int32_t joint) {
    double length = 0.0;
    for (; joint > top; joint = body.joints[at(joint)].parent) length += body.joints[at(joint)].offset.norm();
    return length;
}

// The chain that ends at the goal says where a limb begins, and without one the limb is the two bones above. The pole
// says which joint bends, or it is the one nearest to the middle: between it and the ends may be joints that only
// twist.
Limb find_limb(const IkBody& body, const IkProblem& problem, const BodyGoal& goal) {
    Limb limb{.tip = goal.joint};
    for (const IkPole& pole : body.poles)
        if (pole.chain.tip == goal.joint) limb = {pole.chain.root, pole.joint, goal.joint, pole.direction};
    if (limb.mid >= 0) return limb;
    for (const IkChain& chain : problem.chains)
        if (body.slot[at(chain.tip)] == goal.joint) limb.root = body.slot[at(chain.root)];
    if (limb.root < 0) {
        limb.mid = body.joints[at(goal.joint)].parent;
        if (limb.mid >= 0) limb.root = body.joints[at(limb.mid)].parent;
        return limb;
    }
    const double half = 0.5 * path_length(body, limb.root, goal.joint);
    double nearest = INFINITY;
    for (int32_t j = body.joints[at(goal.joint)].parent; j > limb.root; j = body.joints[at(j)].parent) {
        const double off = std::abs(path_length(body, limb.root, j) - half);
        if (off < nearest) nearest = off, limb.mid = j;
    }
    return limb;
}

}  // namespace

int solve_two_bone_chains(IkBody& body, const IkTask& task) {
    turn_tips(body);
    if (body.poles.empty() && all_reached(body, task.options)) return 0;
    for (const BodyGoal& goal : body.goals) {
        if (!goal.has_position) continue;
        const Limb limb = find_limb(body, task.problem, goal);
        if (limb.root < 0 || limb.mid < 0) continue;
        const auto root = at(limb.root), mid = at(limb.mid), tip = at(limb.tip);
        const TwoBoneSolution solution = solve_two_bone({body.position[root], body.position[mid], body.position[tip]},
                                                        {.target = goal_target(body, goal), .pole = limb.pole});
        turn_joint(body, root, solution.upper_turn);
        place_joints(body);
        turn_joint(body, mid, solution.lower_turn);
        place_joints(body);
    }
    turn_tips(body);
    return 1;
}

}  // namespace sinew
