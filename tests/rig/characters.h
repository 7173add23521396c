// Rigged characters with their rig removed: the bare triangles, and where the artist put the joints. For the tests of
// rig.
#pragma once

#include <sinew/character/character_deformer.h>
#include <sinew/core/random.h>
#include <sinew/io/read.h>
#include <sinew/skeleton/humanoid.h>
#include <sinew/skeleton/pose.h>
#include <support/data.h>
#include <map>
#include <string>
#include <vector>

namespace sinew::test {

// Truth is keyed by Sinew's own joint names (rig/template/rig_template.h).
struct BareCharacter {
    std::string name, kind;
    std::vector<Vec3> positions;
    std::vector<uint32_t> triangles;
    std::map<std::string, Vec3> truth;
    double height = 0.0;  // what errors are measured by; the longest side for what does not stand
};

struct CharacterFile {
    const char* name;
    const char* path;
    const char* kind;
    bool held_out;  // never looked at while rules and numbers were chosen
};

inline const std::vector<CharacterFile>& character_files() {
    static const std::vector<CharacterFile> files = {
        {"male", "rigged-gt/m2m_var_human-male.glb", "biped", false},
        {"female", "rigged-gt/m2m_var_human-female.glb", "biped", true},
        {"zombie", "rigged-gt/m2m_var_human-zombie.glb", "biped", false},
        {"knight", "rigged-gt/kaykit_Knight.glb", "biped", false},
        {"cesium", "gltf-khronos/CesiumMan.glb", "biped", true},
        {"figure", "gltf-khronos/RiggedFigure.glb", "biped", false},
        {"makehuman", "makehuman/base.obj", "biped", false},
        {"fox", "rigged-gt/m2m_fox-animations.glb", "quadruped", false},
        {"dog", "rigged-gt/m2m_var_fox-dog.glb", "quadruped", true},
        {"panda", "rigged-gt/m2m_var_fox-panda.glb", "quadruped", false},
        {"horse2", "rigged-gt/m2m_var_fox-horse.glb", "quadruped", true},
        {"horse", "rigged-gt/m2m_horse-animations.glb", "quadruped", false},
        {"kfox", "gltf-khronos/Fox.glb", "quadruped", false},
        {"bird", "rigged-gt/m2m_bird-animations.glb", "bird", false},
        {"eagle", "rigged-gt/m2m_var_bird-eagle.glb", "bird", true},
        {"kaiju", "rigged-gt/m2m_kaiju-animations.glb", "biped", false},
        {"shark", "rigged-gt/m2m_shark-animations.glb", "generic", false},
    };
    return files;
}

// Sinew's name of a joint of the artist's quadruped or bird; empty when it is not one that is compared.
inline std::string animal_joint(std::string name) {
    static const std::map<std::string, std::string> known = {
        {"Hips", "hips"},
        {"hips", "hips"},
        {"b_Spine01_02", "hips"},
        {"Head", "head"},
        {"head", "head"},
        {"b_Head_05", "head"},
        {"Spine_3", "neck"},
        {"spine_4", "neck"},
        {"b_Neck_04", "neck"},
        {"Tail_Base", "tail1"},
        {"tail_1", "tail1"},
        {"b_Tail01_012", "tail1"},
        {"Front_Leg_Upper_L", "leftFrontUpperLeg"},
        {"Front_Leg_Lower_L", "leftFrontLowerLeg"},
        {"Front_Leg_Ankle_L", "leftFrontFoot"},
        {"front_leg_upper_l", "leftFrontUpperLeg"},
        {"front_leg_lower_l", "leftFrontLowerLeg"},
        {"front_leg_ankle_l", "leftFrontFoot"},
        {"b_LeftUpperArm_09", "leftFrontUpperLeg"},
        {"b_LeftForeArm_010", "leftFrontLowerLeg"},
        {"b_LeftHand_011", "leftFrontFoot"},
        {"Back_Leg_Upper_L", "leftHindUpperLeg"},
        {"Back_Leg_Lower_L", "leftHindLowerLeg"},
        {"Back_Leg_Ankle_L", "leftHindFoot"},
        {"Back_Leg_Foot_L", "leftHindToes"},
        {"back_leg_upper_l", "leftHindUpperLeg"},
        {"back_leg_lower_l", "leftHindLowerLeg"},
        {"back_leg_ankle_l", "leftHindFoot"},
        {"back_leg_foot_l", "leftHindToes"},
        {"b_LeftLeg01_015", "leftHindUpperLeg"},
        {"b_LeftLeg02_016", "leftHindLowerLeg"},
        {"b_LeftFoot01_017", "leftHindFoot"},
        {"b_LeftFoot02_018", "leftHindToes"},
        {"wing_1_L", "leftUpperWing"},
        {"wing_tip_L", "leftWingTip"},
        {"LowerLeg_L", "leftLowerLeg"},
        {"AnkleLeg_L", "leftFoot"},
        {"Foot_L", "leftToes"},
    };
    const auto found = known.find(name);
    return found == known.end() ? std::string() : found->second;
}

inline std::string reptile_joint(const std::string& name) {
    static const std::map<std::string, std::string> known = {
        {"Hips", "hips"},
        {"Spine_3", "neck"},
        {"Head", "head"},
        {"Front_Leg_Upper_L", "leftUpperArm"},
        {"Front_Leg_Upper_R", "rightUpperArm"},
        {"Front_Leg_Lower_L", "leftLowerArm"},
        {"Front_Leg_Lower_R", "rightLowerArm"},
        {"Hand_L", "leftHand"},
        {"Hand_R", "rightHand"},
        {"Back_Leg_Upper_L", "leftUpperLeg"},
        {"Back_Leg_Upper_R", "rightUpperLeg"},
        {"Back_Leg_Lower_L", "leftLowerLeg"},
        {"Back_Leg_Lower_R", "rightLowerLeg"},
        {"Back_Leg_Foot_L", "leftFoot"},
        {"Back_Leg_Foot_R", "rightFoot"},
    };
    const auto found = known.find(name);
    return found == known.end() ? std::string() : found->second;
}

inline const std::vector<std::string>& biped_joints() {
    static const std::vector<std::string> names = {"hips",          "neck",         "head",          "leftUpperArm",
                                                   "rightUpperArm", "leftLowerArm", "rightLowerArm", "leftHand",
                                                   "rightHand",     "leftUpperLeg", "rightUpperLeg", "leftLowerLeg",
                                                   "rightLowerLeg", "leftFoot",     "rightFoot"};
    return names;
}

// The world-space triangles of a posed character: of its skinned meshes, or of all when none is skinned.
inline void take_triangles(const Character& character, const Pose& pose, BareCharacter& out,
                           const std::string& only = {}) {
    bool any_skin = false;
    for (const MeshInstance& instance : character.instances) any_skin |= instance.skin >= 0;
    std::vector<DeformedPrimitive> deformed;
    deform(character, pose, {.normals = false}, deformed);
    for (const DeformedPrimitive& d : deformed) {
        const MeshInstance& instance = character.instances[static_cast<size_t>(d.instance)];
        const MeshGroup& group = character.meshes[static_cast<size_t>(instance.mesh)];
        if ((any_skin && instance.skin < 0) || (!only.empty() && group.name != only)) continue;
        const auto base = static_cast<uint32_t>(out.positions.size());
        out.positions.insert(out.positions.end(), d.positions.begin(), d.positions.end());
        for (uint32_t v : group.primitives[static_cast<size_t>(d.primitive)].mesh.triangles)
            out.triangles.push_back(base + v);
    }
}

inline void take_truth(const Character& character, const Pose& pose, BareCharacter& out) {
    std::vector<AffineD> world(character.skeleton.size());
    local_to_world(character.skeleton.parents(), pose.local, world);
    if (out.kind == "generic") return;  // its joints have no names to compare by
    if (out.kind == "biped") {
        const HumanoidMap map = recognise_humanoid(character.skeleton);
        for (size_t r = 0; r < role_count; ++r)
            if (map.joint[r] >= 0)
                out.truth[std::string(to_string(static_cast<Role>(r)))] =
                    world[static_cast<size_t>(map.joint[r])].translation().cast<float>();
        if (!out.truth.empty()) return;
        // A reptile that walks on two legs is rigged as a quadruped is.
        for (size_t j = 0; j < world.size(); ++j)
            if (const std::string name = reptile_joint(character.skeleton.names()[j]); !name.empty())
                out.truth[name] = world[j].translation().cast<float>();
        return;
    }
    for (size_t j = 0; j < world.size(); ++j)
        if (const std::string name = animal_joint(character.skeleton.names()[j]); !name.empty())
            out.truth[name] = world[j].translation().cast<float>();
}

}  // namespace sinew::test
