#include <sinew/sets/clean/find_damage.h>

#include <algorithm>
#include <cmath>

namespace sinew {
namespace {

// The median over a window around each frame. Near the ends the window shrinks and stays symmetric, so that a curve
// that rises or falls there is its own median.
std::vector<double> running_median(const std::vector<double>& values, size_t radius) {
    std::vector<double> out(values.size()), window;
    for (size_t f = 0; f < values.size(); ++f) {
        const size_t reach = std::min({radius, f, values.size() - 1 - f}), a = f - reach, b = f + reach + 1;
        window.assign(values.begin() + static_cast<std::ptrdiff_t>(a), values.begin() + static_cast<std::ptrdiff_t>(b));
        const auto middle = window.begin() + static_cast<std::ptrdiff_t>(window.size() / 2);
        std::nth_element(window.begin(), middle, window.end());
        out[f] = *middle;
    }
    return out;
}

double step_at(const Signal& signal, size_t f) {
    return (signal.row(static_cast<Eigen::Index>(f)) - signal.row(static_cast<Eigen::Index>(f) - 1)).norm();
}

// The larger of the steps into and out of a run; steps at the ends of the clip count as none.
double largest_jump(const Signal& signal, const FrameRun& run) {
    const double in = run.first > 0 ? step_at(signal, run.first) : 0.0;
    const double out = run.last + 1 < static_cast<size_t>(signal.rows()) ? step_at(signal, run.last + 1) : 0.0;
    return std::max(in, out);
}

std::vector<FrameRun> runs_of(const std::vector<char>& marked) {
    std::vector<FrameRun> runs;
    for (size_t f = 0; f < marked.size(); ++f) {
        if (!marked[f]) continue;
        if (!runs.empty() && runs.back().last + 1 == f)
            runs.back().last = f;
        else
            runs.push_back({f, f});
    }
    return runs;
}

// A spike's steps are this many times those of the curve around it.
constexpr double times_step = 4.0;

// The median around a sample tells where a spike is highest; its flanks belong to it as well.
void widen_spike(const std::vector<double>& steps, const std::vector<double>& usual, size_t most, FrameRun& run) {
    const size_t n = steps.size();
    while (run.first > 1 && run.last - run.first < most && steps[run.first - 1] > times_step * usual[run.first - 1])
        --run.first;
    while (run.last + 2 < n && run.last - run.first < most && steps[run.last + 2] > times_step * usual[run.last + 2])
        ++run.last;
}

// Damage begins and ends from one frame to the next. A blow, a landing and a fast turn are large too, but limbs have
// mass: their steps grow and shrink over several frames.
bool is_abrupt(const std::vector<double>& steps, const std::vector<double>& usual, const FrameRun& run) {
    constexpr size_t short_frames = 2;
    constexpr double short_times = 2.0, long_times = 3.0;  // one step to that before it
    const double times = run.last - run.first < short_frames ? short_times : long_times;
    const auto breaks = [&](size_t edge, size_t beyond) {
        return steps[edge] > times_step * usual[edge] && steps[edge] > times * steps[beyond];
    };
    const bool in = run.first < 2 || breaks(run.first, run.first - 1);
    const bool out = run.last + 2 >= steps.size() || breaks(run.last + 1, run.last + 2);
    return in && out;
}

// A joint at the end of its range stands still too: knees of captures are cut off when they are straight. The curve
// never goes beyond such a place, and runs into it and out of it no faster than it ran before and runs on.
bool is_at_limit(const Signal& signal, const FrameRun& held) {
    constexpr double beyond_share = 0.01;  // of all samples may lie beyond: spikes do
    constexpr double usual_growth = 3.0;   // of steps, up to a limit: turning out of a straight knee starts fast
    const auto n = static_cast<size_t>(signal.rows());
    const Eigen::RowVectorXd at = signal.row(static_cast<Eigen::Index>(held.first));
    const Eigen::RowVectorXd inwards = signal.colwise().mean() - at;
    if (!(inwards.norm() > 0.0)) return false;
    const Eigen::VectorXd depth = (signal.rowwise() - at) * inwards.transpose() / inwards.norm();
    const double tiny = 1e-3 * depth.cwiseAbs().maxCoeff();
    if (static_cast<double>((depth.array() < -tiny).count()) > beyond_share * static_cast<double>(n)) return false;
    const bool enters = held.first < 2 || step_at(signal, held.first) <= usual_growth * step_at(signal, held.first - 1);
    const bool leaves =
        held.last + 2 >= n || step_at(signal, held.last + 1) <= usual_growth * step_at(signal, held.last + 2);
    return enters && leaves;
}

}  // namespace

std::vector<FrameRun> find_spikes(const Signal& signal, double fps, double least) {
    constexpr double longest_s = 0.04, around_s = 0.25;
    constexpr double times_usual = 8.0;  // a spike stands out this much more than its surroundings do
    constexpr double edge_share = 0.5;   // of its height a spike rises or falls in one frame
    const auto n = static_cast<size_t>(signal.rows());
    const auto radius = std::max<size_t>(2, static_cast<size_t>(std::lround(longest_s * fps)));
    if (n < 2 * radius + 1) return {};
    // How far each sample is from the median around it.
    std::vector<double> off(n, 0.0), channel(n);
    for (Eigen::Index c = 0; c < signal.cols(); ++c) {
        for (size_t f = 0; f < n; ++f) channel[f] = signal(static_cast<Eigen::Index>(f), c);
        const std::vector<double> middle = running_median(channel, radius);
        for (size_t f = 0; f < n; ++f) off[f] += (channel[f] - middle[f]) * (channel[f] - middle[f]);
    }
    for (double& value : off) value = std::sqrt(value);
    const std::vector<double> usual = running_median(off, static_cast<size_t>(std::ceil(around_s * fps)));
    std::vector<char> marked(n, 0);
    for (size_t f = 0; f < n; ++f) marked[f] = off[f] > std::max(least, times_usual * usual[f]);
    std::vector<double> steps(n, 0.0);
    for (size_t f = 1; f < n; ++f) steps[f] = step_at(signal, f);
    const std::vector<double> usual_step = running_median(steps, 4 * radius);
    std::vector<FrameRun> runs = runs_of(marked);
    for (FrameRun& run : runs) widen_spike(steps, usual_step, radius, run);
    std::erase_if(runs, [&](const FrameRun& run) {
        const double height = *std::max_element(off.begin() + static_cast<std::ptrdiff_t>(run.first),
                                                off.begin() + static_cast<std::ptrdiff_t>(run.last) + 1);
        return run.last - run.first > radius || largest_jump(signal, run) < edge_share * height ||
               !is_abrupt(steps, usual_step, run);
    });
    // Runs that grew into each other are one.
    for (size_t r = 1; r < runs.size();) {
        if (runs[r].first <= runs[r - 1].last) {
            runs[r - 1].last = std::max(runs[r - 1].last, runs[r].last);
            runs.erase(runs.begin() + static_cast<std::ptrdiff_t>(r));
        } else {
            ++r;
        }
    }
    return runs;
}

std::vector<FrameRun> find_held(const Signal& signal, double fps, double least) {
    constexpr double shortest_s = 0.025, longest_s = 2.0;
    constexpr size_t fewest = 3;         // two frames alike happen in animation drawn on twos
    constexpr double times_usual = 4.0;  // the jump to the steps around it
    constexpr double abrupt = 0.4;       // of the usual step: an animator's hold begins and ends more gently
    constexpr double some_usual = 1.3;   // a jump that is still none of the usual steps
    const auto n = static_cast<size_t>(signal.rows());
    std::vector<char> same(n, 0);
    for (size_t f = 1; f < n; ++f) same[f] = step_at(signal, f) == 0.0;
    std::vector<FrameRun> runs = runs_of(same), held;
    for (FrameRun run : runs) {
        const size_t length = run.last - run.first + 2;  // with the frame that is repeated
        if (length < fewest || static_cast<double>(length) < shortest_s * fps ||
            static_cast<double>(length) > longest_s * fps)
            continue;
        // The steps beyond the run, of as many frames as it has itself.
        std::vector<double> steps;
        const FrameRun whole{run.first - 1, run.last};
        for (size_t k = 2; k <= length + 1; ++k) {
            if (whole.first >= k) steps.push_back(step_at(signal, whole.first - k + 1));
            if (whole.last + k < n) steps.push_back(step_at(signal, whole.last + k));
        }
        if (steps.empty()) continue;
        std::ranges::nth_element(steps, steps.begin() + static_cast<std::ptrdiff_t>(steps.size() / 2));
        const double usual = steps[steps.size() / 2], jump = std::max(least, times_usual * usual);
        const bool jumps_in = whole.first > 0 && step_at(signal, whole.first) > jump;
        const bool jumps_out = whole.last + 1 < n && step_at(signal, whole.last + 1) > jump;
        // A joint that stands still around the run as well was set apart on purpose, unless it came back. One that
        // moves up to the stop and comes out of it with a smaller jump was lost too. Without any jump it is at its
        // limit: knees of captures stop when they are straight.
        const bool inside = whole.first > 0 && whole.last + 2 < n;
        const bool stops = inside && step_at(signal, whole.first) > abrupt * usual &&
                           largest_jump(signal, whole) > std::max(least, some_usual * usual);
        if (!(jumps_in && jumps_out) && !((jumps_in || jumps_out) && usual > 0.0 && inside) && !stops) continue;
        if (is_at_limit(signal, whole)) continue;
        // The first frame of the run was recorded unless it too came with a jump.
        held.push_back({jumps_in ? whole.first : run.first, run.last});
    }
    return held;
}

std::vector<FrameRun> find_key_holes(const std::vector<float>& times, double fps, size_t frames) {
    constexpr double wide = 2.5;        // steps: a key or more is missing
    constexpr double mostly = 0.8;      // of the steps are even, or the keys were set by hand
    constexpr double lowest_rate = 15;  // keys a second of a capture
    if (times.size() < 8 || fps < lowest_rate) return {};
    size_t even = 0;
    std::vector<FrameRun> holes;
    for (size_t k = 1; k < times.size(); ++k) {
        const double step = (static_cast<double>(times[k]) - times[k - 1]) * fps;
        even += std::abs(step - 1.0) < 0.1;
        if (step < wide) continue;
        const auto first = static_cast<size_t>(std::lround(times[k - 1] * fps)) + 1;
        const auto last = static_cast<size_t>(std::lround(times[k] * fps));
        if (first < last && last < frames) holes.push_back({first, last - 1});
    }
    if (static_cast<double>(even) < mostly * static_cast<double>(times.size() - 1)) holes.clear();
    return holes;
}

}  // namespace sinew
