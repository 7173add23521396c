#include <sinew/ragdoll/control/walk_style.h>

#include <algorithm>
#include <bit>

namespace sinew {
namespace {

constexpr double never = 1.0;  // metres that no body's point of rest is from a foot before it falls

}  // namespace

std::array<double, walk_style_size> to_numbers(const WalkStyle& style) {
    return std::bit_cast<std::array<double, walk_style_size>>(style);
}
WalkStyle from_numbers(std::span<const double, walk_style_size> numbers) {
    std::array<double, walk_style_size> copy{};
    std::ranges::copy(numbers, copy.begin());
    WalkStyle style = std::bit_cast<WalkStyle>(copy);
    style.dwell = std::clamp(style.dwell, 0.1, 0.8);
    style.swing_knee_a = std::clamp(style.swing_knee_a, 0.0, 2.2);
    style.arms = std::clamp(style.arms, 0.0, 1.0);
    style.swing_force = std::clamp(style.swing_force, 0.5, 2.5);
    style.most_wide = std::max(style.most_wide, 0.1), style.most_cross = std::max(style.most_cross, 0.0);
    return style;
}
std::array<double, walk_style_size> walk_style_spread(const WalkSpread& of) {
    return to_numbers({.dwell = of.poses * 0.05,
                       .swing_hip_a = of.poses * 0.15,
                       .swing_hip_b = of.poses * 0.15,
                       .swing_knee_a = of.poses * 0.2,
                       .swing_knee_b = of.poses * 0.1,
                       .stance_knee_a = of.poses * 0.08,
                       .stance_knee_b = of.poses * 0.08,
                       .swing_ankle = of.poses * 0.1,
                       .stance_ankle_a = of.poses * 0.1,
                       .stance_ankle_b = of.poses * 0.1,
                       .lean = of.poses * 0.08,
                       .pelvis_pitch = of.poses * 0.05,
                       .place_a = of.gains * 0.25,
                       .place_b = of.gains * 0.25,
                       .speed_a = of.gains * 0.12,
                       .speed_b = of.gains * 0.12,
                       .side_place = of.gains * 0.25,
                       .side_speed = of.gains * 0.15,
                       .arms = 0.05,
                       .hurry_ahead = of.hurry * 0.05,
                       .hurry_behind = of.hurry * 0.05,
                       .hurry_aside = of.hurry * 0.03,
                       .press_ahead = 0.1,
                       .usual_speed = 0.15,
                       .press_aside = 0.3,
                       .usual_aside = 0.03,
                       .sway = 0.3,
                       .swing_force = 0.2,
                       .most_wide = 0.05,
                       .most_cross = 0.05});
}
WalkStyle without_balance(WalkStyle style) {
    style.place_a = style.place_b = style.speed_a = style.speed_b = style.side_place = style.side_speed = 0.0;
    style.press_ahead = style.press_aside = style.sway = 0.0;
    style.hurry_ahead = style.hurry_behind = style.hurry_aside = never;
    return style;
}

}  // namespace sinew
