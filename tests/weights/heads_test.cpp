// Heads, eyes, hands and the balls of joints: which joint owns what, where the tree alone would mislead.
#include <doctest/doctest.h>

#include <sinew/weights/bones/choose_bones.h>
#include <sinew/weights/weights.h>
#include <algorithm>
#include <string>

#include <fmt/format.h>

#include "../mesh/shapes.h"
#include "body.h"
#include "skeletons.h"

using namespace sinew;
using namespace sinew::test;

TEST_CASE("a neck that the chin hangs around leaves the chin to the head") {
    const Mesh mesh = lathe({{0.15f, -0.6f},
                             {0.15f, -0.1f},
                             {0.05f, 0.0f},
                             {0.05f, 0.28f},
                             {0.15f, 0.2f},
                             {0.18f, 0.3f},
                             {0.15f, 0.45f},
                             {0.01f, 0.5f}});
    for (const char* name : {"neck", "skullBase"}) {  // what carries nothing but a head is one, whatever its name
        CAPTURE(name);
        const Skeleton skeleton =
            skeleton_of({{"spine", -1, {0, -0.5f, 0}}, {name, 0, {0, 0, 0}}, {"head", 1, {0, 0.3f, 0}}});
        const WeightMesh one{mesh.positions, mesh.triangles};
        const auto result = compute_weights({&one, 1}, {.skeleton = &skeleton}).value();
        size_t chin = 0;
        for (size_t v = 0; v < mesh.positions.size(); ++v) {
            const Vec3& p = mesh.positions[v];
            if (p.y() < 0.19f || p.y() > 0.23f || std::hypot(p.x(), p.z()) < 0.13f) continue;
            ++chin;
            CHECK(weight_of(result.influences[0], v, 2) > 0.8f);
        }
        CHECK(chin > 20);
    }
}

TEST_CASE("a head with eyes and no joint at its crown has a bone to the crown; eyes own their balls and no skin") {
    Mesh head = sphere({0, 1.6f, 0}, 0.12f);
    const Mesh neck = lathe({{0.05f, 1.0f}, {0.05f, 1.55f}});
    append(head, neck);
    const Mesh left = sphere({0.04f, 1.63f, 0.09f}, 0.015f, 12), right = sphere({-0.04f, 1.63f, 0.09f}, 0.015f, 12);
    const Skeleton skeleton = skeleton_of({{"spine", -1, {0, 1.05f, 0}},
                                           {"neck", 0, {0, 1.4f, 0}},
                                           {"head", 1, {0, 1.52f, 0}},
                                           {"leftEye", 2, {0.04f, 1.63f, 0.09f}},
                                           {"rightEye", 2, {-0.04f, 1.63f, 0.09f}}});
    const WeightMesh meshes[] = {
        {head.positions, head.triangles}, {left.positions, left.triangles}, {right.positions, right.triangles}};
    const WeightRig rig{.skeleton = &skeleton};
    const Surface surface = make_surface(meshes);
    const BoneChoice choice = choose_bones(rig, surface).value();
    CHECK(use_of(choice, 3).segments == 0);
    CHECK(use_of(choice, 4).segments == 0);
    REQUIRE(use_of(choice, 2).segments == 3);  // and the ways to the eyes: there is the face
    const auto crown =
        std::find_if(choice.bones.begin(), choice.bones.end(), [](const Bone& b) { return b.joint == 2; });
    const Vec3d way = surface.from_surface(crown->tail) - surface.from_surface(crown->head);
    CHECK(way.normalized().dot(Vec3d::UnitY()) > 0.99);
    CHECK(way.norm() > 0.1);
    const auto result = compute_weights(meshes, rig).value();
    for (size_t v = 0; v < left.positions.size(); ++v) CHECK(weight_of(result.influences[1], v, 3) == 1.0f);
    for (size_t v = 0; v < right.positions.size(); ++v) CHECK(weight_of(result.influences[2], v, 4) == 1.0f);
    for (size_t v = 0; v < head.positions.size(); ++v)
        for (uint32_t eye : {3u, 4u}) CHECK(weight_of(result.influences[0], v, eye) == 0.0f);
    const auto told = std::count_if(result.report.pieces.begin(), result.report.pieces.end(), [](const PieceReport& p) {
        return p.how.find("around its joint") != std::string::npos;
    });
    CHECK(told == 2);
}

