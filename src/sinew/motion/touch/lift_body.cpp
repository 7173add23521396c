#include <sinew/motion/touch/lift_body.h>

#include <sinew/motion/plant/banded.h>
#include <sinew/motion/touch/active_frames.h>
#include <algorithm>
#include <cmath>

namespace sinew {
namespace {

// One run of frames: minimises |x|² + stiff·max(0, need − x)² + τ⁴·|x″|², held to zero towards its ends.
void fit_run(std::span<const double> need, std::span<double> x, double fps, double lead, bool open_start,
             bool open_end) {
    constexpr double stiff = 3000, held = 1e5;
    constexpr int rounds = 12;
    const size_t n = need.size();
    const double bend = std::pow(0.5 * lead * fps, 4);
    std::vector<bool> active(n);
    for (size_t f = 0; f < n; ++f) active[f] = need[f] > 0;
    BandedSystem system(n, 2);
    for (int round = 0; round < rounds; ++round) {
        system.clear();
        for (size_t f = 0; f < n; ++f) {
            const bool end = (f < 2 && !open_start) || (f + 2 >= n && !open_end);
            system.add(f, f, 1.0 + (end ? held : 0.0) + (active[f] ? stiff : 0.0));
            x[f] = active[f] ? stiff * need[f] : 0.0;
            if (f < 2) continue;
            constexpr std::array<double, 3> d = {1, -2, 1};
            for (size_t i = 0; i < 3; ++i)
                for (size_t j = 0; j <= i; ++j) system.add(f - 2 + i, f - 2 + j, bend * d[i] * d[j]);
        }
        if (!system.factor()) return;
        system.solve(x);
        bool same = true;
        for (size_t f = 0; f < n; ++f) {
            const bool now = need[f] > 0 && x[f] < need[f];
            same = same && now == active[f];
            active[f] = now;
        }
        if (same) break;
    }
    for (double& value : x) value = std::max(0.0, value);
}

}  // namespace

std::vector<double> smooth_envelope(std::span<const double> need, double fps, double lead) {
    std::vector<double> x(need.size(), 0.0);
    std::vector<bool> wanted(need.size());
    for (size_t f = 0; f < need.size(); ++f) wanted[f] = need[f] > 0;
    for (const auto& [first, end] : active_runs(wanted, static_cast<size_t>(std::ceil(lead * fps)) + 2))
        fit_run(need.subspan(first, end - first), std::span(x).subspan(first, end - first), fps, lead, first == 0,
                end == need.size());
    return x;
}

std::vector<double> lift_body(const BodyMotion& target, double fps) {
    constexpr double lead = 0.4;    // seconds
    constexpr double sunk = 0.005;  // metres of a usual person: skin that a floor would press in
    std::vector<double> need;
    need.reserve(target.poses.size());
    for (const PosedShape& pose : target.poses) {
        double lowest = INFINITY;
        for (const FloorPoint& point : target.shape.floor_points)
            lowest = std::min(lowest, (pose.at(point.joint) + pose.turn_of(point.joint) * point.offset).dot(target.up));
        need.push_back(std::isfinite(lowest) ? std::max(0.0, target.floor - sunk * target.size - lowest) : 0.0);
    }
    return smooth_envelope(need, fps, lead);
}

}  // namespace sinew
