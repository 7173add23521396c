#include <sinew/sets/own_feet.h>

#include <sinew/motion/mapping/moving_body.h>
#include <sinew/motion/plant/curve_fill.h>
#include <sinew/motion/plant/foot_turns.h>
#include <sinew/motion/retarget/source_clip.h>
#include <sinew/skeleton/pose.h>
#include <algorithm>
#include <cmath>

namespace sinew {
namespace {

SourcePaths trace_own_paths(const Body& body, std::span<const Pose> poses) {
    SourcePaths paths;
    paths.has_feet = true;
    for (const Pose& pose : poses) {
        const WorldPose world = world_pose(body.skeleton, pose.local);
        paths.sockets.push_back(socket_center(body.map, world));
        for (size_t side = 0; side < 2; ++side) {
            const auto ankle = static_cast<size_t>(body.feet[side].ankle);
            paths.feet[side].ankle.push_back(world.position[ankle]);
            paths.feet[side].ball.push_back(body.feet[side].ball(world));
            paths.foot_rotation[side].push_back(world.rotation[ankle]);
        }
    }
    return paths;
}

// A drive per joint that carries a role, in its own rotation: nothing is transferred. Feet refer to a stance in which
// they are level.
std::vector<Drive> own_drives(const Body& body, const SourceContacts& contacts) {
    std::vector<Drive> drives;
    for (size_t j = 0; j < body.skeleton.size(); ++j) {
        if (!body.carries_role[j]) continue;
        Drive drive;
        drive.target = drive.source_a = drive.source_b = static_cast<int32_t>(j);
        drive.source_reference_a = drive.source_reference_b = drive.target_reference = body.reference.rotation[j];
        for (size_t side = 0; side < 2; ++side)
            if (body.feet[side].ankle == drive.target)
                drive.target_reference = level_foot(body, side, contacts.sole_up[side]) * drive.target_reference;
        drives.push_back(drive);
    }
    return drives;
}

TargetMotion record_motion(const Body& body, const std::vector<Drive>& drives, std::span<const Pose> poses) {
    TargetMotion motion;
    motion.rotation.resize(drives.size());
    const auto hips = static_cast<size_t>(body.map[Role::hips]);
    std::vector<AffineD> world(body.skeleton.size());
    for (const Pose& pose : poses) {
        local_to_world(body.skeleton.parents(), pose.local, world);
        motion.hips.push_back(world[hips].translation());
        for (size_t d = 0; d < drives.size(); ++d)
            motion.rotation[d].push_back(
                Quatd(pose.local[static_cast<size_t>(drives[d].target)].rotation.cast<double>()).normalized());
    }
    return motion;
}

// Legs a second: 0.28 m/s, and 5 cm/s. An ankle that rises with its heel is slower than a ball that slides; were it
// held, the foot would stay flat too long and pull the hips down.
constexpr double slow_ball = 0.35, slow_ankle = 0.06;

// Retargeting holds feet generously, for it moves them anyway. Here they keep their own paths: a contact lasts while
// the point is really slow, and ends where it rolls off.
void tighten(const std::vector<Vec3d>& path, double slow, double leg, double fps, std::vector<Contact>& contacts) {
    constexpr double shortest_s = 0.05;
    constexpr double over_s = 1.0 / 60.0;
    const auto n = static_cast<int32_t>(path.size());
    const auto reach = std::max(1, static_cast<int32_t>(std::lround(over_s * fps)));
    const auto speed = [&](int32_t f) {
        const int32_t a = std::max(0, f - reach), b = std::min(n - 1, f + reach);
        return b > a ? (path[static_cast<size_t>(b)] - path[static_cast<size_t>(a)]).norm() * fps / (b - a) : 0.0;
    };
    for (Contact& contact : contacts) {
        while (contact.first < contact.last && speed(contact.first) > slow * leg) ++contact.first;
        while (contact.last > contact.first && speed(contact.last) > slow * leg) --contact.last;
    }
    std::erase_if(contacts, [&](const Contact& c) { return c.raised || (c.last - c.first) < shortest_s * fps; });
}

// Where a run of points stood: their mean, in which fast ones count little.
Vec3d standing_place(const std::vector<Vec3d>& path, size_t first, size_t last, double slow) {
    Vec3d sum = Vec3d::Zero();
    double weights = 0;
    for (size_t f = first; f <= last; ++f) {
        const size_t a = f > first ? f - 1 : f, b = f < last ? f + 1 : f;
        const double speed = b > a ? (path[b] - path[a]).norm() / static_cast<double>(b - a) : 0.0;
        const double weight = slow * slow / (slow * slow + speed * speed);
        sum += weight * path[f];
        weights += weight;
    }
    return sum / weights;
}

void raise_foot(const std::vector<double>& rise, const std::vector<Quatd>& turn, const Vec3d& up, LegMotion& leg) {
    for (size_t f = 0; f < leg.frames(); ++f) {
        move_foot(leg, f, leg.ankle[f] + rise[f] * up);
        turn_foot(leg, f, turn[f] * leg.foot[f]);
    }
}

// By how much each foot moves over the ground, and, where the ground rises, up or down. A foot that stands on its ball,
// or flat, is held by the ball; one that stands on its heel alone is held by the ankle, where the ankle is while the
// foot is flat.
std::vector<Vec3d> foot_offsets(const Body& body, const std::vector<int32_t>& ankle, const std::vector<int32_t>& ball,
                                double fps, bool hold_height, const LegMotion& leg) {
    constexpr double slow_m = 0.1;  // metres a second
    constexpr double fade_s = 0.15;
    const size_t n = leg.frames();
    const Vec3d up = body.frame.col(1);
    const double slow = slow_m / metres_per_unit(body) / fps;
    std::vector<Vec3d> offset(n, Vec3d::Zero());
    std::vector<bool> held(n, false);
    const auto hold = [&](size_t f, const Vec3d& by) {
        offset[f] = hold_height ? by : Vec3d(by - by.dot(up) * up);
        held[f] = true;
    };
    for (size_t first = 0; first < n; ++first) {
        if (ball[first] < 0) continue;
        size_t last = first;
        while (last + 1 < n && ball[last + 1] == ball[first]) ++last;
        const Vec3d place = standing_place(leg.ball, first, last, slow);
        for (size_t f = first; f <= last; ++f) hold(f, place - leg.ball[f]);
        first = last;
    }
    for (size_t first = 0; first < n; ++first) {
        if (ankle[first] < 0) continue;
        size_t last = first;
        while (last + 1 < n && ankle[last + 1] == ankle[first]) ++last;
        // The ankle's place while the ball holds the foot as well; else its own.
        Vec3d place = Vec3d::Zero();
        size_t flat = 0;
        for (size_t f = first; f <= last; ++f)
            if (ball[f] >= 0) place += leg.ankle[f] + offset[f], ++flat;
        place = flat > 0 ? Vec3d(place / static_cast<double>(flat)) : standing_place(leg.ankle, first, last, slow);
        for (size_t f = first; f <= last; ++f)
            if (ball[f] < 0) hold(f, place - leg.ankle[f]);
        first = last;
    }
    return fill_curve(offset, held, fade_s, fps);
}

// By how much the hips sink so that a leg reaches a foot that is held: as far as it reached before, or until its knee
// is so straight that it would fly about.
double sink_for(const LegMotion& leg, size_t f, const Vec3d& hip, const Vec3d& ankle, const Vec3d& up) {
    constexpr double almost = 0.9995, supple = 0.99;  // of the leg's length
    const Vec3d thigh = leg.knee[f] - leg.hip[f];
    const double whole = thigh.norm() + leg.shin_vector[f].norm();
    const double length = std::clamp((thigh + leg.shin_vector[f]).norm(), supple * whole, almost * whole);
    const double high = (hip - ankle).dot(up), aside = (hip - ankle - high * up).norm();
    return aside < length ? std::max(0.0, high - std::sqrt(length * length - aside * aside)) : 0.0;
}

void store_motion(const Body& body, const std::vector<Drive>& drives, const TargetMotion& motion,
                  std::span<Pose> poses) {
    std::vector<char> leg(body.skeleton.size(), 0);
    for (size_t side = 0; side < 2; ++side)
        for (const Role role : leg_roles(side))
            if (body.map[role] >= 0) leg[static_cast<size_t>(body.map[role])] = 1;
    const auto hips = static_cast<size_t>(body.map[Role::hips]);
    const int32_t parent = body.skeleton.parents()[hips];
    std::vector<AffineD> world(body.skeleton.size());
    for (size_t f = 0; f < poses.size(); ++f) {
        local_to_world(body.skeleton.parents(), poses[f].local, world);
        const AffineD above = parent < 0 ? AffineD::Identity() : world[static_cast<size_t>(parent)];
        poses[f].local[hips].translation = (above.inverse() * motion.hips[f]).cast<float>();
        for (size_t d = 0; d < drives.size(); ++d)
            if (leg[static_cast<size_t>(drives[d].target)])
                poses[f].local[static_cast<size_t>(drives[d].target)].rotation = motion.rotation[d][f].cast<float>();
    }
}

}  // namespace

std::optional<Body> find_own_body(const Skeleton& skeleton, const Clip& clip) {
    const MovingBody seen = see_moving_body(skeleton, clip);
    if (!seen.map.is_body()) return std::nullopt;
    auto source = make_source_clip(skeleton, clip, 30.0f);
    if (!source) return std::nullopt;
    std::vector<std::string> warnings;
    Body body = measure_body(skeleton, seen.map, find_reference_pose(*source, seen.map, seen.stance, warnings));
    for (size_t side = 0; side < 2; ++side)
        if (body.feet[side].ankle < 0 || is_loose_foot(skeleton, body.map, side)) return std::nullopt;
    return body;
}

double metres_per_unit(const Body& body) {
    constexpr double person_leg = 0.8;
    return person_leg / body.leg;
}

SourceContacts find_own_contacts(const Body& body, std::span<const Pose> poses, double fps) {
    const SourcePaths paths = trace_own_paths(body, poses);
    SourceContacts contacts = find_source_contacts(body, paths, fps);
    for (size_t side = 0; side < 2; ++side) {
        tighten(paths.feet[side].ankle, slow_ankle, body.leg, fps, contacts.ankle[side]);
        tighten(paths.feet[side].ball, slow_ball, body.leg, fps, contacts.ball[side]);
    }
    return contacts;
}

void plant_own_feet(const Body& body, const SourceContacts& contacts, double fps, std::span<Pose> poses,
                    const GroundRise* rise) {
    const size_t n = poses.size();
    const Vec3d up = body.frame.col(1);
    const std::vector<Drive> drives = own_drives(body, contacts);
    TargetMotion motion = record_motion(body, drives, poses);
    std::array<LegMotion, 2> legs = record_legs(body, drives, motion);
    std::array<std::vector<Vec3d>, 2> offset;
    std::array<std::vector<int32_t>, 2> ankle, ball;
    for (size_t side = 0; side < 2; ++side) {
        if (!legs[side].complete()) return;
        ankle[side] = contact_numbers(contacts.ankle[side], n);
        ball[side] = contact_numbers(contacts.ball[side], n);
        hold_flat_foot(ankle[side], ball[side], fps, legs[side]);
        if (rise) raise_foot(rise->feet[side], rise->turn, up, legs[side]);
        offset[side] = foot_offsets(body, ankle[side], ball[side], fps, rise != nullptr, legs[side]);
    }
    // The hips go along with the feet, so that the legs bend as they did.
    std::vector<double> sink(n, 0.0);
    std::vector<Vec3d> shift(n);
    for (size_t f = 0; f < n; ++f) {
        shift[f] = 0.5 * (offset[0][f] + offset[1][f]);
        if (rise) shift[f] += (rise->body[f] - shift[f].dot(up)) * up;
        for (size_t side = 0; side < 2; ++side)
            sink[f] = std::max(sink[f], sink_for(legs[side], f, legs[side].hip[f] + shift[f],
                                                 legs[side].ankle[f] + offset[side][f], up));
    }
    constexpr double spread_s = 0.1;
    sink = spread_peaks(sink, static_cast<std::ptrdiff_t>(std::ceil(spread_s * fps)));
    for (size_t f = 0; f < n; ++f) {
        shift[f] -= sink[f] * up;
        motion.hips[f] += shift[f];
        for (size_t side = 0; side < 2; ++side) {
            LegMotion& leg = legs[side];
            move_leg(leg, f, leg.hip[f] + shift[f], leg.ankle[f] + offset[side][f]);
            store_leg(leg, f, motion);
        }
    }
    store_motion(body, drives, motion, poses);
}

std::vector<double> contact_drifts(const Body& body, const SourceContacts& contacts, std::span<const Pose> poses) {
    const SourcePaths paths = trace_own_paths(body, poses);
    const Vec3d up = body.frame.col(1);
    std::vector<double> drifts;
    const auto add = [&](const std::vector<Contact>& runs, const std::vector<Vec3d>& path) {
        for (const Contact& run : runs) {
            if (run.raised) continue;
            double most = 0;
            for (int32_t f = run.first; f <= run.last; ++f) {
                const Vec3d off = path[static_cast<size_t>(f)] - path[static_cast<size_t>(run.first)];
                most = std::max(most, (off - off.dot(up) * up).norm());
            }
            drifts.push_back(most * metres_per_unit(body));
        }
    };
    for (size_t side = 0; side < 2; ++side) {
        add(contacts.ankle[side], paths.feet[side].ankle);
        add(contacts.ball[side], paths.feet[side].ball);
    }
    return drifts;
}

}  // namespace sinew
