// Rotation curves and Euler channels against closed forms.
#include <doctest/doctest.h>

#include <sinew/core/random.h>
#include <sinew/curve/euler.h>
#include <sinew/curve/rotation_curve.h>
#include <sinew/curve/tangents.h>
#include <cmath>
#include <numbers>

using namespace sinew;

namespace {

Quatd random_rotation(Random& random) {
    return Quatd(
        Eigen::Vector4d(random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1))
            .normalized());
}

std::vector<RotationKey> random_keys(uint64_t seed) {
    Random random(seed);
    std::vector<RotationKey> keys;
    double time = 0.0;
    Quatd q = Quatd::Identity();
    for (int k = 0; k < 8; ++k) {
        keys.push_back({time, random.uniform() < 0.5 ? q : Quatd(-q.w(), -q.x(), -q.y(), -q.z())});
        time += random.uniform(0.2, 1.5);
        q = q * exp_map({random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1)});
    }
    take_shorter_ways(keys);
    return keys;
}

double angle(const Quatd& a, const Quatd& b) {
    const Vec3d turn = log_map(a.conjugate() * b);
    return std::min(turn.norm(), 2 * std::numbers::pi - turn.norm());
}

constexpr RotationShape all_shapes[] = {RotationShape::step, RotationShape::nlerp, RotationShape::slerp,
                                        RotationShape::squad, RotationShape::exponential};

}  // namespace

TEST_CASE("exp and log are inverse, for tiny turns and for great ones") {
    for (double a : {0.0, 1e-14, 1e-9, 1e-5, 0.3, 2.0, 3.14, 5.0})
        CHECK((log_map(exp_map(a * Vec3d(0.6, 0, -0.8))) - a * Vec3d(0.6, 0, -0.8)).norm() < 1e-11);
}

TEST_CASE("rotation curves: unit, through their keys, the shorter way round") {
    const auto keys = random_keys(3);
    REQUIRE(validate(keys));
    for (const RotationShape shape : all_shapes) {
        for (const RotationKey& key : keys) CHECK(angle(evaluate(keys, shape, key.time), key.rotation) < 1e-7);
        for (double t = -1.0; t < 10.0; t += 0.01) CHECK(evaluate(keys, shape, t).norm() == doctest::Approx(1.0));
    }
    std::vector<RotationKey> two = {{0.0, Quatd::Identity()}, {1.0, exp_map({0, 0, 0.5})}};
    two[1].rotation.coeffs() *= -1.0;
    take_shorter_ways(two);
    for (const RotationShape shape :
         {RotationShape::nlerp, RotationShape::slerp, RotationShape::squad, RotationShape::exponential})
        CHECK(angle(evaluate(two, shape, 0.5), exp_map({0, 0, 0.25})) < 1e-7);
}

TEST_CASE("slerp has constant speed, nlerp the same path; squad and exponential are C¹ on uneven keys") {
    const auto keys = random_keys(11);
    const double from = keys[2].time, length = keys[3].time - from;
    const double whole = angle(keys[2].rotation, keys[3].rotation);
    for (double u = 0.0; u <= 1.0; u += 0.1) {
        const Quatd q = evaluate(keys, RotationShape::slerp, from + u * length);
        CHECK(angle(keys[2].rotation, q) == doctest::Approx(u * whole).epsilon(1e-6));
        const Quatd n = evaluate(keys, RotationShape::nlerp, from + u * length);
        CHECK(angle(keys[2].rotation, n) + angle(n, keys[3].rotation) == doctest::Approx(whole).epsilon(1e-6));
    }
    const auto jump = [&](RotationShape shape) {
        double worst = 0.0;
        constexpr double h = 1e-5;
        for (size_t k = 1; k + 1 < keys.size(); ++k) {
            const Quatd before = evaluate(keys, shape, keys[k].time - h), here = keys[k].rotation,
                        after = evaluate(keys, shape, keys[k].time + h);
            const Vec3d left = log_map(before.conjugate() * here) / h, right = log_map(here.conjugate() * after) / h;
            worst = std::max(worst, (left - right).norm());
        }
        return worst;
    };
    CHECK(jump(RotationShape::slerp) > 0.1);
    CHECK(jump(RotationShape::squad) < 1e-3);
    CHECK(jump(RotationShape::exponential) < 1e-3);
}

