#include <sinew/math/interpolate.h>

#include <doctest/doctest.h>

#include <sinew/core/random.h>
#include <cmath>

using namespace sinew;

namespace {

using Wide = Eigen::Matrix<long double, 4, 1>;

// glTF's formula as it stands, in numbers long enough that its own rounding does not count.
Wide by_the_book(const Quatd& a, const Quatd& b, long double u) {
    const Wide from = a.coeffs().cast<long double>();
    Wide to = b.coeffs().cast<long double>();
    if (from.dot(to) < 0) to = -to;
    const long double angle = 2 * std::atan2((to - from).norm(), (to + from).norm());
    const Wide sum = std::sin((1 - u) * angle) * from + std::sin(u * angle) * to;
    return sum / sum.norm();
}

Quatd random_turn(Random& random, double angle) {
    const Vec3d axis(random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1));
    return Quatd(Eigen::AngleAxisd(angle, axis.normalized()));
}

}  // namespace

// Angles from a thousandth of a degree to a half turn: every series, and the functions beyond them.
TEST_CASE("slerp: glTF's formula to the rounding of doubles, whatever the angle") {
    Random random(1);
    double worst = 0.0;
    for (int i = 0; i < 20'000; ++i) {
        const double angle = 3.1 * std::pow(10.0, random.uniform(-5, 0)), u = random.uniform();
        const Quatd a = random_turn(random, random.uniform(-3, 3));
        Quatd b = (a * random_turn(random, angle)).normalized();
        if (random.below(2) == 0) b.coeffs() = -b.coeffs();
        const Wide difference = slerp(a, b, u).coeffs().cast<long double>() - by_the_book(a, b, u);
        worst = std::max(worst, static_cast<double>(difference.norm()));
    }
    CHECK(worst < 2e-15);
}

TEST_CASE("slerp: the ends are the ends, also of one rotation with itself and of opposite ones") {
    const Quatd a(Eigen::AngleAxisd(1.0, Vec3d::UnitX())), b(Eigen::AngleAxisd(1.4, Vec3d::UnitX()));
    CHECK((slerp(a, b, 0.0).coeffs() - a.coeffs()).norm() < 1e-15);
    CHECK((slerp(a, b, 1.0).coeffs() - b.coeffs()).norm() < 1e-15);
    CHECK((slerp(a, a, 0.3).coeffs() - a.coeffs()).norm() < 1e-15);
    const Quatd half(Eigen::AngleAxisd(double(pi), Vec3d::UnitY()));
    CHECK(slerp(Quatd::Identity(), half, 0.5).norm() == doctest::Approx(1.0));
}
