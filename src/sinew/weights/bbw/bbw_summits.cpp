#include <sinew/weights/bbw/bbw_solve.h>

#include <sinew/core/parallel.h>
#include <algorithm>
#include <queue>

namespace sinew {
namespace {

constexpr double no_lack = 1e-12;     // rounding
constexpr double least_lack = 1e-3;   // chosen: a tenth of the solver's tolerance; less does not show
constexpr int most_rounds = 10;       // filling rows raises a few summits again, each time less. Chosen
constexpr size_t summit_grain = 512;  // cells per task

// Lowers one handle's weights to the largest values that are nowhere above the given ones and that only fall along some
// way from a held cell to every other cell: the lowest value on the best way [Vincent1993].
void lower_summits(const Volume& volume, std::span<const HeldCell> held, size_t handle, size_t handles,
                   std::vector<double>& weights) {
    std::vector<double> seen(volume.size(), 0.0);
    std::priority_queue<std::pair<double, uint32_t>> open;
    const auto reach = [&](uint32_t cell, double value) {
        if (!(value > seen[cell])) return;
        seen[cell] = value;
        open.push({value, cell});
    };
    for (const HeldCell& h : held) reach(h.cell, weights[h.cell * handles + handle]);
    while (!open.empty()) {
        const auto [value, cell] = open.top();
        open.pop();
        if (value < seen[cell]) continue;
        for (uint32_t i = volume.first[cell]; i < volume.first[cell + 1]; ++i)
            reach(volume.others[i], std::min(value, weights[volume.others[i] * handles + handle]));
    }
    for (size_t c = 0; c < volume.size(); ++c) weights[c * handles + handle] = seen[c];
}

// Gives what a row lacks to handles that are lower here than in a neighbouring cell, because they can rise without a
// new summit. Returns how much the row lacked.
double fill_row(const Volume& volume, size_t cell, size_t handles, std::span<const double> before,
                std::vector<double>& room, std::span<double> row) {
    double lack = 1.0, rooms = 0.0, sum = 0.0;
    for (const double w : row) lack -= w;
    if (!(lack > no_lack)) return 0.0;
    for (size_t h = 0; h < handles; ++h) {
        double highest = 0.0;
        for (uint32_t i = volume.first[cell]; i < volume.first[cell + 1]; ++i)
            highest = std::max(highest, before[volume.others[i] * handles + h]);
        rooms += room[h] = std::max(highest - row[h], 0.0);
    }
    const double share = rooms > lack ? lack / rooms : 1.0;
    for (size_t h = 0; h < handles; ++h) sum += row[h] += share * room[h];
    for (double& w : row) w = sum > 0.0 ? w / sum : 1.0 / static_cast<double>(handles);
    return lack;
}

}  // namespace

void remove_false_summits(const Volume& volume, std::span<const HeldCell> held, size_t handles,
                          std::vector<double>& weights) {
    double most = 1.0;
    for (int round = 0; round < most_rounds && most > least_lack; ++round) {
        parallel_for(handles, 1, [&](size_t h, size_t) { lower_summits(volume, held, h, handles, weights); });
        const std::vector<double> before = weights;
        std::vector<double> lack((volume.size() + summit_grain - 1) / summit_grain, 0.0);
        parallel_for(volume.size(), summit_grain, [&](size_t begin, size_t end) {
            std::vector<double> room(handles);
            for (size_t c = begin; c < end; ++c)
                lack[begin / summit_grain] = std::max(
                    lack[begin / summit_grain],
                    fill_row(volume, c, handles, before, room, std::span(weights).subspan(c * handles, handles)));
        });
        most = lack.empty() ? 0.0 : *std::max_element(lack.begin(), lack.end());
    }
}

}  // namespace sinew
