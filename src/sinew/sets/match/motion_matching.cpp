#include <sinew/sets/match/motion_matching.h>

#include <sinew/sets/graph/graph_clips.h>
#include <sinew/sets/graph/motion_graph.h>
#include <sinew/sets/match/match_rows.h>
#include <algorithm>
#include <cmath>
#include <numbers>
#include <optional>

namespace sinew {
namespace {

static_assert(static_cast<double>(match_fps) == graph_fps);

Vec3 turn_vector(const Quat& from, const Quat& to) {
    Quat q = to * from.conjugate();
    if (q.w() < 0.0f) q.coeffs() *= -1.0f;
    const float sine = q.vec().norm();
    return sine < 1e-6f ? Vec3(2.0f * q.vec()) : Vec3(q.vec() * (2.0f * std::atan2(sine, q.w()) / sine));
}

Quat turned_by(const Vec3& turn) {
    const float angle = turn.norm();
    return angle < 1e-6f ? Quat(Quat::Identity()) : Quat(Eigen::AngleAxisf(angle, turn / angle));
}

// Turns and speeds in the units that a state keeps them in.
constexpr float turn_units = 1e4f, speed_units = 1e3f;

Vec3 unpacked(const std::array<int16_t, 6>& offset, size_t first, float units) {
    return Vec3(offset[first], offset[first + 1], offset[first + 2]) / units;
}

void pack(const Vec3& value, size_t first, float units, std::array<int16_t, 6>& offset) {
    constexpr float most = 32767.0f;
    for (size_t c = 0; c < 3; ++c)
        offset[first + c] =
            static_cast<int16_t>(std::lround(std::clamp(units * value[static_cast<Eigen::Index>(c)], -most, most)));
}

float wrap_angle(float angle) {
    return std::remainder(angle, 2.0f * pi);
}

// The goal as the body sees it: x to its left, y ahead.
std::array<Vec2, 3> seen_ahead(const MatchGoal& goal, const MatchState& state) {
    const float c = std::cos(state.yaw), s = std::sin(state.yaw);
    std::array<Vec2, 3> ahead;
    for (size_t k = 0; k < ahead.size(); ++k) {
        const float dx = goal.ahead[k].x() - state.x, dz = goal.ahead[k].y() - state.z;
        ahead[k] = {c * dx - s * dz, s * dx + c * dz};
    }
    return ahead;
}

// A frame elsewhere that goes clearly better with the goal than the one that is shown.
std::optional<std::pair<uint32_t, uint32_t>> find_better(const MatchRows& rows, const std::array<Vec2, 3>& ahead,
                                                         const MatchState& state) {
    constexpr float better = 0.9f;  // of the distance, squared
    const int32_t row = rows.row_of_frame[state.clip][state.frame];
    const MatchRow query = match_query(rows, row, ahead);
    const NearestRow::Found found = rows.nearest.find(query, row >= 0 ? static_cast<uint32_t>(row) : 0);
    float stay = row >= 0 ? 0.0f : INFINITY;
    for (size_t i = 0; row >= 0 && i < match_features; ++i) {
        const float off = query[i] - rows.rows[static_cast<size_t>(row)][i];
        stay += off * off;
    }
    const std::pair to = rows.frame_of[found.row];
    if (!(found.distance < better * stay) || to == std::pair{state.clip, state.frame}) return std::nullopt;
    return to;
}

// How fast a joint turns in a clip at a frame, in radians a second.
Vec3 turn_speed(const GraphClipFrames& clip, uint32_t frame, size_t joint) {
    const uint32_t before = frame > 0 ? frame - 1 : 0;
    return match_fps *
           turn_vector(clip.in_place[before].local[joint].rotation, clip.in_place[before + 1].local[joint].rotation);
}

// What is shown stays shown: pose and speed go on, and the difference to the new clip dies away from here.
void switch_to(const GraphBody& graph, const std::pair<uint32_t, uint32_t>& to, MatchState& state) {
    const GraphClipFrames &from = graph.clips[state.clip], &next = graph.clips[to.first];
    for (size_t j = 0; j < state.offset.size(); ++j) {
        const Quat shown =
            turned_by(unpacked(state.offset[j], 0, turn_units)) * from.in_place[state.frame].local[j].rotation;
        const Vec3 speed = unpacked(state.offset[j], 3, speed_units) + turn_speed(from, state.frame, j) -
                           turn_speed(next, to.second, j);
        pack(turn_vector(next.in_place[to.second].local[j].rotation, shown), 0, turn_units, state.offset[j]);
        pack(speed, 3, speed_units, state.offset[j]);
    }
    state.clip = to.first;
    state.frame = to.second;
    ++state.switches;
}

// Takes the clip's step, and turns towards the goal as it goes.
void go_on(const GroundPlace& step, const Vec2& goal, float most_turn, float metres, MatchState& state) {
    constexpr float dt = 1.0f / match_fps, gain = 2.5f, ease_s = 0.15f, goes = 0.5f;  // the last in metres a second
    const float c = std::cos(state.yaw), s = std::sin(state.yaw);
    const float sx = metres * static_cast<float>(step.x), sz = metres * static_cast<float>(step.z);
    state.x += c * sx + s * sz;
    state.z += -s * sx + c * sz;
    const float wanted = wrap_angle(std::atan2(goal.x(), goal.y()) - std::atan2(sx, std::max(sz, 1e-6f)));
    const float speed = std::hypot(sx, sz) * match_fps;
    const float turns = std::min(1.0f, speed / goes) * std::clamp(gain * wanted, -most_turn, most_turn);
    state.turn_speed += std::min(1.0f, dt / ease_s) * (turns - state.turn_speed);
    state.yaw = wrap_angle(state.yaw + static_cast<float>(step.yaw) + state.turn_speed * dt);
}

// What is left of the poses before switches: a critically damped spring per joint, stepped exactly.
void let_die_away(MatchState& state, Pose& pose) {
    constexpr float dt = 1.0f / match_fps, half_life = 0.08f;  // seconds
    const float y = 2.0f * std::numbers::ln2_v<float> / half_life, decay = std::exp(-y * dt);
    for (size_t j = 0; j < state.offset.size(); ++j) {
        Vec3 off = unpacked(state.offset[j], 0, turn_units);
        const Vec3 velocity = unpacked(state.offset[j], 3, speed_units), j1 = velocity + y * off;
        off = decay * (off + j1 * dt);
        pack(off, 0, turn_units, state.offset[j]);
        pack(decay * (velocity - y * j1 * dt), 3, speed_units, state.offset[j]);
        pose.local[j].rotation = (turned_by(off) * pose.local[j].rotation).normalized();
    }
}

}  // namespace

struct MotionMatcher::Data {
    std::unique_ptr<GraphBody> graph;
    MatchRows rows;
    double metres = 1;
};

Result<MotionMatcher> MotionMatcher::create(const Skeleton& skeleton, const std::vector<Clip>& clips) {
    auto data = std::make_shared<Data>();
    SINEW_TRY(data->graph, make_graph_body(skeleton, clips));
    data->metres = metres_per_unit(*data->graph->body);
    data->rows = make_match_rows(*data->graph);
    if (data->rows.rows.empty())
        return fail(ErrorCode::invalid_data, "the clips are all shorter than a second and a half; give longer ones");
    MotionMatcher matcher;
    matcher.data_ = std::move(data);
    return matcher;
}

size_t MotionMatcher::frames() const {
    return data_->rows.rows.size();
}

const MatchRows& MotionMatcher::rows() const {
    return data_->rows;
}

MatchState MotionMatcher::start() const {
    MatchState state;
    state.clip = data_->rows.frame_of.front().first;
    state.frame = data_->rows.frame_of.front().second;
    state.offset.assign(data_->graph->clip_body.skeleton.size(), {});
    return state;
}

void MotionMatcher::advance(const MatchGoal& goal, MatchState& state, Pose& pose, float turn) const {
    constexpr uint32_t search_frames = 5;
    const Data& d = *data_;
    const std::array<Vec2, 3> ahead = seen_ahead(goal, state);
    const bool over = d.rows.row_of_frame[state.clip][state.frame] < 0;
    if (over || ++state.since_search >= search_frames) {
        state.since_search = 0;
        if (const auto better = find_better(d.rows, ahead, state)) switch_to(*d.graph, *better, state);
    }
    const auto& own = d.graph->clips[state.clip];
    if (state.frame + 1 < own.poses.size()) ++state.frame;
    go_on(own.step[state.frame], ahead[1], turn, static_cast<float>(d.metres), state);
    pose = own.in_place[state.frame];
    let_die_away(state, pose);
    const double metres = d.metres;
    move_pose({state.x / metres, state.z / metres, state.yaw}, d.graph->clip_body, d.graph->carrier, pose);
}

}  // namespace sinew
