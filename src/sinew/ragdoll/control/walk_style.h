// WalkStyle: the numbers that a walk by balance is made of. Data flow: learn_walk.h, learn_balance.h → *here* →
// walker.h.
#pragma once

#include <array>
#include <cstddef>
#include <span>

namespace sinew {

// What a walk is made of; learn_walk.h looks for better ones and found most of these, from the numbers of a prototype;
// the round ones were then chosen by hand, for longer steps that keep their balance. Angles
// in radians: the swing leg's first from the vertical, forwards positive, then knees, flexed positive. A: the leg
// swings, B: it comes down. Times and speeds are those of a body of 1.75 m; others walk alike.
struct WalkStyle {
    double dwell = 0.454311;  // seconds of A; B ends with the foot's strike
    double swing_hip_a = 0.269429, swing_hip_b = -0.059043;
    double swing_knee_a = 1.219388, swing_knee_b = 0.176359;
    double stance_knee_a = 0.142728, stance_knee_b = 0.512705;
    double swing_ankle = 0.621864, stance_ankle_a = 0.044804, stance_ankle_b = 0.0;  // toes up positive
    double lean = -0.046771;                                                         // of the chest, forwards
    double pelvis_pitch = -0.00542;
    // Balance: how much the swing leg's angle follows the place of the centre of mass ahead of the standing foot, and
    // its speed; ahead in A and B, and sideways.
    double place_a = 1.327445, place_b = 0.906114, speed_a = 0.285408, speed_b = 0.2;
    double side_place = 0.5664, side_speed = 0.207783;
    double arms = 0.260241;  // how far they swing
    // A ends early where the body falls away from the foot that stands: as soon as the point that it could come to rest
    // over is so far from that foot, in metres: ahead of it, behind it, and beyond it sideways.
    double hurry_ahead = 0.617534, hurry_behind = 0.121016, hurry_aside = 0.005838;
    // The standing foot presses with its toes, its heel or a side: metres of that for each metre a second that the body
    // is quicker over the foot than usual_speed, and for each metre that the same point is further out than
    // usual_aside.
    double press_ahead = 0.188932, usual_speed = 1.0, press_aside = 0.969468, usual_aside = -0.049877;
    double sway = 0.180409;         // of the chest, sideways: radians for each metre of that point beyond usual_aside
    double swing_force = 1.083039;  // of the leg that swings, times the usual
    double most_wide = 0.45, most_cross = 0.100189;  // how far it swings out and over to the other leg
};
constexpr size_t walk_style_size = sizeof(WalkStyle) / sizeof(double);
// The same as numbers.
std::array<double, walk_style_size> to_numbers(const WalkStyle& style);
WalkStyle from_numbers(std::span<const double, walk_style_size> numbers);
// About how much each may change at once in a search, times so much of what it belongs to.
struct WalkSpread {
    double poses = 1.0;  // with the time of a step
    double gains = 1.0;  // the swing leg's balance
    double hurry = 1.0;  // where steps end early
};
std::array<double, walk_style_size> walk_style_spread(const WalkSpread& of = {});
// Balance off: the swing leg goes by its poses alone, no step ends early, the foot does not press, the chest does not
// sway. What learning begins with.
WalkStyle without_balance(WalkStyle style);

}  // namespace sinew
