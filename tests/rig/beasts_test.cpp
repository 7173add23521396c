// Dinosaurs, dragons, four arms, huge heads and figurines: bodies that are no plain person, quadruped or bird.
#include <doctest/doctest.h>

#include <rig/beasts.h>
#include <sinew/rig/fit_skeleton.h>
#include <algorithm>

using namespace sinew;
using namespace sinew::test;

namespace {

bool has_joint(const RigResult& rig, std::string_view name) {
    return rig.skeleton.find(name) >= 0;
}

Vec3 joint_at(const RigResult& rig, std::string_view name) {
    CAPTURE(name);
    const int32_t j = rig.skeleton.find(name);
    REQUIRE(j >= 0);
    return rig.positions[static_cast<size_t>(j)];
}

// How far a joint is from where the shape's cones have it.
double off(const RigResult& rig, std::string_view name, const Vec3& place) {
    return static_cast<double>((joint_at(rig, name) - place).norm());
}

Mesh turned(Mesh mesh, const Quat& turn) {
    for (Vec3& p : mesh.positions) p = turn * p;
    return mesh;
}

const std::vector<Quat>& some_turns() {
    static const std::vector<Quat> turns = {Quat::Identity(), Quat(Eigen::AngleAxisf(radians(90), Vec3::UnitX())),
                                            Quat(Eigen::AngleAxisf(radians(180), Vec3::UnitY())),
                                            Quat(Eigen::AngleAxisf(radians(90), Vec3::UnitZ()))};
    return turns;
}

RigResult rig_of(const Mesh& mesh) {
    return fit_skeleton(mesh.positions, mesh.triangles).value();
}

}  // namespace

TEST_CASE("rig: a T. rex is a dinosaur, whichever way it comes") {
    const Mesh mesh = t_rex();
    for (const Quat& turn : some_turns()) {
        const Mesh now = turned(mesh, turn);
        const RigResult rig = rig_of(now);
        CAPTURE(turn.coeffs().transpose());
        REQUIRE(rig.kind == RigKind::dinosaur);
        CHECK(rig.confidence >= accepted_confidence);
        CHECK(rig.up.dot(turn * Vec3::UnitY()) > 0.99f);
        CHECK(rig.facing.dot(turn * Vec3::UnitZ()) > 0.99f);
        const double tall = 1.8;
        CHECK(off(rig, "hips", turn * Vec3(0, 1.02f, -0.05f)) < 0.12 * tall);
        CHECK(off(rig, "leftLowerLeg", turn * Vec3(0.27f, 0.62f, 0.20f)) < 0.06 * tall);
        CHECK(off(rig, "leftFoot", turn * Vec3(0.27f, 0.33f, -0.12f)) < 0.06 * tall);
        CHECK(off(rig, "rightToes", turn * Vec3(-0.27f, 0.06f, 0.05f)) < 0.06 * tall);
        CHECK(off(rig, "neck", turn * Vec3(0, 1.15f, 0.78f)) < 0.12 * tall);
        CHECK(off(rig, "head", turn * Vec3(0, 1.55f, 1.25f)) < 0.12 * tall);
        CHECK(off(rig, "leftUpperArm", turn * Vec3(0.20f, 0.98f, 0.80f)) < 0.07 * tall);
        CHECK(off(rig, "leftLowerArm", turn * Vec3(0.28f, 0.78f, 0.88f)) < 0.05 * tall);
        // The tail is followed to its thin end, from close behind the hips.
        CHECK((turn.conjugate() * joint_at(rig, "tail1")).z() > -0.75f);
        CHECK((turn.conjugate() * joint_at(rig, "tail6")).z() < -1.3f);
        CHECK(std::none_of(rig.roles.begin(), rig.roles.end(), [](Role r) { return r != Role::count; }));
    }
}

TEST_CASE("rig: a dinosaur without arms gets none") {
    const RigResult rig = rig_of(t_rex(false));
    REQUIRE(rig.kind == RigKind::dinosaur);
    CHECK_FALSE(has_joint(rig, "leftUpperArm"));
    CHECK(has_joint(rig, "tail3"));
    CHECK(off(rig, "head", {0, 1.55f, 1.25f}) < 0.25);
}

TEST_CASE("rig: a kaiju stands upright and keeps its tail") {
    const RigResult rig = rig_of(kaiju());
    REQUIRE(rig.kind == RigKind::biped);
    CHECK(rig.facing.z() > 0.99f);
    CHECK(rig.up.y() > 0.99f);
    CHECK(has_joint(rig, "tail3"));
    CHECK(off(rig, "leftHand", {0.50f, 1.08f, 0.36f}) < 0.15);
    CHECK(off(rig, "leftFoot", {0.30f, 0.12f, 0.0f}) < 0.15);
}

