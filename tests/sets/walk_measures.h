// What a walk looks like from outside: paths of joints alone, nothing that the library knows of contacts and bodies.
#pragma once

#include <sinew/clip/clip.h>
#include <sinew/skeleton/pose.h>
#include <sinew/skeleton/skeleton.h>
#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

namespace sinew::walk_measures {

using Path = std::vector<Vec3d>;

// Per joint, at 30 frames a second, in metres.
inline std::vector<Path> joint_paths(const Skeleton& skeleton, const Clip& clip, double metres = 1.0) {
    std::vector<Path> paths(skeleton.size());
    std::vector<AffineD> world(skeleton.size());
    Pose pose{skeleton.rest(), {}};
    for (int f = 0; f <= static_cast<int>(duration(clip) * 30.0f + 0.01f); ++f) {
        sample(clip, std::min(static_cast<float>(f) / 30.0f, duration(clip)), pose);
        local_to_world(skeleton.parents(), pose.local, world);
        for (size_t j = 0; j < paths.size(); ++j) paths[j].push_back(metres * world[j].translation());
    }
    return paths;
}

// The greatest acceleration of any joint, in metres per second squared, over the frames from `first` to `last`.
inline double worst_acceleration(const std::vector<Path>& paths, size_t first = 1, size_t last = SIZE_MAX) {
    double worst = 0;
    for (const Path& path : paths)
        for (size_t f = std::max<size_t>(first, 1); f + 1 < path.size() && f <= last; ++f)
            worst = std::max(worst, 900.0 * (path[f - 1] - 2.0 * path[f] + path[f + 1]).norm());
    return worst;
}

// Stretches in which a point is slow, as a foot that stands is: how far it moves over the ground in any of them, and
// their share of the time. A foot that slides faster than that does not stand, so the share tells on it.
struct Standing {
    double worst_drift = 0, share = 0;
    std::vector<Vec3d> places;
};
inline Standing find_standing(const Path& path) {
    constexpr double slow = 0.06 / 30.0;  // metres a frame
    constexpr size_t fewest = 3;
    const auto apart = [&](size_t a, size_t b) {
        return std::hypot(path[a].x() - path[b].x(), path[a].z() - path[b].z());
    };
    Standing found;
    for (size_t first = 1; first < path.size(); ++first) {
        size_t last = first;
        while (last < path.size() && apart(last, last - 1) < slow) ++last;
        if (last - first < fewest) {
            first = std::max(first, last);
            continue;
        }
        for (size_t f = first; f < last; ++f) found.worst_drift = std::max(found.worst_drift, apart(f, first - 1));
        found.share += static_cast<double>(last - first) / static_cast<double>(path.size());
        found.places.push_back(path[(first + last) / 2]);
        first = last;
    }
    return found;
}

// Metres a second: from place to place in steps of half a second, which takes out the hips' sway.
inline double mean_speed(const Path& hips) {
    double way = 0, time = 0;
    for (size_t f = 15; f < hips.size(); f += 15, time += 0.5) {
        const Vec3d step = hips[f] - hips[f - 15];
        way += std::hypot(step.x(), step.z());
    }
    return way / time;
}

}  // namespace sinew::walk_measures
