// Timing, arc length, fitting, noise and expressions.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <sinew/core/random.h>
#include <sinew/curve/arc_length.h>
#include <sinew/curve/ease.h>
#include <sinew/curve/expression.h>
#include <sinew/curve/fit.h>
#include <sinew/curve/noise.h>
#include <sinew/curve/tangents.h>
#include <cmath>
#include <numbers>

using namespace sinew;

TEST_CASE("ease: from 0 to 1, C¹, level where it eases, the line where it does not") {
    for (const auto& [in, out] : {std::pair{0.0, 0.0}, {0.3, 0.2}, {0.5, 0.5}, {1.0, 0.0}, {0.0, 1.0}}) {
        CHECK(ease(0.0, in, out) == doctest::Approx(0.0));
        CHECK(ease(1.0, in, out) == doctest::Approx(1.0));
        for (double u = 0.01; u < 0.99; u += 0.01)
            CHECK(ease_slope(u, in, out) ==
                  doctest::Approx((ease(u + 1e-6, in, out) - ease(u - 1e-6, in, out)) / 2e-6).epsilon(1e-4));
        CHECK(ease_slope(0.0, in, out) == doctest::Approx(in > 0 ? 0.0 : 1.0 / (1.0 - out / 2)));
    }
    for (double u = 0.0; u <= 1.0; u += 0.1) CHECK(ease(u, 0, 0) == doctest::Approx(u));
}

TEST_CASE("time warps: identity at strength 0, monotone, chain rule, inverse") {
    Curve<double> path = make_curve<double>(std::vector<double>{0, 1, 2}, std::vector<double>{0, 3, 1});
    set_natural_spline(path);
    const Curve<double> none = slow_in_out(2.0, 0.0), full = slow_in_out(2.0, 1.0);
    double before = -1.0;
    for (double t = 0.05; t < 2.0; t += 0.05) {
        CHECK(evaluate(none, t) == doctest::Approx(t));
        CHECK(evaluate(full, t) > before);
        before = evaluate(full, t);
        CHECK(evaluate_warped(path, none, t) == doctest::Approx(evaluate(path, t)));
        const double difference =
            (evaluate_warped(path, full, t + 1e-6) - evaluate_warped(path, full, t - 1e-6)) / 2e-6;
        CHECK(slope_warped(path, full, t) == doctest::Approx(difference).epsilon(1e-4));
        CHECK(invert_warp(full, evaluate(full, t)) == doctest::Approx(t));
    }
    CHECK(slope_at(full, 0.0) == doctest::Approx(0.0));
    CHECK(slope_at(full, 2.0) == doctest::Approx(0.0));
}

TEST_CASE("arc length: a circle's, and constant speed to 0.5 % on a very uneven curve") {
    std::vector<double> times;
    std::vector<Vec3d> places;
    for (int k = 0; k <= 16; ++k) {
        const double a = 2 * std::numbers::pi * k / 16;
        times.push_back(k);
        places.push_back({std::cos(a), 0, std::sin(a)});
    }
    Curve<Vec3d> circle = make_curve<Vec3d>(times, places);
    set_periodic_spline(circle);
    CHECK(measure_arc_length(circle).total() == doctest::Approx(2 * std::numbers::pi).epsilon(1e-4));

    Curve<Vec3d> wild = make_curve<Vec3d>(std::vector<double>{0, 1, 1.2, 4, 5},
                                          std::vector<Vec3d>{{0, 0, 0}, {5, 1, 0}, {5.1, 1, 0}, {-3, 2, 6}, {0, 9, 1}});
    set_cardinal_slopes(wild);
    const ArcLength arc = measure_arc_length(wild);
    double slowest = 1e9, fastest = 0.0;
    constexpr int steps = 2000, parts = 16;
    for (int i = 0; i < steps; ++i) {
        // The way gone in one step, as a fine polyline: it turns so sharply that a chord would be shorter.
        const double from = time_at_distance(wild, arc, arc.total() * i / steps);
        const double to = time_at_distance(wild, arc, arc.total() * (i + 1) / steps);
        double way = 0.0;
        for (int k = 0; k < parts; ++k)
            way +=
                (evaluate(wild, from + (to - from) * (k + 1) / parts) - evaluate(wild, from + (to - from) * k / parts))
                    .norm();
        const double speed = way * steps / arc.total();
        slowest = std::min(slowest, speed);
        fastest = std::max(fastest, speed);
    }
    CHECK(slowest > 0.995);
    CHECK(fastest < 1.005);
    // The slow way: the length of a fine polyline.
    double polyline = 0.0;
    for (int i = 0; i < 200000; ++i)
        polyline += (evaluate(wild, 5.0 * (i + 1) / 200000) - evaluate(wild, 5.0 * i / 200000)).norm();
    CHECK(arc.total() == doctest::Approx(polyline).epsilon(1e-6));
    CHECK(time_at_distance(wild, arc, -1) == 0.0);
    CHECK(time_at_distance(wild, arc, 1e9) == 5.0);
    const Curve<Vec3d> still = make_curve<Vec3d>(std::vector<double>{0, 1}, std::vector<Vec3d>{{1, 1, 1}, {1, 1, 1}});
    CHECK(evaluate_at_share(still, measure_arc_length(still), 0.5) == Vec3d(1, 1, 1));
}

