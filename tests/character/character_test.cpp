#include <doctest/doctest.h>

#include <sinew/character/character_deformer.h>

using namespace sinew;

namespace {

// Joint 0 holds a rigid triangle; joints 1 and 2 bend a skinned one; the second instance has two morph targets.
Character small_character() {
    Character c;
    std::vector<Transform> rest(3);
    rest[1].translation = {0, 1, 0};
    rest[2].translation = {0, 1, 0};
    c.skeleton = *Skeleton::create({"root", "lower", "upper"}, {-1, 0, 1}, rest);
    Primitive rigid;
    rigid.mesh.positions = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
    rigid.mesh.triangles = {0, 1, 2};
    Primitive soft = rigid;
    soft.mesh.normals.assign(3, Vec3::UnitZ());
    soft.influences = *Influences::create({0, 1, 2, 4}, {{0, 1.0f}, {0, 1.0f}, {0, 0.5f}, {1, 0.5f}}, 2);
    soft.morphs = {{"wide", {1}, {{1, 0, 0}}, {}, {}}, {"tall", {2}, {{0, 1, 0}}, {}, {}}};
    c.meshes = {{"rigid", {rigid}, {}}, {"soft", {soft}, {0.0f, 0.25f}}};
    Affine low = Affine::Identity(), high = Affine::Identity();
    low.translation() = Vec3(0, -1, 0);
    high.translation() = Vec3(0, -2, 0);
    c.skins = {{"skin", {1, 2}, {low, high}}};
    c.instances = {{.joint = 0, .mesh = 0}, {.joint = 0, .mesh = 1, .skin = 0}};
    layout_morphs(c);
    return c;
}

}  // namespace

TEST_CASE("deform: morph, then skin, each instance in its own way") {
    const Character c = small_character();
    REQUIRE(validate(c));
    Pose pose = rest_pose(c);
    CHECK(pose.morphs == std::vector<float>{0.0f, 0.25f});
    pose.morphs = {1.0f, 0.0f};
    pose.local[0].translation = {10, 0, 0};
    pose.local[2].translation = {0, 1, 4};
    std::vector<DeformedPrimitive> out;
    deform(c, pose, {.surface_normals = true}, out);
    REQUIRE(out.size() == 2);
    CHECK(out[0].positions[1] == Vec3(11, 0, 0));
    CHECK(out[0].normals.empty());
    CHECK(out[1].positions[1] == Vec3(12, 0, 0));                             // moved by the morph, then by the root
    CHECK(out[1].positions[2] == Vec3(10, 1, 2));                             // half of the upper joint's 4
    CHECK((out[1].normals[2] - Vec3(0, -2, 1).normalized()).norm() < 1e-6f);  // that of the tilted triangle
    deform(c, pose, {}, out);
    CHECK(out[1].normals[2] == Vec3(0, 0, 1));  // no joint turns
}

TEST_CASE("deform: instances outside the scene are left out") {
    Character c = small_character();
    c.instances[0].in_scene = false;
    std::vector<DeformedPrimitive> out(5);
    deform(c, rest_pose(c), {.normals = false}, out);
    REQUIRE(out.size() == 1);
    CHECK(out[0].instance == 1);
    CHECK(out[0].normals.empty());
}

TEST_CASE("validate: every broken reference is found") {
    const auto broken = [](auto change) {
        Character c = small_character();
        change(c);
        return !validate(c).has_value();
    };
    CHECK_FALSE(broken([](Character&) {}));
    CHECK(broken([](Character& c) { c.meshes[0].primitives[0].mesh.triangles[0] = 3; }));
    CHECK(broken([](Character& c) { c.meshes[0].primitives[0].mesh.triangles.pop_back(); }));
    CHECK(broken([](Character& c) { c.meshes[0].primitives[0].mesh.positions[0].x() = NAN; }));
    CHECK(broken([](Character& c) { c.meshes[0].primitives[0].mesh.uvs.resize(2); }));
    CHECK(broken([](Character& c) { c.meshes[0].primitives[0].material = 0; }));
    CHECK(broken([](Character& c) { c.meshes[1].primitives[0].morphs[0].vertices[0] = 3; }));
    CHECK(broken([](Character& c) {
        c.meshes[1].primitives[0].morphs.pop_back();
        c.meshes[1].morph_weights = {1, 1};
    }));
    CHECK(broken([](Character& c) { c.skins[0].joints[1] = 3; }));
    CHECK(broken([](Character& c) { c.skins[0].inverse_bind.pop_back(); }));
    CHECK(broken([](Character& c) {
        c.skins[0].joints.pop_back();
        c.skins[0].inverse_bind.pop_back();
    }));
    CHECK(broken([](Character& c) { c.instances[0].joint = 3; }));
    CHECK(broken([](Character& c) { c.instances[1].first_morph = 1; }));
    CHECK(broken([](Character& c) {
        c.clips.push_back({"x", {Track{.target = 9, .times = {0}, .values = {0, 0, 0, 1}}}});
    }));
    CHECK(broken([](Character& c) { c.materials.push_back({.base_color_image = 0}); }));
}
