#include <sinew/rig/fit/quadruped_legs.h>

#include <sinew/rig/priors/animals.h>
#include <algorithm>
#include <cmath>

namespace sinew {
namespace {

// All of these are chosen by us, on the tests' quadrupeds.
// A cut reaches toward the other leg by no more than this share of the leg's distance from the mirror plane.
constexpr double own_side = 0.8;
// In the upper part of a leg, a cut that is deeper than the one below by this factor cuts the belly.
constexpr double upper_part = 0.5, belly = 1.6;
// A leg is followed no farther than this, in heights: more than any leg with its way to the middle is long.
constexpr double longest_leg = 1.6;
// How thick a leg is: the median over these heights, as shares of the crotch's.
constexpr double thick_from = 0.3, thick_to = 0.61, thick_step = 0.05, no_height = 1e-12;

// The back is measured this near to the mirror plane, and to the place halfway between the legs, in voxels.
constexpr double near_plane = 2.0, near_place = 1.5;

// Cuts from the ground up to the crotch, each the nearest to the one below, until they cut more than the leg.
LegLine cut_leg(const VoxelBody& body, const Vec3d& tip, double crotch) {
    LegLine line;
    line.cell = body.grid.cell;
    Vec3d near = tip;
    for (double y = 0.0; y < crotch + body.grid.cell; y += body.grid.cell) {
        const Cut cut = cut_level(body, y, near, own_side * std::abs(near.x()));
        if (!cut.found) continue;
        // A thigh widens little by little; a belly is there at once.
        if (y > upper_part * crotch && !line.centre.empty() &&
            cut.half_depth > belly * line.half_depth.back() + body.grid.cell)
            break;
        near = cut.centre;
        line.centre.push_back(Vec3d(cut.centre.x(), y, cut.centre.z()));
        line.half_depth.push_back(cut.half_depth);
    }
    if (line.centre.empty()) {
        line.centre.push_back(Vec3d(tip.x(), 0.0, tip.z()));
        line.half_depth.push_back(line.cell);
    }
    return line;
}

double mix(double slender, double paw, double paws) {
    return slender + paws * (paw - slender);
}

Vec3d raised(Vec3d at, double y, double ahead) {
    at.y() = y;
    at.z() += ahead;
    return at;
}

}  // namespace

Vec3d LegLine::at(double y) const {
    // Three levels, since one jumps by a voxel.
    const double k = std::clamp((y - centre.front().y()) / cell, 0.0, static_cast<double>(centre.size() - 1));
    const auto mid = static_cast<size_t>(std::lround(k));
    const size_t low = mid > 0 ? mid - 1 : 0, high = std::min(mid + 1, centre.size() - 1);
    Vec3d p = (centre[low] + centre[mid] + centre[high]) / 3.0;
    p.y() = y;
    return p;
}

double LegLine::depth_at(double y) const {
    const double k = std::clamp((y - centre.front().y()) / cell, 0.0, static_cast<double>(centre.size() - 1));
    return half_depth[static_cast<size_t>(std::lround(k))];
}

LegPair trace_leg_pair(const Upright& upright, const int (&tips)[2]) {
    LegPair pair;
    const Extremity &left = upright.end(tips[0]), &right = upright.end(tips[1]);
    const TracedLimb limb = trace_limb(upright.body, left.voxel, upright.middle(), longest_leg * upright.height);
    pair.crotch = find_crotch(upright.body, limb, right.voxel);
    pair.side[0].line = cut_leg(upright.body, left.cap, pair.crotch.y());
    pair.side[1].line = cut_leg(upright.body, right.cap, pair.crotch.y());
    return pair;
}

double paws(const LegPair& front) {
    std::vector<double> depths;
    for (const AnimalLeg& leg : front.side)
        for (double share = thick_from; share < thick_to; share += thick_step)
            depths.push_back(leg.line.depth_at(share * front.crotch.y()));
    std::sort(depths.begin(), depths.end());
    const double slender = depths[depths.size() / 2] / std::max(front.crotch.y(), no_height);
    return std::clamp((slender - animals::slender_leg) / animals::paw_leg, 0.0, 1.0);
}

double back_height(const Upright& upright, const LegPair& front, const LegPair& hind) {
    const VoxelBody& body = upright.body;
    const double z = 0.5 * (front.crotch.z() + hind.crotch.z());
    double top = 0.0;
    for (uint32_t v : body.voxels) {
        const Vec3d p = body.at(v);
        if (std::abs(p.x()) < near_plane * body.grid.cell && std::abs(p.z() - z) < near_place * body.grid.cell)
            top = std::max(top, p.y());
    }
    return std::max(top, animals::lowest_back * std::max(front.crotch.y(), hind.crotch.y()));
}

void place_front(const Upright& upright, double back, double paws, LegPair& pair) {
    const double C = pair.crotch.y(), H = upright.height;
    for (AnimalLeg& leg : pair.side) {
        leg.upper = raised(leg.line.at(animals::thigh * C),
                           C + mix(animals::front_upper_slender, animals::front_upper_paw, paws) * (back - C),
                           mix(animals::front_upper_ahead_slender, animals::front_upper_ahead_paw, paws) * H);
        leg.lower = leg.line.at(mix(animals::front_lower_slender, animals::front_lower_paw, paws) * C);
        // A foot stands under its shin, wherever the toes reach.
        leg.foot = raised(leg.line.at(animals::front_shin * C),
                          mix(animals::front_foot_slender, animals::front_foot_paw, paws) * C, 0.0);
        const Vec3d sole = leg.line.at(animals::front_toes * C);
        leg.toes = raised(sole, animals::front_toes * C, 0.5 * leg.line.depth_at(animals::front_toes * C));
    }
}

void place_hind(const Upright& upright, double back, double paws, LegPair& pair) {
    const double C = pair.crotch.y(), H = upright.height;
    const double hip = C + animals::hip_rise * (back - C);
    for (AnimalLeg& leg : pair.side) {
        const Vec3d thigh = leg.line.at(animals::thigh * C);
        const double half = leg.line.depth_at(0.5 * C);
        leg.upper = raised(thigh, hip, 0.5 * half - animals::hip_behind * H);
        leg.lower = raised(thigh, mix(animals::knee_slender, animals::knee_paw, paws) * hip, 0.5 * half);
        const double hock = mix(animals::hock_slender, animals::hock_paw, paws) * hip;
        leg.foot = raised(leg.line.at(hock), hock, -animals::hock_behind * H);
        leg.toes = leg.line.at(animals::hind_toes * C);
    }
}

}  // namespace sinew
