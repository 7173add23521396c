#include <sinew/sets/blend/parametric_motion.h>

#include <sinew/motion/retarget/source_clip.h>
#include <sinew/sets/blend/cycle_weights.h>
#include <sinew/sets/blend/sloped_ground.h>
#include <sinew/sets/graph/motion_graph.h>
#include <algorithm>
#include <cmath>

namespace sinew {
namespace {

constexpr int32_t loop_rounds = 3;  // of clips that are one round: a cycle, and a window on either side of it
constexpr double least_weight = 1e-6;
constexpr float steepest = 0.6f;  // 31 degrees; beyond, people use their hands

Pace pace_at(std::span<const PaceKey> keys, double time) {
    const auto next = std::ranges::find_if(keys, [&](const PaceKey& key) { return key.time > time; });
    if (next == keys.begin()) return keys.front().pace;
    if (next == keys.end()) return keys.back().pace;
    const PaceKey &a = *(next - 1), &b = *next;
    const auto u = static_cast<float>((time - a.time) / (b.time - a.time));
    const auto mixed = [u](float x, float y) { return x + u * (y - x); };
    return {mixed(a.pace.speed, b.pace.speed), mixed(a.pace.turn, b.pace.turn), mixed(a.pace.slope, b.pace.slope)};
}

Result<void> check_paces(std::span<const PaceKey> keys, float seconds) {
    constexpr float longest_s = 3600.0f;
    if (keys.empty()) return fail(ErrorCode::invalid_argument, "say at which speed and turn to go");
    if (!(seconds > 0.0f) || seconds > longest_s)
        return fail(ErrorCode::invalid_argument, "a clip lasts above 0 and up to 3600 seconds");
    for (size_t k = 0; k < keys.size(); ++k) {
        const Pace& pace = keys[k].pace;
        if (!(pace.speed >= 0.0f) || !std::isfinite(pace.speed) || !std::isfinite(pace.turn))
            return fail(ErrorCode::invalid_argument, "speed and turn must be numbers, and speed not below 0");
        if (!(std::abs(pace.slope) <= steepest))
            return fail(ErrorCode::invalid_argument, "a slope lies between -0.6 and 0.6 (31 degrees)");
        if (!std::isfinite(keys[k].time) || (k > 0 && keys[k].time <= keys[k - 1].time))
            return fail(ErrorCode::invalid_argument, "the times of paces must be numbers that rise");
    }
    return {};
}

// What a mixture of loops does over one round.
struct LoopMixture {
    Eigen::VectorXd weights;
    double frames = 0, way = 0, yaw = 0, slope = 0;
};

GroundPlace mixed_step(const std::vector<MotionLoop>& loops, const Eigen::VectorXd& weights, double from, double to) {
    GroundPlace step;
    for (size_t i = 0; i < loops.size(); ++i) {
        const double w = weights[static_cast<Eigen::Index>(i)];
        if (!(w > least_weight)) continue;
        const GroundPlace own = loop_step(loops[i], loop_frame(loops[i], from), loop_frame(loops[i], to));
        step.x += w * own.x;
        step.z += w * own.z;
        step.yaw += w * own.yaw;
    }
    return step;
}

LoopMixture measure_mixture(const std::vector<MotionLoop>& loops, const Eigen::VectorXd& weights) {
    LoopMixture mixture{weights, 0, 0, 0, 0};
    double ways = 0;
    for (size_t i = 0; i < loops.size(); ++i) {
        const double w = weights[static_cast<Eigen::Index>(i)];
        mixture.frames += w * static_cast<double>(loops[i].frames());
        mixture.slope += w * loops[i].way * loops[i].slope;
        ways += w * loops[i].way;
    }
    mixture.slope = ways > 0.0 ? mixture.slope / ways : 0.0;
    GroundPlace all;
    for (size_t k = 0; k < cycle_phases; ++k)
        all = compose(all, mixed_step(loops, weights, static_cast<double>(k) / cycle_phases,
                                      static_cast<double>(k + 1) / cycle_phases));
    mixture.way = arc_length(all);
    mixture.yaw = all.yaw;
    return mixture;
}

// The frames of a motion while it is made.
struct MixedFrames {
    std::vector<Pose> poses;
    std::vector<GroundPlace> places;
    std::vector<uint8_t> stands;
    std::vector<double> slope, own_slope;
    double stretch = 1, round = 1;
};

class LoopMixer {
public:
    LoopMixer(const GraphBody& graph, const std::vector<MotionLoop>& loops, std::span<const PaceKey> keys)
        : graph_(graph), loops_(loops), keys_(keys), metres_(metres_per_unit(*graph.body)) {}