TEST_CASE("a head with a jaw and ears in it has a bone to the crown, and not to the jaw") {
    Mesh mesh = sphere({0, 1.6f, 0}, 0.12f);
    append(mesh, lathe({{0.05f, 1.0f}, {0.05f, 1.55f}}));
    const Skeleton skeleton = skeleton_of({{"spine", -1, {0, 1.05f, 0}},
                                           {"neck", 0, {0, 1.4f, 0}},
                                           {"head", 1, {0, 1.52f, 0}},
                                           {"jaw", 2, {0, 1.54f, 0.03f}},
                                           {"chin", 3, {0, 1.53f, 0.09f}},
                                           {"ear", 2, {0.1f, 1.6f, 0}}});
    const WeightMesh one{mesh.positions, mesh.triangles};
    const Surface surface = make_surface({&one, 1});
    const BoneChoice choice = choose_bones({.skeleton = &skeleton}, surface).value();
    const auto crown =
        std::find_if(choice.bones.begin(), choice.bones.end(), [](const Bone& b) { return b.joint == 2; });
    REQUIRE(crown != choice.bones.end());
    const Vec3d way = surface.from_surface(crown->tail) - surface.from_surface(crown->head);
    CHECK(way.normalized().dot(Vec3d::UnitY()) > 0.99);
    CHECK(way.norm() > 0.1);
}

TEST_CASE("the ball of a puppet's knee turns with the knee") {
    Mesh leg = lathe({{0.06f, 1.0f}, {0.06f, 0.58f}}), shin = lathe({{0.05f, 0.42f}, {0.05f, 0.0f}});
    const Mesh ball = sphere({0, 0.5f, 0}, 0.06f, 8);
    const Skeleton skeleton =
        skeleton_of({{"thigh", -1, {0, 0.95f, 0}}, {"shin", 0, {0, 0.5f, 0}}, {"foot", 1, {0, 0.05f, 0}}});
    const WeightMesh meshes[] = {
        {leg.positions, leg.triangles}, {ball.positions, ball.triangles}, {shin.positions, shin.triangles}};
    const auto result = compute_weights(meshes, {.skeleton = &skeleton}).value();
    for (size_t v = 0; v < ball.positions.size(); ++v) CHECK(weight_of(result.influences[1], v, 1) == 1.0f);
    const auto heat = compute_weights(meshes, {.skeleton = &skeleton}, {.method = WeightMethod::heat}).value();
    CHECK(weight_of(heat.influences[1], 0, 1) < 1.0f);  // only auto looks at pieces
}

// Files leave out fingertips, and not always on both sides.
TEST_CASE("arms are twins though one hand has fewer joints: the chest's bone goes to the neck") {
    std::vector<Joint> joints = {{"hips", -1, {0, 0, 0}},       {"chest", 0, {0, 0.3f, 0}},
                                 {"neck", 1, {0, 0.5f, 0}},     {"head", 2, {0, 0.6f, 0}},
                                 {"armL", 1, {0.1f, 0.45f, 0}}, {"armR", 1, {-0.1f, 0.45f, 0}}};
    for (const float side : {1.0f, -1.0f}) {
        int32_t parent = side > 0 ? 4 : 5;
        for (int k = 0; k < (side > 0 ? 9 : 8); ++k) {
            joints.push_back(
                {side > 0 ? "partL" : "partR", parent, {side * (0.2f + 0.05f * static_cast<float>(k)), 0.45f, 0}});
            parent = static_cast<int32_t>(joints.size()) - 1;
        }
    }
    const Skeleton skeleton = skeleton_of(joints);
    const Mesh mesh = lathe({{0.15f, -0.1f}, {0.15f, 0.5f}, {0.1f, 0.6f}, {0.1f, 0.8f}});
    const WeightMesh one{mesh.positions, mesh.triangles};
    const BoneChoice choice = choose_bones({.skeleton = &skeleton}, make_surface({&one, 1})).value();
    CHECK(use_of(choice, 1).why.starts_with("to neck"));
}

TEST_CASE("a bone whose end the file states owns the ways to a crowd that hangs on it") {
    std::vector<Joint> joints = {{"neck", -1, {0, -0.3f, 0}}, {"head", 0, {0, 0, 0}}};
    for (int k = 0; k < 6; ++k) {
        const float angle = static_cast<float>(k);
        joints.push_back({"face", 1, {0.15f * std::cos(angle), 0.1f, 0.15f * std::sin(angle)}});
    }
    const Skeleton skeleton = skeleton_of(joints);
    const Mesh mesh = sphere({0, 0.1f, 0}, 0.2f);
    const WeightMesh one{mesh.positions, mesh.triangles};
    WeightRig rig{.skeleton = &skeleton};
    rig.tails.resize(joints.size());
    rig.tails[1] = Vec3(0, 0.25f, 0);
    const BoneChoice choice = choose_bones(rig, make_surface({&one, 1})).value();
    CHECK(use_of(choice, 1).segments == 7);
}

