// Curves against closed forms: what each spline reproduces, that it goes through its keys, and how smooth it is.
#include <doctest/doctest.h>

#include <sinew/core/random.h>
#include <sinew/curve/bezier.h>
#include <sinew/curve/tangents.h>
#include <cmath>
#include <functional>

using namespace sinew;

namespace {

const std::vector<double> uneven = {0.0, 0.4, 1.5, 1.7, 2.9, 4.0};

Curve<double> through(const std::vector<double>& times, const std::function<double(double)>& f) {
    std::vector<double> values;
    for (double t : times) values.push_back(f(t));
    return make_curve<double>(times, values);
}

double worst_difference(const Curve<double>& curve, const std::function<double(double)>& f) {
    double worst = 0.0;
    for (int i = 0; i <= 400; ++i) {
        const double t = curve.keys.front().time + (curve.keys.back().time - curve.keys.front().time) * i / 400.0;
        worst = std::max(worst, std::abs(evaluate(curve, t) - f(t)));
    }
    return worst;
}

// The jump of the first and second derivative at the inner keys, from one-sided differences of the values.
struct Jumps {
    double first = 0.0, second = 0.0;
};
Jumps jumps_of(const Curve<double>& curve) {
    Jumps jumps;
    constexpr double h = 1e-3;
    for (size_t k = 1; k + 1 < curve.keys.size(); ++k) {
        const double t = curve.keys[k].time;
        const auto f = [&](int i) { return evaluate(curve, t + i * h); };
        // Exact for cubics up to rounding: third-order one-sided formulas.
        const double d1r = (-11 * f(0) + 18 * f(1) - 9 * f(2) + 2 * f(3)) / (6 * h);
        const double d1l = (11 * f(0) - 18 * f(-1) + 9 * f(-2) - 2 * f(-3)) / (6 * h);
        const double d2r = (2 * f(0) - 5 * f(1) + 4 * f(2) - f(3)) / (h * h);
        const double d2l = (2 * f(0) - 5 * f(-1) + 4 * f(-2) - f(-3)) / (h * h);
        jumps.first = std::max(jumps.first, std::abs(d1r - d1l));
        jumps.second = std::max(jumps.second, std::abs(d2r - d2l));
    }
    return jumps;
}

double wiggle(double t) {
    return std::sin(2.3 * t) + 0.3 * t;
}
double cubic(double t) {
    return 1.0 - 2.0 * t + 0.7 * t * t - 0.2 * t * t * t;
}
double cubic_slope(double t) {
    return -2.0 + 1.4 * t - 0.6 * t * t;
}
double parabola(double t) {
    return 3.0 - t + 0.5 * t * t;
}
double line(double t) {
    return 2.0 - 0.7 * t;
}

}  // namespace

TEST_CASE("evaluate: every spline goes through its keys") {
    for (int kind = 0; kind < 8; ++kind) {
        Curve<double> curve = through(uneven, wiggle);
        if (kind == 1) set_cardinal_slopes(curve, 0.3);
        if (kind == 2) set_kochanek_bartels(curve, {0.2, -0.4, 0.5});
        if (kind == 3) set_natural_spline(curve);
        if (kind == 4) set_clamped_spline(curve, 1.0, -2.0);
        if (kind == 5) set_periodic_spline(curve);
        if (kind == 6) set_monotone_slopes(curve);
        if (kind == 7) {
            set_cardinal_slopes(curve);
            set_handles_from_slopes(curve);
        }
        REQUIRE(validate(curve));
        for (const auto& key : curve.keys) {
            CHECK(evaluate(curve, key.time) == doctest::Approx(key.value).epsilon(1e-12));
            CHECK(evaluate(curve, key.time + 1e-9) == doctest::Approx(key.value).epsilon(1e-6));
        }
    }
}

