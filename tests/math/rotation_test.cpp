#include <doctest/doctest.h>

#include <sinew/core/random.h>
#include <sinew/math/angle.h>
#include <sinew/math/rotation.h>
#include <cmath>

using namespace sinew;

namespace {

Vec3d random_direction(Random& random) {
    return Vec3d(random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1)).normalized();
}

}  // namespace

TEST_CASE("shortest_rotation: a quarter turn by hand") {
    const Quatd q = shortest_rotation({2, 0, 0}, {0, 5, 0});
    CHECK((q.coeffs() - Quatd(std::sqrt(0.5), 0, 0, std::sqrt(0.5)).coeffs()).norm() < 1e-15);
}

TEST_CASE("shortest_rotation: unit, arrives, and by no larger angle than that between the directions") {
    Random random(1);
    for (int i = 0; i < 2000; ++i) {
        const Vec3d from = random_direction(random);
        // Half of them nearly opposite, from 1 down to 1e-10 off.
        const double off = std::pow(10.0, random.uniform(-10, 0));
        const Vec3d to = i % 2 ? random_direction(random) : Vec3d(-from + off * random_direction(random));
        const Quatd q = shortest_rotation(3.0 * from, 0.1 * to);
        CHECK(std::abs(q.norm() - 1.0) < 1e-15);
        CHECK((q * from - to.normalized()).norm() < 2e-6);
        const double angle = std::atan2(from.cross(to).norm(), from.dot(to));
        CHECK(2.0 * std::atan2(q.vec().norm(), q.w()) == doctest::Approx(angle).epsilon(1e-6));
        CHECK(std::abs(q.vec().dot(from)) < 1e-6);
    }
}

TEST_CASE("shortest_rotation: opposite directions and zero vectors") {
    const Vec3d v(1, -2, 0.5);
    CHECK((shortest_rotation(v, -v) * v + v).norm() < 1e-14);
    for (const Quatd& q : {shortest_rotation(v, Vec3d::Zero()), shortest_rotation(Vec3d::Zero(), v)})
        CHECK(q.coeffs() == Quatd::Identity().coeffs());
}

TEST_CASE("angles between directions: by hand, near 0 and π, and signed about an axis") {
    CHECK(angle_between({2, 0, 0}, {0, 5, 0}) == doctest::Approx(0.5 * 3.14159265358979));
    CHECK(angle_between({1, 0, 0}, {1, 1e-9, 0}) == doctest::Approx(1e-9));
    CHECK(angle_between({1, 0, 0}, {-1, 1e-9, 0}) == doctest::Approx(3.14159265358979 - 1e-9));
    CHECK(angle_between({0, 0, 0}, {1, 0, 0}) == 0.0);
    CHECK(angle_about({0, 0, 1}, {1, 0, 7}, {0, 2, -3}) == doctest::Approx(0.5 * 3.14159265358979));
    CHECK(angle_about({0, 0, -1}, {1, 0, 7}, {0, 2, -3}) == doctest::Approx(-0.5 * 3.14159265358979));
}
