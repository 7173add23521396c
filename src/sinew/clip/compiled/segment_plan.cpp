#include <sinew/clip/compiled/segment_plan.h>

#include <sinew/clip/clip.h>
#include <algorithm>
#include <cmath>

namespace sinew {
namespace {

constexpr size_t most_intervals = 127;    // of a segment, between keys: lines from each half to the next fit a byte
constexpr double gaps_per_segment = 8.0;  // longer gaps between keys are divided
constexpr size_t most_gap_parts = 64;     // of one gap
constexpr int few_intervals = 63;         // up to so many are measured at three places between keys, more at one
constexpr int least_samples = 48;         // of a segment that lasts
constexpr float jump_ratio = 20.0f;       // a turn between two keys so many times the usual one is a jump
constexpr float jump_angle = 0.25f;       // and radians, at least
constexpr double seconds_per_jump = 4.0;  // on average, at least
constexpr float chart_reach = 2.6f;       // radians from the middle of a segment, of the 2.9 that every chart has

// All times of keys, sorted, each once.
std::vector<float> key_times(const Clip& clip) {
    std::vector<float> all;
    const std::vector<float>* last = nullptr;
    for (const Track& track : clip.tracks) {
        if (last && *last == track.times) continue;  // tracks mostly share their times
        last = &track.times;
        if (all.size() == track.times.size() && all == track.times) continue;
        std::vector<float> both;
        both.reserve(all.size() + track.times.size());
        std::ranges::set_union(all, track.times, std::back_inserter(both));
        all = std::move(both);
    }
    if (all.empty()) all = {0.0f};
    return all;
}

std::vector<float> divide_gaps(const std::vector<float>& keys, double longest) {
    std::vector<float> grid = {keys.front()};
    for (size_t k = 1; k < keys.size(); ++k) {
        const double gap = static_cast<double>(keys[k]) - keys[k - 1];
        const size_t parts = static_cast<size_t>(std::min<double>(std::ceil(gap / longest), most_gap_parts));
        for (size_t i = 1; i < parts; ++i) {
            const auto time =
                static_cast<float>(keys[k - 1] + gap * static_cast<double>(i) / static_cast<double>(parts));
            if (time > grid.back() && time < keys[k]) grid.push_back(time);
        }
        grid.push_back(keys[k]);
    }
    return grid;
}

float turn(const Quat& a, const Quat& b) {
    return 2.0f * std::acos(std::min(1.0f, std::abs(a.dot(b))));
}

// The largest turn of any joint from each time of the grid to the next.
std::vector<float> largest_turns(const Clip& clip, const Pose& rest, const std::vector<float>& grid) {
    std::vector<float> turns;
    Pose before = rest, after = rest;
    sample(clip, grid[0], before);
    for (size_t k = 1; k < grid.size(); ++k, std::swap(before, after)) {
        sample(clip, grid[k], after);
        float most = 0.0f;
        for (size_t j = 0; j < rest.local.size(); ++j)
            most = std::max(most, turn(before.local[j].rotation, after.local[j].rotation));
        turns.push_back(most);
    }
    return turns;
}

// Borders before and after jumps, and at the ends. Where jumps are many they are how the clip moves: the largest count.
std::vector<size_t> find_borders(const std::vector<float>& turns, double seconds) {
    std::vector<float> sorted = turns;
    std::ranges::sort(sorted, std::greater());
    const auto most = static_cast<size_t>(1.0 + seconds / seconds_per_jump);
    const float jump =
        std::max({jump_angle, jump_ratio * sorted[sorted.size() / 2], most < sorted.size() ? sorted[most] : 0.0f});
    std::vector<size_t> borders = {0};
    for (size_t k = 0; k < turns.size(); ++k)
        if (turns[k] > jump) {
            if (borders.back() != k) borders.push_back(k);
            borders.push_back(k + 1);
        }
    if (borders.back() != turns.size()) borders.push_back(turns.size());
    return borders;
}

bool within_charts(const Clip& clip, const Pose& rest, const std::vector<float>& grid, size_t first, size_t last) {
    Pose middle = rest, pose = rest;
    sample(clip, 0.5f * (grid[first] + grid[last]), middle);
    for (size_t k = first; k <= last; ++k) {
        sample(clip, grid[k], pose);
        for (size_t j = 0; j < rest.local.size(); ++j)
            if (turn(middle.local[j].rotation, pose.local[j].rotation) > chart_reach) return false;
    }
    return true;
}

SegmentPlan plan_of(const std::vector<float>& grid, size_t first, size_t last) {
    SegmentPlan plan{
        .start = grid[first], .end = grid[last], .keys = {}, .intervals = static_cast<int>(last - first), .times = {}};
    plan.keys.assign(grid.begin() + static_cast<std::ptrdiff_t>(first),
                     grid.begin() + static_cast<std::ptrdiff_t>(last) + 1);
    plan.parts = plan.intervals <= few_intervals ? 4 : 2;
    if (plan.intervals > 0) plan.parts = std::max(plan.parts, least_samples / plan.intervals);
    const int parts = plan.parts;
    for (size_t k = first; k < last; ++k)
        for (int i = 0; i < parts; ++i) {
            const float time = grid[k] + (grid[k + 1] - grid[k]) * static_cast<float>(i) / static_cast<float>(parts);
            if (plan.times.empty() || time > plan.times.back()) plan.times.push_back(time);
        }
    if (plan.times.empty() || grid[last] > plan.times.back()) plan.times.push_back(grid[last]);
    return plan;
}

}  // namespace

std::vector<SegmentPlan> plan_segments(const Clip& clip, const Pose& rest, double segment_seconds) {
    const std::vector<float> grid = divide_gaps(key_times(clip), segment_seconds / gaps_per_segment);
    if (grid.size() == 1) return {plan_of(grid, 0, 0)};
    const std::vector<float> turns = largest_turns(clip, rest, grid);
    const std::vector<size_t> borders = find_borders(turns, static_cast<double>(grid.back()) - grid.front());
    std::vector<std::pair<size_t, size_t>> waiting;
    for (size_t b = 0; b + 1 < borders.size(); ++b) {
        const size_t first = borders[b], last = borders[b + 1];
        const double seconds = static_cast<double>(grid[last]) - grid[first];
        const size_t parts =
            static_cast<size_t>(std::max({1.0, std::ceil(seconds / segment_seconds - 0.2),
                                          std::ceil(static_cast<double>(last - first) / most_intervals)}));
        size_t from = first;
        for (size_t p = 1; p <= parts && from < last; ++p) {
            const double wanted = grid[first] + seconds * static_cast<double>(p) / static_cast<double>(parts);
            size_t to = static_cast<size_t>(std::ranges::lower_bound(grid, static_cast<float>(wanted)) - grid.begin());
            to = p == parts ? last : std::clamp(to, from + 1, last);
            for (; to - from > most_intervals; from += most_intervals)
                waiting.emplace_back(from, from + most_intervals);
            waiting.emplace_back(from, to);
            from = to;
        }
    }
    std::vector<SegmentPlan> plans;
    std::ranges::reverse(waiting);
    while (!waiting.empty()) {
        const auto [first, last] = waiting.back();
        waiting.pop_back();
        if (last - first < 2 || within_charts(clip, rest, grid, first, last)) {
            plans.push_back(plan_of(grid, first, last));
            continue;
        }
        const size_t middle = (first + last) / 2;
        waiting.emplace_back(middle, last);
        waiting.emplace_back(first, middle);
    }
    return plans;
}

std::vector<SegmentPlan> split_segment(const Clip& clip, const Pose& rest, const SegmentPlan& plan) {
    const std::vector<float> turns = largest_turns(clip, rest, plan.keys);
    const size_t last = turns.size();
    size_t cut = static_cast<size_t>(std::ranges::max_element(turns) - turns.begin());
    std::vector<SegmentPlan> parts;
    // A turn that stands out is cut out. Where none does, halves: peeling off one key after another would take as many
    // rounds as there are keys.
    std::vector<float> sorted = turns;
    std::ranges::nth_element(sorted, sorted.begin() + static_cast<std::ptrdiff_t>(last / 2));
    constexpr float stands_out = 4.0f;  // times the usual turn
    if (last > 2 && turns[cut] < stands_out * sorted[last / 2])
        return {plan_of(plan.keys, 0, last / 2), plan_of(plan.keys, last / 2, last)};
    if (cut > 0) parts.push_back(plan_of(plan.keys, 0, cut));
    parts.push_back(plan_of(plan.keys, cut, cut + 1));
    if (cut + 1 < last) parts.push_back(plan_of(plan.keys, cut + 1, last));
    return parts;
}

}  // namespace sinew