TEST_CASE("evaluate: each spline reproduces the polynomials that theory says, on uneven keys, and no more") {
    Curve<double> curve = through(uneven, line);
    for (auto& key : curve.keys) key.between = Between::linear;
    CHECK(worst_difference(curve, line) < 1e-12);

    curve = through(uneven, cubic);
    for (auto& key : curve.keys) key.in_slope = key.out_slope = cubic_slope(key.time);
    CHECK(worst_difference(curve, cubic) < 1e-12);
    set_handles_from_slopes(curve);
    CHECK(worst_difference(curve, cubic) < 1e-12);

    curve = through(uneven, parabola);
    set_cardinal_slopes(curve);
    CHECK(worst_difference(curve, parabola) < 1e-12);
    curve = through(uneven, cubic);
    set_cardinal_slopes(curve);
    CHECK(worst_difference(curve, cubic) > 1e-2);

    curve = through(uneven, cubic);
    set_clamped_spline(curve, cubic_slope(uneven.front()), cubic_slope(uneven.back()));
    CHECK(worst_difference(curve, cubic) < 1e-11);

    curve = through(uneven, line);
    set_natural_spline(curve);
    CHECK(worst_difference(curve, line) < 1e-12);
    set_monotone_slopes(curve);
    CHECK(worst_difference(curve, line) < 1e-12);
    set_kochanek_bartels(curve, {});
    CHECK(worst_difference(curve, line) < 1e-12);

    const auto quintic = [](double t) { return 1 + t * (2 - t * (1 - t * (0.5 + t * (0.1 - 0.2 * t)))); };
    const Curve<double> six = through(uneven, quintic);
    for (double t = 0.0; t < 4.0; t += 0.1)
        CHECK(evaluate_lagrange(six, t) == doctest::Approx(quintic(t)).epsilon(1e-9));
}

TEST_CASE("evaluate: each spline has the continuity that it claims") {
    Curve<double> curve = through(uneven, wiggle);
    set_cardinal_slopes(curve);
    CHECK(jumps_of(curve).first < 1e-7);
    CHECK(jumps_of(curve).second > 0.1);
    set_kochanek_bartels(curve, {0.3, 0.0, 0.4});
    CHECK(jumps_of(curve).first < 1e-7);
    set_kochanek_bartels(curve, {0.0, 0.5, 0.0});
    CHECK(jumps_of(curve).first > 0.1);
    set_natural_spline(curve);
    CHECK(jumps_of(curve).first < 1e-7);
    CHECK(jumps_of(curve).second < 1e-4);
    set_clamped_spline(curve, 3.0, -1.0);
    CHECK(jumps_of(curve).first < 1e-7);
    CHECK(jumps_of(curve).second < 1e-4);
    CHECK(slope_at(curve, 0.0) == doctest::Approx(3.0));
    CHECK(slope_at(curve, 4.0) == doctest::Approx(-1.0));
    set_monotone_slopes(curve);
    CHECK(jumps_of(curve).first < 1e-7);
}

TEST_CASE("natural spline: not bent at its ends, and bends less than any other curve through the keys") {
    const auto bending = [](const Curve<double>& curve) {
        double sum = 0.0;
        constexpr double h = 1e-3;
        for (double t = 2 * h; t < 4.0 - 2 * h; t += h) {
            const double second = (slope_at(curve, t + h) - slope_at(curve, t - h)) / (2 * h);
            sum += second * second * h;
        }
        return sum;
    };
    Curve<double> natural = through(uneven, wiggle), other = natural;
    set_natural_spline(natural);
    CHECK(std::abs(slope_at(natural, 1e-5) - slope_at(natural, 0.0)) < 1e-7);
    CHECK(std::abs(slope_at(natural, 4.0) - slope_at(natural, 4.0 - 1e-5)) < 1e-7);
    set_cardinal_slopes(other);
    CHECK(bending(natural) < bending(other));
    set_clamped_spline(other, 1.0, 1.0);
    CHECK(bending(natural) < bending(other));
}