TEST_CASE("fit: within the tolerance everywhere, few keys, exact where the samples are a cubic") {
    std::vector<double> times, wave, cubic, noisy;
    std::vector<Vec3d> helix;
    Random random(2);
    for (int i = 0; i <= 1200; ++i) {
        const double t = i / 120.0;
        times.push_back(t);
        wave.push_back(std::sin(3 * t) + 0.4 * std::cos(7 * t));
        cubic.push_back(1 - t + 0.3 * t * t - 0.02 * t * t * t);
        noisy.push_back(random.uniform(-1, 1));
        helix.push_back({std::cos(t), 0.2 * t, std::sin(t)});
    }
    const auto check = [&]<class Value>(const std::vector<Value>& values, double tolerance, size_t most) {
        const CurveFit<Value> fit = fit_curve<Value>(times, values, tolerance);
        REQUIRE(validate(fit.curve));
        CHECK(fit.curve.keys.size() <= most);
        double worst = 0.0;
        for (size_t i = 0; i + 1 < times.size(); ++i)
            for (double u : {0.0, 0.3, 0.5, 0.8}) {
                const Value wanted = (1 - u) * values[i] + u * values[i + 1];
                const Value got = evaluate(fit.curve, times[i] + u * (times[i + 1] - times[i]));
                if constexpr (std::is_same_v<Value, double>)
                    worst = std::max(worst, std::abs(wanted - got));
                else
                    worst = std::max(worst, (wanted - got).norm());
            }
        CHECK(worst <= fit.worst_error + 1e-12);
        CHECK(fit.worst_error <= tolerance + 1e-12);
    };
    check(wave, 0.01, 60);
    check(wave, 0.1, 30);
    check(cubic, 1e-3, 2);
    check(helix, 1e-3, 20);
    check(noisy, 1e-3, times.size());
    check(noisy, 0.0, times.size());
    CHECK(fit_curve<double>(std::vector<double>{1}, std::vector<double>{7}, 0.1).curve.keys.size() == 1);
}

TEST_CASE("fit: a smooth motion gets smooth keys") {
    std::vector<double> times, wave;
    for (int i = 0; i <= 600; ++i) {
        times.push_back(i / 60.0);
        wave.push_back(std::sin(times.back()));
    }
    const auto fit = fit_curve<double>(times, wave, 0.01);
    int corners = 0;
    for (const auto& key : fit.curve.keys) corners += key.in_slope != key.out_slope;
    CHECK(corners == 0);
}

