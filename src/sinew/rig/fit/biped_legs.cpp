#include <sinew/mesh/geodesic.h>
#include <sinew/rig/fit/biped_parts.h>
#include <sinew/rig/priors/people.h>
#include <algorithm>
#include <cmath>

namespace sinew {
namespace {

// All of these are chosen by us. Shares of a leg are counted from the toes to the crotch, unless they say otherwise.
// This much of the leg is surely shin and thigh; its line tells where "under the leg" is, and which way is along it.
constexpr double shaft_from = 0.55, shaft_to = 0.9, axis_from = 0.5;
// The way has come back under the leg when this share of the toe's distance from its line is left; it has by `back_by`,
// and where it never does (a hoof), `back_usually` is as good.
constexpr double back_when = 0.25, back_by = 0.7, back_usually = 0.25;
// The way has turned up when it is within 45 degrees (cosine) of the leg's direction, seen over this span on both
// sides.
constexpr double turned_up = 0.7, turn_span = 0.035;
// No ankle is farther along than this.
constexpr double farthest_ankle = 0.75;
// The slice that reaches the heel is looked for around the turn, as factors of its place; the leg behind it up to
// `behind_heel` must narrow to `clear_heel` of it to say anything. The turn is looked for from `turn_from` of the place
// where the way has come back.
constexpr double heel_from = 0.85, heel_to = 1.2, behind_heel = 1.5, clear_heel = 0.88, turn_from = 0.6;
// A leg is followed no farther than this, in heights: more than any leg with its way to the middle is long.
constexpr double longest_leg = 1.3;
// A leg has at least this many slices.
constexpr double fewest_slices = 4.0;
// Shin and thigh as shares of the way from the toes to the crossing, and the cosine (50 degrees) below which the knee
// between them is bent.
constexpr double shin_from = 0.3, shin_to = 0.55, thigh_part = 0.8, bent_cos = 0.643;
// A kneecap is looked for this near to the leg's line to either side, where the leg leaves the line from hip to ankle
// by more than `knee_beside`; the knee is the middle of what lies no farther behind it than `knee_depth`. Shares of the
// height.
constexpr double knee_width = 0.06, knee_beside = 0.03, knee_depth = 0.09;
// The hip of a bent leg lies on the line of this last share of its thigh.
constexpr double thigh_end = 0.3;
// Legs are parted over at least this many voxels, besides people::gap_between_legs.
constexpr double gap_voxels = 2.5;
// The thigh's line is taken from here (ankle to crotch) to a little below the crotch, a share of the height. It is
// followed upwards as if it rose by at least this much of its length, so that a thigh held level does not run away.
constexpr double thigh_from = 0.55, below_crotch = 0.02, least_rise = 0.3, no_thigh = 1e-12;

// Where the way from the toes has come back under the leg.
double retreat_slice(const Leg& leg) {
    const Vec3d low = leg.limb.at(shaft_from * leg.top_slice), high = leg.limb.at(shaft_to * leg.top_slice);
    const Vec3d axis = (high - low).normalized();
    const auto ahead = [&](const Vec3d& p) {
        const Vec3d d = p - low;
        return (d - d.dot(axis) * axis).norm();
    };
    const double toe = ahead(leg.limb.at(0.0));
    for (int k = 0; k < back_by * leg.top_slice && k < leg.limb.size(); ++k)
        if (ahead(leg.limb.centre[static_cast<size_t>(k)]) < back_when * toe) return k;
    return back_usually * leg.top_slice;
}

// Where the way turns from the foot into the leg.
double turn_slice(const Leg& leg, double from) {
    const TracedLimb& limb = leg.limb;
    const Vec3d axis = (limb.at(shaft_to * leg.top_slice) - limb.at(axis_from * leg.top_slice)).normalized();
    const double span = turn_span * leg.top_slice;
    for (double k = from; k < farthest_ankle * leg.top_slice; k += 1.0)
        if ((limb.at(k + span) - limb.at(k - span)).normalized().dot(axis) > turned_up) return k;
    return from;
}

// The ankle lies where the way from the toes has come back under the leg and turned up. Slices are largest there: they
// reach the heel.
void find_ankle(Leg& leg, double height) {
    const TracedLimb& limb = leg.limb;
    const double back = retreat_slice(leg);
    const double turn = std::max(turn_slice(leg, turn_from * back), back);
    const auto area = [&](int k) { return limb.area[static_cast<size_t>(std::clamp(k, 0, limb.size() - 1))]; };
    int peak = static_cast<int>(std::lround(turn));
    for (int k = static_cast<int>(heel_from * turn); k <= heel_to * turn; ++k)
        if (area(k) > area(peak)) peak = k;
    double behind = INFINITY;
    for (int k = peak; k <= behind_heel * turn; ++k) behind = std::min(behind, area(k));
    const bool clear = behind < clear_heel * area(peak);
    leg.ankle_slice = (clear ? 0.5 * (peak + turn) : turn) + people::ankle_above_heel * height / limb.cell;
    leg.ankle_slice = std::min(leg.ankle_slice, farthest_ankle * leg.top_slice);
    leg.ankle = limb.at(leg.ankle_slice);
    // The cuff of a boot is no ankle: it is too high.
    const double top = limb.at(leg.top_slice).y();
    if (leg.ankle.y() < people::highest_ankle * top) return;
    leg.ankle_slice = limb.at_height(people::ankle_height * top);
    leg.ankle = limb.at(leg.ankle_slice);
}

// The knee: halfway, or where the leg bends, if it clearly does. There it is farthest ahead of the straight line from
// ankle to hip. What lies behind that line is a heel in the air.
double find_knee(const Leg& leg, double hip_slice, double height) {
    const double usual = leg.ankle_slice + people::knee_share * (hip_slice - leg.ankle_slice);
    const Vec3d a = leg.ankle, axis = (leg.hip - leg.ankle).normalized();
    double best = usual, most = 0.0;
    for (double k = leg.ankle_slice + people::lowest_knee * (hip_slice - leg.ankle_slice);
         k <= leg.ankle_slice + people::highest_knee * (hip_slice - leg.ankle_slice); k += 0.5) {
        const Vec3d d = leg.limb.at(k) - a;
        const Vec3d off = d - d.dot(axis) * axis;
        const double away = off.z() > 0.0 ? off.norm() : 0.0;
        if (away > most) most = away, best = k;
    }
    const double trust = std::clamp((most / height - people::bent_knee) / people::bent_knee_sure, 0.0, 1.0);
    return usual + trust * (best - usual);
}

// Where the way from foot to foot crosses from one side to the other: a standing person's crotch, and also that of one
// whose knees are higher. And how far along the leg that is, in slices.
struct Crossing {
    Vec3d place = Vec3d::Zero();
    double slice = 0.0;
};

Crossing find_crossing(const VoxelBody& body, const TracedLimb& left, uint32_t right_tip) {
    Crossing crossing;
    double nearest = INFINITY;
    for (const uint32_t v : descend(body.grid, left.distance, right_tip))
        if (const double off = std::abs(body.at(v).x()); off < nearest)
            nearest = off, crossing = {body.at(v), static_cast<double>(left.distance[v])};
    return crossing;
}

// Whether the knee is bent by more than people who walk bend it: the angle between shin and thigh, both seen well away
// from the knee, where the way cuts the corner.
bool is_bent(const TracedLimb& limb, double crossing) {
    const Vec3d shin = limb.at(shin_to * crossing) - limb.at(shin_from * crossing),
                thigh = limb.at(crossing) - limb.at(thigh_part * crossing);
    return shin.norm() > 0.0 && thigh.norm() > 0.0 && shin.normalized().dot(thigh.normalized()) < bent_cos;
}

// Whether nothing joins the legs at a height: no voxel at x = 0, as far ahead and behind as the legs reach.
bool legs_apart(const VoxelBody& body, double y, double z, double reach) {
    for (double x : {-0.5, 0.5})
        for (double dz = -reach; dz <= reach; dz += body.grid.cell)
            if (body.inside({x * body.grid.cell, y, z + dz})) return false;
    return true;
}

// Knees that touch, a strap or a buckle join the legs below the crotch. Going down, the crotch is where they first
// part.
double raise_crotch(const Upright& upright, const Leg& leg, double crotch) {
    const VoxelBody& body = upright.body;
    const double H = upright.height, cell = body.grid.cell;
    double parted = 0.0;
    for (double y = std::min(people::highest_crotch * H, leg.limb.centre.back().y());
         y > crotch + people::gap_between_legs * H; y -= cell) {
        const double z = leg.limb.at(leg.limb.at_height(y)).z();
        parted = legs_apart(body, y, z, people::leg_depth * H) ? parted + cell : 0.0;
        if (parted > std::max(gap_voxels * cell, people::gap_between_legs * H)) return y + parted;
    }
    return crotch;
}

void place_ball(Leg& leg) {
    leg.ball = leg.limb.at(people::ball_share * leg.ankle_slice);
    leg.ball.y() = std::min(leg.ball.y(), people::highest_ball * leg.ankle.y());
}

// The way through a bent leg cuts the corner. The knee is where the leg sticks out farthest from the line between hip
// and ankle, on the side on which the way leaves that line.
Vec3d find_kneecap(const Upright& upright, const Leg& leg) {
    const double H = upright.height;
    const Vec3d axis = leg.hip - leg.ankle, out = leg.knee - leg.ankle,
                off = out - out.dot(axis) / axis.squaredNorm() * axis;
    if (!(off.norm() > knee_beside * H)) return leg.knee;
    const Vec3d ahead = off.normalized();
    const auto beside = [&](const Vec3d& p) { return std::abs(p.x() - leg.knee.x()) < knee_width * H; };
    double farthest = -INFINITY;
    for (const uint32_t v : upright.body.voxels)
        if (const Vec3d p = upright.body.at(v); beside(p)) {
            const double share = (p - leg.ankle).dot(axis) / axis.squaredNorm();
            if (share > 0.0 && share < 1.0) farthest = std::max(farthest, ahead.dot(p));
        }
    Vec3d sum = Vec3d::Zero();
    double count = 0.0;
    for (const uint32_t v : upright.body.voxels)
        if (const Vec3d p = upright.body.at(v); beside(p) && ahead.dot(p) > farthest - knee_depth * H) {
            const double share = (p - leg.ankle).dot(axis) / axis.squaredNorm();
            if (share > 0.0 && share < 1.0) sum += p, count += 1.0;
        }
    return count > 0.0 ? Vec3d(sum / count) : leg.knee;
}

// Of one who sits or crouches: the hip lies behind the crotch along the thigh, wherever that points.
void place_bent_leg(const Upright& upright, double rise, Leg& leg) {
    const double last = leg.top_slice - std::max(1.0, below_crotch * upright.height / leg.limb.cell);
    const Vec3d upper = leg.limb.at(last), lower = leg.limb.at(last - thigh_end * (last - leg.ankle_slice));
    leg.hip = upper + rise * (upper - lower).normalized();
    leg.hip.x() = lower.x();
    leg.knee = leg.limb.at(find_knee(leg, last + rise / leg.limb.cell, upright.height));
    leg.knee = find_kneecap(upright, leg);
    place_ball(leg);
}

}  // namespace

Legs find_legs(const Upright& upright) {
    Legs legs;
    legs.found = upright.legs[0] >= 0;
    if (!legs.found) return legs;
    for (size_t k = 0; k < 2; ++k) {
        legs.side[k].limb = trace_limb(upright.body, upright.end(upright.legs[k]).voxel, upright.middle(),
                                       longest_leg * upright.height);
        legs.side[k].toe = upright.end(upright.legs[k]).position;
    }
    legs.crotch = find_crotch(upright.body, legs.side[0].limb, upright.end(upright.legs[1]).voxel);
    const Crossing crossing = find_crossing(upright.body, legs.side[0].limb, upright.end(upright.legs[1]).voxel);
    legs.bent = is_bent(legs.side[0].limb, crossing.slice) && is_bent(legs.side[1].limb, crossing.slice);
    if (legs.bent)
        legs.crotch = crossing.place;
    else
        legs.crotch.y() = raise_crotch(upright, legs.side[0], legs.crotch.y());
    for (Leg& leg : legs.side) {
        smooth(leg.limb, 1);
        leg.top_slice = std::max(fewest_slices, legs.bent ? crossing.slice : leg.limb.at_height(legs.crotch.y()));
        find_ankle(leg, upright.height);
    }
    return legs;
}

void place_hips(const Upright& upright, const Vec3d& shoulders, Legs& legs) {
    const double rise = people::hip_rise * (shoulders.y() - legs.crotch.y());
    for (size_t k = 0; k < 2; ++k) {
        Leg& leg = legs.side[k];
        if (legs.bent) {
            place_bent_leg(upright, rise, leg);
            continue;
        }
        // The line of the thigh, continued upwards to the height of the joint.
        const double last = leg.top_slice - std::max(1.0, below_crotch * upright.height / leg.limb.cell);
        const double mid = leg.ankle_slice + thigh_from * (last - leg.ankle_slice);
        const Vec3d upper = leg.limb.at(last), lower = leg.limb.at(mid);
        const Vec3d thigh = upper - lower;
        const double up = std::max(thigh.y(), least_rise * thigh.norm() + no_thigh);
        leg.hip = upper + thigh * std::clamp((legs.crotch.y() + rise - upper.y()) / up, 0.0, 1.0);
        leg.hip.y() = legs.crotch.y() + rise;
        leg.knee = leg.limb.at(find_knee(leg, last + (leg.hip - upper).norm() / leg.limb.cell, upright.height));
        place_ball(leg);
    }
}

}  // namespace sinew