    MixedFrames run(size_t frames) {
        // Weights follow a wish that changes with a small delay, so that loops come and go smoothly.
        constexpr double ease = 1.0 / (0.15 * graph_fps);
        Eigen::VectorXd weights = cycle_weights(loops_, wish_at(0));
        LoopMixture mixture = measure_mixture(loops_, weights);
        out_.round = mixture.frames;
        for (size_t f = 0; f < frames; ++f) {
            const LoopWish wish = wish_at(f);
            if (keys_.size() > 1) {
                weights += ease * (cycle_weights(loops_, wish) - weights);
                mixture = measure_mixture(loops_, weights);
            }
            if (f > 0) advance(wish, mixture);
            put(wish, mixture);
        }
        return std::move(out_);
    }

private:
    LoopWish wish_at(size_t f) const {
        const Pace pace = pace_at(keys_, static_cast<double>(f) / graph_fps);
        return {pace.speed / metres_, pace.turn, pace.slope};
    }

    // What the mixture still lacks: steps are stretched, turns are added evenly.
    void advance(const LoopWish& wish, const LoopMixture& mixture) {
        const double seconds = mixture.frames / graph_fps, before = phase_;
        phase_ += 1.0 / mixture.frames;
        const double stretch = mixture.way > 1e-9 ? wish.speed * seconds / mixture.way : 1.0;
        const double more_yaw = (wish.turn * seconds - mixture.yaw) / mixture.frames;
        const GroundPlace step = mixed_step(loops_, mixture.weights, before, phase_);
        place_ = compose(place_, {stretch * step.x, stretch * step.z, step.yaw + more_yaw});
        if (std::abs(std::log(std::max(stretch, 1e-9))) > std::abs(std::log(out_.stretch))) out_.stretch = stretch;
    }

    void put(const LoopWish& wish, const LoopMixture& mixture) {
        Pose mixed;
        double sum = 0;
        std::array<double, 4> bits = {0, 0, 0, 0};
        for (size_t i = 0; i < loops_.size(); ++i) {
            const double w = mixture.weights[static_cast<Eigen::Index>(i)];
            if (!(w > least_weight)) continue;
            const double frame = loop_frame(loops_[i], phase_);
            const Pose own = loop_pose(loops_[i], frame);
            sum += w;
            mixed = sum == w ? own : mix_poses(mixed, own, w / sum);
            const uint8_t stands = loop_stands(loops_[i], frame);
            for (size_t b = 0; b < bits.size(); ++b) bits[b] += (stands >> b) & 1 ? w : 0.0;
        }
        uint8_t stand = 0;
        for (size_t b = 0; b < bits.size(); ++b)
            if (bits[b] > 0.5 * sum) stand = static_cast<uint8_t>(stand | (1u << b));
        move_pose(place_, graph_.clip_body, graph_.carrier, mixed);
        out_.poses.push_back(std::move(mixed));
        out_.places.push_back(place_);
        out_.stands.push_back(stand);
        out_.slope.push_back(wish.slope);
        out_.own_slope.push_back(mixture.slope);
    }