TEST_CASE("periodic spline: C² across the seam") {
    for (const std::vector<double>& times : {uneven, std::vector<double>{0.0, 1.0, 4.0}, {0.0, 0.5, 1.7, 2.0}}) {
        Curve<double> curve = through(times, [](double t) { return std::cos(t * 2.1) * t; });
        curve.keys.back().value = curve.keys.front().value;
        curve.before = curve.after = Outside::repeat;
        set_periodic_spline(curve);
        CHECK(jumps_of(curve).second < 1e-4);
        const double end = times.back();
        CHECK(slope_at(curve, end) == doctest::Approx(slope_at(curve, 0.0)));
        const double before = (slope_at(curve, end) - slope_at(curve, end - 1e-5)) / 1e-5;
        const double after = (slope_at(curve, 1e-5) - slope_at(curve, 0.0)) / 1e-5;
        CHECK(before == doctest::Approx(after).epsilon(1e-2));
    }
}

TEST_CASE("Kochanek–Bartels: the knobs do what their names say; all zero on even keys is Catmull-Rom") {
    const std::vector<double> even = {0, 1, 2, 3, 4};
    Curve<double> kb = through(even, wiggle), cardinal = kb;
    set_kochanek_bartels(kb, {});
    set_cardinal_slopes(cardinal);
    for (size_t k = 1; k < 4; ++k) CHECK(kb.keys[k].in_slope == doctest::Approx(cardinal.keys[k].in_slope));
    set_kochanek_bartels(kb, {1.0, 0.0, 0.0});
    for (const auto& key : kb.keys) CHECK(key.out_slope == doctest::Approx(0.0));
    // Full bias takes the slope of one side alone; continuity −1 takes each side's own chord: straight lines.
    set_kochanek_bartels(kb, {0.0, 0.0, 1.0});
    CHECK(kb.keys[2].out_slope == doctest::Approx(wiggle(2) - wiggle(1)));
    set_kochanek_bartels(kb, {0.0, -1.0, 0.0});
    CHECK(kb.keys[2].in_slope == doctest::Approx(wiggle(2) - wiggle(1)));
    CHECK(kb.keys[2].out_slope == doctest::Approx(wiggle(3) - wiggle(2)));
}

TEST_CASE("monotone slopes: never beyond the keys") {
    Random random(5);
    for (int round = 0; round < 50; ++round) {
        std::vector<double> times, values;
        for (int k = 0; k < 12; ++k) {
            times.push_back((k ? times.back() : 0.0) + random.uniform(0.05, 2.0));
            values.push_back(random.uniform(-1, 1));
        }
        Curve<double> curve = make_curve<double>(times, values);
        set_monotone_slopes(curve);
        for (size_t k = 0; k + 1 < times.size(); ++k)
            for (int i = 0; i <= 20; ++i) {
                const double v = evaluate(curve, times[k] + (times[k + 1] - times[k]) * i / 20.0);
                CHECK(v >= std::min(values[k], values[k + 1]) - 1e-12);
                CHECK(v <= std::max(values[k], values[k + 1]) + 1e-12);
            }
    }
}

TEST_CASE("bezier: time is solved for, handles cannot make it run backwards, vertical handles are finite") {
    Random random(9);
    for (int round = 0; round < 2000; ++round) {
        const double first = random.uniform(), second = random.uniform(), u = random.uniform();
        const double v = 1 - u, time = 3 * v * v * u * first + 3 * v * u * u * second + u * u * u;
        const double found = bezier_parameter(first, second, time), w = 1 - found;
        CHECK(3 * w * w * found * first + 3 * w * found * found * second + found * found * found ==
              doctest::Approx(time).epsilon(1e-12));
    }
    Curve<double> curve = make_curve<double>(std::vector<double>{1, 3}, std::vector<double>{0, 10}, Between::bezier);
    curve.keys[0].out = {5.0, 0.0};  // beyond the next key: shortened to it
    curve.keys[1].in = {-5.0, 0.0};
    REQUIRE(validate(curve));
    double before = -1.0;
    for (double t = 1.0; t <= 3.0; t += 0.01) {
        CHECK(evaluate(curve, t) >= before);
        before = evaluate(curve, t);
    }
    CHECK(evaluate(curve, 2.0) == doctest::Approx(5.0));
    curve.keys[0].out = {0.0, 4.0};
    CHECK(std::isfinite(slope_at(curve, 1.0)));
    CHECK(slope_at(curve, 1.001) > 100.0);
    // The slope agrees with differences of the value.
    curve.keys[0].out = {0.3, 4.0};
    for (double t = 1.05; t < 2.95; t += 0.1)
        CHECK(slope_at(curve, t) ==
              doctest::Approx((evaluate(curve, t + 1e-6) - evaluate(curve, t - 1e-6)) / 2e-6).epsilon(1e-4));
}

