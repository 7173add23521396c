#include <sinew/rig/fit/biped_parts.h>
#include <algorithm>
#include <cmath>

namespace sinew {
namespace {

// Where the way from the toes has come back under the leg.
double retreat_slice(const Leg& leg) {
    const Vec3d low = leg.limb.at(0.55 * leg.top_slice), high = leg.limb.at(0.9 * leg.top_slice);
    const Vec3d axis = (high - low).normalized();
    const auto ahead = [&](const Vec3d& p) {
        const Vec3d d = p - low;
        return (d - d.dot(axis) * axis).norm();
    };
    const double toe = ahead(leg.limb.at(0.0));
    for (int k = 0; k < 0.7 * leg.top_slice && k < leg.limb.size(); ++k)
        if (ahead(leg.limb.centre[static_cast<size_t>(k)]) < 0.25 * toe) return k;
    return 0.25 * leg.top_slice;
}

// Where the way turns from the foot into the leg.
double turn_slice(const Leg& leg, double from) {
    const TracedLimb& limb = leg.limb;
    const Vec3d axis = (limb.at(0.9 * leg.top_slice) - limb.at(0.5 * leg.top_slice)).normalized();
    const double span = 0.035 * leg.top_slice;
    for (double k = from; k < 0.75 * leg.top_slice; k += 1.0)
        if ((limb.at(k + span) - limb.at(k - span)).normalized().dot(axis) > 0.7) return k;
    return from;
}

// The ankle lies where the way from the toes has come back under the leg and turned up; slices are largest there, where
// they reach the heel.
void find_ankle(Leg& leg, double height) {
    const TracedLimb& limb = leg.limb;
    const double back = retreat_slice(leg);
    const double turn = std::max(turn_slice(leg, 0.6 * back), back);
    const auto area = [&](int k) { return limb.area[static_cast<size_t>(std::clamp(k, 0, limb.size() - 1))]; };
    int peak = static_cast<int>(std::lround(turn));
    for (int k = static_cast<int>(0.85 * turn); k <= 1.2 * turn; ++k)
        if (area(k) > area(peak)) peak = k;
    double behind = INFINITY;
    for (int k = peak; k <= 1.5 * turn; ++k) behind = std::min(behind, area(k));
    const bool clear = behind < 0.88 * area(peak);
    leg.ankle_slice = (clear ? 0.5 * (peak + turn) : turn) + 0.006 * height / limb.cell;
    leg.ankle_slice = std::min(leg.ankle_slice, 0.75 * leg.top_slice);
    leg.ankle = limb.at(leg.ankle_slice);
    // A boot's cuff is no ankle: it is in the lower part of the leg.
    const double top = limb.at(leg.top_slice).y();
    if (leg.ankle.y() < 0.45 * top) return;
    leg.ankle_slice = limb.at_height(0.14 * top);
    leg.ankle = limb.at(leg.ankle_slice);
}

// Halfway, or where the leg bends: where it is farthest ahead of the straight line, if that is far. What lies behind it
// is a heel in the air.
double find_knee(const Leg& leg, double hip_slice, double height) {
    const double usual = leg.ankle_slice + 0.49 * (hip_slice - leg.ankle_slice);
    const Vec3d a = leg.ankle, axis = (leg.hip - leg.ankle).normalized();
    double best = usual, most = 0.0;
    for (double k = leg.ankle_slice + 0.3 * (hip_slice - leg.ankle_slice);
         k <= leg.ankle_slice + 0.68 * (hip_slice - leg.ankle_slice); k += 0.5) {
        const Vec3d d = leg.limb.at(k) - a;
        const Vec3d off = d - d.dot(axis) * axis;
        const double away = off.z() > 0.0 ? off.norm() : 0.0;
        if (away > most) most = away, best = k;
    }
    const double trust = std::clamp((most / height - 0.02) / 0.015, 0.0, 1.0);
    return usual + trust * (best - usual);
}

// Whether nothing joins the legs at a height: no voxel at x = 0 as far forward and back as the legs are there.
bool legs_apart(const VoxelBody& body, double y, double z, double reach) {
    for (double x : {-0.5, 0.5})
        for (double dz = -reach; dz <= reach; dz += body.grid.cell)
            if (body.inside({x * body.grid.cell, y, z + dz})) return false;
    return true;
}

// Knees that touch, a strap or a buckle join the legs below the crotch: seen from above, it is where they first part.
double raise_crotch(const Upright& upright, const Leg& leg, double crotch) {
    const VoxelBody& body = upright.body;
    const double H = upright.height, cell = body.grid.cell;
    double parted = 0.0;
    for (double y = std::min(0.7 * H, leg.limb.centre.back().y()); y > crotch + 0.02 * H; y -= cell) {
        const double z = leg.limb.at(leg.limb.at_height(y)).z();
        parted = legs_apart(body, y, z, 0.05 * H) ? parted + cell : 0.0;
        if (parted > std::max(2.5 * cell, 0.02 * H)) return y + parted;
    }
    return crotch;
}

}  // namespace

Legs find_legs(const Upright& upright) {
    Legs legs;
    legs.found = upright.legs[0] >= 0;
    if (!legs.found) return legs;
    for (size_t k = 0; k < 2; ++k) {
        legs.side[k].limb =
            trace_limb(upright.body, upright.end(upright.legs[k]).voxel, upright.middle(), 1.3 * upright.height);
        legs.side[k].toe = upright.end(upright.legs[k]).position;
    }
    legs.crotch = find_crotch(upright.body, legs.side[0].limb, upright.end(upright.legs[1]).voxel);
    legs.crotch.y() = raise_crotch(upright, legs.side[0], legs.crotch.y());
    for (Leg& leg : legs.side) {
        smooth(leg.limb, 1);
        leg.top_slice = std::max(4.0, leg.limb.at_height(legs.crotch.y()));
        find_ankle(leg, upright.height);
    }
    return legs;
}

void place_hips(const Upright& upright, const Vec3d& shoulders, Legs& legs) {
    const double rise = 0.14 * (shoulders.y() - legs.crotch.y());
    for (size_t k = 0; k < 2; ++k) {
        Leg& leg = legs.side[k];
        // The thigh's line, from where it is still a thigh, continued to the height of the joint.
        const double last = leg.top_slice - std::max(1.0, 0.02 * upright.height / leg.limb.cell);
        const double mid = leg.ankle_slice + 0.55 * (last - leg.ankle_slice);
        const Vec3d upper = leg.limb.at(last), lower = leg.limb.at(mid);
        const Vec3d thigh = upper - lower;
        const double up = std::max(thigh.y(), 0.3 * thigh.norm() + 1e-12);
        leg.hip = upper + thigh * std::clamp((legs.crotch.y() + rise - upper.y()) / up, 0.0, 1.0);
        leg.hip.y() = legs.crotch.y() + rise;
        leg.knee = leg.limb.at(find_knee(leg, last + (leg.hip - upper).norm() / leg.limb.cell, upright.height));
        leg.ball = leg.limb.at(0.45 * leg.ankle_slice);
        leg.ball.y() = std::min(leg.ball.y(), 0.5 * leg.ankle.y());
    }
}

}  // namespace sinew
