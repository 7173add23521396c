#include <doctest/doctest.h>

#include <mesh/shapes.h>
#include <sinew/core/parallel.h>
#include <sinew/rig/fit_skeleton.h>
#include <sinew/sample/sample.h>
#include <sinew/skeleton/creature.h>
#include <algorithm>

using namespace sinew;
using namespace sinew::test;

namespace {

Mesh octopus(std::vector<Vec3>& tips) {
    Mesh mesh = sphere({0, 1, 0}, 0.5f, 16);
    for (int k = 0; k < 7; ++k) {
        const float a = 2.0f * pi * static_cast<float>(k) / 7.0f;
        const Vec3 out(std::cos(a), 0, std::sin(a));
        std::vector<Vec3> arm;
        for (int i = 0; i <= 12; ++i) {
            const float t = static_cast<float>(i) / 12.0f;
            arm.push_back(Vec3(0, 0.9f - 0.5f * t, 0) + (0.3f + 1.2f * t) * out +
                          Vec3(0, 0.25f * std::sin(5.0f * t), 0));
        }
        tips.push_back(arm.back());
        append(mesh, tube(arm, 0.1f));
    }
    return mesh;
}

// A thick body along z with its head at +z, a fin on its back, two at its sides and a tail of two lobes.
Mesh fish_shape() {
    Mesh fish = sphere(Vec3::Zero(), 1.0f, 20);
    for (Vec3& p : fish.positions) p = Vec3(0.45f * p.x(), 1.2f + 0.6f * p.y(), (p.z() < 0 ? 2.6f : 1.6f) * p.z());
    append(fish, tube({{0, 1.2f, -2.4f}, {0, 1.2f, -2.9f}, {0, 2.1f, -3.5f}}, 0.14f));
    append(fish, tube({{0, 1.2f, -2.8f}, {0, 0.5f, -3.4f}}, 0.14f));
    append(fish, tube({{0, 1.6f, 0.2f}, {0, 2.2f, 0}, {0, 2.6f, -0.3f}}, 0.14f));
    for (const float side : {-1.0f, 1.0f})
        append(fish, tube({{0.3f * side, 1.0f, 0.7f}, {0.8f * side, 0.7f, 0.5f}, {1.3f * side, 0.5f, 0.1f}}, 0.14f));
    return fish;
}

double nearest_joint(const RigResult& rig, const Vec3& place) {
    double best = INFINITY;
    for (const Vec3& p : rig.positions) best = std::min(best, static_cast<double>((p - place).norm()));
    return best;
}

void check_rig(const RigResult& rig) {
    CHECK(rig.skeleton.size() == rig.positions.size());
    CHECK(rig.skeleton.size() == rig.joint_confidence.size());
    CHECK(rig.skeleton.size() == rig.roles.size());
    for (const Vec3& p : rig.positions) CHECK(p.allFinite());
    CHECK(rig.confidence >= 0.0);
    CHECK(rig.confidence <= 1.0);
}

}  // namespace

TEST_CASE("rig: an octopus has joints in every arm") {
    std::vector<Vec3> tips;
    const Mesh mesh = octopus(tips);
    const auto rig = fit_skeleton(mesh.positions, mesh.triangles, {.kind = RigKind::generic});
    REQUIRE(rig);
    check_rig(*rig);
    for (const Vec3& tip : tips) {
        CHECK(nearest_joint(*rig, tip) < 0.5);
        CHECK(nearest_joint(*rig, 0.5f * (tip + Vec3(0.2f * tip.x(), 0.9f, 0.2f * tip.z()))) < 0.4);
    }
}

TEST_CASE("rig: a spider has joints in every leg") {
    Mesh spider = sphere({0, 0.6f, 0}, 0.35f, 14);
    append(spider, sphere({0, 0.65f, -0.6f}, 0.45f, 14));
    std::vector<Vec3> knees, feet;
    for (const float side : {-1.0f, 1.0f})
        for (const float z : {-0.3f, -0.1f, 0.1f, 0.3f}) {
            knees.push_back({0.7f * side, 1.2f, 2.2f * z});
            feet.push_back({1.1f * side, 0, 3.4f * z});
            append(spider, tube({{0.2f * side, 0.6f, z}, knees.back(), feet.back()}, 0.05f));
        }
    const auto rig = fit_skeleton(spider.positions, spider.triangles, {.kind = RigKind::generic});
    REQUIRE(rig);
    for (const Vec3& knee : knees) CHECK(nearest_joint(*rig, knee) < 0.25);
    for (const Vec3& foot : feet) CHECK(nearest_joint(*rig, foot) < 0.45);
}

