#include <doctest/doctest.h>

#include <sinew/skin/deformers/bend_twist.h>
#include <sinew/skin/deformers/centre_influences.h>
#include <sinew/skin/skinning.h>

#include "skin/shapes.h"

using namespace sinew;
using namespace sinew::test;

namespace {

constexpr size_t joints = 6;

// A tree of six joints at random places, a cloud of vertices on them, and all that the deformers make of it once.
struct Bound {
    Skin skin;
    Vertices rest;
    Influences influences;
    std::vector<SkinBone> bones;
    BendTwist bend_twist;
    std::vector<Vec3> centres;
    Influences centre_influences;

    DeformBinding binding() const {
        return {.influences = influences,
                .bones = bones,
                .bend_twist = &bend_twist,
                .centres = centres,
                .centre_influences = &centre_influences};
    }

    // What is made of the influences.
    void bind() {
        bend_twist = make_bend_twist(influences, bones);
        const std::vector<float> radii(centres.size(), 0.5f);
        centre_influences = sinew::centre_influences(influences, centres, radii, bones);
    }
};

Bound make_bound(uint64_t seed, size_t vertices) {
    Random random(seed);
    Bound b;
    for (int32_t j = 0; j < static_cast<int32_t>(joints); ++j) {
        b.skin.joints.push_back(j);
        b.skin.inverse_bind.push_back(random_rigid(random));
    }
    b.rest = random_vertices(random, vertices);
    b.influences = random_influences(random, vertices, joints, 5);
    b.bones = make_bones(b.skin, std::vector<int32_t>{-1, 0, 1, 1, 3, 0});
    for (size_t v = 0; v < vertices; ++v) b.centres.push_back(vector(random, 1));
    b.bind();
    return b;
}

std::vector<Affine> random_palette(Random& random, bool rigid) {
    std::vector<Affine> palette(joints);
    for (Affine& m : palette) m = rigid ? random_rigid(random) : random_affine(random);
    return palette;
}

template <class Check>
void for_each_skinning(const Check& check) {
    for (size_t s = 0; s < skinning_names().size(); ++s) {
        CAPTURE(skinning_names()[s]);
        check(static_cast<Skinning>(s));
    }
}

}  // namespace

TEST_CASE("every deformer: the bind pose gives back the input") {
    const Bound b = make_bound(21, 500);
    const std::vector<Affine> identity(joints, Affine::Identity());
    for_each_skinning([&](Skinning skinning) {
        const Vertices out = deformed(deformer(skinning), identity, b.binding(), b.rest);
        for (size_t v = 0; v < b.rest.positions.size(); ++v) {
            CHECK((out.positions[v] - b.rest.positions[v]).norm() < 1e-6f);
            CHECK((out.normals[v] - b.rest.normals[v]).norm() < 1e-6f);
            CHECK((out.tangents[v] - b.rest.tangents[v]).norm() < 1e-6f);
        }
    });
}

TEST_CASE("every deformer: one rigid motion of all joints moves the result by it") {
    const Bound b = make_bound(22, 500);
    Random random(23);
    for (bool rigid : {true, false}) {
        const Affine motion = random_rigid(random);
        const std::vector<Affine> palette = random_palette(random, rigid);
        std::vector<Affine> moved(joints);
        for (size_t j = 0; j < joints; ++j) moved[j] = motion * palette[j];
        for_each_skinning([&](Skinning skinning) {
            const Vertices before = deformed(deformer(skinning), palette, b.binding(), b.rest);
            const Vertices after = deformed(deformer(skinning), moved, b.binding(), b.rest);
            for (size_t v = 0; v < b.rest.positions.size(); ++v) {
                if (b.influences.of(v).empty()) continue;
                CHECK((after.positions[v] - motion * before.positions[v]).norm() < 1e-5f);
                CHECK((after.normals[v] - motion.linear() * before.normals[v]).norm() < 5e-5f);
                CHECK(after.tangents[v].w() == before.tangents[v].w());
            }
        });
    }
}

TEST_CASE("every deformer: a vertex of one joint goes exactly where the joint takes it") {
    Bound b = make_bound(24, 50);
    Random random(25);
    b.influences = random_influences(random, 50, joints, 1);
    b.bind();
    const std::vector<Affine> palette = random_palette(random, false);
    for_each_skinning([&](Skinning skinning) {
        const Vertices out = deformed(deformer(skinning), palette, b.binding(), b.rest);
        for (size_t v = 0; v < b.rest.positions.size(); ++v) {
            const auto list = b.influences.of(v);
            const Vec3 expected = list.empty() ? b.rest.positions[v] : palette[list[0].joint] * b.rest.positions[v];
            CHECK((out.positions[v] - expected).norm() == 0.0f);
        }
    });
}

