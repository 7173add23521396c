// Contacts: when a source's feet stand still on the ground, and where that ground is.
// Data flow: the source's feet over time → *here* → feet.h, retarget.cpp.
#pragma once

#include <sinew/math/types.h>
#include <span>
#include <vector>

namespace sinew {

// One foot over all frames.
struct FootPath {
    std::vector<Vec3d> ankle, ball;
};

struct Plant {
    int32_t first = 0, last = 0;  // frames, inclusive
};

// The lowest height at which the points rest time and again: where one in sixteen of their slow frames crowd together.
// A stumble of the capture does not count, nor do the upper steps of a stair.
double standing_height(std::span<const std::vector<Vec3d>* const> paths, const Vec3d& up, double leg_length,
                       double fps);

// Heights at which ankle and ball stand on the ground. `rest_drop` is how far the ball lies below the ankle when the
// foot is flat: a clip danced on tiptoe shows the ground at the ball, one without toe data at the ankle.
struct GroundLevel {
    double ankle = 0, ball = 0;
};
GroundLevel find_ground(const FootPath& left, const FootPath& right, const Vec3d& up, double rest_drop,
                        double leg_length, double fps);

// Runs of frames in which the ball is near the ground and slow; thresholds scale with the leg.
std::vector<Plant> find_plants(const FootPath& foot, const Vec3d& up, double ground_ball, double leg_length,
                               double fps);

}  // namespace sinew
