// Roles on real files: humans with their names and without them, animals that are none.
#include <doctest/doctest.h>
#include <sinew/io/read.h>
#include <sinew/skeleton/humanoid.h>

#include "support/data_case.h"

using namespace sinew;

namespace {

Skeleton read_skeleton(const std::filesystem::path& path) {
    const auto character = read_character(path);
    INFO(path.string());
    REQUIRE(character);
    return character->skeleton;
}

Skeleton without_names(const Skeleton& skeleton) {
    std::vector<std::string> names;
    for (size_t j = 0; j < skeleton.size(); ++j) names.push_back("bone_" + std::to_string(j));
    return *Skeleton::create(names, skeleton.parents(), skeleton.rest());
}

}  // namespace

DATA_TEST_CASE("recognise_humanoid: real humans, with names and without") {
    for (const char* name :
         {"rigged-gt/m2m_var_human-male.glb", "rigged-gt/m2m_var_human-female.glb",
          "rigged-gt/m2m_var_human-zombie.glb", "rigged-gt/m2m_rig-human.glb", "rigged-gt/kaykit_Knight.glb",
          "gltf-khronos/CesiumMan.glb", "gltf-khronos/RiggedFigure.glb", "bvh-cmu/02_01.bvh",
          "bvh-other/makehuman_tpose.bvh", "bvh-other/makehuman_walk1.bvh"}) {
        INFO(name);
        const Skeleton skeleton = read_skeleton(data / name);
        const HumanoidMap named = recognise_humanoid(skeleton);
        CHECK(named.is_body());
        for (const Role role :
             {Role::spine, Role::head, Role::left_foot, Role::right_foot, Role::left_hand, Role::right_hand})
            CHECK(named[role] >= 0);
        const HumanoidMap seen = recognise_humanoid(without_names(skeleton));
        CHECK(seen.is_body());
        for (const Role role :
             {Role::hips, Role::left_upper_leg, Role::left_lower_leg, Role::left_foot, Role::right_upper_leg,
              Role::right_lower_leg, Role::right_foot, Role::left_lower_arm, Role::right_lower_arm}) {
            INFO(to_string(role));
            CHECK(seen[role] == named[role]);
        }
    }
}

DATA_TEST_CASE("recognise_humanoid: real animals are no humans") {
    for (const char* name : {"rigged-gt/m2m_rig-fox.glb", "rigged-gt/m2m_rig-horse.glb", "rigged-gt/m2m_rig-bird.glb",
                             "rigged-gt/m2m_rig-shark.glb", "rigged-gt/m2m_var_fox-dog.glb",
                             "rigged-gt/m2m_var_fox-panda.glb", "gltf-khronos/Fox.glb"}) {
        INFO(name);
        const Skeleton skeleton = read_skeleton(data / name);
        CHECK_FALSE(recognise_humanoid(skeleton).is_body());
        CHECK_FALSE(recognise_humanoid(without_names(skeleton)).is_body());
    }
}
