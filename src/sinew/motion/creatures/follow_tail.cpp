#include <sinew/motion/creatures/follow_tail.h>

#include <sinew/clip/clip.h>
#include <sinew/math/interpolate.h>
#include <sinew/math/rotation.h>
#include <sinew/motion/clip_writer.h>
#include <sinew/skeleton/pose.h>
#include <algorithm>
#include <cmath>

namespace sinew {
namespace {

// A joint of the tail follows its parent with this time constant, in seconds, and the whole tail swings this many
// times as far as the hips. Chosen by eye.
constexpr double lag_seconds = 0.10, exaggerate = 2.5;
// Twice through the clip: after the first time the tail of a loop has forgotten how it began.
constexpr int rounds = 2;

// The hips' rotation at each key.
std::vector<Quatd> hip_rotations(const Skeleton& skeleton, int32_t hips, const std::vector<float>& times,
                                 const Clip& clip) {
    Pose pose{skeleton.rest(), {}};
    std::vector<AffineD> world(skeleton.size());
    std::vector<Quatd> rotations;
    for (const float time : times) {
        sample(clip, time, pose);
        local_to_world(skeleton.parents(), pose.local, world);
        rotations.emplace_back(world[static_cast<size_t>(hips)].rotation());
    }
    return rotations;
}

}  // namespace

void follow_with_tail(const Skeleton& skeleton, const CreatureMap& map, Clip& clip) {
    if (map.tail.empty() || clip.tracks.empty()) return;
    const int32_t hips = skeleton.parents()[static_cast<size_t>(map.tail.front())];
    for (const Track& track : clip.tracks)
        if (std::ranges::find(map.tail, track.target) != map.tail.end()) return;
    if (hips < 0) return;
    const auto longest = std::ranges::max_element(clip.tracks, {}, [](const Track& t) { return t.times.size(); });
    const std::vector<float> times = longest->times;
    if (times.size() < 2) return;
    std::vector<Quatd> led = hip_rotations(skeleton, hips, times, clip);
    const std::vector<AffineD> rest = rest_world(skeleton);
    const Quatd hips_rest(rest[static_cast<size_t>(hips)].rotation());
    // Turns of the hips away from rest, exaggerated: what the tail swings after.
    for (Quatd& q : led) {
        const Eigen::AngleAxisd turn(Quatd(q * hips_rest.conjugate()).normalized());
        q = Quatd(Eigen::AngleAxisd(exaggerate * turn.angle(), turn.axis()));
    }
    const bool loops = led.front().angularDistance(led.back()) < 1e-3;
    for (const int32_t joint : map.tail) {
        std::vector<Quatd> late(times.size());
        Quatd at = led.front();
        for (int round = 0; round < (loops ? rounds : 1); ++round) {
            for (size_t i = 0; i < times.size(); ++i) {
                const double dt = i > 0 ? times[i] - times[i - 1] : 0.0;
                at = slerp(at, led[i], 1.0 - std::exp(-dt / lag_seconds));
                late[i] = at;
            }
        }
        // The joint turns against its parent by what it lags behind.
        const int32_t parent = skeleton.parents()[static_cast<size_t>(joint)];
        const Quatd frame(rest[static_cast<size_t>(parent)].rotation());
        const Quatd own = skeleton.rest()[static_cast<size_t>(joint)].rotation.cast<double>();
        std::vector<Quatd> local;
        for (size_t i = 0; i < times.size(); ++i)
            local.push_back(frame.conjugate() * (led[i].conjugate() * late[i]) * frame * own);
        clip.tracks.push_back(rotation_track(joint, times, local));
        led = std::move(late);
    }
}

}  // namespace sinew