TEST_CASE("toes without an end joint own what lies before them, though the sole is near") {
    Mesh mesh = lathe({{0.04f, 0.9f}, {0.04f, 0.05f}});
    const Mesh foot = sphere({0, 0, 0}, 1.0f, 32);
    const size_t first = mesh.positions.size();
    append(mesh, foot);
    for (size_t v = first; v < mesh.positions.size(); ++v)  // an ellipsoid from heel to toe
        mesh.positions[v] = Vec3(0.05f, 0.04f, 0.14f).cwiseProduct(mesh.positions[v]) + Vec3(0, 0.04f, 0.08f);
    const Skeleton skeleton = skeleton_of({{"hips", -1, {0, 0.8f, 0}},
                                           {"knee", 0, {0, 0.5f, 0}},
                                           {"foot", 1, {0, 0.12f, 0}},
                                           {"toes", 2, {0, 0.02f, 0.12f}}});
    const WeightMesh one{mesh.positions, mesh.triangles};
    const Surface surface = make_surface({&one, 1});
    const BoneChoice choice = choose_bones({.skeleton = &skeleton}, surface).value();
    REQUIRE(use_of(choice, 3).segments == 1);
    for (const Bone& bone : choice.bones)
        if (bone.joint == 3) CHECK((bone.tail - bone.head).normalized().z() > 0.9);
}

// Far from a detail its carrier is dearer by the metre and cheaper all the same.
TEST_CASE("a small bone on a large one owns what is near to it, and not the back of the head") {
    const Skeleton skeleton = skeleton_of(
        {{"a", -1, {0, -0.3f, 0}}, {"b", 0, {0, 0, 0}}, {"c", 1, {0, 0.2f, 0.19f}}, {"d", 1, {0.1f, 0.1f, 0.1f}}});
    const Mesh mesh = sphere({0, 0.15f, 0}, 0.25f);
    const WeightMesh one{mesh.positions, mesh.triangles};
    WeightRig rig{.skeleton = &skeleton};
    rig.tails = {Vec3(0, 0, 0), Vec3(0, 0.3f, 0), Vec3(0, 0.22f, 0.19f), Vec3(0.25f, 0.1f, 0.1f)};
    const BoneChoice choice = choose_bones(rig, make_surface({&one, 1})).value();
    for (const Bone& bone : choice.bones) {
        if (bone.joint == 2)
            CHECK(bone.reach < 0.7 * (bone.tail - bone.head).norm());
        else
            CHECK(std::isinf(bone.reach));  // a chain, and a limb as long as half of its carrier
    }
    const auto result = compute_weights({&one, 1}, rig).value();
    double owned = 0.0;
    for (size_t v = 0; v < mesh.positions.size(); ++v)
        if ((mesh.positions[v] - Vec3(0, 0.21f, 0.19f)).norm() > 0.1f)
            owned = std::max(owned, static_cast<double>(weight_of(result.influences[0], v, 2)));
    CHECK(owned < 0.5);
}

TEST_CASE("a root far below in a bust is a bone of it; one between the feet is not") {
    const Mesh mesh = lathe({{0.2f, -0.02f}, {0.2f, 0.5f}, {0.08f, 0.6f}, {0.1f, 0.9f}});
    const WeightMesh one{mesh.positions, mesh.triangles};
    const Surface surface = make_surface({&one, 1});
    const Skeleton bust =
        skeleton_of({{"root", -1, {0, 0.1f, 0}}, {"neck", 0, {0, 0.6f, 0}}, {"head", 1, {0, 0.7f, 0}}});
    CHECK(use_of(choose_bones({.skeleton = &bust}, surface).value(), 0).segments == 1);
    const Skeleton robed = skeleton_of({{"root", -1, {0, 0.0f, 0}},
                                        {"hips", 0, {0, 0.4f, 0}},
                                        {"head", 1, {0, 0.7f, 0}},
                                        {"foot", 1, {0.1f, 0.05f, 0}}});
    CHECK(use_of(choose_bones({.skeleton = &robed}, surface).value(), 0).segments == 0);
}
