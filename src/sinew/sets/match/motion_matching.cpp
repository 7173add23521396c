#include <sinew/sets/match/motion_matching.h>

#include <sinew/sets/graph/graph_clips.h>
#include <sinew/sets/graph/motion_graph.h>
#include <sinew/sets/match/nearest_row.h>
#include <algorithm>
#include <cmath>
#include <numbers>

namespace sinew {
namespace {

// A row: where the body will be in 10, 20 and 30 frames and which way it looks then, feet and their speeds, the hips'
// speed; all seen from the body.
constexpr std::array<size_t, 3> match_ahead = {10, 20, 30};
constexpr size_t match_features = 3 * 4 + 4 * 3 + 3;
constexpr std::array<std::pair<size_t, size_t>, 5> match_groups = {{{0, 6}, {6, 6}, {12, 6}, {18, 6}, {24, 3}}};
constexpr std::array<float, 5> group_weights = {1.2f, 0.8f, 0.9f, 0.8f, 0.6f};
using MatchRow = std::array<float, match_features>;

static_assert(static_cast<double>(match_fps) == graph_fps);

struct BodyPoints {
    Vec3d left, right, hips;
};

BodyPoints points_of(const GraphBody& graph, const Pose& pose, std::vector<AffineD>& world) {
    local_to_world(graph.clip_body.skeleton.parents(), pose.local, world);
    const double metres = metres_per_unit(*graph.body);
    const auto at = [&](int32_t joint) { return Vec3d(metres * world[static_cast<size_t>(joint)].translation()); };
    return {at(graph.body->feet[0].ankle), at(graph.body->feet[1].ankle), at(graph.body->map[Role::hips])};
}

void put_point(MatchRow& row, size_t at, const Vec3d& p) {
    for (Eigen::Index c = 0; c < 3; ++c) row[at + static_cast<size_t>(c)] = static_cast<float>(p[c]);
}

MatchRow row_of(const GraphBody& graph, const GraphClipFrames& clip, size_t f, std::vector<AffineD>& world) {
    MatchRow row{};
    const double metres = metres_per_unit(*graph.body);
    for (size_t k = 0; k < match_ahead.size(); ++k) {
        const GroundPlace there = compose(inverse(clip.place[f]), clip.place[f + match_ahead[k]]);
        row[2 * k] = static_cast<float>(metres * there.x);
        row[2 * k + 1] = static_cast<float>(metres * there.z);
        row[6 + 2 * k] = static_cast<float>(std::sin(there.yaw));
        row[6 + 2 * k + 1] = static_cast<float>(std::cos(there.yaw));
    }
    const BodyPoints now = points_of(graph, clip.in_place[f], world),
                     next = points_of(graph, clip.in_place[f + 1], world);
    put_point(row, 12, now.left);
    put_point(row, 15, now.right);
    put_point(row, 18, (next.left - now.left) * graph_fps);
    put_point(row, 21, (next.right - now.right) * graph_fps);
    const GroundPlace& step = clip.step[f + 1];
    put_point(row, 24, Vec3d(metres * step.x, next.hips.y() - now.hips.y(), metres * step.z) * graph_fps);
    return row;
}

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

}  // namespace

struct MotionMatcher::Data {
    std::unique_ptr<GraphBody> graph;
    std::vector<std::pair<uint32_t, uint32_t>> frame_of;  // clip and frame of each row
    std::vector<std::vector<int32_t>> row_of_frame;       // −1: too near the clip's end
    std::vector<MatchRow> rows;                           // scaled
    MatchRow scale{};
    NearestRow nearest;
    double metres = 1;
};

Result<MotionMatcher> MotionMatcher::create(const Skeleton& skeleton, const std::vector<Clip>& clips) {
    auto data = std::make_shared<Data>();
    SINEW_TRY(data->graph, make_graph_body(skeleton, clips));
    data->metres = metres_per_unit(*data->graph->body);
    std::vector<AffineD> world(skeleton.size());
    for (size_t c = 0; c < data->graph->clips.size(); ++c) {
        const GraphClipFrames& clip = data->graph->clips[c];
        data->row_of_frame.emplace_back(clip.poses.size(), -1);
        for (size_t f = 0; f + match_ahead.back() < clip.poses.size(); ++f) {
            data->row_of_frame[c][f] = static_cast<int32_t>(data->rows.size());
            data->frame_of.emplace_back(static_cast<uint32_t>(c), static_cast<uint32_t>(f));
            data->rows.push_back(row_of(*data->graph, clip, f, world));
        }
    }
    if (data->rows.empty())
        return fail(ErrorCode::invalid_data, "the clips are all shorter than a second and a half; give longer ones");
    // Each group counts by its weight, whatever its units.
    const auto count = static_cast<float>(data->rows.size());
    for (size_t g = 0; g < match_groups.size(); ++g) {
        const auto [first, size] = match_groups[g];
        double variance = 0;
        for (size_t c = first; c < first + size; ++c) {
            double mean = 0;
            for (const MatchRow& row : data->rows) mean += static_cast<double>(row[c] / count);
            for (const MatchRow& row : data->rows)
                variance += (row[c] - mean) * (row[c] - mean) / static_cast<double>(count);
        }
        constexpr double least = 1e-3;
        const auto scale =
            static_cast<float>(group_weights[g] / std::max(least, std::sqrt(variance / static_cast<double>(size))));
        std::fill_n(data->scale.begin() + static_cast<std::ptrdiff_t>(first), size, scale);
    }
    for (MatchRow& row : data->rows)
        for (size_t c = 0; c < match_features; ++c) row[c] *= data->scale[c];
    data->nearest =
        NearestRow({data->rows.front().data(), data->rows.size() * match_features}, data->rows.size(), match_features);
    MotionMatcher matcher;
    matcher.data_ = std::move(data);
    return matcher;
}

size_t MotionMatcher::frames() const {
    return data_->rows.size();
}

MatchState MotionMatcher::start() const {
    MatchState state;
    state.clip = data_->frame_of.front().first;
    state.frame = data_->frame_of.front().second;
    state.offset.assign(data_->graph->clip_body.skeleton.size(), {});
    return state;
}

void MotionMatcher::advance(const MatchGoal& goal, MatchState& state, Pose& pose, float turn) const {
    constexpr uint32_t search_frames = 5;
    constexpr float better = 0.9f;      // a frame elsewhere must be this much nearer
    constexpr float half_life = 0.08f;  // seconds, of what is left of the pose before a switch
    const Data& d = *data_;
    const float dt = 1.0f / match_fps, c = std::cos(state.yaw), s = std::sin(state.yaw);
    const int32_t row = d.row_of_frame[state.clip][state.frame];
    const auto& clip = d.graph->clips[state.clip];
    // The goal as the body sees it: x to its left, z ahead.
    std::array<Vec2, 3> ahead;
    for (size_t k = 0; k < 3; ++k) {
        const float dx = goal.ahead[k].x() - state.x, dz = goal.ahead[k].y() - state.z;
        ahead[k] = {c * dx - s * dz, s * dx + c * dz};
    }
    const bool over = row < 0 || state.frame + 1 >= clip.poses.size();
    if (over || ++state.since_search >= search_frames) {
        state.since_search = 0;
        MatchRow query = row >= 0 ? d.rows[static_cast<size_t>(row)] : d.rows.front();
        for (size_t k = 0; k < 3; ++k) {
            const Vec2 way = k == 0 ? ahead[0] : Vec2(ahead[k] - ahead[k - 1]);
            const float yaw = way.norm() > 0.05f ? std::atan2(way.x(), way.y()) : 0.0f;
            query[2 * k] = d.scale[0] * ahead[k].x();
            query[2 * k + 1] = d.scale[0] * ahead[k].y();
            query[6 + 2 * k] = d.scale[6] * std::sin(yaw);
            query[6 + 2 * k + 1] = d.scale[6] * std::cos(yaw);
        }
        const NearestRow::Found found = d.nearest.find(query, row >= 0 ? static_cast<uint32_t>(row) : 0);
        float stay = INFINITY;
        if (row >= 0) {
            stay = 0;
            for (size_t i = 0; i < match_features; ++i) {
                const float off = query[i] - d.rows[static_cast<size_t>(row)][i];
                stay += off * off;
            }
        }
        const auto [to_clip, to_frame] = d.frame_of[found.row];
        if (found.distance < better * stay && (to_clip != state.clip || to_frame != state.frame)) {
            const Pose &now = clip.in_place[state.frame], &then = d.graph->clips[to_clip].in_place[to_frame];
            for (size_t j = 0; j < state.offset.size(); ++j) {
                const Quat shown = turned_by(unpacked(state.offset[j], 0, turn_units)) * now.local[j].rotation;
                state.offset[j] = {};
                pack(turn_vector(then.local[j].rotation, shown), 0, turn_units, state.offset[j]);
            }
            state.clip = to_clip;
            state.frame = to_frame;
            ++state.switches;
        }
    }
    const auto& own = d.graph->clips[state.clip];
    if (state.frame + 1 < own.poses.size()) ++state.frame;
    const GroundPlace& step = own.step[state.frame];
    const auto metres = static_cast<float>(d.metres);
    const float sx = metres * static_cast<float>(step.x), sz = metres * static_cast<float>(step.z);
    state.x += c * sx + s * sz;
    state.z += -s * sx + c * sz;
    const float wanted = wrap_angle(std::atan2(ahead[1].x(), ahead[1].y()) - std::atan2(sx, std::max(sz, 1e-6f)));
    const float speed = std::hypot(sx, sz) * match_fps;
    constexpr float gain = 2.5f, ease_s = 0.15f, goes = 0.5f;  // the last in metres a second
    const float turns = std::min(1.0f, speed / goes) * std::clamp(gain * wanted, -turn, turn);
    state.turn_speed += std::min(1.0f, dt / ease_s) * (turns - state.turn_speed);
    state.yaw = wrap_angle(state.yaw + static_cast<float>(step.yaw) + state.turn_speed * dt);

    pose = own.in_place[state.frame];
    // A critically damped spring, stepped exactly.
    const float y = 2.0f * std::numbers::ln2_v<float> / half_life, decay = std::exp(-y * dt);
    for (size_t j = 0; j < state.offset.size(); ++j) {
        Vec3 off = unpacked(state.offset[j], 0, turn_units);
        const Vec3 velocity = unpacked(state.offset[j], 3, speed_units), j1 = velocity + y * off;
        off = decay * (off + j1 * dt);
        pack(off, 0, turn_units, state.offset[j]);
        pack(decay * (velocity - y * j1 * dt), 3, speed_units, state.offset[j]);
        pose.local[j].rotation = (turned_by(off) * pose.local[j].rotation).normalized();
    }
    move_pose({state.x / metres, state.z / metres, state.yaw}, d.graph->clip_body, d.graph->carrier, pose);
}

}  // namespace sinew
