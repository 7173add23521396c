// Motion matching, measured: the queries of a character that follows a path, over 100,000 frames, against a look at
// each of them.
#pragma once

#include <sinew/edit/timing.h>
#include <sinew/motion/builtin.h>
#include <sinew/pipeline/sets/one_body.h>
#include <sinew/sets/graph/follow_path.h>
#include <sinew/sets/match/match_rows.h>
#include <sinew/sets/match/motion_matching.h>
#include <cmath>
#include <filesystem>

#include "support.h"

namespace sinew::bench {

constexpr size_t match_frames = 100'000;

// All captures under data/bvh-cmu on the body of the first; again and again at other speeds, as takes of one action
// differ, until there are as many frames as a game has. Without them: the built-in motions.
inline OneBody many_takes(const std::filesystem::path& data) {
    std::vector<std::string> warnings;
    auto one = std::filesystem::is_directory(data / "bvh-cmu")
                   ? gather_motions({(data / "bvh-cmu").string()}, {}, {}, warnings)
                   : gather_motions({"walk", "run", "jump", "wave", "idle"}, {}, {}, warnings);
    if (!one) return {};
    double seconds = 0;
    for (const Clip& clip : one->clips) seconds += static_cast<double>(duration(clip));
    const std::vector<Clip> takes = one->clips;
    const auto variants = static_cast<int>(std::ceil(static_cast<double>(match_frames) / 30.0 / seconds)) + 1;
    for (int v = 1; v < variants; ++v)
        for (const Clip& clip : takes)
            one->clips.push_back(
                change_speed(clip, 0.8f + 0.45f * static_cast<float>(v) / static_cast<float>(variants)));
    return *std::move(one);
}

// What a character looks for on its way along an eight at three speeds: one search in five frames, as advance() makes.
struct AskedRows {
    std::vector<MatchRow> rows;
    std::vector<uint32_t> shown;  // the row that it shows
    double worst_off = 0;         // metres from the path
};
inline AskedRows follow_eight(const MotionMatcher& matcher, size_t frames) {
    AskedRows asked;
    const GroundPath eight = figure_eight(4.0f);
    const auto path = PathCurve::create(eight, 1.0);
    for (const float speed : {0.9f, 1.3f, 2.0f}) {
        MatchState state = matcher.start();
        Pose pose;
        double along = 0;
        for (size_t f = 0; f < frames; ++f) {
            along = path->nearest({state.x, state.z}, along, along + 0.3);
            asked.worst_off = std::max(asked.worst_off, (path->at(along) - Eigen::Vector2d(state.x, state.z)).norm());
            MatchGoal goal;
            for (size_t k = 0; k < 3; ++k)
                goal.ahead[k] =
                    path->at(along + static_cast<double>(speed) * static_cast<double>(k + 1) / 3.0).cast<float>();
            const int32_t row = matcher.rows().row_of_frame[state.clip][state.frame];
            if (f % 5 == 4) {
                std::array<Vec2, 3> ahead;
                for (size_t k = 0; k < 3; ++k)
                    ahead[k] = Eigen::Rotation2Df(state.yaw) * Vec2(goal.ahead[k] - Vec2(state.x, state.z));
                asked.rows.push_back(match_query(matcher.rows(), row, ahead));
                asked.shown.push_back(row >= 0 ? static_cast<uint32_t>(row) : 0);
            }
            matcher.advance(goal, state, pose);
        }
    }
    return asked;
}

inline void add_motion_sets(Table& table, const std::filesystem::path& data) {
    const OneBody one = many_takes(data);
    const auto matcher = MotionMatcher::create(one.character.skeleton, one.clips);
    if (!matcher) return;
    const AskedRows asked = follow_eight(*matcher, 600);
    const NearestRow& nearest = matcher->rows().nearest;
    const size_t queries = asked.rows.size();
    size_t differ = 0;
    for (size_t q = 0; q < queries; ++q)
        differ += nearest.find(asked.rows[q], asked.shown[q]).distance != nearest.find_by_scan(asked.rows[q]).distance;
    volatile float keep = 0;
    const double fast = best_seconds(7, [&] {
        for (size_t q = 0; q < queries; ++q) keep = keep + nearest.find(asked.rows[q], asked.shown[q]).distance;
    });
    const size_t few = queries / 20;
    const double slow = best_seconds(2, [&] {
        for (size_t q = 0; q < few; ++q) keep = keep + nearest.find_by_scan(asked.rows[q]).distance;
    });
    table.add("matching: frames", static_cast<double>(matcher->frames()), "");
    table.add("matching: a query of a character on an eight", 1e6 * fast / static_cast<double>(queries), "us", 50.0);
    table.add("matching: looking at every frame instead",
              slow / static_cast<double>(few) / (fast / static_cast<double>(queries)), "x");
    table.add("matching: answers that are not the nearest", static_cast<double>(differ), "", 0.0);
    table.add("matching: farthest from the path", asked.worst_off, "m", 0.5);
    table.add("matching: state of a character", static_cast<double>(matcher->start().bytes()), "bytes", 1024.0);
}

}  // namespace sinew::bench
