#include <sinew/motion/creatures/leg_solver.h>

#include <sinew/math/angle.h>
#include <sinew/motion/builtin/curves.h>

#include <sinew/math/rotation.h>
#include <algorithm>
#include <cmath>

namespace sinew {
namespace {

// A leg whose bends add up to less is straight, and gets a knee or an elbow where its middle is.
constexpr double straight = 6.0 * deg, default_bend = 12.0 * deg;
constexpr double noticeable = 0.6 * deg;  // from here on a bend tells the side to which it bends
// No joint of a leg folds further than this. Chosen: a dog's stifle in a sit is near 30 degrees from closed.
constexpr double most_bent = 150.0 * deg;
// The fold is looked for in steps, then by halving: 2^-40 of a step is below what a float shows.
constexpr double fold_step = 0.125;
constexpr int halvings = 40;
// Carpus and fetlock lie below these shares of the leg's height; a hind leg's hock is higher.
constexpr double front_flex_below = 0.55, hind_flex_below = 0.25;

Quatd about(const Vec3d& axis, double angle) {
    return Quatd(Eigen::AngleAxisd(angle, axis));
}

struct Folded {
    double fold, flexed;
};

// How far the i-th bend differs from rest.
double change_of_bend(const LegShape& shape, size_t i, const Folded& how) {
    const double bend = shape.bends[i] * how.fold + shape.flex[i] * how.flexed;
    return std::clamp(bend, -most_bent, most_bent) - shape.rest[i];
}

// From socket to foot, the first bone kept at rest.
Vec3d reach_of(const LegShape& shape, const Folded& how) {
    Vec3d reach = shape.bones[0];
    double turned = 0.0;
    for (size_t i = 0; i < shape.bends.size(); ++i) {
        turned += change_of_bend(shape, i, how);
        reach += about(shape.hinge, turned) * shape.bones[i + 1];
    }
    return reach;
}

double distance(const LegShape& shape, const Folded& how) {
    return reach_of(shape, how).norm();
}

double most_fold(const LegShape& shape) {
    double largest = 0.0;
    for (double bend : shape.bends) largest = std::max(largest, std::abs(bend));
    return largest > 0.0 ? most_bent / largest : 1.0;
}

// The least fold that brings the foot as near as `wanted`.
double find_fold(const LegShape& shape, double wanted, double flexed) {
    const double most = most_fold(shape);
    double low = 0.0, high = 0.0;
    if (distance(shape, {0.0, flexed}) <= wanted) return 0.0;
    // Long steps where the bends are small: their product counts.
    const double step = std::max(fold_step, most / 64.0);
    do {
        low = high;
        high = std::min(high + step, most);
    } while (high < most && distance(shape, {high, flexed}) > wanted);
    for (int i = 0; i < halvings; ++i) {
        const double middle = 0.5 * (low + high);
        (distance(shape, {middle, flexed}) > wanted ? low : high) = middle;
    }
    return 0.5 * (low + high);
}

// Across the leg: the bodies' left for legs under the body, else what makes "in" point at the trunk: a spider's legs
// bend in planes that go outwards.
Vec3d hinge_of(const CreatureBody& body, const CreatureLeg& leg) {
    const Vec3d& socket = body.rest[static_cast<size_t>(leg.socket_joint())];
    const Vec3d out(leg.home.x() - socket.x(), 0.0, leg.home.z() - socket.z());
    // Sideways by more than its height: its plane is the one that contains the leg.
    constexpr double sprawled = 0.6;
    const double drop = std::max(socket.y() - leg.home.y(), 0.0);
    if (std::abs(out.x()) <= sprawled * drop) return Vec3d::UnitX();
    return Vec3d::UnitY().cross(out.normalized());
}

// A straight leg bends in its middle: hind legs as knees do, forwards; front legs as elbows do.
void give_bend(const CreatureLeg& leg, LegShape& shape) {
    double total = 0.0, largest = 0.0;
    for (double bend : shape.rest) {
        total += std::abs(bend);
        if (std::abs(bend) > std::abs(largest)) largest = bend;
    }
    if (total >= straight) return;
    double length = 0.0, along = 0.0, best = INFINITY;
    for (const Vec3d& bone : shape.bones) length += bone.norm();
    size_t middle = 0;
    for (size_t i = 0; i < shape.bends.size(); ++i) {
        along += shape.bones[i].norm();
        if (std::abs(along - 0.5 * length) < best) best = std::abs(along - 0.5 * length), middle = i;
    }
    const double as_knee = leg.front ? -1.0 : 1.0;
    const double sign = std::abs(largest) >= noticeable ? (largest < 0 ? -1.0 : 1.0) : as_knee;
    std::ranges::fill(shape.bends, 0.0);
    shape.bends[middle] = sign * default_bend;
}

// The nearest and the farthest that the foot can be.
void set_reach(LegShape& shape) {
    shape.longest = distance(shape, {0.0, 0.0});
    shape.shortest = shape.longest;
    const double most = most_fold(shape);
    constexpr int samples = 64;
    for (int i = 1; i <= samples; ++i)
        shape.shortest = std::min(shape.shortest, distance(shape, {most * i / samples, 0.0}));
}

}  // namespace

LegShape leg_shape(const CreatureBody& body, const CreatureLeg& leg) {
    LegShape shape;
    shape.hinge = hinge_of(body, leg);
    const auto at = [&](size_t i) { return body.rest[static_cast<size_t>(leg.joints[i])]; };
    const double height = at(leg.socket).y() - leg.home.y();
    for (size_t i = leg.socket; i < leg.foot; ++i) shape.bones.push_back(at(i + 1) - at(i));
    for (size_t i = 0; i + 1 < shape.bones.size(); ++i) {
        shape.rest.push_back(angle_about(shape.hinge, shape.bones[i], shape.bones[i + 1]));
        const double share = (at(leg.socket + i + 1).y() - leg.home.y()) / std::max(height, 1e-12);
        shape.flex.push_back(share < (leg.front ? front_flex_below : hind_flex_below) ? 1.0 : 0.0);
    }
    shape.bends = shape.rest;
    give_bend(leg, shape);
    set_reach(shape);
    return shape;
}

double solve_leg(const CreatureLeg& leg, const LegShape& shape, const Vec3d& socket, const Vec3d& target, double flexed,
                 CreaturePose& pose) {
    const Vec3d gap = target - socket;
    const double wanted = std::clamp(gap.norm(), shape.shortest, shape.longest);
    const Folded how{find_fold(shape, wanted, flexed), flexed};
    const Vec3d reach = reach_of(shape, how);
    // First in the leg's own plane, then out of it.
    const Quatd swing = about(shape.hinge, angle_about(shape.hinge, reach, gap));
    const Quatd aim = shortest_rotation(swing * reach, gap) * swing;
    double turned = 0.0;
    for (size_t i = 0; i < shape.bones.size(); ++i) {
        if (i > 0) turned += change_of_bend(shape, i - 1, how);
        pose.turn_to(leg.joints[leg.socket + i], aim * about(shape.hinge, turned));
    }
    return (aim * reach - gap).norm();
}

}  // namespace sinew
