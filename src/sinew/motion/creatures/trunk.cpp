#include <sinew/motion/creatures/trunk.h>

#include <sinew/motion/builtin/curves.h>

#include <sinew/math/interpolate.h>
#include <sinew/math/rotation.h>
#include <algorithm>
#include <cmath>

namespace sinew {
namespace {

Quatd turned(const Vec3d& angles) {
    return yaw(angles.y()) * roll(angles.z()) * pitch(angles.x());
}

// Where the legs' sockets are along the body; of a body on two legs, its spine's ends.
struct Span {
    double hind = 0.0, front = 0.0;
    double share(double z) const {
        return front - hind > 0.0 ? std::clamp((z - hind) / (front - hind), 0.0, 1.0) : 0.0;
    }
};

Span socket_span(const CreatureBody& body) {
    Span span;
    double fronts = 0.0, hinds = 0.0;
    for (const CreatureLeg& leg : body.legs) {
        const double z = body.rest[static_cast<size_t>(leg.socket_joint())].z();
        (leg.front ? span.front : span.hind) += z;
        (leg.front ? fronts : hinds) += 1.0;
    }
    if (hinds > 0.0) span.hind /= hinds;
    if (fronts > 0.0) {
        span.front /= fronts;
        return span;
    }
    span.front = span.hind;
    for (const int32_t joint : body.map.spine)
        span.front = std::max(span.front, body.rest[static_cast<size_t>(joint)].z());
    return span;
}

}  // namespace

void pose_trunk(const CreatureBody& body, const TrunkTurns& turns, CreaturePose& pose) {
    const CreatureMap& map = body.map;
    const Span span = socket_span(body);
    const bool four = std::ranges::any_of(body.legs, &CreatureLeg::front);
    const size_t links = map.spine.size();
    const auto at = [&](double share) { return turned(turns.hind + share * (turns.front - turns.hind)); };
    if (map.root >= 0)
        pose.turn_to(map.root, four ? at(span.share(body.rest[static_cast<size_t>(map.root)].z())) : at(0));
    for (size_t i = 0; i < links; ++i) {
        if (map.spine[i] == map.root) continue;
        const double by_place = span.share(body.rest[static_cast<size_t>(map.spine[i])].z());
        pose.turn_to(map.spine[i], at(four ? by_place : static_cast<double>(i + 1) / static_cast<double>(links)));
    }
    const Quatd front = at(links > 0 || four ? 1.0 : 0.0);
    const Quatd steady = slerp(front, Quatd::Identity(), turns.head_steady);
    const double joints = static_cast<double>(map.neck.size()) + 1.0;
    for (size_t i = 0; i < map.neck.size(); ++i)
        pose.turn_to(map.neck[i], slerp(front, steady, static_cast<double>(i + 1) / joints) * turned(turns.neck));
    if (!map.head.empty()) pose.turn_to(map.head.front(), steady * turned(turns.neck + turns.head));
}

void pose_tail(const CreatureBody& body, const TailWave& wave, double side_phase, double lift_phase,
               CreaturePose& pose) {
    const auto joints = static_cast<double>(body.map.tail.size());
    for (size_t i = 0; i < body.map.tail.size(); ++i) {
        const double late = wave.lag * static_cast<double>(i) / joints;
        // The root of a tail is stiffer than its end.
        const double share = 2.0 * static_cast<double>(i + 1) / (joints * (joints + 1.0));
        const double side = wave.side * share * std::sin(full_turn * (side_phase - late));
        const double lift = wave.lift * share * std::sin(full_turn * (lift_phase - late)) - wave.droop * share;
        pose.bend(body.map.tail[i], yaw(side) * pitch(lift));
    }
}

void pose_arms(const CreatureBody& body, double left, double right, CreaturePose& pose) {
    for (const CreatureLimb& arm : body.map.arms) {
        if (arm.joints.size() < 2) continue;
        // A collar bone first, where the arm has four joints or more to the hand.
        const size_t first = arm.joints.size() >= 4 ? 1 : 0;
        const Vec3d along =
            body.rest[static_cast<size_t>(arm.joints[first + 1])] - body.rest[static_cast<size_t>(arm.joints[first])];
        const double side = arm.side == Side::right ? -1.0 : 1.0;
        const Vec3d hanging(side * 0.45, -0.85, 0.25);  // chosen: a little out and ahead of the body
        constexpr double held_out = 0.6;                // cosine to the side from which an arm counts as held out
        const bool out = along.norm() > 0.0 && std::abs(along.x()) > held_out * along.norm();
        const Quatd down = out ? shortest_rotation(along, hanging) : Quatd(Quatd::Identity());
        pose.bend(arm.joints[first], pitch(-(side > 0 ? left : right)) * down);
    }
}

}  // namespace sinew