TEST_CASE("outside the keys: hold, extend, repeat, ping-pong and relative") {
    Curve<double> curve =
        make_curve<double>(std::vector<double>{1, 2, 3}, std::vector<double>{0, 4, 1}, Between::linear);
    CHECK(evaluate(curve, 9.0) == 1.0);
    CHECK(evaluate(curve, -9.0) == 0.0);
    CHECK(evaluate(curve, NAN) == 0.0);
    const auto f = [&](double t) { return evaluate(curve, t); };
    const auto use = [&](Outside outside) { curve.before = curve.after = outside; };
    use(Outside::extend);
    CHECK(f(4.0) == doctest::Approx(-2.0));
    CHECK(f(0.0) == doctest::Approx(-4.0));
    use(Outside::repeat);
    for (double t : {1.25, 1.5, 2.75})
        for (int n : {-3, -1, 1, 5}) CHECK(f(t + 2 * n) == doctest::Approx(evaluate(curve, t)));
    use(Outside::ping_pong);
    CHECK(f(3.5) == doctest::Approx(f(2.5)));
    CHECK(f(5.5) == doctest::Approx(f(1.5)));
    CHECK(f(0.5) == doctest::Approx(f(1.5)));
    CHECK(slope_at(curve, 3.5) == doctest::Approx(-slope_at(curve, 2.5)));
    use(Outside::relative);
    CHECK(f(3.5) == doctest::Approx(evaluate(curve, 1.5) + 1.0));
    CHECK(f(7.5) == doctest::Approx(evaluate(curve, 1.5) + 3.0));
    CHECK(f(0.5) == doctest::Approx(evaluate(curve, 2.5) - 1.0));
}

TEST_CASE("Lagrange swings where splines do not: Runge's example") {
    std::vector<double> times;
    for (int k = 0; k <= 14; ++k) times.push_back(-5.0 + 10.0 * k / 14);
    Curve<double> curve = through(times, [](double t) { return 1.0 / (1.0 + t * t); });
    set_natural_spline(curve);
    double lagrange = 0.0, spline = 0.0;
    for (double t = -5.0; t <= 5.0; t += 0.01) {
        lagrange = std::max(lagrange, std::abs(evaluate_lagrange(curve, t) - 1.0 / (1.0 + t * t)));
        spline = std::max(spline, std::abs(evaluate(curve, t) - 1.0 / (1.0 + t * t)));
    }
    CHECK(lagrange > 5.0);
    CHECK(spline < 0.05);
}

TEST_CASE("validate: names the key that would break a curve") {
    const auto broken = [](auto change) {
        Curve<double> curve = make_curve<double>(std::vector<double>{0, 1}, std::vector<double>{0, 1});
        change(curve.keys);
        const auto done = validate(curve);
        return done ? std::string() : done.error().where + done.error().message;
    };
    CHECK(broken([](auto&) {}).empty());
    CHECK(broken([](auto& k) { k[1].time = 0; }).find("key 1") == 0);
    CHECK_FALSE(broken([](auto& k) { k[0].value = NAN; }).empty());
    CHECK_FALSE(broken([](auto& k) { k[1].in_slope = INFINITY; }).empty());
    CHECK_FALSE(broken([](auto& k) { k[1].in.time = 0.5; }).empty());
    CHECK_FALSE(broken([](auto& k) { k.clear(); }).empty());
}
