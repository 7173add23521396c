#include <sinew/motion/retarget/cycle.h>

#include <algorithm>
#include <cmath>

namespace sinew {
namespace {

constexpr size_t fewest_frames = 8;  // a shorter clip shows no movement that could go on
// Of the body's size, and in radians: joints of one pose, seen twice. The last frame gives way to the first, so this is
// also how far a motion may be changed.
constexpr double same_place = 0.0005, same_turn = 0.002;
constexpr double as_smooth = 1.5;    // times the clip's own greatest change of speed in a frame
constexpr double still = 0.002;      // of the body's size: a change of speed that nobody sees
constexpr double continued_s = 2.0;  // solves over time feel nothing from farther away

// Joints at and below the root.
std::vector<char> carried_joints(const Skeleton& skeleton, int32_t root) {
    std::vector<char> below(skeleton.size(), 0);
    for (size_t j = 0; j < below.size(); ++j) {
        const int32_t parent = skeleton.parents()[j];
        below[j] = static_cast<int32_t>(j) == root || (parent >= 0 && below[static_cast<size_t>(parent)]);
    }
    return below;
}

// What carries the first pose's root to the last one's over level ground.
Cycle find_way(size_t root, const Vec3d& up, const WorldPose& first, const WorldPose& last, size_t frames) {
    const Quatd turn = last.rotation[root] * first.rotation[root].conjugate();
    Cycle cycle;
    cycle.frames = frames;
    const double about_up = turn.vec().dot(up);
    if (std::hypot(about_up, turn.w()) > 0.5)
        cycle.turn = Quatd(Eigen::AngleAxisd(2.0 * std::atan2(about_up, turn.w()), up));
    const Vec3d way = last.position[root] - cycle.turn * first.position[root];
    cycle.shift = way - way.dot(up) * up;
    return cycle;
}

// How far the body reaches from its root.
double size_of(size_t root, const WorldPose& pose, const std::vector<char>& joints) {
    double size = 0;
    for (size_t j = 0; j < joints.size(); ++j)
        if (joints[j]) size = std::max(size, (pose.position[j] - pose.position[root]).norm());
    return size;
}

bool is_same_pose(const WorldPose& a, const WorldPose& b, const std::vector<char>& joints, double size) {
    for (size_t j = 0; j < joints.size(); ++j)
        if (joints[j] && ((a.position[j] - b.position[j]).norm() > same_place * size ||
                          a.rotation[j].angularDistance(b.rotation[j]) > same_turn))
            return false;
    return true;
}

// The greatest change of speed of any joint, in lengths a frame.
double change_of_speed(const WorldPose& a, const WorldPose& b, const WorldPose& c, const std::vector<char>& joints) {
    double most = 0;
    for (size_t j = 0; j < joints.size(); ++j)
        if (joints[j]) most = std::max(most, (a.position[j] - 2.0 * b.position[j] + c.position[j]).norm());
    return most;
}

bool is_smooth(const SourceClip& clip, const Cycle& cycle, const std::vector<char>& joints, double size) {
    const size_t n = cycle.frames;
    double most = 0;
    WorldPose before = clip.pose_at(0), now = clip.pose_at(1);
    const WorldPose onward = carry(now, cycle, 1);
    for (size_t f = 1; f < n; ++f) {
        WorldPose next = clip.pose_at(f + 1);
        most = std::max(most, change_of_speed(before, now, next, joints));
        before = std::move(now);
        now = std::move(next);
    }
    return change_of_speed(before, now, onward, joints) <= as_smooth * most + still * size;
}

}  // namespace

void continue_cycle(int32_t root_joint, const Vec3d& up, SourceClip& clip) {
    if (clip.times.size() <= fewest_frames || clip.start > 0 || root_joint < 0) return;
    const auto root = static_cast<size_t>(root_joint);
    const double length = clip.times.back(), fps = 1.0 / clip.times[1];
    const auto frames = static_cast<size_t>(std::lround(length * fps));
    const std::vector<char> joints = carried_joints(clip.skeleton, root_joint);
    const WorldPose first = clip.pose_at(0), last = clip.pose_at(clip.times.size() - 1);
    const double size = size_of(root, first, joints);
    const Cycle cycle = find_way(root, up, first, last, frames);
    if (!is_same_pose(carry(first, cycle, 1), last, joints, size)) return;
    SourceClip whole = clip;
    const auto time_of = [&](double frame) { return static_cast<float>(frame * length / static_cast<double>(frames)); };
    whole.times.clear();
    for (size_t f = 0; f <= frames; ++f) whole.times.push_back(time_of(static_cast<double>(f)));
    if (!is_smooth(whole, cycle, joints, size)) return;
    clip.cycle = cycle;
    clip.lead = static_cast<size_t>(std::ceil(continued_s * fps));
    clip.times.clear();
    for (size_t f = 0; f <= frames + 2 * clip.lead; ++f)
        clip.times.push_back(time_of(static_cast<double>(f) - static_cast<double>(clip.lead)));
}

void close_rotations(std::vector<Quatd>& frames) {
    if (frames.size() < 2) return;
    Quatd lack = frames.front() * frames.back().conjugate();
    if (lack.w() < 0) lack.coeffs() *= -1;
    const Eigen::AngleAxisd turn(lack);
    for (size_t f = 0; f < frames.size(); ++f) {
        const double share = static_cast<double>(f) / static_cast<double>(frames.size() - 1) - 0.5;
        frames[f] = (Quatd(Eigen::AngleAxisd(share * turn.angle(), turn.axis())) * frames[f]).normalized();
    }
}

CycleWay find_cycle_way(const SourceClip& clip, const Alignment& alignment, const TargetMotion& motion) {
    if (clip.cycle.frames == 0) return {};
    const Quatd& m = alignment.target_from_source;
    return {m * clip.cycle.turn * m.conjugate(), motion.hips[clip.lead], motion.hips[clip.lead + clip.cycle.frames]};
}

void cut_cycle(const SourceClip& clip, const Body& target, const std::vector<Drive>& drives, const CycleWay& way,
               TargetMotion& motion) {
    const size_t n = clip.cycle.frames;
    if (n == 0) return;
    const std::vector<int32_t>& parents = target.skeleton.parents();
    for (size_t d = 0; d < drives.size(); ++d) {
        cut_cycle(clip, motion.rotation[d]);
        // What hangs on no other drive turns with the whole body, and no solve has touched it.
        int32_t above = parents[static_cast<size_t>(drives[d].target)];
        while (above >= 0 && std::ranges::find(drives, above, &Drive::target) == drives.end())
            above = parents[static_cast<size_t>(above)];
        if (above >= 0) close_rotations(motion.rotation[d]);
    }
    cut_cycle(clip, motion.hips);
    const Vec3d lack = way.to + way.turn * (motion.hips[0] - way.from) - motion.hips[n];
    for (size_t f = 0; f <= n; ++f) motion.hips[f] += (static_cast<double>(f) / static_cast<double>(n) - 0.5) * lack;
}

}  // namespace sinew