TEST_CASE("rig: a table has joints in its legs, a torus knot all the way round") {
    Mesh table = tube({{0, 1, -1.2f}, {0, 1, 1.2f}}, 0.12f);
    append(table, tube({{-0.9f, 1, -1}, {0.9f, 1, -1}}, 0.12f));
    append(table, tube({{-0.9f, 1, 1}, {0.9f, 1, 1}}, 0.12f));
    for (const float x : {-0.9f, 0.9f})
        for (const float z : {-1.0f, 1.0f}) append(table, tube({{x, 1, z}, {x, 0.5f, z}, {x, 0, z}}, 0.08f));
    const auto legs = fit_skeleton(table.positions, table.triangles, {.kind = RigKind::generic});
    REQUIRE(legs);
    check_rig(*legs);
    for (const float x : {-0.9f, 0.9f})
        for (const float z : {-1.0f, 1.0f}) CHECK(nearest_joint(*legs, {x, 0.5f, z}) < 0.5);

    std::vector<Vec3> points;
    for (int i = 0; i <= 200; ++i) {
        const float t = 2.0f * pi * static_cast<float>(i) / 200.0f;
        points.push_back(
            {(2 + std::cos(3 * t)) * std::cos(2 * t), (2 + std::cos(3 * t)) * std::sin(2 * t), std::sin(3 * t)});
    }
    const Mesh knot = tube(points, 0.25f);
    const auto ring = fit_skeleton(knot.positions, knot.triangles, {.kind = RigKind::generic});
    REQUIRE(ring);
    check_rig(*ring);
    for (size_t i = 0; i < points.size(); i += 10) CHECK(nearest_joint(*ring, points[i]) < 1.3);
}

TEST_CASE("rig: anything with a triangle gets an answer, nothing does not") {
    CHECK_FALSE(fit_skeleton({}, {}));
    const std::vector<Vec3> points = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {NAN, 0, 0}};
    CHECK_FALSE(fit_skeleton(points, std::vector<uint32_t>{0, 1, 3}));
    for (const std::vector<uint32_t>& triangles :
         {std::vector<uint32_t>{0, 1, 2}, std::vector<uint32_t>{0, 0, 0}, std::vector<uint32_t>{0, 1, 1}}) {
        const auto rig = fit_skeleton(points, triangles);
        REQUIRE(rig);
        check_rig(*rig);
    }
    for (const RigKind kind : {RigKind::biped, RigKind::quadruped, RigKind::bird, RigKind::generic}) {
        const Mesh ball = sphere({0, 0, 0}, 1.0f, 12);
        const auto rig = fit_skeleton(ball.positions, ball.triangles, {.kind = kind});
        REQUIRE(rig);
        check_rig(*rig);
        CHECK(rig->kind == kind);  // as asked, though it has no legs to stand on
        if (kind != RigKind::generic) {
            CHECK(rig->confidence < accepted_confidence);
            CHECK(std::any_of(rig->warnings.begin(), rig->warnings.end(), [](const std::string& warning) {
                return warning.find("placed by search") != std::string::npos;
            }));
        }
    }
    // Two pieces far apart, and a scale that floats just hold.
    Mesh two = sphere({0, 0, 0}, 1.0f, 12);
    append(two, sphere({30, 0, 0}, 1.0f, 12));
    for (const float scale : {1e-12f, 1.0f, 1e12f}) {
        Mesh scaled = two;
        for (Vec3& p : scaled.positions) p *= scale;
        const auto rig = fit_skeleton(scaled.positions, scaled.triangles);
        REQUIRE(rig);
        check_rig(*rig);
    }
}

