#include <algorithm>
#include <cmath>
#include <sinew/motion/contacts.h>

namespace sinew {

double low_height(const std::vector<Vec3d>& path, const Vec3d& up) {
    std::vector<double> heights;
    for (const Vec3d& point : path) heights.push_back(point.dot(up));
    if (heights.empty()) return 0;
    const auto nth = heights.begin() + static_cast<std::ptrdiff_t>(0.05 * static_cast<double>(heights.size()));
    std::nth_element(heights.begin(), nth, heights.end());
    return *nth;
}

GroundLevel find_ground(const FootPath& left, const FootPath& right, const Vec3d& up, double rest_drop) {
    if (left.ankle.empty()) return {};
    const double ankle = std::min(low_height(left.ankle, up), low_height(right.ankle, up));
    const double ball = std::min(low_height(left.ball, up), low_height(right.ball, up));
    const double level = std::min(ankle, ball + rest_drop);
    return {level, level - rest_drop};
}

std::vector<Plant> find_plants(const FootPath& foot, const Vec3d& up, double ground_ball, double leg_length, double fps) {
    const auto n = static_cast<int32_t>(foot.ball.size());
    const double near = 0.08 * leg_length, slow = 0.5 * leg_length;  // units, units per second
    const double still = 0.06 * leg_length;
    const auto flicker = static_cast<int32_t>(std::lround(0.07 * fps)), release = static_cast<int32_t>(std::lround(0.1 * fps));
    const auto ball = [&](int32_t i) -> const Vec3d& { return foot.ball[static_cast<size_t>(i)]; };
    std::vector<Plant> plants;
    for (int32_t i = 0; i < n; ++i) {
        const int32_t before = std::max(i - 1, 0), after = std::min(i + 1, n - 1);
        const double speed = after > before ? (ball(after) - ball(before)).norm() * fps / (after - before) : 0.0;
        if (ball(i).dot(up) - ground_ball > near || speed > slow) continue;
        const bool near_last = !plants.empty() && i - plants.back().last <= 1 + flicker;
        const bool moved = near_last && (ball(i) - ball(plants.back().first)).norm() > still;
        if (near_last && !moved) {
            plants.back().last = i;  // also over a gap of a few hundredths of a second: a flicker of the capture
        } else if (moved) {
            // The source slides: let go for a moment and take hold again further on.
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
