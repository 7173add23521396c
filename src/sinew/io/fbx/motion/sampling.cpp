#include <sinew/io/fbx/motion/sampling.h>
#include <algorithm>
#include <cmath>

namespace sinew::fbx {
namespace {

constexpr int deepest = 14;                                // halvings between two corners
constexpr double side_step = 1e-7;                         // seconds: just before or after a corner
constexpr double probes[] = {0.2, 0.37, 0.5, 0.71, 0.87};  // uneven, so that no turn is in step with them

class AdaptiveSampler {
public:
    AdaptiveSampler(const Sampled& what, double begin, size_t& budget)
        : what_(what), begin_(begin), budget_(budget), probe_(what.width) {}

    Samples sample(const std::vector<double>& corners) {
        Row before, now = row_at(corners[0]), after;
        push(corners[0], now);
        for (size_t i = 0; i + 1 < corners.size(); ++i) {
            const double a = corners[i], b = corners[i + 1];
            const double step = std::min(side_step, (b - a) * 0.25);
            after = row_at(a + step);
            before = row_at(b - step);
            const Row next = row_at(b);
            if (jumps(now, after)) push_right_after(after);
            refine(a, b, after, before, deepest);
            if (jumps(before, next)) push_just_before(b, before);
            push(b, next);
            now = next;
        }
        return std::move(result_);
    }

private:
    using Row = std::vector<double>;

    Row row_at(double time) const {
        Row row(what_.width);
        what_.at(time, row.data());
        return row;
    }
    bool jumps(const Row& a, const Row& b) const { return what_.error(a.data(), a.data(), 0, b.data()) > 1; }
    float clip_time(double time) const { return float(std::max(0.0, time - begin_)); }

    // Of two keys whose times are one float the later one stays.
    void push(double time, const Row& row) { push_at(clip_time(time), row); }
    void push_at(float time, const Row& row) {
        if (!result_.times.empty() && time <= result_.times.back()) {
            std::copy(row.begin(), row.end(), result_.rows.end() - std::ptrdiff_t(what_.width));
            return;
        }
        result_.times.push_back(time);
        result_.rows.insert(result_.rows.end(), row.begin(), row.end());
        if (budget_ > 0) --budget_;
    }
    void push_right_after(const Row& row) { push_at(std::nextafter(result_.times.back(), INFINITY), row); }
    void push_just_before(double time, const Row& row) {
        const float early = std::nextafter(clip_time(time), 0.0f);
        if (early > result_.times.back()) push_at(early, row);
    }

    // Keys between a and b, both left out.
    void refine(double a, double b, const Row& from, const Row& to, int depth) {
        if (depth == 0 || budget_ == 0 || std::nextafter(clip_time(a), INFINITY) >= clip_time(b)) return;
        bool straight = true;
        for (const double share : probes) {
            what_.at(a + share * (b - a), probe_.data());
            straight = straight && what_.error(from.data(), to.data(), share, probe_.data()) <= 1;
            if (!straight) break;
        }
        if (straight) return;
        const double middle = 0.5 * (a + b);
        const Row row = row_at(middle);
        refine(a, middle, from, row, depth - 1);
        push(middle, row);
        refine(middle, b, row, to, depth - 1);
    }

    const Sampled& what_;
    double begin_;
    size_t& budget_;
    Row probe_;
    Samples result_;
};

}  // namespace

Samples sample_adaptively(const Sampled& what, std::vector<double> corners, double begin, double end, size_t& budget) {
    corners.push_back(begin);
    corners.push_back(end);
    std::sort(corners.begin(), corners.end());
    corners.erase(std::unique(corners.begin(), corners.end()), corners.end());
    return AdaptiveSampler(what, begin, budget).sample(corners);
}

}  // namespace sinew::fbx