TEST_CASE("rig: a galloping animal gets the template that is asked for, told how it stands") {
    Mesh animal = tube({{0, 1.2f, -1}, {0, 1.2f, 0}, {0, 1.25f, 1}}, 0.28f);
    append(animal, tube({{0, 1.3f, 0.9f}, {0, 1.7f, 1.4f}, {0, 1.6f, 1.8f}}, 0.14f));
    append(animal, tube({{0.15f, 1.1f, 0.9f}, {0.15f, 0.7f, 1.3f}, {0.15f, 0.5f, 1.9f}}, 0.08f));  // ahead
    append(animal, tube({{-0.15f, 1.1f, 0.9f}, {-0.15f, 0.5f, 0.9f}, {-0.15f, 0, 0.8f}}, 0.08f));  // on the ground
    append(animal, tube({{0.15f, 1.1f, -0.9f}, {0.15f, 0.6f, -0.8f}, {0.15f, 0, -0.9f}}, 0.08f));  // on the ground
    append(animal, tube({{-0.15f, 1.1f, -0.9f}, {-0.15f, 0.7f, -1.3f}, {-0.15f, 0.6f, -1.9f}}, 0.08f));  // behind
    const auto rig = fit_skeleton(animal.positions, animal.triangles,
                                  {.kind = RigKind::quadruped, .up = Vec3::UnitY(), .facing = Vec3::UnitZ()});
    REQUIRE(rig);
    check_rig(*rig);
    CHECK(rig->kind == RigKind::quadruped);
    CHECK(nearest_joint(*rig, {0, 1.6f, 1.7f}) < 0.5);  // the head
    const auto at = [&](std::string_view name) {
        return rig->positions[static_cast<size_t>(rig->skeleton.find(name))];
    };
    CHECK(at("neck").z() > at("hips").z() + 0.8f);
    CHECK(at("leftFrontFoot").z() > at("leftHindFoot").z() + 0.8f);
    CHECK(at("leftFrontUpperLeg").x() > at("rightFrontUpperLeg").x());
    CHECK(std::count(rig->skeleton.names().begin(), rig->skeleton.names().end(), "root") == 1);
}

TEST_CASE("rig: hints that are near a name, given twice, or far outside are told") {
    const Character sample = make_humanoid();
    const Mesh& mesh = sample.meshes.front().primitives.front().mesh;
    const auto hinted = [&](std::vector<JointHint> hints) {
        return fit_skeleton(mesh.positions, mesh.triangles, {.hints = std::move(hints)});
    };
    CHECK(hinted({{"hnd_l", Vec3::Zero()}}).error().message.find("did you mean hand_l") != std::string::npos);
    CHECK(hinted({{"hand_l", Vec3::Zero()}, {"leftHand", Vec3::UnitX()}}).error().message.find("two hints") !=
          std::string::npos);
    const auto far = hinted({{"leftHand", {50, 50, 50}}});
    REQUIRE(far);
    CHECK(far->warnings.front().find("the hint for leftHand is far outside") != std::string::npos);
}

TEST_CASE("rig: a hint that names nothing says what there is") {
    const Mesh ball = sphere({0, 0, 0}, 1.0f, 12);
    const auto rig = fit_skeleton(ball.positions, ball.triangles, {.hints = {{"leftHand", Vec3::Zero()}}});
    REQUIRE_FALSE(rig);
    CHECK(rig.error().message.find("leftHand") != std::string::npos);
}

TEST_CASE("rig: a fish, which is no creature that rig knows, stays as its file has it") {
    const Mesh fish = fish_shape();
    const auto rig = fit_skeleton(fish.positions, fish.triangles);
    REQUIRE(rig);
    check_rig(*rig);
    CHECK(rig->kind == RigKind::generic);
    CHECK(rig->up.y() > 0.999f);
    CHECK(rig->facing.z() > 0.999f);
    for (const Vec3& place : {Vec3(0, 1.2f, 1.2f), Vec3(0, 1.2f, -2.2f), Vec3(0, 2.3f, -0.1f)})
        CHECK(nearest_joint(*rig, place) < 0.7);
    const CreatureMap map = recognise_creature(rig->skeleton);
    CHECK(map.kind == CreatureKind::fish);
    CHECK(map.forward.z() > 0.999);
}
