#include <doctest/doctest.h>

#include <sinew/core/random.h>
#include <sinew/math/functions/functions.h>
#include <cmath>
#include <functional>
#include <limits>

using namespace sinew;
using namespace sinew::functions;

namespace {

using Longer = long double (*)(long double);
using Draw = std::function<double()>;

// By how many last bits a function differs from one of longer doubles, at most.
double worst_error(const std::function<double(double)>& own, Longer longer, const Draw& draw) {
    static_assert(std::numeric_limits<long double>::digits > std::numeric_limits<double>::digits);
    constexpr int tries = 20000;
    double worst = 0;
    for (int i = 0; i < tries; ++i) {
        const double x = draw();
        const long double exact = longer(x);
        const double nearest = std::abs(static_cast<double>(exact));
        const long double bit = std::nextafter(nearest, std::numeric_limits<double>::max()) - nearest;
        const double error = static_cast<double>(std::abs(own(x) - exact) / bit);
        worst = error > worst || std::isnan(error) ? error : worst;
    }
    return worst;
}

struct Draws {
    Random random{7};
    Draw angles = [this] { return random.uniform(-7.0, 7.0); };
    Draw shares = [this] { return random.uniform(-1.0, 1.0); };
    Draw exponents = [this] { return random.uniform(-700.0, 700.0); };
    Draw wide = [this] { return std::ldexp(random.uniform(-1.0, 1.0), static_cast<int>(random.uniform(-30.0, 19.0))); };
    Draw positive = [this] {
        return std::ldexp(random.uniform(0.5, 1.0), static_cast<int>(random.uniform(-300.0, 300.0)));
    };
    Draw near_one = [this] { return random.uniform(0.1, 1.9); };
};

bool same(double a, double b) {
    if (std::isnan(a) || std::isnan(b)) return std::isnan(a) && std::isnan(b);
    if (a == 0 || std::isinf(a)) return a == b && std::signbit(a) == std::signbit(b);
    return std::abs(a - b) <= 4e-16 * std::abs(b);
}

}  // namespace

TEST_CASE("functions of angles are right to their last bits") {
    Draws draw;
    for (const Draw& x : {draw.angles, draw.wide}) {
        CHECK(worst_error(sine, std::sin, x) < 0.8);
        CHECK(worst_error(cosine, std::cos, x) < 0.8);
        CHECK(worst_error([](double v) { return sine_cosine(v).sine; }, std::sin, x) < 0.8);
        CHECK(worst_error([](double v) { return sine_cosine(v).cosine; }, std::cos, x) < 0.8);
        CHECK(worst_error(tangent, std::tan, x) < 2.5);
        CHECK(worst_error([](double v) { return angle_of(v, 1); }, std::atan, x) < 1.7);
        CHECK(worst_error([](double v) { return angle_of(v, -0.3); },
                          [](long double v) { return std::atan2(v, static_cast<long double>(-0.3)); }, x) < 1.7);
        CHECK(worst_error(hyperbolic_tangent, std::tanh, x) < 3);
    }
    CHECK(worst_error(arc_sine, std::asin, draw.shares) < 3);
    CHECK(worst_error(arc_cosine, std::acos, draw.shares) < 2.5);
}

TEST_CASE("powers, roots and logarithms are right to their last bits") {
    Draws draw;
    CHECK(worst_error(exponential, std::exp, draw.angles) < 1);
    CHECK(worst_error(exponential, std::exp, draw.exponents) < 1);
    CHECK(worst_error(power_of_two, std::exp2, draw.exponents) < 1);
    for (const Draw& x : {draw.positive, draw.near_one}) {
        CHECK(worst_error(logarithm, std::log, x) < 1.5);
        CHECK(worst_error(logarithm2, std::log2, x) < 2);
        CHECK(worst_error(logarithm10, std::log10, x) < 2);
        CHECK(worst_error(cube_root, std::cbrt, x) < 0.6);
        CHECK(worst_error([](double v) { return power(v, 2.5); }, [](long double v) { return std::pow(v, 2.5L); }, x) <
              2);
        CHECK(worst_error([](double v) { return length(v, 0.75); }, [](long double v) { return std::hypot(v, 0.75L); },
                          x) < 1.3);
    }
    CHECK(worst_error([](double v) { return power(1.75, v); }, [](long double v) { return std::pow(1.75L, v); },
                      draw.angles) < 1);
}

TEST_CASE("whole powers of two and ten are exact, both ways") {
    for (int n = 0; n <= 22; ++n) {
        double ten = 1;
        for (int i = 0; i < n; ++i) ten *= 10;
        CHECK(power(10, n) == ten);
        CHECK(logarithm10(ten) == n);
    }
    for (int n = -1074; n < 1024; ++n) {
        CHECK(power_of_two(n) == std::ldexp(1.0, n));
        CHECK(logarithm2(std::ldexp(1.0, n)) == n);
    }
    CHECK(cube_root(-27) == -3);
    CHECK(length(3, 4) == 5);
}

TEST_CASE("zeros, infinities and what is no number go as the C library has it") {
    const double infinite = std::numeric_limits<double>::infinity(), none = std::numeric_limits<double>::quiet_NaN();
    const double special[] = {0.0,  -0.0,  1.0,      -1.0,      2.0,  -2.0,  3.0,    -3.0,   0.5,     -0.5,
                              1e18, -1e18, infinite, -infinite, none, 1e300, -1e300, 1e-300, -1e-300, 5e-324};
    for (const double x : special) {
        CAPTURE(x);
        for (const double y : special) {
            CAPTURE(y);
            CHECK(same(power(x, y), std::pow(x, y)));
            CHECK(same(angle_of(x, y), std::atan2(x, y)));
            CHECK(same(length(x, y), std::hypot(x, y)));
        }
        CHECK(same(exponential(x), std::exp(x)));
        CHECK(same(power_of_two(x), std::exp2(x)));
        CHECK(same(logarithm(x), std::log(x)));
        CHECK(same(logarithm2(x), std::log2(x)));
        CHECK(same(logarithm10(x), std::log10(x)));
        CHECK(same(cube_root(x), std::cbrt(x)));
        CHECK(same(hyperbolic_tangent(x), std::tanh(x)));
        CHECK(same(arc_sine(x), std::asin(x)));
        CHECK(same(arc_cosine(x), std::acos(x)));
        if (std::isfinite(x) && std::abs(x) > 1e5) continue;  // angles that no joint has
        CHECK(same(sine(x), std::sin(x)));
        CHECK(same(cosine(x), std::cos(x)));
        CHECK(same(tangent(x), std::tan(x)));
    }
}

TEST_CASE("a sine is the same alone and beside its cosine") {
    Draws draw;
    for (int i = 0; i < 1000; ++i) {
        const double x = draw.wide();
        CHECK(sine_cosine(x).cosine == cosine(x));
        if (std::abs(x) > 1e-6) CHECK(sine_cosine(x).sine == sine(x));
    }
}
