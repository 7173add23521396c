#include <sinew/edit/joint_paths.h>
#include <sinew/edit/principles.h>
#include <sinew/skeleton/pose.h>
#include <algorithm>
#include <cmath>

namespace sinew {
namespace {

// How much the body is stretched (above 0) or squashed in each frame, from how its carrier moves up and down.
std::vector<double> stretch_of(const std::vector<double>& height, double size, double fps) {
    constexpr double gravity = 9.81, sigma = 0.05, most = 1.0;
    const std::vector<double> path = smoothed(height, sigma, fps);
    const double fall = std::sqrt(2.0 * gravity * std::max(size, 1e-3));  // the speed after falling its own height
    std::vector<double> stretch(path.size(), 0.0);
    for (size_t f = 1; f + 1 < path.size(); ++f) {
        const double speed = 0.5 * fps * (path[f + 1] - path[f - 1]);
        const double push = fps * fps * (path[f + 1] - 2.0 * path[f] + path[f - 1]);
        stretch[f] = std::clamp(2.0 * std::abs(speed) / fall - std::max(push, 0.0) / (2.0 * gravity), -most, most);
    }
    stretch = smoothed(stretch, sigma, fps);
    for (size_t f = 0; f < stretch.size(); ++f)
        stretch[f] *= window(static_cast<double>(f) / fps, static_cast<double>(stretch.size() - 1) / fps, 0.1);
    return stretch;
}

}  // namespace

// Along each of the carrier's own axes the scale is s^(1.5 c² − 0.5), c the cosine between the axis and up. An axis
// that points up is scaled by s, those across by 1/√s; and for any rotation the three cosines' squares add up to 1, so
// that the product is s^0: the volume stays.
Clip squash_and_stretch(const Clip& clip, const ClipBody& body, double strength) {
    if (strength == 0.0) return clip;
    const double fps = clip_rate(clip);
    ClipFrames frames = sample_frames(clip, body, fps);
    const auto carrier = static_cast<size_t>(find_carrier(clip, body));
    std::vector<AffineD> world(body.rest.local.size());
    std::vector<double> height;
    local_to_world(body.skeleton.parents(), body.rest.local, world);
    double top = -INFINITY, bottom = INFINITY;
    const std::vector<char> carried = joints_below(body.skeleton, static_cast<int32_t>(carrier));
    for (size_t j = 0; j < world.size(); ++j) {
        if (!carried[j]) continue;
        top = std::max(top, world[j].translation().y());
        bottom = std::min(bottom, world[j].translation().y());
    }
    std::vector<Vec3d> up;  // in the carrier's own axes
    for (const Pose& pose : frames.poses) {
        local_to_world(body.skeleton.parents(), pose.local, world);
        height.push_back(world[carrier].translation().y());
        up.push_back((world[carrier].linear().colwise().normalized().transpose() * Vec3d::UnitY()).normalized());
    }
    const std::vector<double> stretch = stretch_of(height, top - bottom, fps);
    const ClipFrames before = frames;
    for (size_t f = 0; f < frames.poses.size(); ++f) {
        const double s = std::exp(strength * stretch[f]);
        Transform& local = frames.poses[f].local[carrier];
        for (int c = 0; c < 3; ++c) local.scale[c] *= static_cast<float>(std::pow(s, 1.5 * up[f][c] * up[f][c] - 0.5));
    }
    keep_height(before, body, static_cast<int32_t>(carrier), frames);
    return frames_to_clip(frames, body, clip);
}

}  // namespace sinew
