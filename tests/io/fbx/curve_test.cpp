#include <doctest/doctest.h>

#include <sinew/core/random.h>
#include <sinew/io/fbx/motion/curve.h>
#include <sinew/io/fbx/motion/sampling.h>
#include <sinew/io/fbx/scene.h>
#include <sinew/io/fbx/transform_chain.h>
#include <cmath>

using namespace sinew;
using namespace sinew::fbx;

namespace {

Curve two_keys(KeyMode mode) {
    Curve curve;
    curve.keys = {{.time = 1, .value = 2, .mode = mode}, {.time = 3, .value = 6, .mode = mode}};
    return curve;
}

// Slowly, as the chain is written down: eleven matrices one after another.
AffineD slow_chain(const TransformChain& c, const LocalValues& v) {
    const auto move = [](const Vec3d& t) { return AffineD(Eigen::Translation3d(t)); };
    const auto turn = [](const Quatd& q) {
        AffineD m = AffineD::Identity();
        m.linear() = q.toRotationMatrix();
        return m;
    };
    AffineD scale = AffineD::Identity();
    scale.linear() = v.scaling.asDiagonal();
    return move(v.translation) * move(c.rotation_offset) * move(c.rotation_pivot) * turn(c.pre_rotation) *
           turn(rotation_from_degrees(v.rotation, c.order)) * turn(c.post_rotation_inverse) * move(-c.rotation_pivot) *
           move(c.scaling_offset) * move(c.scaling_pivot) * scale * move(-c.scaling_pivot);
}

Vec3d random_vector(Random& random, double size) {
    Vec3d v;
    for (int i = 0; i < 3; ++i) v[i] = size * (2.0 * double(random.below(1'000'001)) / 1e6 - 1);
    return v;
}

}  // namespace

TEST_CASE("fbx curve: constant, linear and cubic segments have their closed forms") {
    CHECK(two_keys(KeyMode::constant).at(2.9) == 2);
    CHECK(two_keys(KeyMode::constant_next).at(1.1) == 6);
    CHECK(two_keys(KeyMode::linear).at(1.5) == doctest::Approx(3));
    Curve cubic = two_keys(KeyMode::cubic);
    for (const double u : {0.1, 0.5, 0.8})  // level at both ends: the smooth step
        CHECK(cubic.at(1 + 2 * u) == doctest::Approx(2 + 4 * u * u * (3 - 2 * u)));
    cubic.keys[0].right_slope = 2;
    cubic.keys[1].left_slope = 2;
    for (const double w : {0.1, 1.0 / 3, 0.9}) {  // tangents along the chord: a straight line for any weights
        cubic.keys[0].right_weight = w;
        CHECK(cubic.at(1.7) == doctest::Approx(3.4));
    }
}

TEST_CASE("fbx curve: beyond its ends it holds, goes on, repeats or mirrors") {
    using Mode = Extrapolation::Mode;
    Curve curve = two_keys(KeyMode::linear);
    curve.keys[0].right_slope = curve.keys[1].left_slope = 2;
    CHECK(curve.at(5) == 6);
    curve.after.mode = curve.before.mode = Mode::slope;
    CHECK(curve.at(4) == doctest::Approx(8));
    CHECK(curve.at(0) == doctest::Approx(0));
    curve.after.mode = curve.before.mode = Mode::repeat;
    CHECK(curve.at(3.5) == doctest::Approx(3));
    CHECK(curve.at(0.5) == doctest::Approx(5));
    curve.after.mode = curve.before.mode = Mode::repeat_onward;
    CHECK(curve.at(5.5) == doctest::Approx(11));
    CHECK(curve.at(0.5) == doctest::Approx(1));
    curve.after.mode = curve.before.mode = Mode::mirror;
    CHECK(curve.at(3.5) == doctest::Approx(5));
    CHECK(curve.at(5.5) == doctest::Approx(3));
    CHECK(curve.at(0.5) == doctest::Approx(3));
    curve.after = {Mode::repeat, 1};
    CHECK(curve.at(100) == doctest::Approx(6));
}

