#include <sinew/rig/stand/stance.h>

#include <sinew/mesh/geodesic.h>
#include <sinew/rig/priors/stances.h>
#include <algorithm>
#include <cmath>

namespace sinew {
namespace {

// An arm close to the mirror plane still has this strength; chosen: arms folded before the chest.
constexpr double arm_in_plane = 0.3;
// What height and bulk of the two ends of a trunk, and its ears, add to the score for the head. Chosen on the tests'
// quadrupeds: each alone decides where the others are silent, two outvote the third. One end alone is a head or a tail;
// a head is likelier.
constexpr double by_height = 0.6, by_bulk = 0.6, bulk_exponent = 0.5, one_end = 0.5, by_ears = 0.4;
// The mass of an end that has none, where the logarithm is taken.
constexpr double no_mass = 1e-30;

}  // namespace

Vec3d MirroredBody::behind(int e, double share) const {
    const std::vector<uint32_t>& way = ways[static_cast<size_t>(e)];
    const double want = (1.0 - share) * static_cast<double>(ends.distance[way[0]]);
    size_t k = 0;
    while (k + 1 < way.size() && static_cast<double>(ends.distance[way[k]]) > want) ++k;
    return body.at(way[k]);
}

MirroredBody see_mirrored(const VoxelBody& body, const Extremities& ends, const MirrorPlane& plane) {
    MirroredBody seen{body, ends, plane, {}, {}, (body.high - body.low).maxCoeff()};
    seen.limbs = pair_limbs(ends, plane, seen.size);
    for (const Extremity& e : ends.list) seen.ways.push_back(descend(body.grid, ends.distance, e.voxel));
    return seen;
}

Stance stand_on(const VoxelBody& body, const Vec3d& up, const Vec3d& forward) {
    double low = INFINITY, high = -INFINITY, back = INFINITY, front = -INFINITY;
    for (uint32_t v : body.voxels) {
        const Vec3d p = body.at(v);
        const double y = up.dot(p), z = forward.dot(p);
        low = std::min(low, y), high = std::max(high, y);
        back = std::min(back, z), front = std::max(front, z);
    }
    return {up, forward, low, std::max(high - low, body.grid.cell), front - back};
}

double leg_strength(const MirroredBody& seen, const Stance& stance, const LimbPair& pair) {
    double rise = 1.0, prominence = INFINITY, level = 0.0;
    for (int e : {pair.left, pair.right}) {
        const Extremity& end = seen.end(e);
        const double h = stance.up.dot(end.position) - stance.ground;
        level = std::max(level, h / stance.height);
        const double to_middle = (stance.up.dot(seen.middle()) - stance.ground - h) / end.distance;
        rise = std::min(rise, std::max(to_middle, stances::first_part_rise * stance.up.dot(end.inward)));
        prominence = std::min(prominence, end.prominence);
    }
    if (rise <= stances::least_rise || level > stances::ground_reach) return 0.0;
    const double touch = std::clamp((stances::ground_reach - level) / stances::ground_contact, 0.0, 1.0);
    const double steep = std::min(1.0, rise / stances::steep_rise);
    return touch * std::min(1.0, prominence / (stances::long_leg * seen.size)) * steep * steep;
}

double arm_strength(const MirroredBody& seen, const Stance& stance, const LimbPair& pair) {
    const Extremity &l = seen.end(pair.left), &r = seen.end(pair.right);
    const double prominence = std::min(l.prominence, r.prominence);
    const double spread = std::min(std::abs(seen.plane.side(l.position)), std::abs(seen.plane.side(r.position)));
    return std::min(1.0, prominence / (stances::long_arm * seen.size)) *
           std::min(1.0, arm_in_plane + spread / (stances::arm_spread * stance.height));
}

double toes_forward(const MirroredBody& seen, const Stance& stance, int leg_tip) {
    const Vec3d toe = seen.end(leg_tip).position - seen.behind(leg_tip, stances::toe_part);
    const Vec3d flat = toe - toe.dot(stance.up) * stance.up;
    const double length = flat.norm();
    if (!(length > 0.0)) return 0.0;
    // Toes lie on the ground. A leg that ends in a spike leans, and where to says little.
    const double lies = std::clamp((1.0 - std::abs(toe.dot(stance.up)) / toe.norm()) / stances::toes_lie, 0.0, 1.0);
    return lies * std::min(1.0, length / (stances::clear_toes * seen.size)) * flat.dot(stance.forward) / length;
}

double head_forward(const MirroredBody& seen, const Stance& stance) {
    int front = -1, back = -1;
    const Vec3d middle = seen.middle();
    for (int e : seen.limbs.singles) {
        if (std::abs(seen.plane.side(seen.end(e).position)) > stances::head_off_plane * seen.size)
            continue;  // half of a pair whose other half was lost
        const double at = stance.forward.dot(seen.end(e).position - middle);
        if (at > 0.0 && (front < 0 || seen.end(e).distance > seen.end(front).distance)) front = e;
        if (at < 0.0 && (back < 0 || seen.end(e).distance > seen.end(back).distance)) back = e;
    }
    double cue = 0.0;
    if (front >= 0 && back >= 0) {
        const Extremity &f = seen.end(front), &b = seen.end(back);
        const double lift = stance.up.dot(f.position - b.position) / (stances::head_lift * stance.height);
        const auto mass = [](const Extremity& e) {
            return std::max(no_mass, e.prominence * e.thickness * e.thickness);
        };
        const double bulk = bulk_exponent * std::log(mass(f) / mass(b));
        cue = by_height * std::clamp(lift, -1.0, 1.0) + by_bulk * std::clamp(bulk, -1.0, 1.0);
    } else if (front >= 0 || back >= 0) {
        cue = front >= 0 ? one_end : -one_end;
    }
    for (const LimbPair& pair : seen.limbs.pairs) {  // ears
        const Vec3d ear = seen.end(pair.left).position - middle;
        if (stance.up.dot(ear) > stances::ear_height * stance.height)
            cue += std::clamp(stance.forward.dot(ear) / (stances::ear_ahead * seen.size), -by_ears, by_ears);
    }
    return cue;
}

double bulk_forward(const MirroredBody& seen, const Stance& stance, double front_legs, double hind_legs) {
    double ahead = 0.0, behind = 0.0;
    for (uint32_t v : seen.body.voxels) {
        const double z = stance.forward.dot(seen.body.at(v));
        ahead += z > front_legs;
        behind += z < hind_legs;
    }
    const double most = std::max(ahead, behind);
    return most > 0.0 ? (ahead - behind) / most : 0.0;
}

}  // namespace sinew
