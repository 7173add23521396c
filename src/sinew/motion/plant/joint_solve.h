// Joint solve: places pelvis and feet together, over the whole clip, so that planted feet stand still, soles meet the
// ground and knees move as in the source. Data flow: LegCurves → *here* → offsets of pelvis and feet → plant_feet.h.
#pragma once

#include <sinew/math/types.h>
#include <array>
#include <cstdint>
#include <limits>
#include <vector>

namespace sinew {

constexpr double no_goal = std::numeric_limits<double>::quiet_NaN();

// On what a foot stands: the floor, a step, a box; or on nothing: it is only held still in the air.
enum class Stand : uint8_t { ground, air };

// One leg over all frames before it is placed. Lengths are in leg lengths, axes are left, up, forward.
struct LegCurves {
    double thigh = 0.5, shin = 0.5;
    std::vector<Vec3d> hip, ankle, ball;
    std::vector<double> bend;                          // of the knee in the source, radians
    std::vector<double> clearance;                     // of the foot's lowest point over the floor
    std::vector<double> sole_goal;                     // what that should be; no_goal: anything from zero up
    std::vector<Stand> stand;                          // what the goal belongs to
    std::vector<double> hold;                          // how much the goal counts, from 0 to 1
    std::vector<int32_t> ankle_contact, ball_contact;  // the contact's number, else −1
};

struct PlacedLegs {
    std::vector<Vec3d> pelvis;               // by how much it moves
    std::array<std::vector<Vec3d>, 2> foot;  // by how much each foot moves
    int iterations = 0;
};

// The bend of a knee whose hip and ankle are `distance` apart, and its derivative. Near the straight and the folded leg
// it goes on linearly: a reach that is soft, where the bend would jump.
struct KneeBend {
    double bend, slope;
};
KneeBend knee_bend(double distance, double thigh, double shin);

// Gauss–Newton on a banded system, nine unknowns a frame: time and memory are linear in the frames. A leg without
// frames takes no part.
PlacedLegs place_legs(const std::array<LegCurves, 2>& legs, double fps);

}  // namespace sinew
