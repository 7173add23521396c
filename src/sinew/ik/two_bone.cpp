#include <sinew/ik/two_bone.h>

#include <sinew/math/rotation.h>
#include <algorithm>
#include <cmath>

namespace sinew {
namespace {

constexpr double same_place = 1e-12;     // of the limb's length: nearer points give no direction
constexpr double same_direction = 1e-9;  // sine of the angle below which two directions span no plane

struct Lengths {
    double upper, lower;
    double sum() const { return upper + lower; }
};

// From the root towards the target; where they coincide, the way the limb points now.
Vec3d reach_direction(const TwoBoneLimb& limb, const Vec3d& target, double length) {
    for (const Vec3d& there : {target, limb.tip, limb.mid})
        if ((there - limb.root).norm() > same_place * length) return (there - limb.root).normalized();
    return Vec3d::UnitX();
}

// The unit direction of the part of `v` across the unit vector `u`; zero where there is none.
Vec3d unit_across(const Vec3d& v, const Vec3d& u) {
    Vec3d across = v - u * u.dot(v);
    if (!(across.norm() > same_direction * v.norm())) return Vec3d::Zero();
    across.normalize();
    across -= u * u.dot(across);  // again: what the first time left along u grew when it was made unit
    return across.normalized();
}

// The unit direction across `along` to which the mid joint bends towards the pole.
Vec3d bend_direction(const TwoBoneLimb& limb, const Vec3d& pole, const Vec3d& along) {
    Vec3d side = unit_across(pole, along);
    if (side.isZero(0)) {
        const Vec3d now = limb.tip - limb.root;
        const Vec3d bend = unit_across(limb.mid - limb.root, now.normalized());
        side = unit_across(shortest_rotation(now, along) * bend, along);
    }
    return side.isZero(0) ? Vec3d(along.unitOrthogonal()) : side;
}

// How far from the root the tip goes for a target at `wanted`.
double reach_distance(double wanted, const Lengths& bones, const TwoBoneOptions& options) {
    const double folded = std::abs(bones.upper - bones.lower), straight = bones.sum();
    // A bone much shorter than the other leaves less room than the options ask for: what the bones can do comes first.
    const double shortest = std::min(folded + options.tightest * straight, straight);
    const double longest = std::max(options.straightest * straight, shortest);
    const double room = options.softness * straight, soft_from = longest - room;
    if (room > 0.0 && wanted > soft_from) wanted = soft_from + room * (1.0 - std::exp((soft_from - wanted) / room));
    return std::clamp(wanted, shortest, longest);
}

// The mid joint's place in the plane of the limb: along the line from root to tip, and across it.
struct MidPlace {
    double along, across;
};

// Law of cosines, and Heron's formula for the height of the triangle: √(upper² − along²) would lose the height of a
// short lower bone to rounding.
MidPlace place_mid(const Lengths& bones, double distance) {
    if (!(distance > 0.0)) return {0.0, bones.upper};  // only bones of equal length fold so far
    const double sum = bones.sum(), difference = bones.upper - bones.lower;
    const double along = (difference * sum + distance * distance) / (2.0 * distance);
    const double heron = (sum + distance) * (sum - distance) * ((distance + difference) / distance) *
                         ((distance - difference) / distance);
    return {along, 0.5 * std::sqrt(std::max(0.0, heron))};
}

}  // namespace

TwoBoneSolution solve_two_bone(const TwoBoneLimb& limb, const TwoBoneGoal& goal, const TwoBoneOptions& options) {
    const Lengths bones{(limb.mid - limb.root).norm(), (limb.tip - limb.mid).norm()};
    const double wanted = (goal.target - limb.root).norm();
    const bool has_goal = std::isfinite(wanted);

    const Vec3d along = reach_direction(limb, has_goal ? goal.target : limb.tip, bones.sum());
    Vec3d side = bend_direction(limb, goal.pole, along);
    if (options.bend == TwoBoneBend::away_from_pole) side = -side;
    if (options.twist != 0.0) side = std::cos(options.twist) * side + std::sin(options.twist) * along.cross(side);

    TwoBoneSolution result{limb, Quatd::Identity(), Quatd::Identity(), side.cross(along), INFINITY, false};
    if (!has_goal) return result;

    const double distance = reach_distance(wanted, bones, options);
    const MidPlace mid = place_mid(bones, distance);
    result.limb.mid = limb.root + mid.along * along + mid.across * side;
    result.limb.tip = limb.root + distance * along;
    result.upper_turn = shortest_rotation(limb.mid - limb.root, result.limb.mid - limb.root);
    result.lower_turn = shortest_rotation(result.upper_turn * (limb.tip - limb.mid), result.limb.tip - result.limb.mid);
    result.error = (result.limb.tip - goal.target).norm();
    result.reached = result.error <= two_bone_reached_within * bones.sum();
    return result;
}

}  // namespace sinew
