#include <sinew/motion/plant/plant_feet.h>

#include <sinew/math/interpolate.h>
#include <sinew/motion/plant/foot_turns.h>
#include <sinew/motion/plant/joint_solve.h>
#include <sinew/motion/plant/toe_bend.h>
#include <algorithm>
#include <cmath>
#include <optional>

namespace sinew {
namespace {

// A foot that the source lifts by less than this still stands: captures are no better.
constexpr double lift_slack = 0.009;  // legs: 7 mm of a person

// The level that most frames of a contact above the floor agree on; nothing where they do not: no step, only air.
std::optional<double> step_level(std::vector<double> heights, double tolerance) {
    constexpr double agree = 0.6;  // of the frames
    const auto middle = heights.begin() + static_cast<std::ptrdiff_t>(heights.size() / 2);
    std::ranges::nth_element(heights, middle);
    const double level = *middle;
    const auto near = std::ranges::count_if(heights, [&](double h) { return std::abs(h - level) < tolerance; });
    if (static_cast<double>(near) < agree * static_cast<double>(heights.size())) return std::nullopt;
    return level;
}

// How much a frame holds to its ground: less and less, the further the body was raised above the source's. No foot
// could stand where the source's does below a person with a tall hat who stands on his head.
double hold_to_ground(const PlantPlan& plan, size_t frame) {
    constexpr double near = 0.02, far = 0.15;  // legs
    if (plan.raised.empty()) return 1.0;
    return smoothstep((far - plan.raised[frame] / plan.target.leg) / (far - near));
}

// The height of the sole that each frame asks for, in legs over the floor: that of the ground, or as high as the source
// lifts it from there.
void set_sole_goals(const PlantPlan& plan, size_t side, LegCurves& leg) {
    constexpr double step_tolerance = 0.025;  // legs: feet that stand rise and sink by no more
    const double unit = plan.scale / plan.target.leg;
    std::vector<double> height = plan.contacts.foot_height[side];
    for (double& h : height) h *= unit;
    leg.sole_goal.assign(height.size(), no_goal);
    leg.stand.assign(height.size(), Stand::ground);
    leg.hold.assign(height.size(), 1.0);
    const auto each = [&](const std::vector<Contact>& contacts, bool raised) {
        for (const Contact& contact : contacts) {
            if (contact.raised != raised) continue;
            const auto first = height.begin() + contact.first, end = height.begin() + contact.last + 1;
            const std::optional<double> level = raised ? step_level({first, end}, step_tolerance) : 0.0;
            for (auto h = first; h != end; ++h) {
                const auto f = static_cast<size_t>(h - height.begin());
                leg.hold[f] = hold_to_ground(plan, f);
                if (leg.hold[f] <= 0.0) continue;
                leg.stand[f] = level ? Stand::ground : Stand::air;
                leg.sole_goal[f] = level ? std::max(*level, *h - lift_slack) : std::max(0.0, *h);
            }
        }
    };
    for (const bool raised : {true, false})
        for (const auto* contacts : {&plan.contacts.ankle[side], &plan.contacts.ball[side]}) each(*contacts, raised);
}

LegCurves leg_curves(const PlantPlan& plan, size_t side, const LegMotion& free, const LegMotion& turned) {
    LegCurves leg;
    const double unit = 1.0 / plan.target.leg;
    const Mat3d to_body = unit * plan.target.frame.transpose();
    const Vec3d up = plan.target.frame.col(1);
    const size_t n = free.frames();
    leg.thigh = unit * (free.knee[0] - free.hip[0]).norm();
    leg.shin = unit * free.shin_vector[0].norm();
    for (size_t f = 0; f < n; ++f) {
        leg.hip.push_back(to_body * turned.hip[f]);
        leg.ankle.push_back(to_body * turned.ankle[f]);
        leg.ball.push_back(to_body * turned.ball[f]);
        leg.bend.push_back(knee_bend(unit * (free.ankle[f] - free.hip[f]).norm(), leg.thigh, leg.shin).bend);
        leg.clearance.push_back(unit * (plan.footing.skin[side].lowest(turned.foot_pose(f), up) - plan.footing.floor));
    }
    leg.ankle_contact = contact_numbers(plan.contacts.ankle[side], n);
    leg.ball_contact = contact_numbers(plan.contacts.ball[side], n);
    set_sole_goals(plan, side, leg);
    return leg;
}

// Turns feet and bends toes, before anything is moved.
LegMotion turn_feet(const PlantPlan& plan, size_t side, LegMotion leg) {
    const size_t n = leg.frames();
    const Vec3d up = plan.target.frame.col(1);
    unfold_foot(plan.fps, leg);
    const std::vector<int32_t> ankle = contact_numbers(plan.contacts.ankle[side], n),
                               ball = contact_numbers(plan.contacts.ball[side], n);
    hold_flat_foot(ankle, ball, plan.fps, leg);
    std::vector<double> ball_height = plan.contacts.ball_height[side];
    for (double& height : ball_height) height = plan.scale * height - lift_slack * plan.target.leg;
    const FootPose rest = rest_foot(plan.target, side);
    const double ball_rest = rest.ball.dot(up) - plan.footing.skin[side].lowest(rest, up);
    bend_toes(plan.target, side, plan.footing.skin[side], ball_rest, ball_height, plan.fps, leg);
    return leg;
}

}  // namespace

Footing find_footing(const Body& target, std::span<const SkinPoint> skin) {
    constexpr double floats = 0.3;  // legs: a sole this far from height 0 was not meant to stand there
    Footing footing;
    const Vec3d up = target.frame.col(1);
    footing.floor = INFINITY;
    for (size_t side = 0; side < 2; ++side) {
        const FootPose rest = rest_foot(target, side);
        footing.skin[side] = find_foot_skin(target, side, skin);
        footing.floor = std::min(footing.floor, footing.skin[side].lowest(rest, up));
        footing.ankle += 0.5 * rest.ankle.dot(up);
    }
    if (std::abs(footing.floor) > floats * target.leg) {
        footing.ankle -= footing.floor;
        footing.floor = 0;
    }
    return footing;
}

void plant_feet(const PlantPlan& plan, TargetMotion& motion) {
    const std::array<LegMotion, 2> free = record_legs(plan.target, plan.drives, motion);
    std::array<LegMotion, 2> legs = free;
    std::array<LegCurves, 2> curves;
    for (size_t side = 0; side < 2; ++side) {
        if (!free[side].complete()) continue;
        legs[side] = turn_feet(plan, side, free[side]);
        curves[side] = leg_curves(plan, side, free[side], legs[side]);
    }
    const PlacedLegs placed = place_legs(curves, plan.fps);
    const Mat3d to_world = plan.target.leg * plan.target.frame;
    for (size_t f = 0; f < placed.pelvis.size(); ++f) {
        const Vec3d shift = to_world * placed.pelvis[f];
        motion.hips[f] += shift;
        for (size_t side = 0; side < 2; ++side) {
            LegMotion& leg = legs[side];
            if (!leg.complete()) continue;
            move_leg(leg, f, leg.hip[f] + shift, leg.ankle[f] + to_world * placed.foot[side][f]);
            store_leg(leg, f, motion);
        }
    }
}

FeetQuality measure_feet(const PlantPlan& plan, const TargetMotion& motion, size_t first, size_t last) {
    FeetQuality quality;
    const Vec3d up = plan.target.frame.col(1);
    const std::array<LegMotion, 2> legs = record_legs(plan.target, plan.drives, motion);
    size_t steps = 0, heights = 0;
    for (size_t side = 0; side < 2; ++side) {
        if (!legs[side].complete()) continue;
        for (const Contact& contact : plan.contacts.ball[side]) {
            const int32_t begin = std::max(contact.first, static_cast<int32_t>(first)),
                          end = std::min(contact.last, static_cast<int32_t>(last));
            if (begin <= end) ++quality.contacts;
            for (int32_t frame = begin; frame <= end; ++frame) {
                const auto f = static_cast<size_t>(frame);
                if (!contact.raised) {
                    const double over =
                        plan.footing.skin[side].lowest(legs[side].foot_pose(f), up) - plan.footing.floor;
                    const double lifted = std::max(0.0, plan.scale * plan.contacts.foot_height[side][f]);
                    quality.ground_error += over < 0.0 ? -over : std::max(0.0, over - lifted);
                    ++heights;
                }
                if (frame == begin) continue;
                const Vec3d step = legs[side].ball[f] - legs[side].ball[f - 1];
                quality.skate_per_s += (step - step.dot(up) * up).norm() * plan.fps;
                ++steps;
            }
        }
    }
    if (steps > 0) quality.skate_per_s /= static_cast<double>(steps);
    if (heights > 0) quality.ground_error /= static_cast<double>(heights);
    return quality;
}

}  // namespace sinew
