// Ground: the height at which the source's feet stand.
// Data flow: paths of the source's feet → *here* → source_clip.h, plant/foot_contacts.h.
#pragma once

#include <sinew/math/types.h>
#include <span>
#include <vector>

namespace sinew {

// One foot over all frames.
struct FootPath {
    std::vector<Vec3d> ankle, ball;
};

// The lowest height at which the points come to rest repeatedly: where one in eight of their slow frames, or half a
// second of each path, lie close together. This passes over single errors of the capture, finds the lowest step of a
// stair, and the floor below a box on which most of the clip takes place.
double standing_height(std::span<const std::vector<Vec3d>* const> paths, const Vec3d& up, double leg_length,
                       double fps);

// The heights of ankle and ball while a foot stands flat. `rest_drop` is how far the ball of a flat foot lies below the
// ankle: a clip danced on tiptoe shows the ground only at the ball, a clip without toe data only at the ankle.
struct GroundLevel {
    double ankle = 0, ball = 0;
};
GroundLevel find_ground(const FootPath& left, const FootPath& right, const Vec3d& up, double rest_drop,
                        double leg_length, double fps);

}  // namespace sinew
