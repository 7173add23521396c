// Aim, or look-at: the joints of a chain, root first, each turn by their share of what is left of the way from where
// the tip looks to where it should. Each share is one of those that are left, so the last joint does the rest; a limit
// that stops one joint leaves more to those after it, and the next round starts again with what is left.
#include <sinew/ik/body/ik_body.h>

#include <sinew/core/check.h>
#include <sinew/math/angle.h>
#include <sinew/math/rotation.h>
#include <algorithm>
#include <cmath>

namespace sinew {
namespace {

constexpr int most_rounds = 32;
constexpr double settled = 1e-6;       // radians: a round that turns less is the last
constexpr double no_direction = 1e-9;  // of a vector's length: shorter ones point nowhere

struct Aiming {
    IkBody body;
    const IkAim& aim;
    size_t tip;

    Vec3d looks() const { return body.rotation[tip] * (body.joints[tip].after.conjugate() * aim.forward); }
    Vec3d should() const { return aim.target - body.position[tip]; }
    double angle() const { return angle_between(looks(), should()); }
};

void turn_shares(Aiming& aiming) {
    IkBody& body = aiming.body;
    auto left = static_cast<double>(std::ranges::count_if(body.joints, [](const IkJoint& j) { return j.turns; }));
    for (size_t j = body.first; j < body.joints.size(); ++j) {
        if (!body.joints[j].turns) continue;
        const Quatd turn = shortest_rotation(aiming.looks(), aiming.should());
        turn_joint(body, j, Quatd(Quatd::Identity().slerp(1.0 / left, turn)));
        place_joints(body);
        left -= 1.0;
    }
}

// Turns the tip about the way it looks until `up` leans towards world_up.
void roll_up(Aiming& aiming) {
    const Vec3d axis = aiming.looks().normalized();
    const Vec3d up =
        aiming.body.rotation[aiming.tip] * (aiming.body.joints[aiming.tip].after.conjugate() * aiming.aim.up);
    const Vec3d is = up - axis * axis.dot(up), should = aiming.aim.world_up - axis * axis.dot(aiming.aim.world_up);
    if (!(is.norm() > no_direction * up.norm()) || !(should.norm() > no_direction * aiming.aim.world_up.norm())) return;
    const double angle = angle_about(axis, is, should);
    turn_joint(aiming.body, aiming.tip, Quatd(Eigen::AngleAxisd(angle, axis)));
    place_joints(aiming.body);
}

}  // namespace

IkResult solve_aim(const IkProblem& problem, const IkAim& aim, const IkOptions& options) {
    SINEW_CHECK(aim.chain.tip >= 0 && at(aim.chain.tip) < problem.parents.size());
    IkResult result;
    result.pose.assign(problem.pose.begin(), problem.pose.end());
    result.errors.resize(1);
    result.errors[0] = {.distance = 0.0, .angle = INFINITY, .reached = false};
    if (!aim.target.allFinite() || !aim.forward.allFinite() || !(aim.forward.norm() > 0.0)) return result;

    // The body of a chain whose tip has an orientation to reach: all of its joints turn.
    const IkGoal goal{.joint = aim.chain.tip, .orientation = Quatd(Quatd::Identity())};
    IkProblem chain = problem;
    chain.goals = {&goal, 1};
    chain.chains = {&aim.chain, 1};
    chain.poles = {};
    Aiming aiming{{}, aim, 0};
    build_body(chain, aiming.body);
    aiming.tip = aiming.body.joints.size() - 1;
    clamp_joints(aiming.body);

    double angle = aiming.angle();
    const bool rolls = aim.up.allFinite() && aim.up.norm() > 0.0 && aim.world_up.allFinite();
    while (result.iterations < most_rounds && aiming.should().norm() > 0.0) {
        if (angle <= settled && !(rolls && result.iterations == 0)) break;
        ++result.iterations;
        turn_shares(aiming);
        if (rolls) roll_up(aiming);
        const double before = angle;
        angle = aiming.angle();
        if (std::abs(before - angle) <= settled && result.iterations > 1) break;
    }
    write_pose(aiming.body, result.pose);
    result.errors[0].angle = angle;
    result.errors[0].reached = result.reached = angle <= options.angle_tolerance;
    return result;
}

}  // namespace sinew
