// Motion matching and indexing, measured: a query over 100,000 rows against a look at each of them.
#pragma once

#include <sinew/core/random.h>
#include <sinew/io/read.h>
#include <sinew/motion/builtin.h>
#include <sinew/sets/index/describe_motion.h>
#include <sinew/sets/match/motion_matching.h>
#include <sinew/sets/match/nearest_row.h>
#include <filesystem>

#include "support.h"

namespace sinew::bench {

constexpr size_t match_dimensions = 27, match_rows = 100'000;

// Rows of real clips, three between each two, in variations of size and haste of up to a tenth: as many as a game has.
inline std::vector<float> many_rows(const std::filesystem::path& data) {
    std::vector<MotionDescription> motions;
    if (std::filesystem::is_directory(data / "bvh-cmu"))
        for (const auto& entry : std::filesystem::directory_iterator(data / "bvh-cmu"))
            if (const auto file = read_character(entry.path()); file && !file->clips.empty())
                motions.push_back(describe_motion(file->skeleton, file->clips.front()));
    if (motions.empty())
        for (const std::string_view name : builtin_motion_names())
            if (const auto motion = builtin_motion(name))
                motions.push_back(describe_motion(motion->skeleton, motion->clip));
    Random random(4);
    std::vector<float> rows;
    while (rows.size() < match_rows * match_dimensions)
        for (const MotionDescription& motion : motions) {
            // Longer or shorter steps, faster or slower, as other takes of the same actions are.
            const auto size = static_cast<float>(random.uniform(0.9, 1.1)),
                       haste = static_cast<float>(random.uniform(0.9, 1.1));
            constexpr size_t places = 8;  // the rest are speeds
            for (size_t r = 0; r + 1 < motion.rows.size(); ++r)
                for (int k = 0; k < 3; ++k)
                    for (size_t c = 0; c < match_dimensions; ++c) {
                        // Feet, their speeds and the way: the last numbers of a row.
                        const size_t at = motion_features - match_dimensions + c;
                        const float u = static_cast<float>(k) / 3.0f;
                        rows.push_back((c < places ? size : size * haste) *
                                       ((1 - u) * motion.rows[r][at] + u * motion.rows[r + 1][at]));
                    }
        }
    rows.resize(match_rows * match_dimensions);
    return rows;
}

inline void add_motion_sets(Table& table, const std::filesystem::path& data) {
    const std::vector<float> rows = many_rows(data);
    const NearestRow nearest(rows, match_rows, match_dimensions);
    // What a controller asks for: the pose that is shown now, and a way that is not quite that of any clip.
    Random random(8);
    constexpr size_t queries = 400;
    std::vector<float> asked;
    std::vector<uint32_t> hints;
    for (size_t q = 0; q < queries; ++q) {
        const size_t row = random.below(match_rows - 20);
        hints.push_back(static_cast<uint32_t>(row));
        for (size_t c = 0; c < match_dimensions; ++c) {
            const float a = rows[row * match_dimensions + c], b = rows[(row + 10) * match_dimensions + c];
            constexpr size_t way = match_dimensions - 12;  // the numbers from here on
            asked.push_back(c < way ? a : 0.5f * (a + b) + static_cast<float>(random.uniform(-0.02, 0.02)));
        }
    }
    const auto query = [&](size_t q) {
        return std::span<const float>(asked).subspan(q * match_dimensions, match_dimensions);
    };
    size_t differ = 0;
    volatile float keep = 0;
    for (size_t q = 0; q < queries; ++q)
        differ += nearest.find(query(q), hints[q]).distance != nearest.find_by_scan(query(q)).distance;
    const double fast = best_seconds(7, [&] {
        for (size_t q = 0; q < queries; ++q) keep = keep + nearest.find(query(q), hints[q]).distance;
    });
    const double slow = best_seconds(2, [&] {
        for (size_t q = 0; q < queries / 20; ++q) keep = keep + nearest.find_by_scan(query(q)).distance;
    });
    table.add("matching: a query over 100,000 frames", 1e6 * fast / queries, "us", 50.0);
    table.add("matching: looking at every frame instead", (20.0 * slow) / fast, "x");
    table.add("matching: answers that are not the nearest", static_cast<double>(differ), "", 0.0);
    const auto walk = builtin_motion("jump");
    if (const auto matcher = MotionMatcher::create(walk->skeleton, {walk->clip}))
        table.add("matching: state of a character", static_cast<double>(matcher->start().bytes()), "bytes", 1024.0);
}

}  // namespace sinew::bench
