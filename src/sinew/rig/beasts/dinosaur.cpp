#include <sinew/rig/beasts/dinosaur.h>

#include <sinew/rig/fit/confidence.h>
#include <sinew/rig/fit/quadruped.h>
#include <sinew/rig/fit/quadruped_legs.h>
#include <sinew/rig/fit/tail.h>
#include <sinew/rig/priors/animals.h>
#include <algorithm>
#include <cmath>

namespace sinew {
namespace {

// All of these are chosen by us, on beasts made of cones (tests/rig/beasts.h).
// Joints that mirror the other side's this well, as a share of the height, are made to do so exactly.
constexpr double dinosaur_mirror_tolerance = 0.06;
// The knee and the ankle are looked for between these shares of the hips' height. A bend that leaves the straight line
// from hip to toes by less than `bend_seen` of it is none; then animals' proportions say where they are.
constexpr double knee_from = 0.5, knee_to = 0.85, ankle_from = 0.15, ankle_to = 0.5, bend_seen = 0.03;
// A trunk that rises by more than this (sine) is upright, as a kaiju's.
constexpr double steep_trunk = 0.75;
// A heavy tail begins where it has this share of the trunk's thickness: the trunk narrows into it.
constexpr double tail_thickness = 0.8;
// A head, an arm is followed no farther than this, in heights.
constexpr double longest_neck = 3.0, longest_arm = 1.0;
// Where no arms tell: the neck begins where slices double, between these shares of the way from the nose to the hips.
constexpr double neck_from = 0.35, neck_to = 0.65;
// Slices of an arm nearer to its tip than this are no arm yet, and it is at least so long; shares of the height.
constexpr double arm_tip = 0.01, shortest_arm = 0.04;
// What grows nearer to the nose than this share of the way to the hips are horns, no arms.
constexpr double on_the_head = 0.3;
// Joints of an arm, as shares of the way from its tip to its root.
constexpr double elbow_share = 0.55, wrist_share = 0.2;

// How far the leg's line is ahead of the straight line from hip to toes, at a height.
double ahead_of_line(const AnimalLeg& leg, double y) {
    const double share = (y - leg.toes.y()) / std::max(leg.upper.y() - leg.toes.y(), leg.line.cell);
    return leg.line.at(y).z() - (leg.toes.z() + share * (leg.upper.z() - leg.toes.z()));
}

// The place between two heights where the leg is farthest ahead of that line (`sign` 1) or behind it (−1); where it
// does not leave it, `usual`.
Vec3d find_bend(const AnimalLeg& leg, double from, double to, double usual, double sign) {
    double most = bend_seen * leg.upper.y(), at = usual;
    for (double y = from; y <= to; y += leg.line.cell)
        if (const double off = sign * ahead_of_line(leg, y); off > most) most = off, at = y;
    return leg.line.at(at);
}

void place_leg(double hip, double crotch, AnimalLeg& leg) {
    leg.upper = leg.line.at(animals::thigh * crotch);
    leg.upper.y() = hip;
    leg.toes = leg.line.at(animals::hind_toes * crotch);
    leg.lower = find_bend(leg, knee_from * hip, knee_to * hip, animals::knee_paw * hip, 1.0);
    leg.foot = find_bend(leg, ankle_from * hip, ankle_to * hip, animals::hock_paw * hip, -1.0);
}

struct SmallArm {
    Vec3d shoulder, elbow, wrist, tip;
};

// Both arms, where the reading saw a pair that grows from the trunk.
std::optional<std::array<SmallArm, 2>> find_small_arms(const Upright& upright, const TracedLimb& nose, double to_hips,
                                                       const Vec3d& hips) {
    if (upright.arms[0] < 0) return std::nullopt;
    const double H = upright.height;
    std::array<SmallArm, 2> arms;
    for (size_t k = 0; k < 2; ++k) {
        const Extremity& end = upright.end(upright.arms[k]);
        TracedLimb limb =
            trace_limb(upright.body, end.voxel, upright.middle(), std::min(longest_arm * H, end.distance));
        smooth(limb, 1);
        const double root = find_root_slice(limb, shortest_arm * H, arm_tip * H);
        arms[k] = {limb.at(root), limb.at(elbow_share * root), limb.at(wrist_share * root), end.position};
        const Vec3d middle(0.0, arms[k].shoulder.y(), arms[k].shoulder.z());
        if (nose.nearest(middle, 0.0, nose.size()) < on_the_head * to_hips || middle.z() < hips.z())
            return std::nullopt;
    }
    return arms;
}

}  // namespace

Fit fit_dinosaur(const Upright& upright) {
    Fit fit;
    const TrunkEnds ends = find_trunk_ends(upright);
    if (upright.legs[0] < 0 || ends.head < 0 || ends.tail < 0) {
        fit.warnings.emplace_back("two legs, a head and a tail were not found");
        return fit;
    }
    const double H = upright.height, tolerance = dinosaur_mirror_tolerance * H;
    LegPair legs = trace_leg_pair(upright, upright.legs);
    const double crotch = legs.crotch.y(), back = back_height(upright, legs, legs);
    const double hip = crotch + animals::hip_rise * (back - crotch);
    for (AnimalLeg& leg : legs.side) place_leg(hip, crotch, leg);
    for (Vec3d AnimalLeg::*joint : {&AnimalLeg::upper, &AnimalLeg::lower, &AnimalLeg::foot, &AnimalLeg::toes})
        agree(legs.side[0].*joint, legs.side[1].*joint, tolerance);
    const Vec3d socket = 0.5 * (legs.side[0].upper + legs.side[1].upper);
    const Vec3d hips(0.0, socket.y() + animals::hips_above_legs * H, socket.z());

    TracedLimb nose = trace_limb(upright.body, upright.end(ends.head).voxel, upright.middle(), longest_neck * H);
    smooth(nose, 1);
    const double to_hips = nose.nearest(hips, 0.0, nose.size());
    const auto arms = find_small_arms(upright, nose, to_hips, hips);
    double neck =
        std::clamp(find_root_slice(nose, neck_from * to_hips * nose.cell, 0.0), neck_from * to_hips, neck_to * to_hips);
    if (arms) {
        const Vec3d shoulders = 0.5 * ((*arms)[0].shoulder + (*arms)[1].shoulder);
        neck = nose.nearest({0.0, shoulders.y(), shoulders.z()}, on_the_head * to_hips, to_hips);
    }
    Vec3d withers = nose.at(neck);
    withers.x() = 0.0;

    if (const Vec3d trunk = withers - hips; std::abs(trunk.y()) > steep_trunk * trunk.norm()) {
        fit.warnings.emplace_back("its trunk is not level");
        return fit;
    }

    const auto [root, chest] = add_animal_trunk(upright, hips, withers, ends.head, fit);
    for (size_t k = 0; arms && k < 2; ++k) {
        SmallArm arm = (*arms)[k], other = (*arms)[1 - k];
        for (Vec3d SmallArm::*joint : {&SmallArm::shoulder, &SmallArm::elbow, &SmallArm::wrist})
            agree(arm.*joint, other.*joint, tolerance);
        const std::string side = k == 0 ? "left" : "right";
        const int hand =
            fit.add(side + "Hand",
                    fit.add(side + "LowerArm", fit.add(side + "UpperArm", chest, arm.shoulder), arm.elbow), arm.wrist);
        fit.joints[static_cast<size_t>(hand)].tip = arm.tip;
    }
    for (size_t k = 0; k < 2; ++k) {
        const AnimalLeg& leg = legs.side[k];
        const std::string side = k == 0 ? "left" : "right";
        const int foot =
            fit.add(side + "Foot", fit.add(side + "LowerLeg", fit.add(side + "UpperLeg", root, leg.upper), leg.lower),
                    leg.foot);
        const int toes = fit.add(side + "Toes", foot, leg.toes);
        fit.joints[static_cast<size_t>(toes)].tip = upright.end(upright.legs[k]).position;
    }
    add_tail(upright, {.tip = ends.tail, .thickness = tail_thickness}, fit);
    rate_dinosaur(upright, fit);
    return fit;
}

}  // namespace sinew