TEST_CASE("noise: within its bounds, 0 at whole numbers, smooth, repeatable, without a mean") {
    double sum = 0.0, largest = 0.0;
    for (int i = 0; i < 100000; ++i) {
        const double x = i * 0.173, value = gradient_noise(x, 4);
        sum += value;
        largest = std::max(largest, std::abs(value));
        CHECK_MESSAGE(std::abs(value) <= 1.0, x);
    }
    CHECK(std::abs(sum) / 100000 < 0.01);
    CHECK(largest > 0.6);
    for (int i = -5; i < 5; ++i) {
        CHECK(gradient_noise(static_cast<double>(i), 1) == doctest::Approx(0.0));
        CHECK(gradient_noise(Vec3d(i, 2, -i), 1) == doctest::Approx(0.0));
        // C¹ and C² at the cell's border.
        const auto f = [&](double x) { return gradient_noise(i + x, 1); };
        CHECK((f(1e-4) - f(0)) / 1e-4 == doctest::Approx((f(0) - f(-1e-4)) / 1e-4).epsilon(1e-2));
        CHECK(std::abs(f(2e-3) - 2 * f(1e-3) + f(0)) / 1e-6 < 0.2);
    }
    CHECK(gradient_noise(0.5, 1) != gradient_noise(0.5, 2));
    CHECK(gradient_noise(INFINITY) == 0.0);
    CHECK(gradient_noise(NAN) == 0.0);
    for (double x = 0.0; x < 50.0; x += 0.137) {
        CHECK(std::abs(fractal_noise(x, {.octaves = 6, .gain = 0.3})) <= 0.3);
        CHECK(fractal_noise(x, {.octaves = 1, .seed = 9}) == gradient_noise(x, 9));
        CHECK(std::abs(gradient_noise(Vec3d(x, 2 * x, -0.3 * x))) <= 1.0);
    }
    // More persistence, more of the small waves.
    const auto roughness = [](double persistence) {
        double rough = 0.0;
        for (int i = 0; i < 20000; ++i) {
            const FractalNoise noise{.octaves = 5, .persistence = persistence};
            const double d = fractal_noise((i + 1) * 0.01, noise) - fractal_noise(i * 0.01, noise);
            rough += d * d;
        }
        return rough;
    };
    CHECK(roughness(0.8) > 2.0 * roughness(0.3));
}

TEST_CASE("wind: blows as asked on the average, and carries its gusts along") {
    const Wind wind{.velocity = {2, 0, 1}, .gusts = 0.5, .turbulence = 0.3, .seed = 3};
    Vec3d mean = Vec3d::Zero();
    for (int i = 0; i < 20000; ++i) mean += wind_at({0.3 * (i % 7), 1, 0}, 0.37 * i, wind) / 20000;
    CHECK((mean - wind.velocity).norm() < 0.1 * wind.velocity.norm());
    const Vec3d place(1, 2, 3);
    CHECK((wind_at(place + 2.5 * wind.velocity, 4.5, wind) - wind_at(place, 2.0, wind)).norm() < 1e-9);
    CHECK((wind_at(place, 2.0, {.velocity = {2, 0, 1}, .gusts = 0, .turbulence = 0}) - Vec3d(2, 0, 1)).norm() < 1e-12);
    CHECK((wind_at(place, 2.0, wind) - wind_at(place, 3.0, wind)).norm() > 0.01);
}

