#include <sinew/motion/touch/touches.h>

#include <sinew/math/interpolate.h>
#include <algorithm>
#include <cmath>

namespace sinew {
namespace {

// For a usual person, in metres and seconds. A body without skin is known to a few centimetres only, so a hand that
// rests within `near` counts as touching; it then keeps that distance. The second number of a pair lets go.
constexpr double near_on = 0.08, near_off = 0.11;
constexpr double slow_on = 0.4, slow_off = 0.7;
constexpr double shortest = 0.1, bridged = 0.15, fade = 0.25;
// Hands meet for a moment only, as in clapping: there nearness alone counts.
constexpr double hands_near = 0.04, hands_far = 0.16;

// Parts that a hand of `side` can touch: not its own arm.
bool can_touch(size_t side, PartName part) {
    const bool left_arm = part == PartName::left_upper_arm || part == PartName::left_forearm;
    const bool right_arm = part == PartName::right_upper_arm || part == PartName::right_forearm;
    return side == 0 ? !left_arm : !right_arm;
}

// How near one hand is to one thing, and how fast it moves over it, frame by frame.
struct Nearness {
    std::vector<float> gap, speed;
};

Nearness near_part(const BodyMotion& body, size_t side, PartName name, double fps) {
    Nearness result;
    const BodySegment& part = body.shape[name];
    PosedPart before;
    for (size_t f = 0; f < body.poses.size(); ++f) {
        const PosedShape& pose = body.poses[f];
        const PosedPart posed = pose_part(part, pose);
        const Vec3d wrist = pose.at(hand_role(side)), palm = palm_of(body, f, side);
        double gap = height_bound(posed, palm), speed = 0;
        if (gap < 2 * body.size * near_off) {
            gap = INFINITY;
            for (const ArmPoint& point : body.shape.arm[side])
                if (point.bone == ArmBone::hand)
                    gap =
                        std::min(gap, height_over(posed, wrist + pose.turn_of(hand_role(side)) * point.offset).height -
                                          point.radius);
            const Vec3d carried = f == 0 ? palm : point_at(before, place_on(posed, palm));
            if (f > 0) speed = (palm_of(body, f - 1, side) - carried).norm() * fps;
        }
        result.gap.push_back(static_cast<float>(gap));
        result.speed.push_back(static_cast<float>(speed));
        before = posed;
    }
    if (result.speed.size() > 1) result.speed[0] = result.speed[1];
    return result;
}

Nearness near_floor(const BodyMotion& body, size_t side, double fps) {
    Nearness result;
    for (size_t f = 0; f < body.poses.size(); ++f) {
        const PosedShape& pose = body.poses[f];
        double lowest = INFINITY;
        for (const ArmPoint& point : body.shape.arm[side])
            if (point.bone == ArmBone::hand)
                lowest = std::min(
                    lowest, (pose.at(hand_role(side)) + pose.turn_of(hand_role(side)) * point.offset).dot(body.up) -
                                point.radius);
        result.gap.push_back(static_cast<float>(lowest - body.floor));
        const size_t before = f == 0 ? f : f - 1;
        result.speed.push_back(static_cast<float>((palm_of(body, f, side) - palm_of(body, before, side)).norm() * fps));
    }
    return result;
}

// Frames in which the hand is near and slow, with hysteresis; short interruptions are bridged, short touches dropped.
std::vector<bool> held(const Nearness& near, double size, double fps) {
    std::vector<bool> on(near.gap.size(), false);
    bool touching = false;
    for (size_t f = 0; f < on.size(); ++f) {
        const double gap = near.gap[f] / size, speed = near.speed[f] / size;
        touching = touching ? gap < near_off && speed < slow_off : gap < near_on && speed < slow_on;
        on[f] = touching;
    }
    const auto toggle_short = [&](bool value, double seconds, bool at_ends) {
        for (size_t f = 0; f < on.size();) {
            size_t end = f;
            while (end < on.size() && on[end] == on[f]) ++end;
            const bool inner = f > 0 && end < on.size();
            if (on[f] == value && static_cast<double>(end - f) < seconds * fps && (inner || at_ends))
                std::fill(on.begin() + static_cast<ptrdiff_t>(f), on.begin() + static_cast<ptrdiff_t>(end), !value);
            f = end;
        }
    };
    toggle_short(false, bridged, false);
    toggle_short(true, shortest, static_cast<double>(on.size()) > shortest * fps);
    return on;
}

// 1 where on, falling smoothly to 0 within the fade.
std::vector<float> faded(const std::vector<bool>& on, double fps) {
    const double step = 1.0 / std::max(1.0, fade * fps);
    std::vector<float> weight(on.size(), 0.0f);
    double level = 0;
    for (size_t f = 0; f < on.size(); ++f) {
        level = on[f] ? 1.0 : f == 0 ? 0.0 : std::max(0.0, level - step);
        weight[f] = static_cast<float>(level);
    }
    level = 0;
    for (size_t f = on.size(); f-- > 0;) {
        level = on[f] ? 1.0 : std::max(0.0, level - step);
        weight[f] = static_cast<float>(smoothstep(std::max<double>(weight[f], level)));
    }
    return weight;
}

bool ever(const std::vector<float>& weight) {
    return std::ranges::any_of(weight, [](float w) { return w > 0; });
}

Touch find_clap(const BodyMotion& body) {
    Touch touch{0, static_cast<size_t>(Touched::other_hand), {}, {}};
    for (size_t f = 0; f < body.poses.size(); ++f) {
        const Vec3d across = palm_of(body, f, 1) - palm_of(body, f, 0);
        const double distance = across.norm();
        const Vec3d along = distance > 0 ? Vec3d(across / distance) : Vec3d(Vec3d::UnitX());
        const std::array turns = {body.poses[f].turn_of(Role::left_hand), body.poses[f].turn_of(Role::right_hand)};
        const double gap =
            distance > 4 * body.size * hands_far ? distance : hands_apart(body.shape, turns, along, distance);
        touch.gap.push_back(static_cast<float>(gap));
        touch.weight.push_back(
            static_cast<float>(smoothstep((hands_far - gap / body.size) / (hands_far - hands_near))));
    }
    return touch;
}

}  // namespace

double hands_apart(const BodyShape& shape, const std::array<Quatd, 2>& hand_turn, const Vec3d& along, double apart) {
    std::array<double, 2> reach = {0, 0};  // of each hand towards the other, from its palm
    for (size_t side = 0; side < 2; ++side) {
        const Vec3d way = (side == 0 ? 1.0 : -1.0) * (hand_turn[side].conjugate() * along);
        for (const ArmPoint& point : shape.arm[side])
            if (point.bone == ArmBone::hand)
                reach[side] = std::max(reach[side], (point.offset - shape.palm[side]).dot(way) + point.radius);
    }
    return apart - reach[0] - reach[1];
}

std::vector<Touch> find_touches(const BodyMotion& source, double fps) {
    std::vector<Touch> touches;
    if (source.poses.empty()) return touches;
    const auto add = [&](size_t side, size_t what, Nearness near) {
        Touch touch{side, what, faded(held(near, source.size, fps), fps), std::move(near.gap)};
        if (ever(touch.weight)) touches.push_back(std::move(touch));
    };
    for (size_t side = 0; side < 2; ++side) {
        if (source.shape.arm[side].empty()) continue;
        for (size_t p = 0; p < part_count; ++p) {
            const auto name = static_cast<PartName>(p);
            if (source.shape[name].exists() && can_touch(side, name)) add(side, p, near_part(source, side, name, fps));
        }
        add(side, static_cast<size_t>(Touched::floor), near_floor(source, side, fps));
    }
    if (source.shape.arm[0].empty() || source.shape.arm[1].empty()) return touches;
    if (Touch clap = find_clap(source); ever(clap.weight)) touches.push_back(std::move(clap));
    return touches;
}

}  // namespace sinew
