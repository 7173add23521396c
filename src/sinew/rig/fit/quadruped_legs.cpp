#include <sinew/rig/fit/quadruped_legs.h>

#include <algorithm>
#include <cmath>

namespace sinew {
namespace {

// Cuts from the ground up to the crotch, each nearest to the one below, until it is no longer a leg that is cut.
LegLine cut_leg(const VoxelBody& body, const Vec3d& tip, double crotch) {
    LegLine line;
    line.cell = body.grid.cell;
    Vec3d near = tip;
    for (double y = 0.0; y < crotch + body.grid.cell; y += body.grid.cell) {
        const Cut cut = cut_level(body, y, near, 0.8 * std::abs(near.x()));
        if (!cut.found) continue;
        // A thigh widens little by little; a belly is there at once.
        if (y > 0.5 * crotch && !line.centre.empty() && cut.half_depth > 1.6 * line.half_depth.back() + body.grid.cell)
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
    const TracedLimb limb = trace_limb(upright.body, left.voxel, upright.middle(), 1.6 * upright.height);
    pair.crotch = find_crotch(upright.body, limb, right.voxel);
    pair.side[0].line = cut_leg(upright.body, left.cap, pair.crotch.y());
    pair.side[1].line = cut_leg(upright.body, right.cap, pair.crotch.y());
    return pair;
}

double paws(const LegPair& front) {
    std::vector<double> depths;
    for (const AnimalLeg& leg : front.side)
        for (double share = 0.3; share < 0.61; share += 0.05)
            depths.push_back(leg.line.depth_at(share * front.crotch.y()));
    std::sort(depths.begin(), depths.end());
    const double slender = depths[depths.size() / 2] / std::max(front.crotch.y(), 1e-12);
    return std::clamp((slender - 0.08) / 0.03, 0.0, 1.0);
}

void place_front(const Upright& upright, double back, double paws, LegPair& pair) {
    const double C = pair.crotch.y(), H = upright.height;
    for (AnimalLeg& leg : pair.side) {
        leg.upper = raised(leg.line.at(0.9 * C), C + mix(0.12, 0.33, paws) * (back - C), mix(0.015, 0.03, paws) * H);
        leg.lower = leg.line.at(mix(0.6, 0.735, paws) * C);
        // A foot stands under its shin, wherever the toes reach.
        leg.foot = raised(leg.line.at(0.35 * C), mix(0.235, 0.2, paws) * C, 0.0);
        const Vec3d sole = leg.line.at(0.08 * C);
        leg.toes = raised(sole, 0.08 * C, 0.5 * leg.line.depth_at(0.08 * C));
    }
}

void place_hind(const Upright& upright, double back, double paws, LegPair& pair) {
    const double C = pair.crotch.y(), H = upright.height;
    const double hip = C + 0.39 * (back - C);
    for (AnimalLeg& leg : pair.side) {
        const Vec3d thigh = leg.line.at(0.9 * C);
        const double half = leg.line.depth_at(0.5 * C);
        leg.upper = raised(thigh, hip, 0.5 * half - 0.045 * H);
        leg.lower = raised(thigh, mix(0.8, 0.68, paws) * hip, 0.5 * half);
        const double hock = mix(0.46, 0.335, paws) * hip;
        leg.foot = raised(leg.line.at(hock), hock, -0.01 * H);
        leg.toes = leg.line.at(0.115 * C);
    }
}

}  // namespace sinew
