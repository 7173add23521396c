#include <doctest/doctest.h>

#include <sinew/core/random.h>
#include <sinew/math/web/rounded.h>
#include <cmath>
#include <functional>
#include <limits>

using namespace sinew;
using namespace sinew::rounded;

namespace {

// Longer doubles round to the same double, unless they are too near to the middle of two to say.
template <class Own, class Longer, class Draw>
void same_as_longer(const char* name, Own own, Longer longer, Draw draw) {
    static_assert(std::numeric_limits<long double>::digits > std::numeric_limits<double>::digits);
    constexpr int tries = 20000;
    constexpr long double unsure = 0.01L;  // of the last bit: the longer function is right to 1/2048 of it, give or take
    int wrong = 0, judged = 0;
    for (int i = 0; i < tries; ++i) {
        const double x = draw();
        const long double exact = longer(static_cast<long double>(x));
        const double nearest = static_cast<double>(exact);
        const long double bit = std::nextafter(std::abs(nearest), 1e300) - std::abs(nearest);
        const long double off = std::abs(exact - nearest) / bit;
        if (std::abs(off - 0.5L) < unsure) continue;
        ++judged;
        wrong += own(x) != nearest;
    }
    CAPTURE(name);
    CHECK(wrong == 0);
    CHECK(judged > tries / 2);
}

}  // namespace

TEST_CASE("rounded: every function is what a longer one rounds to") {
    Random random(7);
    const auto angles = [&] { return random.uniform(-7.0, 7.0); };
    const auto wide = [&] { return std::ldexp(random.uniform(-1.0, 1.0), static_cast<int>(random.uniform(-30.0, 19.0))); };
    const auto share = [&] { return random.uniform(-1.0, 1.0); };
    const auto root = [](double x) { return square_root(sum(1, -x) * sum(1, x)); };
    for (const auto& draw : {std::function<double()>(angles), std::function<double()>(wide)}) {
        same_as_longer("sine", sine, [](long double x) { return std::sin(x); }, draw);
        same_as_longer("cosine", cosine, [](long double x) { return std::cos(x); }, draw);
        same_as_longer("tangent", tangent, [](long double x) { return std::tan(x); }, draw);
        same_as_longer("arc tangent", [](double x) { return angle({x, 0}, {1, 0}); },
                       [](long double x) { return std::atan(x); }, draw);
        same_as_longer("angle", [](double x) { return angle({x, 0}, {-0.3, 0}); },
                       [](long double x) { return std::atan2(x, static_cast<long double>(-0.3)); }, draw);
    }
    same_as_longer("arc sine", [&](double x) { return angle({x, 0}, root(x)); },
                   [](long double x) { return std::asin(x); }, share);
    same_as_longer("arc cosine", [&](double x) { return angle(root(x), {x, 0}); },
                   [](long double x) { return std::acos(x); }, share);
    same_as_longer("length", [](double x) { return value(square_root(product(x, x) + product(0.7, 0.7))); },
                   [](long double x) { return std::sqrt(x * x + 0.7 * static_cast<long double>(0.7)); }, wide);
}

TEST_CASE("rounded: small angles are themselves, and quarter turns are not quite zero") {
    CHECK(sine(0.0) == 0.0);
    CHECK(std::signbit(sine(-0.0)));
    CHECK(sine(1e-300) == 1e-300);
    CHECK(cosine(0.0) == 1.0);
    CHECK(cosine(1.5707963267948966) == 6.123233995736766e-17);  // what π/2 lacks as a double
    CHECK(sine(3.141592653589793) == 1.2246467991473532e-16);
}
