#include <doctest/doctest.h>
#include <sinew/render/scene/bone_shapes.h>
#include <sinew/sample/sample.h>

#include "render/shapes.h"

using namespace sinew;

TEST_CASE("bones: skin joints and what lies between them are shown, nothing above or beside") {
    Character character;
    //  scene ─ armature ─ hips ─ helper ─ knee
    //                └ prop          └ leaf
    character.skeleton = *Skeleton::create({"scene", "armature", "hips", "helper", "knee", "leaf", "prop"},
                                           {-1, 0, 1, 2, 3, 3, 1}, std::vector<Transform>(7));
    CHECK(shown_joints(character) == std::vector<bool>(7, true));
    character.skins.push_back({.name = "", .joints = {2, 4}, .inverse_bind = {Affine::Identity(), Affine::Identity()}});
    CHECK(shown_joints(character) == std::vector<bool>{false, false, true, true, true, false, false});
}

TEST_CASE("bones: of a person without skin the cameras beside it are not shown") {
    Character person;
    person.skeleton = make_rigged_humanoid().skeleton;
    std::vector<std::string> names = person.skeleton.names();
    std::vector<int32_t> parents = person.skeleton.parents();
    std::vector<Transform> rest = person.skeleton.rest();
    names.push_back("Camera01");
    parents.push_back(-1);
    rest.emplace_back();
    rest.back().translation = {0, 9, 9};
    person.skeleton = *Skeleton::create(names, parents, rest);
    const std::vector<bool> shown = shown_joints(person);
    CHECK_FALSE(shown.back());
    for (const char* joint : {"hips", "head", "leftHand", "rightToes"})
        CHECK(shown[static_cast<size_t>(person.skeleton.find(joint))]);
}

TEST_CASE("bones: only joints that move no vertex are helpers") {
    Character character = test::swinging_column(1.0f);
    CHECK(helper_joints(character) == std::vector<bool>{false, false, false});
    character.skeleton =
        *Skeleton::create({"root", "middle", "top", "target"}, {-1, 0, 1, 0}, std::vector<Transform>(4));
    CHECK(helper_joints(character) == std::vector<bool>{false, false, false, true});
    character.instances.clear();
    CHECK(helper_joints(character) == std::vector<bool>(4, false));
}

TEST_CASE("bones: the surface spans the joints and is closed by finite triangles, also for joints in one place") {
    const auto skeleton = *Skeleton::create({"a", "b", "c"}, {-1, 0, 0}, std::vector<Transform>(3));
    const BoneFigure figure(skeleton, std::vector<bool>(3, true), std::vector<bool>(3, false));
    for (const std::vector<Vec3>& joints :
         {std::vector<Vec3>{{0, 0, 0}, {0, 0.5f, 0}, {0.3f, 0, 0}}, std::vector<Vec3>(3, Vec3(1, 1, 1))}) {
        const SceneSurface surface = figure.surface(joints);
        Box box;
        for (size_t i = 0; i < surface.positions.size(); ++i) {
            CHECK(surface.positions[i].allFinite());
            CHECK(surface.normals[i].allFinite());
            box.add(surface.positions[i]);
        }
        for (const Vec3& joint : joints)
            CHECK(((joint - box.min).minCoeff() >= 0.0f && (box.max - joint).minCoeff() >= 0.0f));
        for (uint32_t i : surface.triangles) CHECK(i < surface.positions.size());
    }
}
