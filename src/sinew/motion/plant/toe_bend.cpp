#include <sinew/motion/plant/toe_bend.h>

#include <algorithm>
#include <cmath>

namespace sinew {
namespace {

constexpr double most_bend = 1.05;  // radians: toes bend no further than 60°
constexpr double ease_s = 0.07;

// The smallest turn about the hinge that lifts a point to `floor`, both heights relative to the ball.
double bend_for(const Vec3d& place, const Vec3d& hinge, const Vec3d& up, double floor) {
    const double fixed = hinge.dot(place) * hinge.dot(up);
    const double cosine = up.dot(place) - fixed, sine = up.dot(hinge.cross(place));
    if (cosine + fixed >= floor) return 0.0;
    const double size = std::hypot(cosine, sine);
    if (!(size > 0.0) || sine <= 0.0) return 0.0;
    return std::atan2(sine, cosine) - std::acos(std::clamp((floor - fixed) / size, -1.0, 1.0));
}

}  // namespace

void bend_toes(const Body& target, size_t side, const FootSkin& skin, double ball_rest,
               const std::vector<double>& ball_height, double fps, LegMotion& leg) {
    const int32_t toes = toe_joint(target, side);
    if (toes < 0 || leg.drive[3] < 0) return;
    const Vec3d up = target.frame.col(1);
    const Vec3d hinge_in_toes = target.reference.rotation[static_cast<size_t>(toes)].conjugate() *
                                target.feet[side].heading.cross(up).normalized();
    std::vector<Vec3d> places;
    for (const FootSkin::Point& point : skin.points)
        if (point.weight[toe_bone] > 0.5) places.push_back(point.place[toe_bone] / point.weight[toe_bone]);
    std::vector<double> bend(leg.frames(), 0.0);
    for (size_t f = 0; f < bend.size(); ++f) {
        const double floor = -ball_rest - std::max(0.0, ball_height[f]);
        const Vec3d up_in_toes = leg.toes[f].conjugate() * up;
        for (const Vec3d& place : places)
            bend[f] = std::max(bend[f], bend_for(place, hinge_in_toes, up_in_toes, floor));
        bend[f] = std::min(bend[f], most_bend);
    }
    bend = spread_peaks(bend, static_cast<std::ptrdiff_t>(std::max(1.0, std::round(ease_s * fps))));
    for (size_t f = 0; f < bend.size(); ++f)
        leg.toes[f] = (leg.toes[f] * Quatd(Eigen::AngleAxisd(bend[f], hinge_in_toes))).normalized();
}

}  // namespace sinew
