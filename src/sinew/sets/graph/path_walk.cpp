#include <sinew/sets/graph/path_walk.h>

#include <sinew/motion/retarget/source_clip.h>
#include <sinew/sets/graph/follow_path.h>
#include <sinew/sets/graph/graph_clips.h>
#include <algorithm>
#include <cmath>
#include <numbers>

namespace sinew {
namespace {

constexpr double frame_s = 1.0 / graph_fps;

// A walker on the graph. What it did before is a chain of parents.
struct WalkState {
    int32_t clip = 0, frame = 0;  // shown last
    Follower follower;
    double cost = 0;
    int32_t time = 0;                                // frames since the start
    int32_t parent = -1, transition = -1, from = 0;  // how it came here: from a frame of the parent's clip
};

double blend_share(int32_t k) {
    const double u = static_cast<double>(k + 1) / (2.0 * graph_reach + 1.0);
    return u * u * u * (u * (6.0 * u - 15.0) + 10.0);
}

GroundPlace mix_steps(const GroundPlace& a, const GroundPlace& b, double share) {
    return {a.x + share * (b.x - a.x), a.z + share * (b.z - a.z), a.yaw + share * (b.yaw - a.yaw)};
}

class PathSearch {
public:
    PathSearch(const GraphBody& body, const MotionGraph& graph, const PathCurve& path, int32_t frames)
        : body_(body), graph_(graph), path_(path), frames_(frames), leaving_(body.clips.size()) {
        for (size_t t = 0; t < graph.transitions.size(); ++t)
            leaving_[static_cast<size_t>(graph.transitions[t].from_clip)].push_back(static_cast<int32_t>(t));
        for (auto& own : leaving_)
            std::ranges::sort(own, {},
                              [&](int32_t t) { return graph_.transitions[static_cast<size_t>(t)].from_frame; });
    }

    // The states of the best walk, from first to last.
    std::vector<WalkState> run() {
        // A few more than the time asks for: a walker that comes from a late bucket goes at least one on.
        constexpr size_t spare = 16;
        std::vector<std::vector<int32_t>> buckets(static_cast<size_t>(frames_ / bucket_frames) + spare);
        start(buckets.front());
        int32_t best = -1;
        for (bucket_ = 0; bucket_ < buckets.size(); ++bucket_) {
            prune(buckets[bucket_]);
            const std::vector<int32_t> kept = buckets[bucket_];
            for (const int32_t s : kept) {
                if (!is_done(states_[static_cast<size_t>(s)]))
                    expand(s, buckets);
                else if (best < 0 || better(s, best))
                    best = s;
            }
        }
        if (best < 0)
            for (size_t s = 0; s < states_.size(); ++s)
                if (best < 0 || states_[s].time > states_[static_cast<size_t>(best)].time)
                    best = static_cast<int32_t>(s);
        std::vector<WalkState> way;
        for (; best >= 0; best = states_[static_cast<size_t>(best)].parent)
            way.push_back(states_[static_cast<size_t>(best)]);
        std::ranges::reverse(way);
        return way;
    }

private:
    static constexpr int32_t bucket_frames = 15;
    static constexpr size_t beam = 48;
    static constexpr int32_t longest_stay = 75;  // frames that a walker plays on before it must choose
    static constexpr size_t most_choices = 14;

    bool is_done(const WalkState& s) const { return s.time >= frames_ || s.follower.at_end(path_); }
    bool better(int32_t a, int32_t b) const {
        const WalkState &x = states_[static_cast<size_t>(a)], &y = states_[static_cast<size_t>(b)];
        return x.cost / (x.time + 1) < y.cost / (y.time + 1);
    }

    void start(std::vector<int32_t>& bucket) {
        for (size_t c = 0; c < body_.clips.size(); ++c) {
            const auto& places = body_.clips[c].place;
            const auto ahead = std::min<size_t>(places.size() - 1, static_cast<size_t>(graph_fps));
            WalkState s;
            s.clip = static_cast<int32_t>(c);
            s.follower = Follower(path_, places[0], places[ahead]);
            bucket.push_back(static_cast<int32_t>(states_.size()));
            states_.push_back(s);
        }
    }

    void prune(std::vector<int32_t>& bucket) {
        std::ranges::stable_sort(bucket, [&](int32_t a, int32_t b) { return better(a, b); });
        if (bucket.size() > beam) bucket.resize(beam);
    }

    void step(const GroundPlace& by, WalkState& s) const {
        s.cost += s.follower.advance(path_, by, frame_s);
        ++s.time;
    }

