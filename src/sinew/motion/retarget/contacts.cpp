#include <sinew/motion/retarget/contacts.h>
#include <algorithm>
#include <array>
#include <cmath>

namespace sinew {

double standing_height(std::span<const std::vector<Vec3d>* const> paths, const Vec3d& up, double leg_length,
                       double fps) {
    std::vector<double> slow, all;
    for (const std::vector<Vec3d>* path : paths) {
        for (size_t f = 0; f < path->size(); ++f) {
            const size_t before = f > 0 ? f - 1 : 0, after = std::min(f + 1, path->size() - 1);
            const double speed = ((*path)[after] - (*path)[before]).norm() * fps /
                                 static_cast<double>(std::max<size_t>(1, after - before));
            all.push_back((*path)[f].dot(up));
            if (speed < 0.3 * leg_length) slow.push_back(all.back());
        }
    }
    std::vector<double>& heights = slow.size() >= 5 ? slow : all;
    if (heights.empty()) return 0;
    std::ranges::sort(heights);
    const size_t crowd = std::max<size_t>(1, heights.size() / 16);
    for (size_t first = 0, last = 0; first < heights.size(); ++first) {
        while (last < heights.size() && heights[last] <= heights[first] + 0.04 * leg_length) ++last;
        if (last - first >= crowd) return heights[first + (last - first) / 4];
    }
    return heights[heights.size() / 20];
}

GroundLevel find_ground(const FootPath& left, const FootPath& right, const Vec3d& up, double rest_drop,
                        double leg_length, double fps) {
    const std::array ankles = {&left.ankle, &right.ankle}, balls = {&left.ball, &right.ball};
    const double ankle = standing_height(ankles, up, leg_length, fps);
    const double ball = standing_height(balls, up, leg_length, fps);
    const double level = std::min(ankle, ball + rest_drop);
    return {level, level - rest_drop};
}

std::vector<Plant> find_plants(const FootPath& foot, const Vec3d& up, double ground_ball, double leg_length,
                               double fps) {
    const auto n = static_cast<int32_t>(foot.ball.size());
    const double near = 0.08 * leg_length, slow = 0.5 * leg_length;  // units, units per second
    const double still = 0.06 * leg_length;
    const auto flicker = static_cast<int32_t>(std::lround(0.07 * fps)),
               release = static_cast<int32_t>(std::lround(0.1 * fps));
    const auto ball = [&](int32_t i) -> const Vec3d& { return foot.ball[static_cast<size_t>(i)]; };
    std::vector<Plant> plants;
    for (int32_t i = 0; i < n; ++i) {
        const int32_t before = std::max(i - 1, 0), after = std::min(i + 1, n - 1);
        const double speed = after > before ? (ball(after) - ball(before)).norm() * fps / (after - before) : 0.0;
        if (ball(i).dot(up) - ground_ball > near || speed > slow) continue;
        const bool near_last = !plants.empty() && i - plants.back().last <= 1 + flicker;
        const bool moved = near_last && (ball(i) - ball(plants.back().first)).norm() > still;
        if (near_last && !moved) {
            plants.back().last = i;  // also across a gap of a few hundredths of a second, a flicker of the capture
        } else if (moved) {
            // The source's foot slides: release it for a moment and plant it again further on.
            plants.push_back({i + release, i + release});
            i += release;
        } else {
            plants.push_back({i, i});
        }
    }
    const auto shortest = static_cast<int32_t>(std::lround(0.08 * fps));
    std::erase_if(plants, [&](const Plant& plant) {
        return plant.last >= n || (plant.last - plant.first < shortest && n > shortest);
    });
    return plants;
}

}  // namespace sinew
