#include <sinew/motion/retarget_creature/creature_feet.h>

#include <sinew/math/interpolate.h>
#include <algorithm>
#include <cmath>

namespace sinew {
namespace {

constexpr double low_share = 0.06, still_low_share = 0.1;    // of the leg: height above the ground
constexpr double slow_per_s = 0.35, still_slow_per_s = 0.6;  // legs per second
constexpr double least_seconds = 0.07;                       // shorter touches are noise
constexpr double fade_seconds = 0.2;

double speed(const std::vector<Vec3d>& path, size_t f, double fps) {
    const size_t a = f > 0 ? f - 1 : 0, b = std::min(f + 1, path.size() - 1);
    return b > a ? (path[b] - path[a]).norm() * fps / static_cast<double>(b - a) : 0.0;
}

}  // namespace

std::vector<FootStand> find_standing(const std::vector<Vec3d>& foot, const Vec3d& up, double ground, double leg,
                                     double fps) {
    std::vector<FootStand> plants;
    bool stands = false;
    for (size_t f = 0; f < foot.size(); ++f) {
        const double height = foot[f].dot(up) - ground, pace = speed(foot, f, fps);
        stands = height < (stands ? still_low_share : low_share) * leg &&
                 pace < (stands ? still_slow_per_s : slow_per_s) * leg;
        if (!stands) continue;
        const auto frame = static_cast<int32_t>(f);
        if (!plants.empty() && plants.back().last == frame - 1)
            plants.back().last = frame;
        else
            plants.push_back({frame, frame});
    }
    std::erase_if(plants, [&](const FootStand& plant) { return (plant.last - plant.first + 1) / fps < least_seconds; });
    return plants;
}

void hold_plants(const std::vector<FootStand>& plants, const Vec3d& up, double fps, std::vector<Vec3d>& goals) {
    const std::vector<Vec3d> free = goals;
    const auto level = [&](const Vec3d& v) -> Vec3d { return v - v.dot(up) * up; };
    std::vector<Vec3d> points;
    for (const FootStand& plant : plants) {
        Vec3d sum = Vec3d::Zero();
        for (int32_t f = plant.first; f <= plant.last; ++f) sum += free[static_cast<size_t>(f)];
        points.push_back(sum / static_cast<double>(plant.last - plant.first + 1));
        for (int32_t f = plant.first; f <= plant.last; ++f) {
            Vec3d& goal = goals[static_cast<size_t>(f)];
            goal += level(points.back() - goal);
        }
    }
    const double fade = fade_seconds * fps;
    size_t next = 0;
    for (size_t f = 0; f < goals.size(); ++f) {
        const auto frame = static_cast<int32_t>(f);
        while (next < plants.size() && plants[next].last < frame) ++next;
        if (next < plants.size() && plants[next].first <= frame) continue;
        const double gap = next > 0 && next < plants.size() ? plants[next].first - plants[next - 1].last : 2 * fade;
        const double span = std::max(1.0, std::min(fade, 0.5 * gap));
        Vec3d shift = Vec3d::Zero();
        const auto add = [&](size_t plant, int32_t edge) {
            const double away = std::abs(frame - edge) / span;
            shift += (1 - smoothstep(away)) * level(points[plant] - free[static_cast<size_t>(edge)]);
        };
        if (next > 0) add(next - 1, plants[next - 1].last);
        if (next < plants.size()) add(next, plants[next].first);
        goals[f] = free[f] + shift;
    }
}

}  // namespace sinew
