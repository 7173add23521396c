#include <doctest/doctest.h>

#include <sinew/character/character_deformer.h>
#include <sinew/sample/sample.h>
#include <sinew/weights/soften/soften_weights.h>
#include <algorithm>
#include <array>
#include <cmath>

using namespace sinew;

namespace {

// Every vertex follows the joint it followed most, wholly.
Character torn_humanoid() {
    Character c = make_rigged_humanoid();
    Primitive& primitive = c.meshes.front().primitives.front();
    std::vector<uint32_t> first = {0};
    std::vector<Influence> raw;
    for (size_t v = 0; v < primitive.mesh.positions.size(); ++v) {
        raw.push_back({primitive.influences.of(v).front().joint, 1.0f});
        first.push_back(static_cast<uint32_t>(raw.size()));
    }
    primitive.influences = Influences::create(first, raw, c.skins.front().joints.size()).value();
    return c;
}

size_t soften(Character& c, const SoftenOptions& options = {}) {
    Primitive& p = c.meshes.front().primitives.front();
    const BoundMesh mesh{p.mesh.positions, p.mesh.triangles, &p.influences};
    return soften_weights({&mesh, 1}, c.skins.front(), c.skeleton.parents(), options);
}

// With one joint turned by a right angle, the most that an edge grows.
double worst_stretch(const Character& c, const char* joint) {
    Pose pose = rest_pose(c);
    std::vector<DeformedPrimitive> rest, bent;
    deform(c, pose, {.normals = false}, rest);
    Quat& q = pose.local[static_cast<size_t>(c.skeleton.find(joint))].rotation;
    q = q * Quat(Eigen::AngleAxisf(1.5707963f, Vec3(0.6f, 0.0f, 0.8f)));
    deform(c, pose, {.normals = false}, bent);
    const std::vector<uint32_t>& t = c.meshes.front().primitives.front().mesh.triangles;
    double worst = 0.0;
    for (size_t i = 0; i < t.size(); ++i) {
        const uint32_t a = t[i], b = t[i % 3 == 2 ? i - 2 : i + 1];
        const auto before = static_cast<double>((rest[0].positions[a] - rest[0].positions[b]).norm());
        if (before > 1e-6)
            worst = std::max(worst, static_cast<double>((bent[0].positions[a] - bent[0].positions[b]).norm()) / before);
    }
    return worst;
}

}  // namespace

TEST_CASE("soften: no joint's right angle tears what it bends, and weights stay weights") {
    Character c = torn_humanoid();
    REQUIRE(worst_stretch(c, "leftLowerArm") > 2.6);
    CHECK(soften(c, {.stretch = 2.0}) > 0);
    for (const char* joint : {"leftLowerArm", "leftUpperLeg", "rightLowerLeg", "head"}) {
        CAPTURE(joint);
        CHECK(worst_stretch(c, joint) < 2.1);
    }
    const Primitive& primitive = c.meshes.front().primitives.front();
    CHECK(primitive.influences.unweighted_vertices() == 0);
    CHECK(primitive.influences.max_per_vertex() <= 4);
    CHECK(validate(c));
}

TEST_CASE("soften: what is smooth enough stays as it is") {
    Character c = make_rigged_humanoid();
    CHECK(soften(c, {.stretch = 100.0}) == 0);
}

TEST_CASE("soften: the same weights, whatever the order of the vertices") {
    Character c = torn_humanoid(), turned = c;
    const Primitive& primitive = c.meshes.front().primitives.front();
    const auto n = static_cast<uint32_t>(primitive.mesh.positions.size());
    Mesh mesh;
    std::vector<uint32_t> first = {0};
    std::vector<Influence> raw;
    for (uint32_t v = n; v-- > 0;) {
        mesh.positions.push_back(primitive.mesh.positions[v]);
        for (const Influence& i : primitive.influences.of(v)) raw.push_back(i);
        first.push_back(static_cast<uint32_t>(raw.size()));
    }
    for (uint32_t v : primitive.mesh.triangles) mesh.triangles.push_back(n - 1 - v);
    Primitive& other = turned.meshes.front().primitives.front();
    other.mesh = mesh;
    other.influences = Influences::create(first, raw, c.skins.front().joints.size()).value();
    REQUIRE(soften(c) > 100);
    soften(turned);
    size_t different = 0;
    for (uint32_t v = 0; v < n; ++v)
        different += !std::ranges::equal(
            primitive.influences.of(v), other.influences.of(n - 1 - v),
            [](const Influence& a, const Influence& b) { return a.joint == b.joint && a.weight == b.weight; });
    CHECK(different == 0);
}