    void add(WalkState s, std::vector<std::vector<int32_t>>& buckets) {
        const auto b = std::min(std::max(static_cast<size_t>(s.time / bucket_frames), bucket_ + 1), buckets.size() - 1);
        buckets[b].push_back(static_cast<int32_t>(states_.size()));
        states_.push_back(std::move(s));
    }

    void expand(int32_t index, std::vector<std::vector<int32_t>>& buckets) {
        WalkState now = states_[static_cast<size_t>(index)];
        now.parent = index;
        now.transition = -1;
        now.from = now.frame;
        const GraphClipFrames& own = body_.clips[static_cast<size_t>(now.clip)];
        const auto last = std::min(static_cast<int32_t>(own.poses.size()) - 1, now.frame + longest_stay);
        const auto& leaving = leaving_[static_cast<size_t>(now.clip)];
        auto next = std::ranges::lower_bound(leaving, now.frame + graph_reach, {}, [&](int32_t t) {
            return graph_.transitions[static_cast<size_t>(t)].from_frame;
        });
        size_t choices = 0;
        const int32_t first_time = now.time;
        while (now.time < frames_) {
            for (; next != leaving.end() && choices < most_choices; ++next) {
                const GraphTransition& t = graph_.transitions[static_cast<size_t>(*next)];
                if (t.from_frame - graph_reach > now.frame) break;
                if (now.time / bucket_frames == first_time / bucket_frames && now.time == first_time && now.time > 0 &&
                    states_[static_cast<size_t>(index)].transition >= 0 && t.from_clip == t.to_clip)
                    continue;  // at once again within the clip: stutters
                take(*next, now, buckets);
                ++choices;
            }
            if (now.frame >= last) break;
            step(own.step[static_cast<size_t>(++now.frame)], now);
        }
        // It may also just play on.
        if (now.time > first_time && (now.time >= frames_ || now.frame + 1 < static_cast<int32_t>(own.poses.size())))
            add(now, buckets);
    }

    void take(int32_t transition, WalkState s, std::vector<std::vector<int32_t>>& buckets) {
        const GraphTransition& t = graph_.transitions[static_cast<size_t>(transition)];
        const auto &a = body_.clips[static_cast<size_t>(t.from_clip)], &b = body_.clips[static_cast<size_t>(t.to_clip)];
        for (int32_t k = 0; k < 2 * graph_reach; ++k)
            step(mix_steps(a.step[static_cast<size_t>(t.from_frame - graph_reach + k + 1)],
                           b.step[static_cast<size_t>(t.to_frame - graph_reach + k + 1)], blend_share(k)),
                 s);
        // A worse transition costs as much as a small way off the path for its time.
        constexpr double seam_cost = 0.5;
        s.cost += seam_cost * static_cast<double>(t.distance);
        s.clip = t.to_clip;
        s.frame = t.to_frame + graph_reach;
        s.transition = transition;
        add(std::move(s), buckets);
    }

    const GraphBody& body_;
    const MotionGraph& graph_;
    const PathCurve& path_;
    int32_t frames_;
    std::vector<std::vector<int32_t>> leaving_;
    std::vector<WalkState> states_;
    size_t bucket_ = 0;
};

// The walk's frames, one after another, on the path.
struct WalkFrames {
    std::vector<Pose> poses;
    std::vector<uint8_t> stands;
};

class WalkWriter {
public:
    WalkWriter(const GraphBody& body, const MotionGraph& graph, const PathCurve& path, PathWalk& walk)
        : body_(body), graph_(graph), path_(path), walk_(walk) {}

    WalkFrames write(const std::vector<WalkState>& way) {
        follower_ = way.front().follower;
        show(way.front().clip, way.front().frame);
        for (size_t i = 1; i < way.size(); ++i) {
            const WalkState& s = way[i];
            const int32_t clip = way[i - 1].clip;
            const GraphTransition* t =
                s.transition < 0 ? nullptr : &graph_.transitions[static_cast<size_t>(s.transition)];
            const int32_t last = t ? t->from_frame - graph_reach : s.frame;
            for (int32_t f = s.from + 1; f <= last; ++f) {
                follower_.advance(path_, body_.clips[static_cast<size_t>(clip)].step[static_cast<size_t>(f)], frame_s);
                show(clip, f);
            }
            if (t) blend(*t);
        }
        return std::move(out_);
    }

