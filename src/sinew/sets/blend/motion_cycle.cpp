#include <sinew/sets/blend/motion_cycle.h>

#include <sinew/sets/blend/registration.h>
#include <sinew/sets/graph/motion_graph.h>
#include <algorithm>
#include <cmath>
#include <numbers>

namespace sinew {
namespace {

// Below this a capture's floor is level: their hips drift by a centimetre a stride.
constexpr double least_slope = 0.03;

// The slope of the ground that a clip goes on: 0 unless its heights lie on a line over its way.
double slope_of_way(const GraphBody& graph, const GraphClipFrames& clip) {
    constexpr double explained = 0.95;  // of the heights' variance
    const auto carrier = static_cast<size_t>(graph.carrier);
    const Vec3d up = graph.body->frame.col(1);
    std::vector<AffineD> world(graph.clip_body.skeleton.size());
    Eigen::VectorXd along(static_cast<Eigen::Index>(clip.poses.size())), height(along.size());
    double way = 0;
    for (size_t f = 0; f < clip.poses.size(); ++f) {
        way += std::hypot(clip.step[f].x, clip.step[f].z);
        local_to_world(graph.clip_body.skeleton.parents(), clip.poses[f].local, world);
        along[static_cast<Eigen::Index>(f)] = way;
        height[static_cast<Eigen::Index>(f)] = world[carrier].translation().dot(up);
    }
    along.array() -= along.mean();
    height.array() -= height.mean();
    const double spread = along.squaredNorm(), both = along.dot(height);
    if (!(spread > 0.0)) return 0.0;
    const double slope = both / spread, told = slope * both / std::max(height.squaredNorm(), 1e-12);
    return std::abs(slope) > least_slope && told > explained ? slope : 0.0;
}

void raise_pose(const GraphBody& graph, double by, Pose& pose) {
    std::vector<AffineD> world(graph.clip_body.skeleton.size());
    local_to_world(graph.clip_body.skeleton.parents(), pose.local, world);
    const int32_t parent = graph.clip_body.skeleton.parents()[static_cast<size_t>(graph.carrier)];
    const Mat3d above = parent < 0 ? Mat3d(Mat3d::Identity()) : Mat3d(world[static_cast<size_t>(parent)].linear());
    const Vec3d shift = above.inverse() * (by * graph.body->frame.col(1));
    pose.local[static_cast<size_t>(graph.carrier)].translation += shift.cast<float>();
}

double level_clip(const GraphBody& graph, GraphClipFrames& clip) {
    const double slope = slope_of_way(graph, clip);
    if (slope == 0.0) return 0.0;
    double way = 0;
    for (size_t f = 0; f < clip.poses.size(); ++f) {
        way += std::hypot(clip.step[f].x, clip.step[f].z);
        raise_pose(graph, -slope * way, clip.poses[f]);
        raise_pose(graph, -slope * way, clip.in_place[f]);
    }
    clip.stands = find_stands(*graph.body, clip.poses);
    return slope;
}

// Around the place where a round begins anew, the frames that came before it fade into those that follow.
MotionLoop close_loop(const GraphClipFrames& clip, size_t first, size_t frames) {
    MotionLoop loop;
    constexpr auto reach = static_cast<double>(graph_reach);
    std::vector<GroundPlace> steps;
    for (size_t r = 0; r < frames; ++r) {
        const bool begins = r < static_cast<size_t>(graph_reach);
        // The frame at the other end of the round that is most like this one.
        const size_t own = first + r, other = begins ? own + frames : own - frames;
        const double from_seam = begins ? static_cast<double>(r) : static_cast<double>(frames - r);
        const double share = from_seam < reach && other < clip.poses.size()
                                 ? 0.5 * (1.0 + std::cos(std::numbers::pi * from_seam / reach)) * 0.5
                                 : 0.0;
        const auto mixed = [share](double a, double b) { return a + share * (b - a); };
        const size_t with = share > 0.0 ? other : own;
        loop.in_place.push_back(share > 0.0 ? mix_poses(clip.in_place[own], clip.in_place[with], share)
                                            : clip.in_place[own]);
        steps.push_back({mixed(clip.step[own].x, clip.step[with].x), mixed(clip.step[own].z, clip.step[with].z),
                         mixed(clip.step[own].yaw, clip.step[with].yaw)});
        loop.stands.push_back(clip.stands[own]);
    }
    // The step to the first frame of the next round is that which leads to the first one.
    loop.along.emplace_back();
    for (size_t r = 1; r <= frames; ++r) loop.along.push_back(compose(loop.along.back(), steps[r % frames]));
    return loop;
}

}  // namespace

double arc_length(const GroundPlace& there) {
    // About a half turn and more a chord says little of its arc.
    constexpr double most = 0.9 * std::numbers::pi;
    const double half = 0.5 * std::clamp(std::abs(there.yaw), 0.0, most), chord = std::hypot(there.x, there.z);
    return half > 1e-6 ? chord * half / std::sin(half) : chord;
}

std::vector<MotionLoop> find_motion_loops(const std::vector<Clip>& clips, GraphBody& graph) {
    std::vector<MotionLoop> loops;
    WindowClouds reference;
    for (size_t c = 0; c < clips.size(); ++c) {
        GraphClipFrames& clip = graph.clips[c];
        const double slope = level_clip(graph, clip);
        const WindowClouds clouds = make_clouds(*graph.body, clip.poses);
        CycleFrames found = find_cycle(clouds);
        if (found.frames == 0) continue;
        if (loops.empty())
            reference = cut_clouds(clouds, found.first - graph_reach, found.frames);
        else
            found.first = best_start(reference, clouds, found);
        MotionLoop loop = close_loop(clip, found.first, found.frames);
        loop.clip = clips[c].name;
        loop.from = static_cast<double>(found.first) / graph_fps;
        loop.curve =
            registration_curve(reference, cut_clouds(clouds, found.first - graph_reach, found.frames), cycle_phases);
        loop.way = arc_length(loop.along.back());
        loop.yaw = loop.along.back().yaw;
        loop.slope = slope;
        loops.push_back(std::move(loop));
    }
    return loops;
}

double loop_frame(const MotionLoop& loop, double phase) {
    const double rounds = std::floor(phase), at = (phase - rounds) * static_cast<double>(cycle_phases);
    const auto k = std::min(static_cast<size_t>(at), cycle_phases - 1);
    const double u = at - static_cast<double>(k);
    return rounds * static_cast<double>(loop.frames()) + (1.0 - u) * loop.curve[k] + u * loop.curve[k + 1];
}

Pose loop_pose(const MotionLoop& loop, double frame) {
    const auto n = static_cast<double>(loop.frames());
    frame -= n * std::floor(frame / n);
    const size_t k = static_cast<size_t>(frame) % loop.frames();
    return mix_poses(loop.in_place[k], loop.in_place[(k + 1) % loop.frames()], frame - std::floor(frame));
}

uint8_t loop_stands(const MotionLoop& loop, double frame) {
    const auto n = static_cast<double>(loop.frames());
    return loop.stands[static_cast<size_t>(frame - n * std::floor(frame / n)) % loop.frames()];
}

GroundPlace loop_step(const MotionLoop& loop, double from, double to) {
    const auto n = static_cast<double>(loop.frames());
    const double base = n * std::floor(from / n);
    const auto place = [&](double frame) {
        GroundPlace rounds;
        for (; frame >= n; frame -= n) rounds = compose(rounds, loop.along.back());
        const auto k = std::min(static_cast<size_t>(frame), loop.frames() - 1);
        const double u = frame - static_cast<double>(k);
        const GroundPlace step = compose(inverse(loop.along[k]), loop.along[k + 1]);
        return compose(rounds, compose(loop.along[k], {u * step.x, u * step.z, u * step.yaw}));
    };
    return compose(inverse(place(from - base)), place(to - base));
}

}  // namespace sinew
