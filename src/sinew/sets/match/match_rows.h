// Match rows: what motion matching compares, a row of numbers per frame, and the row that a character looks for.
// Data flow: GraphBody (graph/graph_clips.h) → *here* (nearest_row.h) → motion_matching.h.
#pragma once

#include <sinew/math/types.h>
#include <sinew/sets/graph/graph_clips.h>
#include <sinew/sets/match/nearest_row.h>

namespace sinew {

// Where the body will be in 10, 20 and 30 frames and which way it looks then, feet and their speeds, the hips' speed;
// all seen from the body, each group scaled to what it counts.
constexpr size_t match_features = 3 * 4 + 4 * 3 + 3;
using MatchRow = std::array<float, match_features>;

struct MatchRows {
    std::vector<std::pair<uint32_t, uint32_t>> frame_of;  // clip and frame of each row
    std::vector<std::vector<int32_t>> row_of_frame;       // −1: too near the clip's end
    std::vector<MatchRow> rows;                           // scaled
    MatchRow scale{};
    NearestRow nearest;
};
// No rows where the clips are all too short.
MatchRows make_match_rows(const GraphBody& graph);

// What a character looks for that shows `row` and shall be at `ahead`, as it sees it: x to its left, y ahead, in
// metres.
MatchRow match_query(const MatchRows& rows, int32_t row, const std::array<Vec2, 3>& ahead);

}  // namespace sinew
