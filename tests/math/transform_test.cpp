#include <doctest/doctest.h>

#include <sinew/core/random.h>
#include <sinew/math/interpolate.h>
#include <sinew/math/transform.h>

using namespace sinew;

namespace {

Quat random_rotation(Random& random) {
    Quat q;
    do {
        for (int c = 0; c < 4; ++c) q.coeffs()[c] = static_cast<float>(random.uniform(-1.0, 1.0));
    } while (q.coeffs().norm() < 0.1f);
    q.normalize();
    return q;
}

Vec3 random_vector(Random& random, double size) {
    return Vec3(static_cast<float>(random.uniform(-size, size)), static_cast<float>(random.uniform(-size, size)),
                static_cast<float>(random.uniform(-size, size)));
}

}  // namespace

TEST_CASE("to_affine: scales, then rotates, then translates") {
    Transform t;
    t.translation = {10, 0, 0};
    t.rotation = Quat(Eigen::AngleAxisf(pi / 2, Vec3::UnitZ()));
    t.scale = {2, 3, 4};
    // (1,1,1) → scaled (2,3,4) → a quarter turn about z (−3,2,4) → moved (7,2,4).
    CHECK((to_affine(t) * Vec3(1, 1, 1) - Vec3(7, 2, 4)).norm() < 1e-5f);
}

TEST_CASE("decompose: gives back the matrix it was given, mirrored ones too") {
    Random random(7);
    for (int i = 0; i < 500; ++i) {
        Transform t{random_vector(random, 10), random_rotation(random), random_vector(random, 3)};
        for (int c = 0; c < 3; ++c) t.scale[c] += t.scale[c] < 0 ? -0.1f : 0.1f;
        const AffineD matrix = to_affine_d(t);
        const Decomposition d = decompose(matrix);
        CHECK(d.shear_error < 1e-6);
        CHECK((to_affine_d(d.transform).matrix() - matrix.matrix()).cwiseAbs().maxCoeff() < 1e-5);
    }
}

TEST_CASE("decompose: a sheared matrix says so, a crushed one stays finite") {
    AffineD sheared = AffineD::Identity();
    sheared.linear()(0, 1) = 0.5;
    CHECK(decompose(sheared).shear_error > 0.1);
    AffineD flat = AffineD::Identity();
    flat.linear().col(1).setZero();
    const Decomposition d = decompose(flat);
    CHECK(d.transform.scale.isApprox(Vec3(1, 0, 1)));
    CHECK(std::abs(d.transform.rotation.norm() - 1.0f) < 1e-6f);
    AffineD nothing = AffineD::Identity();
    nothing.linear().setZero();
    CHECK(decompose(nothing).transform.rotation.coeffs().allFinite());
}

TEST_CASE("slerp: constant speed along the shorter arc") {
    Random random(11);
    for (int i = 0; i < 200; ++i) {
        const Quat a = random_rotation(random);
        Quat b = random_rotation(random);
        const float whole = angle_between(a, b);
        const Quat third = slerp(a, b, 1.0 / 3.0);
        CHECK(angle_between(a, third) == doctest::Approx(whole / 3).epsilon(1e-4));
        CHECK(angle_between(third, b) == doctest::Approx(2 * whole / 3).epsilon(1e-4));
        b.coeffs() = -b.coeffs();  // the same rotation: the same path
        CHECK(angle_between(slerp(a, b, 1.0 / 3.0), third) < 1e-3f);
    }
}

TEST_CASE("angle_between: exact for tiny and for half turns") {
    const Quat zero = Quat::Identity();
    CHECK(angle_between(zero, Quat(Eigen::AngleAxisf(1e-5f, Vec3::UnitX()))) == doctest::Approx(1e-5).epsilon(1e-3));
    CHECK(angle_between(zero, Quat(Eigen::AngleAxisf(pi, Vec3::UnitY()))) == doctest::Approx(pi));
}
