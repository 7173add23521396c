// EmbedSpace: the places inside a body where a template's joints may go, and what a straight bone between two costs.
// Data flow: fit.h's Upright → *here* → embed.h.
#pragma once

#include <sinew/rig/fit/fit.h>

namespace sinew {

// The centres of balls on the medial axis that fill the body, the largest first [Baran2007]; and its tips.
struct EmbedSpace {
    std::vector<Vec3d> place;
    std::vector<double> radius;   // of the body there, world units
    std::vector<double> to_tip;   // straight distance to the nearest extremity, world units
    std::vector<int8_t> side;     // +1 left, −1 right, 0 in the middle plane
    std::vector<float> outside;   // place × place: length of the straight way outside the body, world units
    std::vector<float> log_away;  // place × place: log((distance + slack) / size)
    double size = 0.0;            // diagonal of the body

    static constexpr double slack = 0.02;  // share of the size; chosen: shorter differences hardly count

    size_t count() const { return place.size(); }
};

struct EmbedSpaceOptions {
    int most = 220;     // places, about; the search takes the square of them
    bool half = false;  // only the middle plane and the left side: the right is its mirror image
};
EmbedSpace find_embed_space(const Upright& upright, const EmbedSpaceOptions& options = {});

// The length of the straight way between two points that lies outside the body, world units.
double length_outside(const VoxelBody& body, const Vec3d& from, const Vec3d& to);

}  // namespace sinew