TEST_CASE("soften: a jump becomes a ramp as long as it must be, however fine the mesh") {
    // An arc of radius 1 about the second joint, which carries one half of it: the lever is the same everywhere.
    for (const int steps : {60, 600}) {
        CAPTURE(steps);
        const std::array<int32_t, 2> parents = {-1, 0};
        const Skin skin{.name = "skin", .joints = {0, 1}, .inverse_bind = {Affine::Identity(), Affine::Identity()}};
        std::vector<Vec3> positions;
        std::vector<uint32_t> triangles, first = {0};
        std::vector<Influence> raw;
        const auto angle = [&](int i) { return 2.5 * (i - 0.5 * steps) / (0.5 * steps); };
        for (int i = 0; i <= steps; ++i)
            for (const float z : {0.0f, 0.01f}) {
                positions.emplace_back(static_cast<float>(std::cos(angle(i))), static_cast<float>(std::sin(angle(i))),
                                       z);
                raw.push_back({2 * i > steps ? 1u : 0u, 1.0f});
                first.push_back(static_cast<uint32_t>(raw.size()));
                if (i == 0) continue;
                const auto v = static_cast<uint32_t>(2 * i);
                if (z == 0.0f) triangles.insert(triangles.end(), {v - 2, v, v - 1});
                if (z > 0.0f) triangles.insert(triangles.end(), {v, v + 1, v - 1});
            }
        Influences after = Influences::create(first, raw, 2).value();
        const BoundMesh mesh{positions, triangles, &after};
        CHECK(soften_weights({&mesh, 1}, skin, parents, {.stretch = 2.6}) > 0);
        double worst = 0.0;
        for (int i = 0; i <= steps; ++i) {
            double weight = 0.0;
            for (const Influence& influence : after.of(static_cast<size_t>(2 * i)))
                if (influence.joint == 1) weight = static_cast<double>(influence.weight);
            // The jump lies half a step beyond the middle.
            const double expected = 0.5 + (angle(i) - 2.5 / steps) * 1.6 / std::sqrt(2.0);
            worst = std::max(worst, std::abs(weight - std::clamp(expected, 0.0, 1.0)));
        }
        CHECK(worst < 0.02);
    }
}

TEST_CASE("soften: two meshes that share an edge stay together along it; a mesh without weights is passed over") {
    // Two strips of one arm, cut along the middle: the jump runs across both.
    const std::array<int32_t, 2> parents = {-1, 0};
    const Skin skin{.name = "skin", .joints = {0, 1}, .inverse_bind = {Affine::Identity(), Affine::Identity()}};
    std::vector<Vec3> positions[2];
    std::vector<uint32_t> triangles;
    Influences weights[2], none;
    for (int side = 0; side < 2; ++side) {
        std::vector<uint32_t> first = {0};
        std::vector<Influence> raw;
        for (uint32_t i = 0; i <= 40; ++i)
            for (uint32_t row = 0; row < 2; ++row) {
                positions[side].emplace_back(0.1f * static_cast<float>(i) - 2.0f, 1.0f,
                                             0.1f * static_cast<float>(static_cast<int>(row) - side));
                raw.push_back({i > 20 ? 1u : 0u, 1.0f});
                first.push_back(static_cast<uint32_t>(raw.size()));
                if (side > 0 || i == 0) continue;
                const uint32_t v = 2 * i;
                if (row == 0)
                    triangles.insert(triangles.end(), {v - 2, v, v - 1});
                else
                    triangles.insert(triangles.end(), {v, v + 1, v - 1});
            }
        weights[side] = Influences::create(first, raw, 2).value();
    }
    const BoundMesh meshes[] = {{positions[0], triangles, &weights[0]},
                                {positions[0], triangles, &none},
                                {positions[1], triangles, &weights[1]}};
    REQUIRE(soften_weights(meshes, skin, parents) > 10);
    CHECK(none.empty());
    for (size_t i = 0; i <= 40; ++i) {
        const auto here = weights[0].of(2 * i), there = weights[1].of(2 * i + 1);  // both at z = 0
        REQUIRE(positions[0][2 * i] == positions[1][2 * i + 1]);
        CHECK(std::ranges::equal(here, there, [](const Influence& a, const Influence& b) {
            return a.joint == b.joint && a.weight == b.weight;
        }));
    }
}
