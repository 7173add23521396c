#include <sinew/io/fbx/write/track_keys.h>

#include <sinew/clip/clip.h>
#include <sinew/curve/curve.h>
#include <sinew/io/fbx/transform_chain.h>
#include <sinew/io/mocap/euler.h>
#include <algorithm>
#include <array>
#include <cmath>

namespace sinew::fbx {
namespace {

constexpr int deepest_split = 10;  // halvings between two keys of the track
constexpr std::array<double, 3> check_shares = {0.17, 0.5, 0.83};
constexpr double hold_gap = 1e-4;  // seconds before a step: programs that know no steps take this long for it

double rotation_distance(const Quatd& a, const Quatd& b) {
    const Quatd way = a.conjugate() * b;
    return 2 * std::atan2(way.vec().norm(), std::abs(way.w()));
}

// On the straight line between two quaternions, as programs interpolate that know no great arcs.
Quatd chord_between(const Quatd& a, const Quatd& b, double u) {
    const double sign = a.dot(b) < 0 ? -1 : 1;
    return Quatd(Eigen::Vector4d((1 - u) * a.coeffs() + u * sign * b.coeffs())).normalized();
}

// The float between a and b that is nearest to a share of the way: tracks know float times only.
float time_between(float a, float b, double share) {
    return float(double(a) + share * (double(b) - double(a)));
}
bool can_split(float a, float b) {
    const float middle = time_between(a, b, 0.5);
    return middle > a && middle < b;
}
double share_of(float a, float b, float time) {
    return (double(time) - double(a)) / (double(b) - double(a));
}

class NumberFitter {
public:
    NumberFitter(const Track& track, const KeyTolerance& tolerance, size_t& budget)
        : track_(track), tolerance_(tolerance), budget_(budget) {
        keys_.width = size_t(track.width);
        keys_.steps = track.interpolation == Interpolation::step;
    }

    TrackKeys fit() {
        std::vector<double> from = row_at(track_.times[0]);
        push(track_.times[0], from);
        for (size_t k = 0; k + 1 < track_.times.size(); ++k) {
            const float a = track_.times[k], b = track_.times[k + 1];
            const std::vector<double> to = row_at(b);
            if (track_.interpolation == Interpolation::cubic) refine(a, b, from, to, deepest_split);
            if (keys_.steps && double(b) - double(a) > 2 * hold_gap && from != to) push(double(b) - hold_gap, from);
            push(b, to);
            from = to;
        }
        return std::move(keys_);
    }

private:
    std::vector<double> row_at(float time) const {
        std::vector<float> numbers(keys_.width);
        sample_track(track_, time, numbers.data());
        return {numbers.begin(), numbers.end()};
    }
    void push(double time, const std::vector<double>& row) {
        keys_.times.push_back(time);
        keys_.values.insert(keys_.values.end(), row.begin(), row.end());
    }

    // Keys between a and b, both left out.
    void refine(float a, float b, const std::vector<double>& from, const std::vector<double>& to, int depth) {
        if (depth == 0 || budget_ == 0 || !can_split(a, b) || is_straight(a, b, from, to)) return;
        const float middle = time_between(a, b, 0.5);
        const std::vector<double> row = row_at(middle);
        refine(a, middle, from, row, depth - 1);
        push(middle, row);
        --budget_;
        refine(middle, b, row, to, depth - 1);
    }

    bool is_straight(float a, float b, const std::vector<double>& from, const std::vector<double>& to) const {
        for (const double share : check_shares) {
            const float time = time_between(a, b, share);
            const double u = share_of(a, b, time);
            const std::vector<double> row = row_at(time);
            for (size_t i = 0; i < row.size(); ++i)
                if (std::abs(from[i] + u * (to[i] - from[i]) - row[i]) > tolerance_.number) return false;
        }
        return true;
    }

    const Track& track_;
    KeyTolerance tolerance_;
    size_t& budget_;
    TrackKeys keys_;
};

// A cubic over [0, 1] by its ends and its slopes there.
struct Hermite {
    Vec3d from, to, slope_from, slope_to;

    Vec3d at(double u) const { return hermite(from, slope_from, to, slope_to, u); }

    // Through four points at 0, x, y and 1: Newton's divided differences, and their derivative at both ends.
    static Hermite through(const Vec3d& p0, double x, const Vec3d& px, double y, const Vec3d& py, const Vec3d& p1) {
        const Vec3d d01 = (px - p0) / x, d12 = (py - px) / (y - x), d23 = (p1 - py) / (1 - y);
        const Vec3d e0 = (d12 - d01) / y, e1 = (d23 - d12) / (1 - x);
        const Vec3d f = e1 - e0;
        Hermite result{p0, p1, d01 - x * e0 + x * y * f, {}};
        result.slope_to = d01 + (2 - x) * e0 + ((1 - x) * (1 - y) + (1 - y) + (1 - x)) * f;
        return result;
    }
};

class AngleFitter {
public:
    AngleFitter(const Track& track, const Quatd& before, const KeyTolerance& tolerance, size_t& budget)
        : track_(track), before_inverse_(before.conjugate()), tolerance_(tolerance), budget_(budget) {
        keys_.width = 3;
        keys_.steps = track.interpolation == Interpolation::step;
    }