    double travelled() const { return follower_.travelled(); }

private:
    void put(Pose pose, uint8_t stands) {
        move_pose(follower_.place(), body_.clip_body, body_.carrier, pose);
        out_.poses.push_back(std::move(pose));
        out_.stands.push_back(stands);
        walk_.off_path.push_back(static_cast<float>(follower_.off_path(path_) * metres_per_unit(*body_.body)));
    }
    void show(int32_t clip, int32_t frame) {
        const GraphClipFrames& own = body_.clips[static_cast<size_t>(clip)];
        put(own.in_place[static_cast<size_t>(frame)], own.stands[static_cast<size_t>(frame)]);
    }
    void blend(const GraphTransition& t) {
        walk_.used.emplace_back(static_cast<float>(static_cast<double>(out_.poses.size()) * frame_s), t);
        const auto &a = body_.clips[static_cast<size_t>(t.from_clip)], &b = body_.clips[static_cast<size_t>(t.to_clip)];
        for (int32_t k = 0; k < 2 * graph_reach; ++k) {
            const auto i = static_cast<size_t>(t.from_frame - graph_reach + k + 1),
                       j = static_cast<size_t>(t.to_frame - graph_reach + k + 1);
            const double share = blend_share(k);
            follower_.advance(path_, mix_steps(a.step[i], b.step[j], share), frame_s);
            put(mix_poses(a.in_place[i], b.in_place[j], share), share < 0.5 ? a.stands[i] : b.stands[j]);
        }
    }

    const GraphBody& body_;
    const MotionGraph& graph_;
    const PathCurve& path_;
    PathWalk& walk_;
    Follower follower_;
    WalkFrames out_;
};

}  // namespace

GroundPath figure_eight(float radius) {
    GroundPath path{{}, true};
    constexpr int steps = 96;
    for (const float side : {1.0f, -1.0f})
        for (int i = 0; i < steps; ++i) {
            const float angle = 2.0f * pi * static_cast<float>(i) / static_cast<float>(steps);
            path.points.push_back({side * radius * (1.0f - std::cos(angle)), radius * std::sin(angle)});
        }
    return path;
}

Result<PathWalk> walk_path(const Skeleton& skeleton, const std::vector<Clip>& clips, const MotionGraph& graph,
                           const GroundPath& path, double seconds) {
    if (!(seconds > 0.0) || seconds > 3600.0)
        return fail(ErrorCode::invalid_argument, "a walk lasts above 0 and up to 3600 seconds", "--seconds");
    SINEW_TRY(const auto body, make_graph_body(skeleton, clips));
    SINEW_TRY(const PathCurve curve, PathCurve::create(path, 1.0 / metres_per_unit(*body->body)));
    const auto frames = static_cast<int32_t>(std::lround(seconds * graph_fps));
    const std::vector<WalkState> way = PathSearch(*body, graph, curve, frames).run();
    PathWalk walk;
    WalkWriter writer(*body, graph, curve, walk);
    WalkFrames made = writer.write(way);
    if (static_cast<int32_t>(made.poses.size()) > frames + 1) {
        made.poses.resize(static_cast<size_t>(frames) + 1);
        made.stands.resize(static_cast<size_t>(frames) + 1);
        walk.off_path.resize(static_cast<size_t>(frames) + 1);
    }
    const bool whole = writer.travelled() >= curve.length() && !path.closed;
    if (static_cast<int32_t>(made.poses.size()) < frames && !whole)
        return fail(
            ErrorCode::invalid_data,
            "the clips end before the walk does and nothing leads on; give clips that are more alike, or a higher "
            "--threshold");
    const SourceContacts contacts = contacts_of(made.stands);
    plant_own_feet(*body->body, contacts, graph_fps, made.poses);
    for (const double drift : contact_drifts(*body->body, contacts, made.poses))
        walk.toe_drift_cm = std::max(walk.toe_drift_cm, static_cast<float>(100.0 * drift));
    ClipFrames all;
    all.poses = std::move(made.poses);
    for (size_t f = 0; f < all.poses.size(); ++f)
        all.times.push_back(static_cast<float>(static_cast<double>(f) * frame_s));
    Clip like = joints_only(clips.front());
    like.name = "walk along path";
    like.source = -1;
    walk.clip = frames_to_clip(all, body->clip_body, like);
    walk.worst_off_path = *std::ranges::max_element(walk.off_path);
    walk.travelled = static_cast<float>(writer.travelled() * metres_per_unit(*body->body));
    return walk;
}

}  // namespace sinew