    const GraphBody& graph_;
    const std::vector<MotionLoop>& loops_;
    std::span<const PaceKey> keys_;
    double metres_, phase_ = 0;
    GroundPlace place_;
    MixedFrames out_;
};

// Radians a second: over as many whole rounds as there are, which takes out the sway, or from end to end.
double mean_turn(const std::vector<GroundPlace>& places, double round) {
    size_t last = places.size() - 1;
    if (round > 0.0 && round <= static_cast<double>(last))
        last = static_cast<size_t>(std::lround(round * std::floor(static_cast<double>(last) / round)));
    last = std::min(last, places.size() - 1);
    double yaw = 0;
    for (size_t f = 1; f <= last; ++f)
        yaw += std::remainder(places[f].yaw - places[f - 1].yaw, 2.0 * static_cast<double>(pi));
    return yaw * graph_fps / static_cast<double>(std::max<size_t>(last, 1));
}

}  // namespace

struct ParametricMotion::Data {
    std::unique_ptr<GraphBody> graph;
    Clip like;
    std::vector<MotionLoop> loops;
    std::vector<MotionCycle> told;
};

Result<ParametricMotion> ParametricMotion::create(const Skeleton& skeleton, const std::vector<Clip>& clips) {
    auto data = std::make_shared<Data>();
    SINEW_TRY(data->graph, make_graph_body(skeleton, clips, loop_rounds));
    data->loops = find_motion_loops(clips, *data->graph);
    if (data->loops.empty())
        return fail(ErrorCode::not_found,
                    "no clip has a cycle: one that ends as it begins; give walks or runs of some steps");
    const double metres = metres_per_unit(*data->graph->body);
    for (const MotionLoop& loop : data->loops) {
        const double seconds = static_cast<double>(loop.frames()) / graph_fps;
        data->told.push_back({loop.clip,
                              static_cast<float>(loop.from),
                              static_cast<float>(seconds),
                              {static_cast<float>(metres * loop.way / seconds), static_cast<float>(loop.yaw / seconds),
                               static_cast<float>(loop.slope)}});
    }
    data->like = joints_only(clips.front());
    // Only loops are needed from here on.
    data->graph->clips.clear();
    ParametricMotion motion;
    motion.data_ = std::move(data);
    return motion;
}

const std::vector<MotionCycle>& ParametricMotion::cycles() const {
    return data_->told;
}

Result<ParametricClip> ParametricMotion::at(const Pace& pace, float seconds) const {
    const PaceKey key{0.0f, pace};
    return at({&key, 1}, seconds);
}

Result<ParametricClip> ParametricMotion::at(std::span<const PaceKey> paces, float seconds) const {
    SINEW_TRY_VOID(check_paces(paces, seconds));
    const Data& d = *data_;
    const Body& body = *d.graph->body;
    const auto frames = std::max<size_t>(static_cast<size_t>(std::lround(seconds * graph_fps)), 1) + 1;
    MixedFrames made = LoopMixer(*d.graph, d.loops, paces).run(frames);
    const auto reach = static_cast<size_t>(std::lround(0.5 * made.round));
    const SmoothWay way(made.places, reach, body.frame.col(2));
    const SourceContacts contacts = contacts_of(made.stands);
    const auto any = [](const std::vector<double>& slopes) {
        return std::ranges::any_of(slopes, [](double slope) { return slope != 0.0; });
    };
    const bool rises = any(made.slope) || any(made.own_slope);
    const GroundRise rise = rises ? rise_along(body, way, made.slope, made.own_slope, made.poses) : GroundRise{};
    plant_own_feet(body, contacts, graph_fps, made.poses, rises ? &rise : nullptr);

    ParametricClip out;
    const double metres = metres_per_unit(body), time = static_cast<double>(frames - 1) / graph_fps;
    std::vector<GroundPlace> places;
    for (const Pose& pose : made.poses) places.push_back(ground_place(pose, d.graph->clip_body, d.graph->carrier));
    const SmoothWay gone(places, reach, body.frame.col(2));
    const double turned = mean_turn(places, paces.size() == 1 ? made.round : 0.0);
    out.met = {static_cast<float>(metres * gone.length() / time), static_cast<float>(turned),
               rises && gone.length() > 0.0 ? static_cast<float>(rise.body.back() / gone.length()) : 0.0f};
    out.largest_stretch = static_cast<float>(made.stretch);
    for (const double drift : contact_drifts(body, contacts, made.poses))
        out.foot_drift_cm = std::max(out.foot_drift_cm, static_cast<float>(100.0 * drift));
    const Pace first = paces.front().pace;
    for (const double w : cycle_weights(d.loops, {first.speed / metres, first.turn, first.slope}))
        out.weights.push_back(static_cast<float>(w));
    ClipFrames all;
    all.poses = std::move(made.poses);
    for (size_t f = 0; f < frames; ++f) all.times.push_back(static_cast<float>(static_cast<double>(f) / graph_fps));
    Clip like = d.like;
    like.name = "blend";
    like.source = -1;
    out.clip = frames_to_clip(all, d.graph->clip_body, like);
    return out;
}

}  // namespace sinew