// Weights held fixed, a deformer maps space to space; the normal must stay across two directions along the surface,
// which finite differences follow. The tangent must be the first of them, and the handedness that of the pair.
TEST_CASE("every deformer: normals and tangents are those of the map, by finite differences") {
    Bound b = make_bound(26, 300);
    Random random(27);
    constexpr float h = 1e-2f;
    for_each_skinning([&](Skinning skinning) {
        const std::vector<Affine> palette = random_palette(random, skinning != Skinning::linear_blend);
        const Vertices out = deformed(deformer(skinning), palette, b.binding(), b.rest);
        const auto shifted = [&](float size, auto direction) {
            Vertices in = b.rest;
            for (size_t v = 0; v < in.positions.size(); ++v) in.positions[v] += size * direction(v);
            return deformed(deformer(skinning), palette, b.binding(), in).positions;
        };
        const auto along_u = [&](size_t v) { return Vec3(b.rest.tangents[v].head<3>()); };
        const auto along_v = [&](size_t v) { return Vec3(b.rest.normals[v].cross(along_u(v))); };
        const auto u1 = shifted(h, along_u), u0 = shifted(-h, along_u);
        const auto v1 = shifted(h, along_v), v0 = shifted(-h, along_v);
        std::vector<float> errors;
        for (size_t v = 0; v < b.rest.positions.size(); ++v) {
            const Vec3 du = (u1[v] - u0[v]) / (2 * h), dv = (v1[v] - v0[v]) / (2 * h);
            // Where the surface is nearly crushed, differences of floats say nothing.
            if (du.cross(dv).norm() < 0.1f || du.norm() < 0.1f) continue;
            const Vec3 normal = du.cross(dv).normalized();
            const float side = normal.dot(out.normals[v]) < 0.0f ? -1.0f : 1.0f;
            errors.push_back((out.normals[v] - side * normal).norm() +
                             (out.tangents[v].head<3>() - du.normalized()).norm());
            // n, t, w·(n × t) is as handed after as before, seen through the map.
            const float w = out.tangents[v].w() * b.rest.tangents[v].w();
            CHECK(w * out.normals[v].cross(Vec3(out.tangents[v].head<3>())).dot(dv) > 0.0f);
        }
        REQUIRE(errors.size() > 200);
        std::sort(errors.begin(), errors.end());
        CHECK(errors[errors.size() / 2] < 1e-3f);
        CHECK(errors[errors.size() * 95 / 100] < 2e-2f);
    });
}

TEST_CASE("linear blend: the cheap normal (by the matrix itself) is wrong under scale, the exact one is not") {
    // A ramp of slope 1 squeezed to half its height: the true normal is (−1, 2)/√5, the cheap one (−2, 1)/√5 — 37° off.
    const Affine squeezed(Eigen::Scaling(1.0f, 0.5f, 1.0f));
    const Affine palette[2] = {squeezed, squeezed};
    const Influences influences = *Influences::create({0, 2}, {{0, 0.6f}, {1, 0.4f}}, 2);
    const Vertices ramp{{Vec3(1, 1, 0)}, {Vec3(-1, 1, 0).normalized()}, {Vec4(0, 0, 1, 1)}};
    const Vertices out = deformed(deform_linear_blend, palette, {influences}, ramp);
    CHECK((out.normals[0] - Vec3(-1, 2, 0).normalized()).norm() < 1e-6f);
    const Vec3 cheap = (squeezed.linear() * ramp.normals[0]).normalized();
    CHECK(degrees(std::acos(cheap.dot(out.normals[0]))) == doctest::Approx(36.87).epsilon(1e-3));
}

