// What tells front from back: soles, and a face that the file names.
#include <doctest/doctest.h>

#include <mesh/shapes.h>
#include <sinew/rig/fit_skeleton.h>

using namespace sinew;
using namespace sinew::test;

namespace {

// A doll of tubes that looks the same from the front and from behind; with soles that lie `ahead` of the shins, or on
// stilts that `lean`, if any.
Mesh doll(float ahead, float lean = 0) {
    Mesh mesh = tube({{0, 0.8f, 0}, {0, 1.45f, 0}}, 0.15f);
    append(mesh, tube({{0, 1.4f, 0}, {0, 1.55f, 0}}, 0.06f));
    append(mesh, sphere({0, 1.68f, 0}, 0.14f, 16));
    for (const float side : {-1.0f, 1.0f}) {
        append(mesh, tube({{0.1f * side, 1.38f, 0}, {0.75f * side, 1.38f, 0}}, 0.05f));
        const float knee = lean != 0.0f ? 0.45f : 0.0f;
        append(mesh, tube({{0.1f * side, knee, 0}, {0.1f * side, 0.85f, 0}}, 0.07f));
        if (ahead != 0.0f) append(mesh, tube({{0.1f * side, 0.02f, 0}, {0.1f * side, 0.02f, ahead}}, 0.04f));
        if (lean == 0.0f) continue;
        append(mesh, tube({{0.1f * side, 0.12f, 0.7f * lean}, {0.1f * side, knee + 0.02f, 0}}, 0.05f));
        append(mesh, tube({{0.1f * side, 0, lean}, {0.1f * side, 0.14f, 0.65f * lean}}, 0.014f));
    }
    return mesh;
}

}  // namespace

TEST_CASE("rig: soles tell which way a body looks") {
    for (const float ahead : {0.2f, -0.2f}) {
        const Mesh mesh = doll(ahead);
        const RigResult rig = fit_skeleton(mesh.positions, mesh.triangles).value();
        CAPTURE(ahead);
        REQUIRE(rig.kind == RigKind::biped);
        CHECK(rig.facing.z() * ahead > 0.0f);
        CHECK(rig.confidence >= accepted_confidence);
    }
}

TEST_CASE("rig: legs that end in spikes say nothing of where a body looks, however they lean") {
    for (const float lean : {0.15f, -0.15f}) {
        const Mesh mesh = doll(0.0f, lean);
        CHECK(fit_skeleton(mesh.positions, mesh.triangles).value().confidence < accepted_confidence);
    }
}

TEST_CASE("rig: a face tells which way a body looks where its shape does not") {
    const Mesh mesh = doll(0.0f);
    const RigResult alike = fit_skeleton(mesh.positions, mesh.triangles).value();
    CHECK(alike.confidence < fit_skeleton(doll(0.2f).positions, doll(0.2f).triangles).value().confidence);
    for (const float side : {1.0f, -1.0f}) {
        const std::vector<Vec3> eyes = {{0.05f, 1.7f, 0.13f * side}, {-0.05f, 1.7f, 0.13f * side}};
        const RigResult rig = fit_skeleton(mesh.positions, mesh.triangles, {.face = eyes}).value();
        CAPTURE(side);
        CHECK(rig.facing.z() * side > 0.9f);
        CHECK(rig.confidence > alike.confidence);
    }
}
