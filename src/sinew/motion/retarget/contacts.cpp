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
    // Half a second of each path is enough to call it the ground: a clip may spend most of its time on a box.
    constexpr double crowd_share = 0.125, crowd_s = 0.5;
    const auto crowd = static_cast<size_t>(std::max(1.0, std::min(crowd_share * static_cast<double>(heights.size()),
                                                                  crowd_s * fps * static_cast<double>(paths.size()))));
    for (size_t first = 0, last = 0; first < heights.size(); ++first) {
        while (last < heights.size() && heights[last] <= heights[first] + 0.04 * leg_length) ++last;
        if (last - first < crowd) continue;
        // A twentieth of all slow frames may be lower: noise. Where more are, they belong to other ground.
        const size_t noise = heights.size() / 20, own = first + (last - first) / 10;
        return heights[noise < last ? std::max(noise, own) : own];
    }
    return heights[heights.size() / 20];
}

GroundLevel find_ground(const FootPath& left, const FootPath& right, const Vec3d& up, double rest_drop,
                        double leg_length, double fps) {
    const std::array ankles = {&left.ankle, &right.ankle}, balls = {&left.ball, &right.ball};
    const double ankle = standing_height(ankles, up, leg_length, fps);
    const double ball = standing_height(balls, up, leg_length, fps);
    constexpr double tiptoe = 0.075;  // legs: an ankle that never comes nearer to the ground dances on tiptoe
    const double level = ball + rest_drop < ankle - tiptoe * leg_length ? ball + rest_drop : ankle;
    return {level, level - rest_drop};
}

}  // namespace sinew
