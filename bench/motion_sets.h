// Motion matching, measured: the queries of characters that follow a path or are steered, over 100,000 frames, against
// a look at each of them.
#pragma once

#include <sinew/core/random.h>
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
    // A frame counts where a second follows it.
    for (const Clip& clip : one->clips) seconds += std::max(0.0, static_cast<double>(duration(clip)) - 1.0);
    const std::vector<Clip> takes = one->clips;
    const auto variants = static_cast<int>(std::ceil(static_cast<double>(match_frames) / 30.0 / seconds)) + 1;
    for (int v = 1; v < variants; ++v)
        for (const Clip& clip : takes)
            one->clips.push_back(
                change_speed(clip, 0.8f + 0.45f * static_cast<float>(v) / static_cast<float>(variants)));
    return *std::move(one);
}

// What characters look for, and from where.
struct AskedRows {
    std::vector<MatchRow> rows;
    std::vector<uint32_t> shown;  // the row that is shown
    double worst_off = 0;         // metres from the path

    // Every `each` frames: what advance() will ask then.
    void note(const MotionMatcher& matcher, const MatchState& state, const MatchGoal& goal, size_t frame, size_t each) {
        if (frame % each != each - 1) return;
        const int32_t row = matcher.rows().row_of_frame[state.clip][state.frame];
        std::array<Vec2, 3> ahead;
        for (size_t k = 0; k < 3; ++k)
            ahead[k] = Eigen::Rotation2Df(state.yaw) * Vec2(goal.ahead[k] - Vec2(state.x, state.z));
        rows.push_back(match_query(matcher.rows(), row, ahead));
        shown.push_back(row >= 0 ? static_cast<uint32_t>(row) : 0);
    }
};

// On its way along an eight at three speeds.
inline AskedRows follow_eight(const MotionMatcher& matcher, size_t frames, size_t each) {
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
            asked.note(matcher, state, goal, f, each);
            matcher.advance(goal, state, pose);
        }
    }
    return asked;
}

// Steered by a player: each second or so another direction and another speed, from standing to running, reached as a
// spring does. Few captures do what is asked, so the nearest row is far, and the search long.
inline AskedRows follow_stick(const MotionMatcher& matcher, size_t frames, size_t each) {
    AskedRows asked;
    Random random(31);
    MatchState state = matcher.start();
    Pose pose;
    Vec2 way = Vec2::Zero(), wanted = Vec2::Zero();
    size_t next = 0;
    for (size_t f = 0; f < frames; ++f) {
        if (f == next) {
            const auto angle = static_cast<float>(random.uniform(-3.14, 3.14));
            wanted = static_cast<float>(random.uniform(0.0, 3.5)) * Vec2(std::sin(angle), std::cos(angle));
            next = f + 15 + random.below(30);
        }
        constexpr float soon_s = 0.3f, step_s = 1.0f / 30.0f;
        MatchGoal goal;
        Vec2 at(state.x, state.z), speed = way;
        for (size_t k = 0; k < 30; ++k) {
            speed += (wanted - speed) * (step_s / soon_s);
            at += speed * step_s;
            if (k % 10 == 9) goal.ahead[k / 10] = at;
        }
        way += (wanted - way) * (step_s / soon_s);
        asked.note(matcher, state, goal, f, each);
        matcher.advance(goal, state, pose);
    }
    return asked;
}

inline void add_search(Table& table, const NearestRow& nearest, const std::string& what, const AskedRows& asked) {
    const size_t queries = asked.rows.size();
    size_t differ = 0;
    for (size_t q = 0; q < queries; ++q)
        differ += nearest.find(asked.rows[q], asked.shown[q]).distance != nearest.find_by_scan(asked.rows[q]).distance;
    volatile float keep = 0;
    // A round takes milliseconds: the best of many is one that nothing interrupted.
    const double fast = best_seconds(40, [&] {
        for (size_t q = 0; q < queries; ++q) keep = keep + nearest.find(asked.rows[q], asked.shown[q]).distance;
    });
    const size_t few = std::max<size_t>(1, queries / 20);
    const double slow = best_seconds(5, [&] {
        for (size_t q = 0; q < few; ++q) keep = keep + nearest.find_by_scan(asked.rows[q]).distance;
    });
    table.add(fmt::format("matching: a query of {}", what), 1e6 * fast / static_cast<double>(queries), "us", 50.0);
    table.add(fmt::format("matching: looking at every frame instead, {}", what),
              slow / static_cast<double>(few) / (fast / static_cast<double>(queries)), "x");
    table.add(fmt::format("matching: answers that are not the nearest, {}", what), static_cast<double>(differ), "", 0.0);
}

inline void add_motion_sets(Table& table, const std::filesystem::path& data) {
    const OneBody one = many_takes(data);
    const auto matcher = MotionMatcher::create(one.character.skeleton, one.clips);
    if (!matcher) return;
    const NearestRow& nearest = matcher->rows().nearest;
    table.add("matching: frames", static_cast<double>(matcher->frames()), "");
    // advance() looks for a better row in one frame of five.
    const AskedRows eight = follow_eight(*matcher, 600, 5);
    add_search(table, nearest, "a character on an eight", eight);
    add_search(table, nearest, "a character on an eight, in every frame", follow_eight(*matcher, 300, 1));
    add_search(table, nearest, "a character that is steered", follow_stick(*matcher, 1800, 5));
    table.add("matching: farthest from the path", eight.worst_off, "m", 0.5);
    table.add("matching: state of a character", static_cast<double>(matcher->start().bytes()), "bytes", 1024.0);
}

}  // namespace sinew::bench
