// Sloped ground: a way over level ground, put on a ramp that rises along it.
// Data flow: the body's places and its feet, frame by frame → *here* → GroundRise → own_feet.h.
#pragma once

#include <sinew/edit/root_motion.h>
#include <sinew/sets/own_feet.h>

namespace sinew {

// The way of a body without its sway: a place's distance along it is what a ramp's height depends on.
class SmoothWay {
public:
    // `reach`: frames on each side over which places are averaged. `ahead`: the direction in which a body without yaw
    // looks, for one that does not go anywhere.
    SmoothWay(const std::vector<GroundPlace>& places, size_t reach, const Vec3d& ahead);

    double length() const { return along_.back(); }
    double along(size_t frame) const { return along_[frame]; }
    Eigen::Vector2d ahead(size_t frame) const { return ahead_[frame]; }
    // How far along the way a point lies that the body passes near this frame.
    double along(const Eigen::Vector2d& point, size_t near_frame) const;

private:
    std::vector<Eigen::Vector2d> at_, ahead_;
    std::vector<double> along_;
};

// `slope`: how much the ground rises per unit of the way, per frame; `own`: the part of it for which the feet are made
// already. Poses stand on level ground.
GroundRise rise_along(const Body& body, const SmoothWay& way, std::span<const double> slope,
                      std::span<const double> own, std::span<const Pose> poses);

}  // namespace sinew
