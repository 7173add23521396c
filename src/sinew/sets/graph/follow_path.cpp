#include <sinew/sets/graph/follow_path.h>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace sinew {
namespace {

double wrapped(double angle) {
    return std::remainder(angle, 2.0 * std::numbers::pi);
}

// The direction of a way over the ground as a yaw: 0 is +Z.
double yaw_of(double x, double z) {
    return std::atan2(x, z);
}

}  // namespace

Result<PathCurve> PathCurve::create(const GroundPath& path, double scale) {
    PathCurve curve;
    curve.closed_ = path.closed;
    curve.scale_ = scale;
    for (const Vec2& point : path.points) {
        if (!point.allFinite()) return fail(ErrorCode::invalid_data, "a point of the path is not a number");
        curve.points_.push_back(scale * point.cast<double>());
    }
    if (path.closed && !curve.points_.empty()) curve.points_.push_back(curve.points_.front());
    curve.along_.push_back(0.0);
    for (size_t i = 1; i < curve.points_.size(); ++i)
        curve.along_.push_back(curve.along_.back() + (curve.points_[i] - curve.points_[i - 1]).norm());
    if (curve.points_.size() < 2 || !(curve.length() > 0.0))
        return fail(ErrorCode::invalid_data, "the path needs at least two points that differ");
    return curve;
}

Eigen::Vector2d PathCurve::at(double along) const {
    if (closed_) along -= length() * std::floor(along / length());
    along = std::clamp(along, 0.0, length());
    const auto next = std::upper_bound(along_.begin() + 1, along_.end() - 1, along);
    const auto i = static_cast<size_t>(next - along_.begin());
    const double step = along_[i] - along_[i - 1];
    const double u = step > 0.0 ? (along - along_[i - 1]) / step : 0.0;
    return points_[i - 1] + u * (points_[i] - points_[i - 1]);
}

double PathCurve::nearest(const Eigen::Vector2d& point, double from, double to) const {
    constexpr int steps = 12;
    double best = from, least = INFINITY;
    for (int i = 0; i <= steps; ++i) {
        const double along = from + (to - from) * i / steps;
        const double off = (at(along) - point).squaredNorm();
        if (off < least) least = off, best = along;
    }
    return best;
}

Follower::Follower(const PathCurve& path, const GroundPlace& start, const GroundPlace& later) {
    const double reach = std::min(0.5 * path.scale(), 0.5 * path.length());
    const Eigen::Vector2d from = path.at(0.0), to = path.at(reach);
    const GroundPlace way = compose(inverse(start), later);
    constexpr double stands_m = 0.1;
    const double own = std::hypot(way.x, way.z) > stands_m * path.scale() ? yaw_of(way.x, way.z) : 0.0;
    way_yaw_ = yaw_of(to.x() - from.x(), to.y() - from.y());
    place_ = {from.x(), from.y(), wrapped(way_yaw_ - own)};
}

double Follower::off_path(const PathCurve& path) const {
    return (path.at(along_) - Eigen::Vector2d(place_.x, place_.z)).norm();
}

double Follower::advance(const PathCurve& path, const GroundPlace& step, double seconds) {
    // Looks ahead by as much as a person goes in about a second; turns by no more than a person does in passing.
    constexpr double look_ahead_m = 0.7, most_turn = 0.7, gain = 2.5, smooth_s = 0.25, ease_s = 0.15, search_m = 0.25;
    const GroundPlace before = place_;
    place_ = compose(place_, step);
    const double dx = place_.x - before.x, dz = place_.z - before.z, way = std::hypot(dx, dz);
    const double speed_m = way / path.scale() / seconds;
    constexpr double goes_m = 0.2;  // metres a second: slower than that there is no direction
    if (speed_m > goes_m) way_yaw_ += std::min(1.0, seconds / smooth_s) * wrapped(yaw_of(dx, dz) - way_yaw_);
    along_ = path.nearest({place_.x, place_.z}, along_, along_ + search_m * path.scale());
    const Eigen::Vector2d goal = path.at(along_ + look_ahead_m * path.scale());
    const double wanted = yaw_of(goal.x() - place_.x, goal.y() - place_.z);
    const double goes = std::min(1.0, speed_m / 0.8);  // a body that stands does not turn by itself
    const double turn = goes * std::clamp(gain * wrapped(wanted - way_yaw_), -most_turn, most_turn);
    turn_speed_ += std::min(1.0, seconds / ease_s) * (turn - turn_speed_);
    place_.yaw += turn_speed_ * seconds;
    way_yaw_ += turn_speed_ * seconds;
    const double off = off_path(path) / path.scale();
    constexpr double slow_cost = 0.05, usual_speed = 0.5;  // who does not get on pays for it
    return (off * off + slow_cost * std::max(0.0, usual_speed - speed_m) + 0.02 * std::abs(turn_speed_)) * seconds;
}

}  // namespace sinew