// About one axis rotations are numbers, and the exponential curve is the scalar one with Catmull-Rom slopes.
TEST_CASE("exponential curves about one axis equal the scalar cubic") {
    const std::vector<double> times = {0, 0.5, 1.7, 2.0, 3.1}, angles = {0, 0.9, 0.2, -0.5, 0.4};
    Curve<double> scalar = make_curve<double>(times, angles);
    set_cardinal_slopes(scalar);
    const Vec3d axis = Vec3d(1, 2, 2) / 3.0;
    std::vector<RotationKey> keys;
    for (size_t k = 0; k < times.size(); ++k) keys.push_back({times[k], exp_map(angles[k] * axis)});
    take_shorter_ways(keys);
    for (double t = 0.0; t <= 3.1; t += 0.05)
        CHECK(angle(evaluate(keys, RotationShape::exponential, t), exp_map(evaluate(scalar, t) * axis)) < 1e-7);
}

TEST_CASE("rotation keys: zero quaternions, NaN and unsorted times are refused") {
    const auto broken = [](auto change) {
        std::vector<RotationKey> keys = {{0.0, Quatd::Identity()}, {1.0, Quatd::Identity()}};
        change(keys);
        return !validate(keys).has_value();
    };
    CHECK_FALSE(broken([](auto&) {}));
    CHECK(broken([](auto& k) { k[1].time = 0.0; }));
    CHECK(broken([](auto& k) { k[1].rotation.coeffs().setZero(); }));
    CHECK(broken([](auto& k) { k[0].rotation.coeffs()[2] = NAN; }));
    CHECK(broken([](auto& k) { k.clear(); }));
}

TEST_CASE("euler: all twelve orders give the rotation back, near the last angles") {
    CHECK(euler_orders().size() == 12);
    Random random(17);
    for (const EulerOrder& order : euler_orders())
        for (int round = 0; round < 300; ++round) {
            const Quatd q = random_rotation(random);
            const Vec3d angles = to_euler(q, order);
            CHECK(angle(from_euler(angles, order), q) < 1e-7);
            // A hint a few turns away gives angles a few turns away.
            const Vec3d shifted = angles + Vec3d(2, -4, 6) * std::numbers::pi;
            CHECK((to_euler(q, order, shifted) - shifted).norm() < 1e-6);
        }
}

// In gimbal lock the first and the third axis are one: two sets of angles mean the same rotation, and only their sum
// counts.
TEST_CASE("euler: gimbal lock, shown and survived") {
    const EulerOrder xyz = *parse_euler_order("xyz");
    const double lock = std::numbers::pi / 2;
    const Quatd a = from_euler({0.7, lock, 0.2}, xyz), b = from_euler({0.2, lock, 0.7}, xyz);
    CHECK(angle(a, b) < 1e-7);
    CHECK(gimbal_distance(a, xyz) < 1e-6);
    CHECK(gimbal_distance(a, *parse_euler_order("zxy")) > 0.2);
    for (const EulerOrder& order : euler_orders()) {
        const double middle = order.axis[0] == order.axis[2] ? 0.0 : lock;
        for (double m : {middle, middle + std::numbers::pi}) {
            const Vec3d hint(1.1, m, -0.4);
            const Quatd q = from_euler({0.9, m, -0.3}, order);
            const Vec3d found = to_euler(q, order, hint);
            CHECK(angle(from_euler(found, order), q) < 1e-6);
            CHECK((found - hint).norm() < 0.4);  // both moved, neither jumped
        }
    }
}

TEST_CASE("euler channels of a smooth motion through gimbal lock have no turns of 360 degrees") {
    for (const EulerOrder& order : euler_orders()) {
        std::vector<Quatd> motion;
        for (int i = 0; i <= 2000; ++i) {
            const double t = i * 0.005;
            motion.push_back(from_euler({0.4 * t, 1.0 * t + 0.013, 0.9 * t}, order));
        }
        const std::vector<Vec3d> channels = to_euler_channels(motion, order);
        for (size_t i = 0; i < motion.size(); ++i) CHECK(angle(from_euler(channels[i], order), motion[i]) < 1e-6);
        for (size_t i = 1; i < channels.size(); ++i) CHECK((channels[i] - channels[i - 1]).norm() < 0.1);
        CHECK((channels.back() - channels.front() - Vec3d(4, 10, 9)).norm() < 1e-6);
    }
}

TEST_CASE("euler orders by name") {
    CHECK(parse_euler_order("ZXY")->axis == std::array<int, 3>{2, 0, 1});
    for (const char* bad : {"", "xy", "xxy", "xyyz", "abc", "xyy"}) CHECK_FALSE(parse_euler_order(bad));
}