    TrackKeys fit() {
        push(track_.times[0], angles_at(track_.times[0], Vec3d::Zero()));
        for (size_t k = 0; k + 1 < track_.times.size(); ++k) {
            const float a = track_.times[k], b = track_.times[k + 1];
            if (keys_.steps)
                step(a, b);
            else
                go(a, b, deepest_split);
        }
        if (keys_.steps) {
            keys_.right.clear();
            keys_.next_left.clear();
        }
        return std::move(keys_);
    }

private:
    Quatd rotation_at(float time) const {
        float xyzw[4];
        sample_track(track_, time, xyzw);
        return before_inverse_ * Quatd(double(xyzw[3]), double(xyzw[0]), double(xyzw[1]), double(xyzw[2])).normalized();
    }

    // In degrees, nearest to those before.
    Vec3d angles_at(float time, const Vec3d& previous) const {
        return zyx_angles(rotation_at(time), previous.reverse() * degree).reverse() / degree;
    }

    Vec3d last() { return Eigen::Map<const Vec3d>(keys_.row(keys_.times.size() - 1)); }

    void push(double time, const Vec3d& angles) {
        keys_.times.push_back(time);
        for (std::vector<double>* numbers : {&keys_.values, &keys_.right, &keys_.next_left})
            numbers->insert(numbers->end(), angles.data(), angles.data() + 3);
    }

    void step(float a, float b) {
        const Vec3d from = last(), to = angles_at(b, from);
        if (double(b) - double(a) > 2 * hold_gap && from != to) push(double(b) - hold_gap, from);
        push(b, to);
    }

    // From the last key, at a, to b: one piece, or two halves.
    void go(float a, float b, int depth) {
        const Vec3d from = last();
        const float tx = time_between(a, b, 1.0 / 3), ty = time_between(a, b, 2.0 / 3);
        if (!(a < tx && tx < ty && ty < b)) return finish(b, straight(from, angles_at(b, from)), double(b) - double(a));
        const double x = share_of(a, b, tx), y = share_of(a, b, ty);
        const Vec3d px = angles_at(tx, from), py = angles_at(ty, px), to = angles_at(b, py);
        const Hermite cubic = Hermite::through(from, x, px, y, py, to);
        if (holds(a, b, cubic)) return finish(b, cubic, double(b) - double(a));
        if (depth == 0 || budget_ == 0) return finish(b, straight(from, angles_at(b, from)), double(b) - double(a));
        --budget_;
        const float middle = time_between(a, b, 0.5);
        go(a, middle, depth - 1);
        go(middle, b, depth - 1);
    }

    static Hermite straight(const Vec3d& from, const Vec3d& to) { return {from, to, to - from, to - from}; }

    bool holds(float a, float b, const Hermite& cubic) const {
        const Quatd from = rotation_at(a), to = rotation_at(b);
        for (const double share : check_shares) {
            const float time = time_between(a, b, share);
            const double u = share_of(a, b, time);
            const Quatd truth = rotation_at(time);
            if (rotation_distance(truth, rotation_from_degrees(cubic.at(u), RotationOrder::xyz)) > tolerance_.turn)
                return false;
            if (rotation_distance(truth, chord_between(from, to, u)) > tolerance_.turn) return false;
        }
        return true;
    }

    void finish(float time, const Hermite& piece, double seconds) {
        const size_t k = keys_.times.size() - 1;
        for (int i = 0; i < 3; ++i) {
            keys_.right[3 * k + size_t(i)] = piece.slope_from[i] / seconds;
            keys_.next_left[3 * k + size_t(i)] = piece.slope_to[i] / seconds;
        }
        push(time, piece.to);
    }

    const Track& track_;
    Quatd before_inverse_;
    KeyTolerance tolerance_;
    size_t& budget_;
    TrackKeys keys_;
};

}  // namespace

TrackKeys number_keys(const Track& track, const KeyTolerance& tolerance, size_t& budget) {
    return NumberFitter(track, tolerance, budget).fit();
}

TrackKeys angle_keys(const Track& track, const Quatd& before, const KeyTolerance& tolerance, size_t& budget) {
    return AngleFitter(track, before, tolerance, budget).fit();
}

}  // namespace sinew::fbx
