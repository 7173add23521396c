// Active frames: the runs of a clip in which something has to change. What lies between them stays as it is, exactly.
// Data flow: settle_body.h, place_arms.h → *here* → one small system per run.
#pragma once

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

namespace sinew {

// Runs [first, end) of wanted frames, each widened by `margin` to either side; those that then meet are one.
inline std::vector<std::pair<size_t, size_t>> active_runs(const std::vector<bool>& wanted, size_t margin) {
    std::vector<std::pair<size_t, size_t>> runs;
    for (size_t f = 0; f < wanted.size(); ++f) {
        if (!wanted[f]) continue;
        const size_t first = f < margin ? 0 : f - margin, end = std::min(wanted.size(), f + margin + 1);
        if (!runs.empty() && first <= runs.back().second)
            runs.back().second = end;
        else
            runs.emplace_back(first, end);
    }
    return runs;
}

}  // namespace sinew
