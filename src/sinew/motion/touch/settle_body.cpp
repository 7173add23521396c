#include <sinew/motion/touch/settle_body.h>

#include <sinew/math/interpolate.h>
#include <sinew/motion/rotation_vector.h>
#include <sinew/motion/touch/active_frames.h>
#include <sinew/motion/touch/smooth_curve.h>
#include <algorithm>
#include <cmath>

namespace sinew {
namespace {

constexpr double settling_time = 0.4;  // seconds in which a body begins to move, and comes back
// Metres of a usual person: skin that a floor would press in; skin that is no higher may come to the floor.
constexpr double sunk = 0.005, near_ground = 0.5;
// A joint below the first height stays as high as it is, one above the second may go up and down; metres likewise.
constexpr double stays_below = 0.15, free_above = 0.35;
constexpr double usual_leg_metres = 0.83;  // as body_shape.cpp has it
// Weights against that of the lift itself, which is 1. Turns are measured by the way they move the end of a leg.
constexpr double floor_weight = 3e4, low_weight = 10, tilt_weight = 3, no_tilt = 1e9;
constexpr int most_settling_rounds = 16, free_settling_rounds = 6;
// Legs, and radians: rows are true for small turns; less does not show.
constexpr double longest_settling = 0.15, settled_shift = 2e-4;

// What must keep its height if it can.
constexpr std::array low_joints = {Role::hips,       Role::chest,          Role::left_foot,
                                   Role::right_foot, Role::left_lower_leg, Role::right_lower_leg};

struct LowJoint {
    Vec3d from_hips;
    double weight;
};

// One frame: points that may come to the floor and joints that should stay where they are, from the hips.
struct SettlingFrame {
    double hips_height = 0;
    std::vector<Vec3d> points;
    std::vector<LowJoint> joints;
};

double lowest_point(const BodyMotion& body, const PosedShape& pose) {
    double lowest = INFINITY;
    for (const FloorPoint& point : body.shape.floor_points)
        lowest = std::min(lowest, (pose.at(point.joint) + pose.turn_of(point.joint) * point.offset).dot(body.up));
    return lowest;
}

SettlingFrame read_frame(const BodyMotion& body, const PosedShape& pose) {
    SettlingFrame frame;
    const Vec3d& hips = pose.at(Role::hips);
    const double floor = body.floor - sunk * body.size;
    frame.hips_height = hips.dot(body.up) - floor;
    for (const FloorPoint& point : body.shape.floor_points) {
        const Vec3d place = pose.at(point.joint) + pose.turn_of(point.joint) * point.offset - hips;
        if (place.dot(body.up) + frame.hips_height < near_ground * body.size) frame.points.push_back(place);
    }
    for (const Role role : low_joints) {
        const Vec3d& place = pose.at(role);
        if (place.isZero(0)) continue;  // the body has no such joint
        const double height = (place.dot(body.up) - body.floor) / body.size;
        const double weight = low_weight * smoothstep((free_above - height) / (free_above - stays_below));
        if (weight > 0) frame.joints.push_back({place - hips, weight});
    }
    return frame;
}

// One run of frames, solved by Gauss–Newton's steps; which points push is found by turns. The unknowns of a frame are
// its lift, and its turns about two level axes, as the ways that they move the end of a leg.
class SettlingRun {
public:
    SettlingRun(const BodyMotion& body, size_t first, size_t end, double fps, bool tilts)
        : up_(body.up),
          sideways_(body.up.unitOrthogonal()),
          ahead_(up_.cross(sideways_)),
          leg_(usual_leg_metres * body.size),
          curve_(end - first, {.own = Vec3d(1.0, tilts ? tilt_weight : no_tilt, tilts ? tilt_weight : no_tilt),
                               .spread = 0.5 * settling_time * fps,
                               .open_start = first == 0,
                               .open_end = end == body.poses.size(),
                               .longest_step = longest_settling * leg_}) {
        for (size_t f = first; f < end; ++f) frames_.push_back(read_frame(body, body.poses[f]));
    }

    void solve(std::span<BodyShift> shifts) {
        for (int round = 0; round < most_settling_rounds; ++round) {
            for (size_t f = 0; f < frames_.size(); ++f) add_frame(f);
            // Steps grow shorter, so that a body between two stands comes to rest.
            const double damping = round < free_settling_rounds ? 0.0 : std::pow(2.0, round - free_settling_rounds);
            if (curve_.step(damping) < settled_shift * leg_) break;
        }
        for (size_t f = 0; f < frames_.size(); ++f) shifts[f] = shift(f);
    }

private:
    Vec3d up_, sideways_, ahead_;
    double leg_;
    std::vector<SettlingFrame> frames_;
    SmoothCurve curve_;

    BodyShift shift(size_t f) const {
        const Vec3d x = curve_.at(f);
        return {x[0], (x[1] * sideways_ + x[2] * ahead_) / leg_};
    }
    // How a place rises with the unknowns: a turn about `sideways` moves it by sideways × place.
    Vec3d rise_of(const Vec3d& place) const { return {1.0, place.dot(ahead_) / leg_, -place.dot(sideways_) / leg_}; }

    void add_frame(size_t f) {
        const SettlingFrame& frame = frames_[f];
        const BodyShift now = shift(f);
        const Quatd turn = from_rotation_vector(now.tilt);
        const Vec3d x = curve_.at(f);
        for (const Vec3d& point : frame.points) {
            const Vec3d place = turn * point, row = rise_of(place);
            const double height = frame.hips_height + now.lift + place.dot(up_);
            if (height < longest_settling * leg_) curve_.add_bound(f, row, row.dot(x) - height, floor_weight);
        }
        for (const LowJoint& joint : frame.joints) {
            const Vec3d place = turn * joint.from_hips, row = rise_of(place);
            const double rise = now.lift + (place - joint.from_hips).dot(up_);
            curve_.add(f, row, row.dot(x) - rise, joint.weight);
        }
    }
};

}  // namespace

PosedShape shifted(const PosedShape& pose, const BodyShift& shift, const Vec3d& up) {
    PosedShape moved = pose;
    const Quatd turn = from_rotation_vector(shift.tilt);
    const Vec3d hips = pose.at(Role::hips);
    for (Vec3d& place : moved.position) place = hips + shift.lift * up + turn * (place - hips);
    for (Quatd& own : moved.turn) own = turn * own;
    return moved;
}

std::vector<BodyShift> settle_body(const BodyMotion& target, double fps, bool tilts) {
    std::vector<BodyShift> shifts(target.poses.size());
    std::vector<bool> wanted(target.poses.size());
    for (size_t f = 0; f < wanted.size(); ++f) {
        const double lowest = lowest_point(target, target.poses[f]);
        wanted[f] = std::isfinite(lowest) && lowest < target.floor - sunk * target.size;
    }
    for (const auto& [first, end] : active_runs(wanted, static_cast<size_t>(std::ceil(settling_time * fps)) + 2))
        SettlingRun(target, first, end, fps, tilts).solve(std::span(shifts).subspan(first, end - first));
    return shifts;
}

}  // namespace sinew