TEST_CASE("rig: a dragon has four legs and two wings") {
    for (const Quat& turn : some_turns()) {
        const RigResult rig = rig_of(turned(dragon(), turn));
        CAPTURE(turn.coeffs().transpose());
        REQUIRE(rig.kind == RigKind::dragon);
        CHECK(rig.confidence >= accepted_confidence);
        CHECK(rig.up.dot(turn * Vec3::UnitY()) > 0.99f);
        CHECK(rig.facing.dot(turn * Vec3::UnitZ()) > 0.99f);
        CHECK(off(rig, "leftFrontFoot", turn * Vec3(0.20f, 0.12f, 0.40f)) < 0.15);
        CHECK(off(rig, "rightHindFoot", turn * Vec3(-0.20f, 0.28f, -0.62f)) < 0.15);
        CHECK(off(rig, "leftUpperWing", turn * Vec3(0.15f, 1.02f, 0.22f)) < 0.3);
        CHECK(off(rig, "leftWingTip", turn * Vec3(1.85f, 1.5f, -0.05f)) < 0.35);
        CHECK(has_joint(rig, "rightWingHand"));
        CHECK(has_joint(rig, "tail4"));
    }
}

TEST_CASE("rig: a quadruped without wings is no dragon, and is what is asked for with them") {
    const RigResult rig = fit_skeleton(dragon().positions, dragon().triangles, {.kind = RigKind::quadruped}).value();
    CHECK(rig.kind == RigKind::quadruped);
    CHECK_FALSE(has_joint(rig, "leftUpperWing"));
}

TEST_CASE("rig: a second pair of arms gets joints, and the upper pair are a person's own") {
    const RigResult rig = rig_of(four_armed());
    REQUIRE(rig.kind == RigKind::biped);
    CHECK(rig.confidence >= accepted_confidence);
    CHECK(off(rig, "leftHand", {0.62f, 1.00f, 0.04f}) < 0.1);
    CHECK(off(rig, "leftUpperArm", {0.19f, 1.38f, 0}) < 0.1);
    CHECK(off(rig, "leftExtraHand", {0.52f, 0.70f, 0.08f}) < 0.1);
    CHECK(off(rig, "rightExtraLowerArm", {-0.36f, 0.94f, 0.02f}) < 0.12);
    CHECK(off(rig, "rightExtraUpperArm", {-0.15f, 1.15f, 0}) < 0.12);
    CHECK_FALSE(has_joint(rig, "leftExtra2UpperArm"));
    CHECK_FALSE(has_joint(rig_of(plain_person().mesh(0.02)), "leftExtraUpperArm"));
}

TEST_CASE("rig: a head that is larger than the rest is still a head") {
    const RigResult rig = rig_of(huge_head());
    REQUIRE(rig.kind == RigKind::biped);
    CHECK(rig.up.y() > 0.99f);
    CHECK(rig.facing.z() > 0.99f);
    CHECK(off(rig, "leftHand", {0.62f, 1.00f, 0.04f}) < 0.25);
    CHECK(off(rig, "leftFoot", {0.12f, 0.09f, 0}) < 0.15);
}

TEST_CASE("rig: a figurine's base is found, and the body on it is rigged as if there were none") {
    const RigResult alone = rig_of(figurine(Plinth::none));
    REQUIRE(alone.kind == RigKind::biped);
    CHECK(alone.base.empty());
    CHECK(alone.base_joint < 0);
    for (const Plinth plinth : {Plinth::fused, Plinth::separate}) {
        const Mesh mesh = figurine(plinth);
        for (const Quat& turn : some_turns()) {
            const Mesh now = turned(mesh, turn);
            const RigResult rig = rig_of(now);
            CAPTURE(plinth == Plinth::fused);
            CAPTURE(turn.coeffs().transpose());
            REQUIRE(rig.kind == RigKind::biped);
            REQUIRE(rig.base_joint >= 0);
            CHECK(rig.skeleton.names()[static_cast<size_t>(rig.base_joint)] == "base");
            CHECK(rig.skeleton.parents()[static_cast<size_t>(rig.base_joint)] == 0);
            CHECK(rig.facing.dot(turn * Vec3::UnitZ()) > 0.99f);
            // Every vertex of the plate and none above it.
            size_t low = 0;
            for (const Vec3& p : mesh.positions) low += p.y() < plinth_height - 0.02f;
            CHECK(rig.base.size() >= low);
            for (const uint32_t v : rig.base) CHECK(mesh.positions[v].y() < plinth_height + 0.02f);
            for (const char* name : {"hips", "head", "leftHand", "leftLowerLeg", "rightFoot"})
                CHECK(off(rig, name, turn * joint_at(alone, name)) < 0.05);
        }
    }
}
