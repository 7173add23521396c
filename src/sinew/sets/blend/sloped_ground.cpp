#include <sinew/sets/blend/sloped_ground.h>

#include <algorithm>
#include <cmath>

namespace sinew {

SmoothWay::SmoothWay(const std::vector<GroundPlace>& places, size_t reach, const Vec3d& ahead) {
    const size_t n = places.size();
    std::vector<Eigen::Vector2d> sums = {Eigen::Vector2d::Zero()};
    for (const GroundPlace& place : places) sums.push_back(sums.back() + Eigen::Vector2d(place.x, place.z));
    for (size_t f = 0; f < n; ++f) {
        // As far to both sides, so that an even way stays even to its ends.
        const size_t r = std::min({reach, f, n - 1 - f});
        at_.push_back((sums[f + r + 1] - sums[f - r]) / static_cast<double>(2 * r + 1));
    }
    along_.push_back(0.0);
    for (size_t f = 1; f < n; ++f) along_.push_back(along_.back() + (at_[f] - at_[f - 1]).norm());
    for (size_t f = 0; f < n; ++f) {
        const Eigen::Vector2d way = at_[std::min(f + reach, n - 1)] - at_[f - std::min(f, reach)];
        const Vec3d looks = Eigen::AngleAxisd(places[f].yaw, Vec3d::UnitY()) * ahead;
        const double goes = way.norm();
        ahead_.push_back(goes > 1e-6 ? Eigen::Vector2d(way / goes) : Eigen::Vector2d(looks.x(), looks.z()));
    }
}

double SmoothWay::along(const Eigen::Vector2d& point, size_t near_frame) const {
    constexpr int rounds = 3;  // each looks at the point from where the last one saw it
    size_t f = near_frame;
    double found = 0;
    for (int i = 0; i < rounds; ++i) {
        found = along_[f] + (point - at_[f]).dot(ahead_[f]);
        const auto next = std::ranges::lower_bound(along_, found);
        f = std::min(static_cast<size_t>(next - along_.begin()), along_.size() - 1);
    }
    return found;
}

GroundRise rise_along(const Body& body, const SmoothWay& way, std::span<const double> slope,
                      std::span<const double> own, std::span<const Pose> poses) {
    GroundRise rise;
    double height = 0;
    for (size_t f = 0; f < poses.size(); ++f) {
        if (f > 0) height += 0.5 * (slope[f] + slope[f - 1]) * (way.along(f) - way.along(f - 1));
        rise.body.push_back(height);
        const WorldPose world = world_pose(body.skeleton, poses[f].local);
        const double lacks = slope[f] - own[f];
        for (size_t side = 0; side < 2; ++side) {
            const Vec3d& ankle = world.position[static_cast<size_t>(body.feet[side].ankle)];
            rise.feet[side].push_back(height + lacks * (way.along({ankle.x(), ankle.z()}, f) - way.along(f)));
        }
        const Eigen::Vector2d ahead = way.ahead(f);
        const Vec3d left = body.frame.col(1).cross(Vec3d(ahead.x(), 0, ahead.y()));
        rise.turn.emplace_back(Eigen::AngleAxisd(-std::atan(lacks), left.normalized()));
    }
    return rise;
}

}  // namespace sinew