TEST_CASE("fbx sampling: straight lines between the keys stay within the tolerance, and jumps stay jumps") {
    const auto f = [](double t) { return t < 0.7 ? std::sin(9 * t) : 3.0; };
    Sampled what;
    what.width = 1;
    what.at = [&](double time, double* row) { *row = f(time); };
    what.error = [](const double* a, const double* b, double share, const double* c) {
        return std::abs(*c - (*a + share * (*b - *a))) / 1e-3;
    };
    size_t budget = 100'000;
    const Samples samples = sample_adaptively(what, {0.7}, 0, 1, budget);
    REQUIRE(samples.times.size() > 10);
    CHECK(samples.times.size() < 200);
    for (double t = 0; t <= 1; t += 1e-3) {
        size_t k = 1;
        while (k + 1 < samples.times.size() && samples.times[k] < t) ++k;
        const double share = (t - samples.times[k - 1]) / double(samples.times[k] - samples.times[k - 1]);
        const double line = samples.rows[k - 1] + share * (samples.rows[k] - samples.rows[k - 1]);
        if (std::abs(t - 0.7) > 1e-6) CHECK(std::abs(line - f(t)) < 1.5e-3);
    }
}

TEST_CASE("fbx transform: the short form equals the product of all matrices, in every rotation order") {
    Random random(7);
    for (int i = 0; i < 300; ++i) {
        TransformChain chain;
        chain.order = RotationOrder(i % 6);
        chain.pre_rotation = rotation_from_degrees(random_vector(random, 180), RotationOrder::xyz);
        chain.post_rotation_inverse = rotation_from_degrees(random_vector(random, 180), RotationOrder::xyz);
        for (Vec3d* v : {&chain.rotation_offset, &chain.rotation_pivot, &chain.scaling_offset, &chain.scaling_pivot})
            *v = random_vector(random, 5);
        const LocalValues values{random_vector(random, 5), random_vector(random, 180), random_vector(random, 3)};
        const AffineD expected = slow_chain(chain, values), got = chain.place(values).matrix();
        CHECK((expected.matrix() - got.matrix()).cwiseAbs().maxCoeff() < 1e-12);
        const Quatd q = rotation_from_degrees(values.rotation, chain.order);
        const Quatd again = rotation_from_degrees(degrees_from_rotation(q, chain.order), chain.order);
        CHECK(std::abs(q.dot(again)) == doctest::Approx(1).epsilon(1e-12));
    }
}

TEST_CASE("fbx space: a left-handed, Z-up file in inches stands upright in metres") {
    Space space;
    space.metres = 0.0254;
    space.mirrored = true;
    Random random(3);
    // Converting a product is the product of what is converted.
    for (int i = 0; i < 50; ++i) {
        Placement a, b;
        a.translation = random_vector(random, 5), b.translation = random_vector(random, 5);
        a.rotation = rotation_from_degrees(random_vector(random, 180), RotationOrder::xyz);
        b.rotation = rotation_from_degrees(random_vector(random, 180), RotationOrder::xyz);
        a.scale = random_vector(random, 2);
        const Vec3d p = random_vector(random, 3);
        const Vec3d expected = space.point(a.matrix() * (b.matrix() * p));
        const Vec3d got = space.placement(a, false).matrix() * (space.placement(b, false).matrix() * space.point(p));
        CHECK((expected - got).norm() < 1e-12);
        CHECK((space.matrix(a.matrix()).matrix() - space.placement(a, false).matrix().matrix()).norm() < 1e-12);
    }
}

TEST_CASE("fbx shapes: in-betweens on both sides of zero") {
    ShapeChannel channel;
    channel.full_weights = {-50, 50, 100};
    const auto at = [&](double percent) {
        std::vector<float> w(3);
        channel.weights_at(percent, w.data());
        return w;
    };
    CHECK(at(0) == std::vector<float>{0, 0, 0});
    CHECK(at(-25) == std::vector<float>{0.5f, 0, 0});
    CHECK(at(50) == std::vector<float>{0, 1, 0});
    CHECK(at(75) == std::vector<float>{0, 0.5f, 0.5f});
    CHECK(at(150) == std::vector<float>{0, -1, 2});
    CHECK(at(-100) == std::vector<float>{2, 0, 0});
}
