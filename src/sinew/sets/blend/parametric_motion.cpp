#include <sinew/sets/blend/parametric_motion.h>

#include <sinew/motion/retarget/source_clip.h>
#include <sinew/sets/blend/registration.h>
#include <sinew/sets/graph/graph_clips.h>
#include <sinew/sets/graph/motion_graph.h>
#include <sinew/sets/graph/window_distance.h>
#include <Eigen/Dense>
#include <algorithm>
#include <cmath>

namespace sinew {
namespace {

// A cycle's frames, and where each phase of the first cycle is in it.
struct RegisteredCycle {
    size_t clip = 0, first = 0, frames = 0;
    std::vector<double> curve;  // frames since `first`, for each phase step and the end
    double way = 0, yaw = 0;    // over the cycle: ahead, in units; radians
};

constexpr size_t phase_steps = 64;

GroundPlace place_between(const GraphClipFrames& clip, double frame) {
    const auto f = std::min(static_cast<size_t>(frame), clip.place.size() - 2);
    const double u = frame - static_cast<double>(f);
    const GroundPlace& step = clip.step[f + 1];
    return compose(clip.place[f], {u * step.x, u * step.z, u * step.yaw});
}

double frame_at(const RegisteredCycle& cycle, double phase) {
    const double at = std::clamp(phase, 0.0, 1.0) * phase_steps;
    const auto k = std::min(static_cast<size_t>(at), phase_steps - 1);
    const double u = at - static_cast<double>(k);
    return static_cast<double>(cycle.first) + (1.0 - u) * cycle.curve[k] + u * cycle.curve[k + 1];
}

// How far and how much it turns over one round, step by step as the body sees it.
void measure_way(const GraphClipFrames& clip, RegisteredCycle& cycle) {
    for (size_t f = cycle.first + 1; f <= cycle.first + cycle.frames; ++f) {
        cycle.way += std::hypot(clip.step[f].x, clip.step[f].z);
        cycle.yaw += clip.step[f].yaw;
    }
}

// Weights that sum to 1 and meet Σ w·way = speed · Σ w·time and Σ w·yaw = turn · Σ w·time, as even as can be.
Eigen::VectorXd even_weights(const std::vector<RegisteredCycle>& cycles, double speed, double turn) {
    const auto n = static_cast<Eigen::Index>(cycles.size());
    Eigen::VectorXd weights = Eigen::VectorXd::Zero(n);
    std::vector<Eigen::Index> used;
    for (Eigen::Index i = 0; i < n; ++i) used.push_back(i);
    while (true) {
        const auto k = static_cast<Eigen::Index>(used.size());
        Eigen::MatrixXd rows(3, k);
        for (Eigen::Index c = 0; c < k; ++c) {
            const RegisteredCycle& cycle = cycles[static_cast<size_t>(used[static_cast<size_t>(c)])];
            const double time = static_cast<double>(cycle.frames) / graph_fps;
            rows.col(c) << 1.0, cycle.way - speed * time, cycle.yaw - turn * time;
        }
        const Eigen::VectorXd own = rows.completeOrthogonalDecomposition().solve(Eigen::Vector3d(1, 0, 0));
        Eigen::Index worst = 0;
        // A cycle that would count less than nothing is left out.
        if (k == 1 || own.minCoeff(&worst) >= 0.0) {
            for (Eigen::Index c = 0; c < k; ++c) weights[used[static_cast<size_t>(c)]] = own[c];
            break;
        }
        used.erase(used.begin() + worst);
    }
    const double sum = weights.sum();
    if (sum > 1e-9) return weights / sum;
    return Eigen::VectorXd::Constant(n, 1.0 / static_cast<double>(n));
}

}  // namespace

struct ParametricMotion::Data {
    std::unique_ptr<GraphBody> graph;
    Clip like;
    std::vector<RegisteredCycle> cycles;
    std::vector<MotionCycle> told;
};

Result<ParametricMotion> ParametricMotion::create(const Skeleton& skeleton, const std::vector<Clip>& clips) {
    auto data = std::make_shared<Data>();
    SINEW_TRY(data->graph, make_graph_body(skeleton, clips));
    const double metres = metres_per_unit(*data->graph->body);
    WindowClouds reference;
    for (size_t c = 0; c < clips.size(); ++c) {
        const GraphClipFrames& clip = data->graph->clips[c];
        const WindowClouds clouds = make_clouds(*data->graph->body, clip.poses);
        const CycleFrames found = find_cycle(clouds);
        if (found.frames == 0) continue;
        RegisteredCycle cycle{c, found.first, found.frames, {}, 0, 0};
        if (data->cycles.empty()) {
            reference = cut_clouds(clouds, cycle.first - graph_reach, cycle.frames);
        } else {
            cycle.first = best_start(reference, clouds, found);
        }
        cycle.curve =
            registration_curve(reference, cut_clouds(clouds, cycle.first - graph_reach, cycle.frames), phase_steps);
        measure_way(clip, cycle);
        const double seconds = static_cast<double>(cycle.frames) / graph_fps;
        data->told.push_back({clips[c].name, static_cast<float>(static_cast<double>(cycle.first) / graph_fps),
                              static_cast<float>(seconds), static_cast<float>(metres * cycle.way / seconds),
                              static_cast<float>(cycle.yaw / seconds)});
        data->cycles.push_back(std::move(cycle));
    }
    if (data->cycles.empty())
        return fail(ErrorCode::not_found,
                    "no clip has a cycle: one that ends as it begins; give walks or runs of some steps");
    data->like = joints_only(clips.front());
    ParametricMotion motion;
    motion.data_ = std::move(data);
    return motion;
}

const std::vector<MotionCycle>& ParametricMotion::cycles() const {
    return data_->told;
}

Result<Clip> ParametricMotion::at(float speed, float turn, float seconds) const {
    constexpr float longest_s = 3600.0f;
    if (!(speed >= 0.0f) || !std::isfinite(speed) || !std::isfinite(turn) || !(seconds > 0.0f) || seconds > longest_s)
        return fail(ErrorCode::invalid_argument,
                    "speed, turn and seconds must be numbers; seconds above 0 and up to 3600");
    const Data& d = *data_;
    const double metres = metres_per_unit(*d.graph->body), wanted = speed / metres;
    const Eigen::VectorXd weights = even_weights(d.cycles, wanted, turn);
    double way = 0, yaw = 0, length = 0;
    for (size_t i = 0; i < d.cycles.size(); ++i) {
        const double w = weights[static_cast<Eigen::Index>(i)];
        way += w * d.cycles[i].way;
        yaw += w * d.cycles[i].yaw;
        length += w * static_cast<double>(d.cycles[i].frames);
    }
    // What the mixture still lacks: steps are stretched, turns are added evenly.
    const double stretch = way > 1e-9 ? wanted * length / graph_fps / way : 1.0;
    const double more_yaw = (turn * length / graph_fps - yaw) / length;
    const auto frames = static_cast<size_t>(std::lround(seconds * graph_fps)) + 1;
    std::vector<Pose> poses;
    std::vector<uint8_t> stands;
    GroundPlace place;
    for (size_t f = 0; f < frames; ++f) {
        const double now = static_cast<double>(f) / length, phase = now - std::floor(now);
        const double before = std::max(0.0, phase - 1.0 / length);
        GroundPlace step;
        Pose mixed;
        double sum = 0;
        std::array<double, 4> bits = {0, 0, 0, 0};
        for (size_t i = 0; i < d.cycles.size(); ++i) {
            const double w = weights[static_cast<Eigen::Index>(i)];
            if (!(w > 1e-6)) continue;
            const GraphClipFrames& clip = d.graph->clips[d.cycles[i].clip];
            const double at = frame_at(d.cycles[i], phase);
            const auto k = std::min(static_cast<size_t>(at), clip.poses.size() - 2);
            const Pose own = mix_poses(clip.in_place[k], clip.in_place[k + 1], at - static_cast<double>(k));
            sum += w;
            mixed = sum == w ? own : mix_poses(mixed, own, w / sum);
            // The step of a whole frame at this phase, also where the cycle begins anew.
            const double share = phase > before ? (1.0 / length) / (phase - before) : 0.0;
            const double from = phase > before ? before : 0.0, to = phase > before ? phase : 1.0 / length;
            GroundPlace own_step = compose(inverse(place_between(clip, frame_at(d.cycles[i], from))),
                                           place_between(clip, frame_at(d.cycles[i], to)));
            const double whole = phase > before ? share : 1.0;
            own_step.yaw = std::remainder(own_step.yaw, 2.0 * static_cast<double>(pi));
            step.x += w * whole * own_step.x;
            step.z += w * whole * own_step.z;
            step.yaw += w * whole * own_step.yaw;
            for (size_t b = 0; b < 4; ++b) bits[b] += (clip.stands[k] >> b) & 1 ? w : 0.0;
        }
        if (f > 0) place = compose(place, {stretch * step.x, stretch * step.z, step.yaw + more_yaw});
        move_pose(place, d.graph->clip_body, d.graph->carrier, mixed);
        poses.push_back(std::move(mixed));
        uint8_t stand = 0;
        for (size_t b = 0; b < 4; ++b)
            if (bits[b] > 0.5) stand = static_cast<uint8_t>(stand | (1u << b));
        stands.push_back(stand);
    }
    plant_own_feet(*d.graph->body, contacts_of(stands), graph_fps, poses);
    ClipFrames all;
    all.poses = std::move(poses);
    for (size_t f = 0; f < frames; ++f) all.times.push_back(static_cast<float>(static_cast<double>(f) / graph_fps));
    Clip like = d.like;
    like.name = "parametric";
    like.source = -1;
    return frames_to_clip(all, d.graph->clip_body, like);
}

}  // namespace sinew
