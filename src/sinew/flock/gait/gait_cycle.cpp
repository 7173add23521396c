#include <sinew/flock/gait/gait_cycle.h>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace sinew {
namespace {

constexpr size_t moments = 240;           // of a cycle that are looked at
constexpr float held_speed = 0.25f;       // of the body's: a foot that is slower stands
constexpr float treadmill_speed = 0.05f;  // of the way per cycle that a walk goes, in leg lengths: less is in place
constexpr size_t shortest_contact = 8;    // moments: shorter ones are noise
constexpr float low_share = 0.35f;        // of its rise: a foot on a treadmill that is lower stands

struct Watched {
    std::vector<Vec3> body;               // the carrier, per moment
    std::vector<std::vector<Vec3>> feet;  // per leg and moment, the ball
    std::vector<std::vector<Vec3>> heels;
};

// The joint that carries the body: the first whose translation the clip moves, else the first it moves at all.
int32_t carrier_of(const Clip& clip) {
    int32_t first = INT32_MAX;
    for (const Track& track : clip.tracks)
        if (track.path == TrackPath::translation && track.times.size() > 1) first = std::min(first, track.target);
    return first == INT32_MAX ? 0 : first;
}

Watched watch(const Skeleton& skeleton, std::span<const GaitLeg> legs, const Clip& clip, float seconds) {
    Watched seen;
    seen.feet.resize(legs.size()), seen.heels.resize(legs.size());
    const auto carrier = static_cast<size_t>(carrier_of(clip));
    Pose pose{.local = skeleton.rest(), .morphs = {}};
    std::vector<AffineD> world(skeleton.size());
    for (size_t m = 0; m <= moments; ++m) {
        sample(clip, seconds * static_cast<float>(m) / static_cast<float>(moments), pose);
        local_to_world(skeleton.parents(), pose.local, world);
        seen.body.push_back(world[carrier].translation().cast<float>());
        for (size_t l = 0; l < legs.size(); ++l) {
            seen.feet[l].push_back(world[static_cast<size_t>(legs[l].ball)].translation().cast<float>());
            const AffineD& ankle = world[static_cast<size_t>(legs[l].ankle)];
            seen.heels[l].push_back((ankle * legs[l].heel.cast<double>()).cast<float>());
        }
    }
    return seen;
}

Vec3 flat(const Vec3& v) {
    return {v.x(), 0.0f, v.z()};
}

// The speed of the ground under a body that walks in place: that of the feet while they are low.
Vec3 treadmill(const Watched& seen, float seconds) {
    Vec3 sum = Vec3::Zero();
    float count = 0.0f;
    for (const std::vector<Vec3>& foot : seen.feet) {
        const auto [low, high] = std::ranges::minmax(foot, {}, [](const Vec3& p) { return p.y(); });
        const float below = low.y() + low_share * (high.y() - low.y());
        for (size_t m = 0; m < moments; ++m)
            if (foot[m].y() <= below && foot[m + 1].y() <= below) sum -= flat(foot[m + 1] - foot[m]), count += 1.0f;
    }
    return count > 0.0f ? Vec3(sum / count * (static_cast<float>(moments) / seconds)) : Vec3(Vec3::Zero());
}

// The longest run of moments, round the cycle, in which the foot stands.
FootContact longest_run(const std::vector<bool>& down) {
    const size_t count = down.size();
    size_t best = 0, best_start = 0, length = 0;
    for (size_t m = 0; m < 2 * count; ++m) {
        length = down[m % count] ? std::min(length + 1, count) : 0;
        if (length > best) best = length, best_start = m + 1 - length;
    }
    const float share = 1.0f / static_cast<float>(count);
    const float touch = static_cast<float>(best_start % count) * share;
    return {touch, touch + static_cast<float>(best) * share};
}

// For how long the heel stands before the ball comes down at `touch`; shares of a stride.
float heel_first(const std::vector<bool>& heel, float touch) {
    constexpr float longest = 0.2f;
    const auto count = heel.size();
    const auto at = static_cast<size_t>(touch * static_cast<float>(count)) % count;
    size_t before = 0;
    while (before < static_cast<size_t>(longest * static_cast<float>(count)) && heel[(at + count - before - 1) % count])
        ++before;
    return static_cast<float>(before) / static_cast<float>(count);
}

// Per moment, whether the foot stands; `added`: the ground's own speed.
std::vector<bool> standing_moments(const std::vector<Vec3>& foot, const Vec3& added, float seconds, float speed) {
    std::vector<bool> down(moments);
    const float interval = seconds / static_cast<float>(moments);
    for (size_t m = 0; m < moments; ++m)
        down[m] = flat(Vec3((foot[m + 1] - foot[m]) / interval + added)).norm() < held_speed * speed;
    return down;
}

// How often the feet come down in the clip, where every stride is as long as the others; else 1.
int32_t count_strides(std::span<const std::vector<bool>> feet) {
    std::vector<int32_t> counts;
    for (const std::vector<bool>& down : feet) {
        int32_t runs = 0;
        size_t length = 0;
        for (size_t m = 0; m < 2 * moments; ++m) {
            if (down[m % moments]) ++length;
            if (down[m % moments]) continue;
            if (length >= shortest_contact && m >= moments) ++runs;  // the second time round every run is whole
            length = 0;
        }
        counts.push_back(runs);
    }
    if (counts.empty()) return 1;
    std::ranges::sort(counts);
    const int32_t median = counts[counts.size() / 2];
    for (const int32_t possible : {1, 2, 3, 4, 6})
        if (median == possible) return median;
    return 1;
}

// Down at a phase: down there in every stride.
std::vector<bool> fold(const std::vector<bool>& down, int32_t strides) {
    std::vector<bool> folded(moments / static_cast<size_t>(strides), true);
    for (size_t m = 0; m < moments; ++m)
        if (!down[m]) folded[m % folded.size()] = false;
    return folded;
}

}  // namespace

