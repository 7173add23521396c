#include <sinew/motion/creatures/wings.h>

#include <sinew/motion/builtin/curves.h>

#include <sinew/math/interpolate.h>
#include <sinew/math/rotation.h>
#include <sinew/motion/creatures/trunk.h>
#include <algorithm>
#include <cmath>

namespace sinew {
namespace {

Vec3d bone_at(const CreatureBody& body, const JointChain& chain, size_t i) {
    return body.rest[static_cast<size_t>(chain[i + 1])] - body.rest[static_cast<size_t>(chain[i])];
}

double wing_length(const CreatureBody& body, const CreatureLimb& wing) {
    double length = 0.0;
    for (size_t i = 0; i + 1 < wing.joints.size(); ++i) length += bone_at(body, wing.joints, i).norm();
    return length;
}

// Spread: the wing reaches out to the side rather than along the body.
bool is_spread(const CreatureBody& body, const CreatureLimb& wing) {
    if (wing.joints.size() < 2) return false;
    const Vec3d across =
        body.rest[static_cast<size_t>(wing.joints.back())] - body.rest[static_cast<size_t>(wing.joints.front())];
    constexpr double sideways = 0.6;  // cosine to the side
    return std::abs(across.x()) > sideways * across.norm();
}

// Wingbeats per second. With alike shapes they go as the square root of the length [Pennycuick1996]; a pigeon, with
// wings of 0.32 m, beats some 6 times.
double wingbeats_per_second(double length_m) {
    return 6.0 * std::sqrt(0.32 / std::max(length_m, 1e-3));
}
// How far it gets with one beat, in lengths of a wing, and how high above the ground it flies. Chosen: slow flight, and
// clear of the ground at the end of the downstroke.
constexpr double advance_per_wing_beat = 2.0, flying_height = 1.1;
constexpr int least_flap_keys = 24;

struct Stroke {
    double raise_deg, lift_deg;  // half of the whole stroke at the shoulder; how high its middle is
    double lag;                  // of a beat from shoulder to tip
    double fold_deg;             // of the elbow and the wrist on the way up
};
constexpr Stroke flapping = {36, 8, 0.14, 26}, gliding = {1.5, 7, 0.10, 0};

// The wing's bones, one after another: raised by what their joints add, the outer ones later.
void pose_wing(const CreatureBody& body, const CreatureLimb& wing, const Stroke& stroke, double phase,
               const Quatd& trunk, CreaturePose& pose) {
    const double side = wing.side == Side::right ? -1.0 : 1.0;
    const size_t bones = wing.joints.size() - 1;
    const bool spread = is_spread(body, wing);
    Quatd turned = trunk;
    for (size_t i = 0; i < bones; ++i) {
        const double out = bones > 1 ? static_cast<double>(i) / static_cast<double>(bones - 1) : 0.0;
        // The shoulder gives two thirds of the stroke, the joints beyond it the rest.
        const double share = i == 0 ? 0.68 : 0.32 / static_cast<double>(bones - 1);
        const double late = full_turn * (phase - stroke.lag * out);
        const double raise = share * stroke.raise_deg * deg * std::cos(late) + (i == 0 ? stroke.lift_deg * deg : 0.0);
        const double up = 0.5 * (1.0 - std::sin(full_turn * phase));  // 1 in the middle of the upstroke
        const double back = i == 0 ? 0.6 : i == 1 ? -1.0 : 1.2 / static_cast<double>(std::max<size_t>(bones - 2, 1));
        const double fold = up * up * stroke.fold_deg * deg * back;
        turned = turned * roll(side * raise) * yaw(side * fold);
        const Vec3d bone = bone_at(body, wing.joints, i);
        const Quatd open = spread ? Quatd(Quatd::Identity()) : shortest_rotation(bone, Vec3d(side, 0.08, -0.1));
        pose.turn_to(wing.joints[i], turned * open);
    }
}

// Legs drawn up, feet behind.
void trail_legs(const CreatureBody& body, const std::vector<LegShape>& shapes, CreaturePose& pose) {
    PlacedCreature placed;
    place(body, pose, placed);
    for (size_t i = 0; i < body.legs.size(); ++i) {
        const CreatureLeg& leg = body.legs[i];
        const Vec3d& socket = placed.at(leg.socket_joint());
        const double reach = 0.5 * (shapes[i].longest + shapes[i].shortest);
        const double out = leg.home.x() - body.rest[static_cast<size_t>(leg.socket_joint())].x();
        solve_leg(leg, shapes[i], socket, socket + Vec3d(out, -0.55 * reach, -0.80 * reach), 0.0, pose);
        pose.turn_to(leg.foot_joint(), pitch(70 * deg));
    }
}

CreaturePoses fly(const CreatureBody& body, const Stroke& stroke, double period, double advance, double fps) {
    double wing = 0.0;
    for (const CreatureLimb& limb : body.map.wings) wing = std::max(wing, wing_length(body, limb));
    const KeyTimes keys = key_times(period, fps, least_flap_keys, 2.0);
    std::vector<LegShape> shapes;
    for (const CreatureLeg& leg : body.legs) shapes.push_back(leg_shape(body, leg));
    CreaturePoses out;
    out.step = keys.step;
    for (int k = 0; k <= keys.count(); ++k) {
        const double t = static_cast<double>(k) / keys.per_cycle;
        CreaturePose pose(body);
        // The body is pushed up while the wings go down.
        const double heave = 0.05 * wing * (stroke.raise_deg / flapping.raise_deg) * -std::cos(full_turn * (t - 0.06));
        const double tilt = 2 * deg * std::sin(full_turn * t),
                     bank = stroke.fold_deg > 0 ? 0.0 : 5 * deg * std::sin(full_turn * t);
        pose_trunk(body, {.hind = {tilt, 0, bank}, .front = {tilt, 0, bank}}, pose);
        pose_tail(body, {.side = 0, .lift = 8 * deg, .lag = 0.2}, 0.0, t, pose);
        const Quatd trunk = yaw(0) * roll(bank) * pitch(tilt);
        for (const CreatureLimb& limb : body.map.wings)
            if (limb.joints.size() > 1) pose_wing(body, limb, stroke, t, trunk, pose);
        const Vec3d travel(0, 0, advance * wing * t);
        pose.shift = travel + Vec3d(0, flying_height * wing + heave, 0);
        trail_legs(body, shapes, pose);
        out.poses.push_back(std::move(pose));
        out.travel.push_back(travel);
    }
    return out;
}

}  // namespace

CreaturePoses flap_poses(const CreatureBody& body, double fps) {
    double wing = 0.0;
    for (const CreatureLimb& limb : body.map.wings) wing = std::max(wing, wing_length(body, limb));
    return fly(body, flapping, 1.0 / wingbeats_per_second(metres(body, wing)), advance_per_wing_beat, fps);
}

CreaturePoses glide_poses(const CreatureBody& body, double fps) {
    constexpr double seconds = 3.0, advance = 8.0;  // of one slow bank to both sides, and in wing lengths meanwhile
    return fly(body, gliding, seconds, advance, fps);
}

// The upper arm lies back along the body, the lower arm comes forward again, the hand with the long feathers goes
// back: a Z, as birds fold.
void fold_wings(const CreatureBody& body, double share, CreaturePose& pose) {
    for (const CreatureLimb& wing : body.map.wings) {
        if (!is_spread(body, wing)) continue;
        const double side = wing.side == Side::right ? -1.0 : 1.0;
        const Vec3d back(side * 0.20, -0.10, -1.0), forth(side * 0.22, 0.10, 1.0);
        const size_t bones = wing.joints.size() - 1;
        for (size_t i = 0; i < bones; ++i) {
            const Vec3d bone = bone_at(body, wing.joints, i);
            const bool forearm = i == 1 && bones > 2;
            const Quatd turn = shortest_rotation(bone, forearm ? forth : back);
            pose.turn_to(wing.joints[i], slerp(Quatd::Identity(), turn, share));
        }
    }
}

}  // namespace sinew
