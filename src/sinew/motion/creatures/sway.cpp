#include <sinew/motion/creatures/sway.h>

#include <sinew/motion/builtin/curves.h>

#include <algorithm>
#include <cmath>

namespace sinew {
namespace {

// How far the ends lean, how much later than the foot, and how long a sway of something a metre tall takes: a rod's
// own period grows with the square of its length, trees thicken as they grow and keep to about its root. Chosen.
constexpr double lean = 9 * deg, lag = 0.35, seconds_per_root_metre = 2.6;
constexpr int least_sway_keys = 30;

// Joints below the root; the others are not part of the body.
std::vector<bool> joints_of(const CreatureBody& body) {
    const auto& parents = body.skeleton->parents();
    std::vector<bool> inside(parents.size(), false);
    for (size_t j = 0; j < parents.size(); ++j)
        inside[j] =
            static_cast<int32_t>(j) == body.map.root || (parents[j] >= 0 && inside[static_cast<size_t>(parents[j])]);
    return inside;
}

int32_t lowest_joint(const CreatureBody& body, const std::vector<bool>& inside) {
    int32_t lowest = body.map.root;
    for (size_t j = 0; j < inside.size(); ++j)
        if (inside[j] && body.rest[j].y() < body.rest[static_cast<size_t>(lowest)].y())
            lowest = static_cast<int32_t>(j);
    return lowest;
}

// Distance of each joint from `anchor` along the bones, as a share of the largest. The tree is walked up from the
// anchor to the root first, then down.
std::vector<double> distance_from(const CreatureBody& body, const std::vector<bool>& inside, int32_t anchor) {
    const auto& parents = body.skeleton->parents();
    std::vector<double> far(parents.size(), INFINITY);
    const auto bone = [&](size_t a, size_t b) { return (body.rest[a] - body.rest[b]).norm(); };
    far[static_cast<size_t>(anchor)] = 0.0;
    for (auto j = static_cast<size_t>(anchor); static_cast<int32_t>(j) != body.map.root;) {
        const auto p = static_cast<size_t>(parents[j]);
        far[p] = far[j] + bone(j, p);
        j = p;
    }
    double largest = 0.0;
    for (size_t j = 0; j < parents.size(); ++j) {
        if (!inside[j]) continue;
        if (!std::isfinite(far[j]))
            far[j] = far[static_cast<size_t>(parents[j])] + bone(j, static_cast<size_t>(parents[j]));
        largest = std::max(largest, far[j]);
    }
    for (double& d : far) d = largest > 0.0 && std::isfinite(d) ? d / largest : 0.0;
    return far;
}

}  // namespace

CreaturePoses sway_poses(const CreatureBody& body, double fps) {
    const std::vector<bool> inside = joints_of(body);
    const int32_t anchor = lowest_joint(body, inside);
    const std::vector<double> far = distance_from(body, inside, anchor);
    const double period = std::clamp(seconds_per_root_metre * std::sqrt(metres(body, body.length)), 1.0, 6.0);
    const KeyTimes keys = key_times(period, fps, least_sway_keys, 4.0);
    CreaturePoses out;
    out.step = keys.step;
    PlacedCreature placed;
    for (int k = 0; k <= keys.count(); ++k) {
        const double t = static_cast<double>(k) / keys.per_cycle;
        CreaturePose pose(body);
        for (size_t j = 0; j < inside.size(); ++j) {
            if (!inside[j]) continue;
            // Branches on different sides are not in step.
            const Vec3d& p = body.rest[j];
            const double own = 0.15 * std::atan2(p.x(), p.z()) / M_PI * far[j];
            const double at = full_turn * (t - lag * far[j] - own);
            const double size = lean * far[j] * far[j] + 0.3 * lean * far[j];
            pose.turn_to(static_cast<int32_t>(j),
                         roll(size * std::sin(at)) * pitch(0.5 * size * std::sin(2.0 * at + 0.7)));
        }
        place(body, pose, placed);
        pose.shift = body.rest[static_cast<size_t>(anchor)] - placed.at(anchor);
        out.poses.push_back(std::move(pose));
        out.travel.push_back(Vec3d::Zero());
    }
    return out;
}

}  // namespace sinew
