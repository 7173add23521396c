#include <sinew/sets/match/match_rows.h>

#include <sinew/sets/graph/motion_graph.h>
#include <algorithm>
#include <cmath>

namespace sinew {
namespace {

constexpr std::array<size_t, 3> match_ahead = {10, 20, 30};
constexpr std::array<std::pair<size_t, size_t>, 5> match_groups = {{{0, 6}, {6, 6}, {12, 6}, {18, 6}, {24, 3}}};
constexpr std::array<float, 5> group_weights = {1.2f, 0.8f, 0.9f, 0.8f, 0.6f};

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

// Each group counts by its weight, whatever its units.
void scale_rows(MatchRows& rows) {
    constexpr double least = 1e-3;
    const auto count = static_cast<double>(rows.rows.size());
    for (size_t g = 0; g < match_groups.size(); ++g) {
        const auto [first, size] = match_groups[g];
        double variance = 0;
        for (size_t c = first; c < first + size; ++c) {
            double mean = 0;
            for (const MatchRow& row : rows.rows) mean += static_cast<double>(row[c]) / count;
            for (const MatchRow& row : rows.rows) variance += (row[c] - mean) * (row[c] - mean) / count;
        }
        const auto scale =
            static_cast<float>(group_weights[g] / std::max(least, std::sqrt(variance / static_cast<double>(size))));
        std::fill_n(rows.scale.begin() + static_cast<std::ptrdiff_t>(first), size, scale);
    }
    for (MatchRow& row : rows.rows)
        for (size_t c = 0; c < match_features; ++c) row[c] *= rows.scale[c];
}

}  // namespace

MatchRows make_match_rows(const GraphBody& graph) {
    MatchRows made;
    std::vector<AffineD> world(graph.clip_body.skeleton.size());
    for (size_t c = 0; c < graph.clips.size(); ++c) {
        const GraphClipFrames& clip = graph.clips[c];
        made.row_of_frame.emplace_back(clip.poses.size(), -1);
        for (size_t f = 0; f + match_ahead.back() < clip.poses.size(); ++f) {
            made.row_of_frame[c][f] = static_cast<int32_t>(made.rows.size());
            made.frame_of.emplace_back(static_cast<uint32_t>(c), static_cast<uint32_t>(f));
            made.rows.push_back(row_of(graph, clip, f, world));
        }
    }
    if (made.rows.empty()) return made;
    scale_rows(made);
    made.nearest =
        NearestRow({made.rows.front().data(), made.rows.size() * match_features}, made.rows.size(), match_features);
    return made;
}

MatchRow match_query(const MatchRows& rows, int32_t row, const std::array<Vec2, 3>& ahead) {
    constexpr float goes = 0.05f;  // metres: a shorter way has no direction
    MatchRow query = row >= 0 ? rows.rows[static_cast<size_t>(row)] : rows.rows.front();
    for (size_t k = 0; k < ahead.size(); ++k) {
        const Vec2 way = k == 0 ? ahead[0] : Vec2(ahead[k] - ahead[k - 1]);
        const float yaw = way.norm() > goes ? std::atan2(way.x(), way.y()) : 0.0f;
        query[2 * k] = rows.scale[0] * ahead[k].x();
        query[2 * k + 1] = rows.scale[0] * ahead[k].y();
        query[6 + 2 * k] = rows.scale[6] * std::sin(yaw);
        query[6 + 2 * k + 1] = rows.scale[6] * std::cos(yaw);
    }
    return query;
}

}  // namespace sinew
