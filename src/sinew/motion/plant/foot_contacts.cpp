#include <sinew/motion/plant/foot_contacts.h>

#include <sinew/motion/retarget/reference_stance.h>
#include <algorithm>
#include <cmath>

namespace sinew {
namespace {

// In legs and legs per second; a person's leg, hip to ankle, is 0.8 m long. Feet of people who stand move by up to
// 0.15 m/s, those that swing by several m/s: the limits lie well above the one and below the other.
constexpr double begins_slower = 0.33, ends_faster = 0.6;
constexpr double floor_contact = 0.1;  // below it a foot stands on the floor, above it on something else
constexpr double raised_begins_slower = 0.26, raised_ends_faster = 0.5;
constexpr double shortest_s = 0.08, shortest_raised_s = 0.2;

// The slower of the ways to and from a frame, over a thirtieth of a second each: the first and the last frame of a
// contact are slow on one side only.
std::vector<double> speeds(const std::vector<Vec3d>& path, double fps) {
    constexpr double over_s = 1.0 / 30.0;
    const auto n = static_cast<int32_t>(path.size());
    const auto step = static_cast<int32_t>(std::max(1.0, std::round(over_s * fps)));
    std::vector<double> speed(path.size(), 0.0);
    for (int32_t f = 0; f < n; ++f) {
        const auto between = [&](int32_t a, int32_t b) {
            if (a == b) return static_cast<double>(INFINITY);
            return (path[static_cast<size_t>(b)] - path[static_cast<size_t>(a)]).norm() * fps / (b - a);
        };
        const double slower = std::min(between(std::max(f - step, 0), f), between(f, std::min(f + step, n - 1)));
        if (std::isfinite(slower)) speed[static_cast<size_t>(f)] = slower;
    }
    return speed;
}

// Captures often have one foot a little higher than the other, as far as their legs differ in length.
double own_ground(const std::vector<Vec3d>& path, double common, const Vec3d& up, double leg, double fps) {
    constexpr double most_apart = 0.04;  // legs
    const std::array alone = {&path};
    const double own = standing_height(alone, up, leg, fps);
    return own > common && own < common + most_apart * leg ? own : common;
}

// Who runs on the balls of his feet and sits down with the heels on a stool has heels that stand on the stool alone.
// Its height is no floor: ground so far above the common level counts as that.
double same_floor(double ground, double level, double leg) {
    constexpr double highest = 0.2;  // legs: ankles of dancers on tiptoe are not so high
    return ground > level + highest * leg ? level : ground;
}

}  // namespace

std::vector<Contact> find_contacts(const std::vector<Vec3d>& path, const Vec3d& up, double ground, double leg,
                                   double fps) {
    const std::vector<double> speed = speeds(path, fps);
    const auto height = [&](size_t f) { return (path[f].dot(up) - ground) / leg; };
    std::vector<Contact> contacts;
    bool on = false;
    for (size_t f = 0; f < path.size(); ++f) {
        const auto frame = static_cast<int32_t>(f);
        const bool high = height(f) > floor_contact;
        // A foot that leaves the floor slowly ends its contact, one that comes down to it begins another.
        const bool was_on = on;
        if (on) on = high == contacts.back().raised && speed[f] < (high ? raised_ends_faster : ends_faster) * leg;
        if (on) contacts.back().last = frame;
        if (was_on || on || speed[f] > (high ? raised_begins_slower : begins_slower) * leg) continue;
        on = true;
        contacts.push_back({frame, frame, high});
    }
    const double length = static_cast<double>(path.size()) / fps;
    std::erase_if(contacts, [&](const Contact& contact) {
        const double lasts = (contact.last - contact.first) / fps;
        return lasts < std::min(contact.raised ? shortest_raised_s : shortest_s, 0.5 * length);
    });
    return contacts;
}

SourceContacts find_source_contacts(const Body& source, const SourcePaths& paths, double fps) {
    SourceContacts found;
    const Vec3d up = source.frame.col(1);
    double drop = 0;  // of the ball of a flat foot below its ankle; the mean of both feet
    for (size_t side = 0; side < 2; ++side) {
        found.sole_up[side] = find_sole_up(source, paths, side, fps);
        const FootPoints& foot = source.feet[side];
        const Vec3d down = source.reference.position[static_cast<size_t>(foot.ankle)] - foot.ball(source.reference);
        drop += 0.5 * (level_foot(source, side, found.sole_up[side]) * down).dot(up);
    }
    found.level = find_ground(paths.feet[0], paths.feet[1], up, drop, source.leg, fps);
    const std::array ankles = {&paths.feet[0].ankle, &paths.feet[1].ankle};
    const std::array balls = {&paths.feet[0].ball, &paths.feet[1].ball};
    // Ankle and ball each have their own ground: captures do not agree with their skeleton's rest pose to a centimetre.
    const double both_ankles = same_floor(standing_height(ankles, up, source.leg, fps), found.level.ankle, source.leg);
    const double both_balls = same_floor(standing_height(balls, up, source.leg, fps), found.level.ball, source.leg);
    for (size_t side = 0; side < 2; ++side) {
        const FootPath& foot = paths.feet[side];
        const double ankle_ground = own_ground(foot.ankle, both_ankles, up, source.leg, fps);
        const double ball_ground = own_ground(foot.ball, both_balls, up, source.leg, fps);
        found.ankle[side] = find_contacts(foot.ankle, up, ankle_ground, source.leg, fps);
        found.ball[side] = find_contacts(foot.ball, up, ball_ground, source.leg, fps);
        for (size_t f = 0; f < foot.ankle.size(); ++f) {
            found.ball_height[side].push_back(foot.ball[f].dot(up) - ball_ground);
            found.foot_height[side].push_back(
                std::min(foot.ankle[f].dot(up) - ankle_ground, found.ball_height[side].back()));
        }
    }
    return found;
}

}  // namespace sinew