TEST_CASE("bend-twist: a pure twist turns every section by its weight, a pure bend by the smooth step of it") {
    // Joint 1 at the origin, its bone along +X; joint 0 behind it.
    Skin skin{
        .name = {}, .joints = {0, 1}, .inverse_bind = {Affine(Eigen::Translation3f(1, 0, 0)), Affine::Identity()}};
    const std::vector<SkinBone> bones = make_bones(skin, std::vector<int32_t>{-1, 0});
    CHECK(bones[0].tail == Vec3(0, 0, 0));
    CHECK(bones[1].tail == Vec3(0.5f, 0, 0));
    const Vertices rest{{Vec3(0.1f, 0.3f, 0)}, {Vec3(0, 1, 0)}, {}};
    for (float weight : {0.1f, 0.3f, 0.8f}) {
        const Influences influences = *Influences::create({0, 2}, {{0, 1.0f - weight}, {1, weight}}, 2);
        const BendTwist cache = make_bend_twist(influences, bones);
        const DeformBinding binding{.influences = influences, .bend_twist = &cache};
        const auto turned = [&](const Vec3& axis, float angle) {
            const std::vector<Affine> palette = {Affine::Identity(), Affine(Eigen::AngleAxisf(angle, axis))};
            return deformed(deform_bend_twist, palette, binding, rest);
        };
        // Dual quaternions are not quite linear in the angle; for a small one they are.
        const Vec3 twisted = turned(Vec3::UnitX(), 0.2f).positions[0];
        CHECK((twisted - Eigen::AngleAxisf(0.2f * weight, Vec3::UnitX()) * rest.positions[0]).norm() < 1e-4f);
        const Vec3 bent = turned(Vec3::UnitZ(), 0.2f).positions[0];
        const float sharp = weight * weight * (3 - 2 * weight);
        CHECK((bent - Eigen::AngleAxisf(0.2f * sharp, Vec3::UnitZ()) * rest.positions[0]).norm() < 1e-4f);
    }
}

TEST_CASE("bend-twist: nothing jumps where a joint between two others loses its last weight") {
    Skin skin{.name = {}, .joints = {2, 0, 1}, .inverse_bind = {}};
    for (float x : {-2.0f, 0.0f, -1.0f}) skin.inverse_bind.push_back(Affine(Eigen::Translation3f(x, 0, 0)));
    const std::vector<SkinBone> bones = make_bones(skin, std::vector<int32_t>{-1, 0, 1});
    Random random(28);
    const std::vector<Affine> palette = {random_rigid(random), random_rigid(random), random_rigid(random)};
    const Vertices rest{{Vec3(1.2f, 0.3f, 0)}, {}, {}};
    const auto moved = [&](float between) {
        const Influences influences = *Influences::create({0, 3}, {{0, 0.4f}, {1, 0.6f}, {2, between}}, 3);
        const BendTwist cache = make_bend_twist(influences, bones);
        return deformed(deform_bend_twist, palette, {.influences = influences, .bend_twist = &cache}, rest)
            .positions[0];
    };
    CHECK((moved(1e-5f) - moved(0.0f)).norm() < 1e-3f);
}

TEST_CASE("bulge-free: what bends out is drawn back to its distance from the bones; what does not is left alone") {
    // A bone to the elbow at the origin, and one from there along +X; the vertex on the outside of the bend.
    Skin skin{
        .name = {}, .joints = {0, 1}, .inverse_bind = {Affine(Eigen::Translation3f(1, 0, 0)), Affine::Identity()}};
    std::vector<SkinBone> bones = make_bones(skin, std::vector<int32_t>{-1, 0});
    bones[1].tail = Vec3(1, 0, 0);
    const Influences influences = *Influences::create({0, 2, 4}, {{0, 0.2f}, {1, 0.8f}, {0, 0.5f}, {1, 0.5f}}, 2);
    const DeformBinding binding{.influences = influences, .bones = bones};
    const Vertices rest{{Vec3(0.2f, 0.2f, 0), Vec3(0, 0.2f, 0)}, {}, {}};
    const std::vector<Affine> palette = {Affine::Identity(), Affine(Eigen::AngleAxisf(-pi / 2, Vec3::UnitZ()))};
    const auto from_bone = [&](const Vec3& p) { return (palette[1].inverse() * p).y(); };  // of the lower arm's line
    const Vertices dqs = deformed(deform_dual_quaternion, palette, binding, rest);
    const Vertices free = deformed(deform_bulge_free, palette, binding, rest);
    CHECK(from_bone(dqs.positions[0]) > 0.24f);
    CHECK(from_bone(free.positions[0]) < 0.21f);
    CHECK(from_bone(free.positions[0]) > 0.195f);
    CHECK((free.positions[1] - dqs.positions[1]).norm() < 1e-5f);
}

TEST_CASE("skinning names: each finds itself, others the closest") {
    for (std::string_view name : skinning_names()) CHECK(to_string(find_skinning(name).value()) == name);
    CHECK(find_skinning("dsq").error().message.find("dqs") != std::string::npos);
    CHECK(find_skinning("lbs").value() == Skinning::linear_blend);
}
