// Follow path: a body that takes given steps and turns a little with each, so that it stays on a path.
// Data flow: GroundPath → *here*, one frame after another → path_walk.cpp, match/.
#pragma once

#include <sinew/edit/root_motion.h>
#include <sinew/sets/graph/path_walk.h>

namespace sinew {

// A path by its length.
class PathCurve {
public:
    // `scale`: the body's units in a metre. Fails on a path without length or with numbers that are none.
    static Result<PathCurve> create(const GroundPath& path, double scale);

    double length() const { return along_.back(); }
    bool closed() const { return closed_; }
    double scale() const { return scale_; }
    Eigen::Vector2d at(double along) const;
    // The nearest point of the path between two places along it.
    double nearest(const Eigen::Vector2d& point, double from, double to) const;

private:
    std::vector<Eigen::Vector2d> points_;
    std::vector<double> along_;
    bool closed_ = false;
    double scale_ = 1.0;
};

class Follower {
public:
    Follower() = default;
    // Stands at the path's beginning so that the way from `start` to `later` leads along it.
    Follower(const PathCurve& path, const GroundPlace& start, const GroundPlace& later);

    // Takes a step, seen from where it stands, and turns towards the path. Returns what that costs: the square of the
    // distance from the path, in metres, over the time.
    double advance(const PathCurve& path, const GroundPlace& step, double seconds);

    const GroundPlace& place() const { return place_; }
    double travelled() const { return along_; }
    double off_path(const PathCurve& path) const;
    bool at_end(const PathCurve& path) const { return !path.closed() && along_ >= path.length(); }

private:
    GroundPlace place_;
    double along_ = 0;       // of the path, over all rounds
    double way_yaw_ = 0;     // which way it goes, smoothed
    double turn_speed_ = 0;  // that it turns by itself
};

}  // namespace sinew