GaitCycle read_gait_cycle(const Skeleton& skeleton, std::span<const GaitLeg> legs, const Clip& clip, bool standing) {
    GaitCycle cycle;
    cycle.clip = clip;
    std::erase_if(cycle.clip.tracks, [](const Track& track) { return track.path == TrackPath::morphs; });
    cycle.seconds = std::max(duration(cycle.clip), 1e-3f);
    const Watched seen = watch(skeleton, legs, cycle.clip, cycle.seconds);
    Vec3 in_clip = standing ? Vec3(Vec3::Zero()) : Vec3(flat(seen.body.back() - seen.body.front()) / cycle.seconds);
    cycle.velocity = in_clip;
    float reach = 0.0f;
    for (const std::vector<Vec3>& foot : seen.feet) reach = std::max(reach, (seen.body[0] - foot[0]).norm());
    if (!standing && in_clip.norm() * cycle.seconds < treadmill_speed * reach) {
        cycle.velocity = treadmill(seen, cycle.seconds);
        in_clip.setZero();
    }
    for (size_t m = 0; m < moments; ++m) {
        const float time = cycle.seconds * static_cast<float>(m) / static_cast<float>(moments);
        cycle.start += flat(seen.body[m] - in_clip * time) / static_cast<float>(moments);
    }
    std::vector<std::vector<bool>> down;
    for (const std::vector<Vec3>& foot : seen.feet)
        down.push_back(standing_moments(foot, cycle.velocity - in_clip, cycle.seconds, cycle.speed()));
    if (!standing) cycle.strides = count_strides(down);
    for (size_t l = 0; l < down.size(); ++l) {
        if (standing) {
            cycle.contacts.push_back({0.0f, 1.0f});
            continue;
        }
        FootContact contact = longest_run(fold(down[l], cycle.strides));
        const std::vector<bool> heel = fold(
            standing_moments(seen.heels[l], cycle.velocity - in_clip, cycle.seconds, cycle.speed()), cycle.strides);
        contact.touch -= heel_first(heel, contact.touch);
        cycle.contacts.push_back(contact);
    }
    if (!standing && !cycle.contacts.empty()) {
        cycle.shift = cycle.contacts[0].touch;
        for (FootContact& contact : cycle.contacts) {
            const float length = contact.lift - contact.touch;
            contact.touch = contact.touch - cycle.shift - std::floor(contact.touch - cycle.shift);
            contact.lift = contact.touch + length;
        }
    }
    cycle.in_clip = in_clip;
    return cycle;
}

}  // namespace sinew
