#include <sinew/sets/clean/clean_body.h>

#include <sinew/math/interpolate.h>
#include <sinew/sets/own_feet.h>
#include <algorithm>
#include <cmath>

namespace sinew {
namespace {

// How many joints jump from frame a to b, and go on calmly from b to c. Far from b, so that c is farther on.
int count_jumps(const Clip& clip, const ClipFrames& frames, size_t a, size_t b, size_t c) {
    constexpr float jump_deg = 12.0f, calm = 0.25f;
    int jumps = 0;
    for (const Track& track : clip.tracks) {
        if (track.path != TrackPath::rotation || track.times.size() < 3) continue;
        const auto turn = [&](size_t f) { return frames.poses[f].local[static_cast<size_t>(track.target)].rotation; };
        const float jump = angle_between(turn(a), turn(b));
        jumps += jump > radians(jump_deg) && angle_between(turn(b), turn(c)) < calm * jump;
    }
    return jumps;
}

// The frames up to the last jump within the first moments, or none.
size_t leading_t_pose(const Clip& clip, double fps, const ClipFrames& frames, bool from_end) {
    constexpr double longest_s = 1.0;
    constexpr int fewest_joints = 4;
    const size_t n = frames.poses.size();
    const auto at = [&](size_t f) { return from_end ? n - 1 - f : f; };
    const auto most = std::min(static_cast<size_t>(longest_s * fps), n / 4);
    for (size_t f = std::min(most, n > 3 ? n - 3 : 0) + 1; f-- > 0;)
        if (f + 2 < n && count_jumps(clip, frames, at(f), at(f + 1), at(f + 2)) >= fewest_joints) {
            // Held before the jump: a spike in mid-movement is none.
            constexpr float still_deg = 2.0f;
            bool held = true;
            for (size_t k = 0; k < f && held; ++k)
                for (const Track& track : clip.tracks)
                    if (track.path == TrackPath::rotation)
                        held &= angle_between(frames.poses[at(k)].local[static_cast<size_t>(track.target)].rotation,
                                              frames.poses[at(f)].local[static_cast<size_t>(track.target)].rotation) <
                                radians(still_deg);
            if (held) return f + 1;
        }
    return 0;
}

double median_value(std::vector<double> values) {
    if (values.empty()) return 0.0;
    std::ranges::nth_element(values, values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2));
    return values[values.size() / 2];
}

// The velocity that planted feet have in common, in units a second: what is left once each contact's own slide is
// voted down by the others.
Vec3d find_drift(const Body& body, const SourceContacts& contacts, std::span<const Pose> poses, double fps) {
    constexpr size_t fewest = 3;
    std::array<std::vector<double>, 3> speed;
    const auto place = [&](size_t side, int32_t frame) {
        return world_pose(body.skeleton, poses[static_cast<size_t>(frame)].local)
            .position[static_cast<size_t>(body.feet[side].ankle)];
    };
    for (size_t side = 0; side < 2; ++side)
        for (const Contact& contact : contacts.ankle[side]) {
            // The middle half of a contact: its ends roll.
            const int32_t quarter = (contact.last - contact.first) / 4;
            const int32_t a = contact.first + quarter, b = contact.last - quarter;
            if (contact.raised || b <= a) continue;
            const Vec3d velocity = (place(side, b) - place(side, a)) * fps / (b - a);
            for (size_t c = 0; c < 3; ++c) speed[c].push_back(velocity[static_cast<Eigen::Index>(c)]);
        }
    if (speed[0].size() < fewest) return Vec3d::Zero();
    return {median_value(speed[0]), median_value(speed[1]), median_value(speed[2])};
}

void shift_root(const Body& body, const Vec3d& per_frame, std::span<Pose> poses) {
    const auto hips = static_cast<size_t>(body.map[Role::hips]);
    const int32_t parent = body.skeleton.parents()[hips];
    std::vector<AffineD> world(body.skeleton.size());
    for (size_t f = 0; f < poses.size(); ++f) {
        local_to_world(body.skeleton.parents(), poses[f].local, world);
        const AffineD above = parent < 0 ? AffineD::Identity() : world[static_cast<size_t>(parent)];
        const Vec3d place = world[hips].translation() + static_cast<double>(f) * per_frame;
        poses[f].local[hips].translation = (above.inverse() * place).cast<float>();
    }
}

}  // namespace

void drop_t_poses(const Clip& clip, double fps, ClipFrames& frames, CleanResult& result) {
    for (const bool from_end : {false, true}) {
        const size_t n = frames.poses.size();
        const size_t drop = leading_t_pose(clip, fps, frames, from_end);
        if (drop == 0) continue;
        const size_t first = from_end ? n - drop : 0;
        result.changes.push_back({CleanKind::t_pose, -1, frames.times[first], frames.times[first + drop - 1]});
        const auto a = static_cast<std::ptrdiff_t>(first), b = static_cast<std::ptrdiff_t>(first + drop);
        frames.times.erase(frames.times.begin() + a, frames.times.begin() + b);
        frames.poses.erase(frames.poses.begin() + a, frames.poses.begin() + b);
    }
}

void clean_feet(const std::optional<Body>& person, double fps, const CleanOptions& options, ClipFrames& frames,
                CleanResult& result) {
    if (!person) {
        result.warnings.push_back("no person with feet was recognised: feet and drift are left as they are");
        return;
    }
    constexpr double least_drift_m = 0.002;  // a second: slower than a person's foot rolls
    const double metres = metres_per_unit(*person);
    SourceContacts contacts = find_own_contacts(*person, frames.poses, fps);
    const float from = frames.times.front(), to = frames.times.back();
    if (options.drift) {
        const Vec3d drift = find_drift(*person, contacts, frames.poses, fps);
        if (drift.norm() * metres > least_drift_m) {
            shift_root(*person, -drift / fps, frames.poses);
            result.changes.push_back({CleanKind::drift, person->map[Role::hips], from, to,
                                      static_cast<float>(1000.0 * metres * drift.norm() * (to - from))});
            contacts = find_own_contacts(*person, frames.poses, fps);
        }
    }
    if (!options.feet) return;
    constexpr double slides_m = 0.002;  // in the worst contact; feet that slide less are left alone
    std::vector<double> drifts = contact_drifts(*person, contacts, frames.poses);
    result.contacts = static_cast<int32_t>(drifts.size());
    result.skate_before_mm = result.skate_after_mm = static_cast<float>(1000.0 * median_value(drifts));
    if (drifts.empty() || *std::ranges::max_element(drifts) < slides_m) return;
    plant_own_feet(*person, contacts, fps, frames.poses);
    drifts = contact_drifts(*person, contacts, frames.poses);
    const float before = result.skate_before_mm;
    result.skate_after_mm = static_cast<float>(1000.0 * median_value(drifts));
    result.changes.push_back({CleanKind::feet, -1, from, to, before});
}

}  // namespace sinew
