// Foot contacts: when the toes and the heels of the source stand, on the floor or above it, and where its floor is.
// Data flow: paths of the source's feet (source_clip.h) → *here* → plant_feet.h, transfer.h.
#pragma once

#include <sinew/motion/retarget/source_clip.h>
#include <array>
#include <vector>

namespace sinew {

// A run of frames in which a point stands still.
struct Contact {
    int32_t first = 0, last = 0;  // frames, inclusive
    bool raised = false;          // on a step, a box, or held still in the air
};

// Runs in which the point is slow and, unless it is raised, near the ground; with hysteresis. Generous: a foot that is
// held a moment too long costs nothing, one that is let go too early slides. Lengths are measured in legs, `ground` is
// a height along `up`.
std::vector<Contact> find_contacts(const std::vector<Vec3d>& path, const Vec3d& up, double ground, double leg,
                                   double fps);

struct SourceContacts {
    GroundLevel level;                                              // of a foot that stands flat
    std::array<Vec3d, 2> sole_up = {Vec3d::Zero(), Vec3d::Zero()};  // as level_foot takes it
    std::array<std::vector<Contact>, 2> ankle, ball;
    // Per frame, over their ground and in the source's units: the ball, and the lower of ankle and ball.
    std::array<std::vector<double>, 2> ball_height, foot_height;
};
SourceContacts find_source_contacts(const Body& source, const SourcePaths& paths, double fps);

}  // namespace sinew
