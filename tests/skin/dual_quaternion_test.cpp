#include <doctest/doctest.h>

#include <sinew/math/dual_quat.h>
#include <sinew/skin/deformers/joint_motion.h>

#include "skin/shapes.h"

using namespace sinew;
using namespace sinew::test;

namespace {

Affine turn_about(const Vec3& axis, const Vec3& centre, float angle) {
    return Affine(Eigen::Translation3f(centre) * Eigen::AngleAxisf(angle, axis) * Eigen::Translation3f(-centre));
}

const Influences& half_and_half() {
    static const Influences influences = *Influences::create({0, 2}, {{0, 0.5f}, {1, 0.5f}}, 2);
    return influences;
}

Vec3 moved(std::span<const Affine> palette, const Influences& influences, const Vec3& point) {
    std::vector<Vec3> out(1);
    deform_dual_quaternion(palette, {.influences = influences}, {.positions_in = {&point, 1}, .positions_out = out});
    return out[0];
}

}  // namespace

TEST_CASE("DualQuat: products and points agree with matrices") {
    Random random(11);
    for (int i = 0; i < 100; ++i) {
        const Affine a = random_rigid(random), b = random_rigid(random);
        const DualQuat p = to_dual_quat(Quat(Mat3(a.linear())), a.translation());
        const DualQuat q = to_dual_quat(Quat(Mat3(b.linear())), b.translation());
        const Vec3 x = vector(random, 2);
        CHECK((transform_point(p, x) - a * x).norm() < 1e-5f);
        CHECK((transform_point(p * q, x) - a * (b * x)).norm() < 2e-5f);
        CHECK((translation_of(p) - a.translation()).norm() < 1e-5f);
    }
}

TEST_CASE("take_apart: rotation times stretch is the matrix again, the rotation proper, also for mirrors and flats") {
    Random random(12);
    for (int i = 0; i < 200; ++i) {
        Affine m = random_affine(random);
        if (i % 3 == 1) m.linear().col(0) *= -1.0f;
        if (i % 10 == 9) m.linear().col(1).setZero();
        const JointMotion motion = take_apart(m);
        const Mat3 rotation = motion.rigid.real.toRotationMatrix();
        CHECK(rotation.determinant() == doctest::Approx(1.0).epsilon(1e-5));
        CHECK((rotation * motion.stretch - m.linear()).cwiseAbs().maxCoeff() < 1e-5f);
        CHECK((rotation + motion.residue - m.linear()).cwiseAbs().maxCoeff() < 1e-5f);
        CHECK((motion.stretch - motion.stretch.transpose()).cwiseAbs().maxCoeff() < 1e-6f);
        CHECK_FALSE(motion.is_rigid);
    }
    CHECK(take_apart(random_rigid(random)).is_rigid);
    CHECK(take_apart(Affine(Eigen::Scaling(0.0f))).rigid.real.coeffs().allFinite());
}

TEST_CASE("deform_dual_quaternion: half of a turn about an axis is the turn by half the angle, also beyond 180°") {
    const Vec3 axis = Vec3(1, 2, -1).normalized(), centre(0.3f, -1, 2), point(1, 1, 0);
    for (float angle_deg : {10.0f, 90.0f, 170.0f}) {
        const Affine bent[2] = {Affine::Identity(), turn_about(axis, centre, radians(angle_deg))};
        const Vec3 expected = turn_about(axis, centre, radians(angle_deg / 2)) * point;
        CHECK((moved(bent, half_and_half(), point) - expected).norm() < 1e-5f);
    }
    // 270° one way is 90° the other way: antipodal quaternions must not be averaged as they stand.
    const Affine bent[2] = {Affine::Identity(), turn_about(axis, centre, radians(270.0f))};
    CHECK((moved(bent, half_and_half(), point) - turn_about(axis, centre, radians(-45.0f)) * point).norm() < 1e-5f);
}

TEST_CASE("deform_dual_quaternion: joints that agree move as one, scale, shear, mirror and all") {
    Random random(13);
    for (int i = 0; i < 50; ++i) {
        Affine m = random_affine(random);
        if (i % 2 == 1) m.linear().col(2) *= -1.0f;
        const Affine palette[2] = {m, m};
        const Vec3 point = vector(random, 2);
        CHECK((moved(palette, half_and_half(), point) - m * point).norm() < 2e-5f);
    }
}

TEST_CASE("deform_dual_quaternion: a scale or a mirror of the whole, and another origin, move the result alike") {
    Random random(14);
    const Influences influences = random_influences(random, 200, 5, 4);
    const Vertices in = random_vertices(random, 200);
    std::vector<Affine> palette(5), scaled(5), mirrored(5), shifted(5);
    const Vec3 mirror(-1, 1, 1), shift(3, -2, 1);
    for (size_t j = 0; j < palette.size(); ++j) {
        palette[j] = j < 3 ? random_rigid(random) : random_affine(random);
        scaled[j] = Eigen::Scaling(100.0f) * palette[j];
        mirrored[j] = Eigen::Scaling(mirror) * palette[j];
        shifted[j] = palette[j] * Eigen::Translation3f(-shift);
    }
    Vertices moved_in = in;
    for (Vec3& p : moved_in.positions) p += shift;
    const Vertices a = deformed(deform_dual_quaternion, palette, {influences}, in);
    const Vertices s = deformed(deform_dual_quaternion, scaled, {influences}, in);
    const Vertices m = deformed(deform_dual_quaternion, mirrored, {influences}, in);
    const Vertices o = deformed(deform_dual_quaternion, shifted, {influences}, moved_in);
    for (size_t v = 0; v < in.positions.size(); ++v) {
        if (influences.of(v).empty()) continue;
        CHECK((s.positions[v] / 100.0f - a.positions[v]).norm() < 2e-5f);
        CHECK((s.normals[v] - a.normals[v]).norm() < 2e-5f);
        CHECK((m.positions[v] - mirror.cwiseProduct(a.positions[v])).norm() < 2e-5f);
        CHECK((m.normals[v] - mirror.cwiseProduct(a.normals[v])).norm() < 2e-5f);
        CHECK(m.tangents[v].w() == -a.tangents[v].w());
        CHECK((o.positions[v] - a.positions[v]).norm() < 4e-5f);
    }
}