TEST_CASE("expressions: values, precedence and functions") {
    const std::vector<std::string> names = {"t", "lean"};
    const auto value = [&](std::string_view text, double t = 2.0, double lean = 0.5) {
        const auto parsed = Expression::parse(text, names);
        REQUIRE_MESSAGE(parsed.has_value(), std::string(text));
        return parsed->evaluate(std::vector<double>{t, lean});
    };
    CHECK(value("1 + 2 * 3") == 7);
    CHECK(value("(1 + 2) * 3") == 9);
    CHECK(value("-2^2") == -4);
    CHECK(value("2^3^2") == 512);
    CHECK(value("2^-1") == 0.5);
    CHECK(value("7 - 2 - 1") == 4);
    CHECK(value("8 / 4 / 2") == 1);
    CHECK(value("-7 % 3") == doctest::Approx(2));
    CHECK(value("t < 3 && lean >= 0.5 ? 10 : 20") == 10);
    CHECK(value("t > 3 ? 1 : t > 1 ? 2 : 3") == 2);
    CHECK(value("!0 + !5") == 1);
    CHECK(value("clamp(t, 0, 1) + min(3, 4) + max(1, 2)") == 6);
    CHECK(value("30*sin(2*pi*t/8)") == doctest::Approx(30));
    CHECK(value("lerp(10, 20, lean)") == 15);
    CHECK(value("smoothstep(0, 4, t)") == 0.5);
    CHECK(value("atan2(1, 1)") == doctest::Approx(std::numbers::pi / 4));
    CHECK(value("noise(1.3) - noise(1.3, 0)") == 0);
    CHECK(value("1.5e1+.5") == 15.5);
    CHECK(value("1/0") == 0);
    CHECK(value("sqrt(-1)") == 0);
    CHECK(Expression::parse("lean*lean + 2", names)->uses() == std::vector<int>{1});
}

TEST_CASE("expressions: errors say where and what; nothing is too deep or too long") {
    const std::vector<std::string> names = {"seconds"};
    const auto error = [&](const std::string& text) {
        const auto parsed = Expression::parse(text, names);
        REQUIRE_FALSE_MESSAGE(parsed.has_value(), text);
        return to_string(parsed.error());
    };
    CHECK(error("1 + ").find("column 5") == 0);
    CHECK(error("2 * (3 + 4").find("column 11") == 0);
    CHECK(error("secnds / 60").find("seconds") != std::string::npos);
    CHECK(error("1 + secnds").find("column 5") == 0);
    CHECK(error("sine(1)").find("sin") != std::string::npos);
    CHECK(error("min(1)").find("takes 2 values") != std::string::npos);
    CHECK(error("1 2").find("column 3") == 0);
    CHECK(error("negate(1)").find("unknown function") != std::string::npos);
    error("");
    error(")");
    error("1 +* 2");
    error("1 ? 2");
    error("#");
    error(std::string(5000, '1'));
    error(fmt::format("{}1{}", std::string(2000, '('), std::string(2000, ')')));
    error(fmt::format("{}1", std::string(3000, '-')));
    // Any bytes: an answer or an error, never a crash.
    Random random(1);
    const std::string letters = "0123+-*/^%()?:,.<>=!&|sinmaxte e";
    for (int round = 0; round < 20000; ++round) {
        std::string text;
        for (uint64_t n = random.below(30); n > 0; --n) text += letters[random.below(letters.size())];
        if (const auto parsed = Expression::parse(text, names))
            CHECK(std::isfinite(parsed->evaluate(std::vector<double>{1.5})));
    }
}

TEST_CASE("a clock: three hands follow one control") {
    const std::vector<std::string> inputs = {"seconds"};
    const std::vector<NamedExpression> clock = {
        {"hour_hand", "minute_hand / 12"}, {"second_hand", "floor(seconds) * 6"}, {"minute_hand", "seconds / 60 * 6"}};
    const auto set = ExpressionSet::create(inputs, clock);
    REQUIRE(set);
    const std::vector<double> at = set->evaluate(std::vector<double>{3 * 3600 + 30 * 60 + 15.5});
    CHECK(at[0] == doctest::Approx(105.129167));
    CHECK(std::fmod(at[1], 360.0) == doctest::Approx(90.0));
    CHECK(std::fmod(at[2], 360.0) == doctest::Approx(181.55));

    const std::vector<NamedExpression> circle = {{"a", "b + 1"}, {"b", "a - 1"}};
    CHECK(ExpressionSet::create(inputs, circle).error().message.find("needs itself") != std::string::npos);
    const std::vector<NamedExpression> twice = {{"a", "1"}, {"a", "2"}};
    CHECK_FALSE(ExpressionSet::create(inputs, twice));
    const std::vector<NamedExpression> bad = {{"a", "1 + hours"}};
    CHECK(to_string(ExpressionSet::create(inputs, bad).error()).find("a: column 5") == 0);
}
