#include <doctest/doctest.h>
#include <sinew/skeleton/humanoid.h>
#include <sinew/skeleton/joint_name.h>

#include "support/humanoid.h"

using namespace sinew;
using namespace sinew::test;

namespace {

std::vector<NamingStyle> styles() {
    std::vector<NamingStyle> list = {vrm_style()};
    list.push_back(
        {"Mixamo",
         "Left",
         "Right",
         {"mixamorig:Hips",         "mixamorig:Spine",       "mixamorig:Spine1",       "mixamorig:Spine2",
          "mixamorig:Neck",         "mixamorig:Head",        "mixamorig:*Eye",         "",
          "mixamorig:*UpLeg",       "mixamorig:*Leg",        "mixamorig:*Foot",        "mixamorig:*ToeBase",
          "mixamorig:*Shoulder",    "mixamorig:*Arm",        "mixamorig:*ForeArm",     "mixamorig:*Hand",
          "mixamorig:*HandThumb1",  "mixamorig:*HandThumb2", "mixamorig:*HandThumb3",  "mixamorig:*HandIndex1",
          "mixamorig:*HandIndex2",  "mixamorig:*HandIndex3", "mixamorig:*HandMiddle1", "mixamorig:*HandMiddle2",
          "mixamorig:*HandMiddle3", "mixamorig:*HandRing1",  "mixamorig:*HandRing2",   "mixamorig:*HandRing3",
          "mixamorig:*HandPinky1",  "mixamorig:*HandPinky2", "mixamorig:*HandPinky3"},
         {{"mixamorig:HeadTop_End", 5},
          {"mixamorig:*Toe_End", 11},
          {"mixamorig:*HandIndex4", 21},
          {"mixamorig:*HandThumb4", 18},
          {"mixamorig:*HandPinky4", 30}}});
    list.push_back(list.back());
    list.back().title = "Mixamo without its prefix";
    for (std::string& name : list.back().names)
        if (const size_t colon = name.find(':'); colon != std::string::npos) name = name.substr(colon + 1);
    list.push_back({"VRoid",
                    "L",
                    "R",
                    {"J_Bip_C_Hips",     "J_Bip_C_Spine",    "J_Bip_C_Chest",    "J_Bip_C_UpperChest",
                     "J_Bip_C_Neck",     "J_Bip_C_Head",     "J_Adj_*_FaceEye",  "",
                     "J_Bip_*_UpperLeg", "J_Bip_*_LowerLeg", "J_Bip_*_Foot",     "J_Bip_*_ToeBase",
                     "J_Bip_*_Shoulder", "J_Bip_*_UpperArm", "J_Bip_*_LowerArm", "J_Bip_*_Hand",
                     "J_Bip_*_Thumb1",   "J_Bip_*_Thumb2",   "J_Bip_*_Thumb3",   "J_Bip_*_Index1",
                     "J_Bip_*_Index2",   "J_Bip_*_Index3",   "J_Bip_*_Middle1",  "J_Bip_*_Middle2",
                     "J_Bip_*_Middle3",  "J_Bip_*_Ring1",    "J_Bip_*_Ring2",    "J_Bip_*_Ring3",
                     "J_Bip_*_Little1",  "J_Bip_*_Little2",  "J_Bip_*_Little3"},
                    {{"J_Sec_Hair1_01", 5}, {"J_Sec_*_Bust1", 3}, {"J_Sec_*_SkirtSide1_01", 8}}});
    list.push_back(
        {"Unreal",
         "l",
         "r",
         {"pelvis",     "spine_01",    "spine_02",    "spine_03",    "neck_01",    "head",       "",
          "",           "thigh_*",     "calf_*",      "foot_*",      "ball_*",     "clavicle_*", "upperarm_*",
          "lowerarm_*", "hand_*",      "thumb_01_*",  "thumb_02_*",  "thumb_03_*", "index_01_*", "index_02_*",
          "index_03_*", "middle_01_*", "middle_02_*", "middle_03_*", "ring_01_*",  "ring_02_*",  "ring_03_*",
          "pinky_01_*", "pinky_02_*",  "pinky_03_*"},
         {{"upperarm_twist_01_*", 13},
          {"lowerarm_twist_01_*", 14},
          {"thigh_twist_01_*", 8},
          {"calf_twist_01_*", 9},
          {"ik_foot_*", -1},
          {"ik_hand_*", -1},
          {"ik_foot_root", -1},
          {"ball_leaf_*", 11}}});
    list.push_back({"HumanIK",
                    "Left",
                    "Right",
                    {"Character1_Hips",
                     "Character1_Spine",
                     "Character1_Spine1",
                     "Character1_Spine2",
                     "Character1_Neck",
                     "Character1_Head",
                     "",
                     "",
                     "Character1_*UpLeg",
                     "Character1_*Leg",
                     "Character1_*Foot",
                     "Character1_*ToeBase",
                     "Character1_*Shoulder",
                     "Character1_*Arm",
                     "Character1_*ForeArm",
                     "Character1_*Hand",
                     "Character1_*HandThumb1",
                     "Character1_*HandThumb2",
                     "Character1_*HandThumb3",
                     "Character1_*HandIndex1",
                     "Character1_*HandIndex2",
                     "Character1_*HandIndex3",
                     "Character1_*HandMiddle1",
                     "Character1_*HandMiddle2",
                     "Character1_*HandMiddle3",
                     "Character1_*HandRing1",
                     "Character1_*HandRing2",
                     "Character1_*HandRing3",
                     "Character1_*HandPinky1",
                     "Character1_*HandPinky2",
                     "Character1_*HandPinky3"},
                    {{"Character1_*UpLegRoll", 8}, {"Character1_*ForeArmRoll", 14}, {"Character1_*InHandIndex", 15}}});
    list.push_back(
        {"CMU BVH",
         "Left",
         "Right",
         {"Hips",  "LowerBack", "Spine",     "Spine1", "Neck",     "Head",  "",       "", "*UpLeg", "*Leg",
          "*Foot", "*ToeBase",  "*Shoulder", "*Arm",   "*ForeArm", "*Hand", "*Thumb", "", "",       "*HandIndex1",
          "",      "",          "",          "",       "",         "",      "",       "", "",       "",
          ""},
         {{"*FingerBase", 15}, {"*HipJoint", 0}, {"Head_end", 5}}});
    list.push_back(
        {"CMU ASF",
         "l",
         "r",
         {"root",  "lowerback", "upperback", "thorax",  "lowerneck", "head",   "", "", "*femur", "*tibia", "*foot",
          "*toes", "*clavicle", "*humerus",  "*radius", "*hand",     "*thumb", "", "", "",       "",       "",
          "",      "",          "",          "",        "",          "",       "", "", ""},
         {{"*fingers", 15}, {"*hipjoint", 0}}});
    list.push_back({"MakeHuman",
                    "L",
                    "R",
                    {"root",        "spine03",      "spine02",      "spine01",      "neck01",      "head",
                     "eye.*",       "jaw",          "upperleg01.*", "lowerleg01.*", "foot.*",      "",
                     "clavicle.*",  "upperarm01.*", "lowerarm01.*", "wrist.*",      "finger1-1.*", "finger1-2.*",
                     "finger1-3.*", "finger2-1.*",  "finger2-2.*",  "finger2-3.*",  "finger3-1.*", "finger3-2.*",
                     "finger3-3.*", "finger4-1.*",  "finger4-2.*",  "finger4-3.*",  "finger5-1.*", "finger5-2.*",
                     "finger5-3.*"},
                    {{"toe1-1.*", 10}, {"toe2-1.*", 10}, {"metacarpal1.*", 15}, {"breast.*", 3}, {"tongue01", 7}}});
    list.push_back({"Rigify",
                    "L",
                    "R",
                    {"DEF-spine",
                     "DEF-spine.001",
                     "DEF-spine.002",
                     "DEF-spine.003",
                     "DEF-neck",
                     "DEF-head",
                     "",
                     "",
                     "DEF-thigh.*",
                     "DEF-shin.*",
                     "DEF-foot.*",
                     "DEF-toe.*",
                     "DEF-shoulder.*",
                     "DEF-upper_arm.*",
                     "DEF-forearm.*",
                     "DEF-hand.*",
                     "DEF-thumb.01.*",
                     "DEF-thumb.02.*",
                     "DEF-thumb.03.*",
                     "DEF-f_index.01.*",
                     "DEF-f_index.02.*",
                     "DEF-f_index.03.*",
                     "DEF-f_middle.01.*",
                     "DEF-f_middle.02.*",
                     "DEF-f_middle.03.*",
                     "DEF-f_ring.01.*",
                     "DEF-f_ring.02.*",
                     "DEF-f_ring.03.*",
                     "DEF-f_pinky.01.*",
                     "DEF-f_pinky.02.*",
                     "DEF-f_pinky.03.*"},
                    {{"DEF-palm.01.*", 15},
                     {"MCH-thigh_ik_target.*", -1},
                     {"foot_ik.*", -1},
                     {"DEF-breast.*", 3},
                     {"hand_ik.*", -1},
                     {"VIS_thigh_ik_pole.*", -1}}});
    list.push_back(list.back());
    list.back().title = "Rigify's plain metarig";
    list.back().extras.clear();
    for (std::string& name : list.back().names)
        if (name.starts_with("DEF-")) name = name.substr(4);
    list.push_back(
        {"3ds Max Biped",
         "L",
         "R",
         {"Bip01 Pelvis",
          "Bip01 Spine",
          "Bip01 Spine1",
          "Bip01 Spine2",
          "Bip01 Neck",
          "Bip01 Head",
          "",
          "",
          "Bip01 * Thigh",
          "Bip01 * Calf",
          "Bip01 * Foot",
          "Bip01 * Toe0",
          "Bip01 * Clavicle",
          "Bip01 * UpperArm",
          "Bip01 * Forearm",
          "Bip01 * Hand",
          "Bip01 * Finger0",
          "Bip01 * Finger01",
          "Bip01 * Finger02",
          "Bip01 * Finger1",
          "Bip01 * Finger11",
          "Bip01 * Finger12",
          "Bip01 * Finger2",
          "Bip01 * Finger21",
          "Bip01 * Finger22",
          "Bip01 * Finger3",
          "Bip01 * Finger31",
          "Bip01 * Finger32",
          "Bip01 * Finger4",
          "Bip01 * Finger41",
          "Bip01 * Finger42"},
         {{"Bip01 HeadNub", 5}, {"Bip01 * Toe0Nub", 11}, {"Bip01 * Finger0Nub", 18}, {"Bip01 Footsteps", -1}}});
    list.push_back({"KayKit",
                    "l",
                    "r",
                    {"hips",       "spine",  "chest",  "", "",           "head",       "",       "", "upperleg.*",
                     "lowerleg.*", "foot.*", "toes.*", "", "upperarm.*", "lowerarm.*", "hand.*", "", "",
                     "",           "",       "",       "", "",           "",           "",       "", "",
                     "",           "",       "",       ""},
                    {{"kneeIK.*", -1},
                     {"control-toe-roll.*", -1},
                     {"IK-foot.*", -1},
                     {"handIK.*", -1},
                     {"elbowIK.*", -1},
                     {"handslot.*", 15}}});
    list.push_back({"Daz",
                    "l",
                    "r",
                    {"hip",     "abdomen", "abdomen2", "chest",   "neck",    "head",    "*Eye",     "",
                     "*Thigh",  "*Shin",   "*Foot",    "*Toe",    "*Collar", "*Shldr",  "*ForeArm", "*Hand",
                     "*Thumb1", "*Thumb2", "*Thumb3",  "*Index1", "*Index2", "*Index3", "*Mid1",    "*Mid2",
                     "*Mid3",   "*Ring1",  "*Ring2",   "*Ring3",  "*Pinky1", "*Pinky2", "*Pinky3"},
                    {}});
    list.push_back({"joint names",
                    "Left",
                    "Right",
                    {"Hips", "Chest",   "Chest2",    "Chest3", "Neck",   "Head", "", "", "*Hip", "*Knee", "*Ankle",
                     "*Toe", "*Collar", "*Shoulder", "*Elbow", "*Wrist", "",     "", "", "",     "",      "",
                     "",     "",        "",          "",       "",       "",     "", "", ""},
                    {{"Head_end", 5}}});
    list.push_back(
        {"body model",
         "left",
         "right",
         {"pelvis",    "spine1",   "spine2",   "spine3",   "neck",     "head",       "*_eye_smplhf", "jaw",
          "*_hip",     "*_knee",   "*_ankle",  "*_foot",   "*_collar", "*_shoulder", "*_elbow",      "*_wrist",
          "*_thumb1",  "*_thumb2", "*_thumb3", "*_index1", "*_index2", "*_index3",   "*_middle1",    "*_middle2",
          "*_middle3", "*_ring1",  "*_ring2",  "*_ring3",  "*_pinky1", "*_pinky2",   "*_pinky3"},
         {}});
    list.push_back(
        {"plain English",
         "Left",
         "Right",
         {"Hips",  "Spine",      "Chest", "",        "Neck",   "Head", "* Eye", "Jaw", "* leg", "* knee", "* foot",
          "* toe", "* shoulder", "* arm", "* elbow", "* hand", "",     "",      "",    "",      "",       "",
          "",      "",           "",      "",        "",       "",     "",      "",    ""},
         {}});
    list.push_back(
        {"lower case, run together",
         "left",
         "right",
         {"hips", "spine",     "chest", "upperchest", "neck",  "head", "*eye", "jaw", "*upleg", "*leg", "*foot",
          "*toe", "*shoulder", "*arm",  "*forearm",   "*hand", "",     "",     "",    "",       "",     "",
          "",     "",          "",      "",           "",      "",     "",     "",    ""},
         {}});
    list.push_back(
        {"parts of a body",
         "Left",
         "Right",
         {"LowerTorso", "UpperTorso", "",          "",      "", "Head", "", "", "*UpperLeg", "*LowerLeg", "*Foot", "",
          "",           "*UpperArm",  "*LowerArm", "*Hand", "", "",     "", "", "",          "",          "",      "",
          "",           "",           "",          "",      "", "",     ""},
         {}});
    list.push_back({"numbered chains",
                    "L",
                    "R",
                    {"torso_joint_1",
                     "torso_joint_2",
                     "torso_joint_3",
                     "",
                     "neck_joint_1",
                     "neck_joint_2",
                     "",
                     "",
                     "leg_joint_*_1",
                     "leg_joint_*_2",
                     "leg_joint_*_3",
                     "leg_joint_*_5",
                     "",
                     "arm_joint_*__4_",
                     "arm_joint_*__3_",
                     "arm_joint_*__2_",
                     "",
                     "",
                     "",
                     "",
                     "",
                     "",
                     "",
                     "",
                     "",
                     "",
                     "",
                     "",
                     "",
                     "",
                     ""},
                    {}});
    return list;
}

void check_roles(const HumanoidMap& found, const NamedHumanoid& human, const std::string& title, size_t roles) {
    const auto name = [&](int32_t joint) {
        return joint < 0 ? std::string("nothing") : human.skeleton.names()[static_cast<size_t>(joint)];
    };
    for (size_t r = 0; r < roles; ++r) {
        INFO(title << ": " << to_string(static_cast<Role>(r)) << " should be " << name(human.expected.joint[r])
                   << ", is " << name(found.joint[r]));
        CHECK(found.joint[r] == human.expected.joint[r]);
    }
}

}  // namespace

TEST_CASE("recognise_humanoid: every role in every naming convention") {
    for (const NamingStyle& style : styles()) {
        NamedHumanoid human = make_humanoid_skeleton(style);
        // What the convention leaves open: a lone torso joint is the spine.
        if (style.title == "VRoid")  // its eyes are adjusters, not joints of the body
            for (const Role eye : {Role::left_eye, Role::right_eye})
                human.expected.joint[static_cast<size_t>(eye)] = -1;
        if (style.title == "parts of a body") {
            human.expected.joint[static_cast<size_t>(Role::hips)] = human.skeleton.find("LowerTorso");
        }
        const HumanoidMap found = recognise_humanoid(human.skeleton);
        CHECK(found.is_body());
        check_roles(found, human, style.title, role_count);
    }
}

TEST_CASE("recognise_humanoid: names erased, the shape is enough for the body") {
    for (const NamingStyle& style : styles()) {
        NamedHumanoid human = make_humanoid_skeleton(style);
        std::vector<std::string> names;
        for (size_t j = 0; j < human.skeleton.size(); ++j) names.push_back("bone_" + std::to_string(j));
        const Skeleton nameless = *Skeleton::create(names, human.skeleton.parents(), human.skeleton.rest());
        const HumanoidMap found = recognise_humanoid(nameless);
        INFO(style.title);
        CHECK(found.is_body());
        for (const Role role : {Role::hips, Role::left_upper_leg, Role::left_lower_leg, Role::left_foot,
                                Role::right_upper_leg, Role::right_lower_leg, Role::right_foot, Role::left_upper_arm,
                                Role::left_lower_arm, Role::right_upper_arm, Role::right_lower_arm}) {
            INFO(to_string(role));
            CHECK(found[role] == human.expected[role]);
        }
    }
}

TEST_CASE("recognise_humanoid: turned about, left stays left") {
    const NamedHumanoid human = make_humanoid_skeleton(vrm_style());
    for (const float angle_deg : {0.0f, 90.0f, 180.0f, -120.0f}) {
        std::vector<std::string> names(human.skeleton.size(), "x");
        std::vector<Transform> rest = human.skeleton.rest();
        rest[0].rotation = Quat(Eigen::AngleAxisf(radians(angle_deg), Vec3::UnitY()));
        rest[0].scale = Vec3::Constant(0.01f);
        const HumanoidMap found = recognise_humanoid(*Skeleton::create(names, human.skeleton.parents(), rest));
        CHECK(found[Role::left_foot] == human.expected[Role::left_foot]);
        CHECK(found[Role::right_lower_arm] == human.expected[Role::right_lower_arm]);
    }
}

TEST_CASE("recognise_humanoid: an animal is no body, whatever its joints are called") {
    NamedHumanoid human = make_humanoid_skeleton(vrm_style());
    std::vector<Transform> rest = human.skeleton.rest();
    // On all fours: the trunk lies along +Z, the arms hang down.
    rest[static_cast<size_t>(human.expected[Role::spine])].rotation = Quat(Eigen::AngleAxisf(pi / 2, Vec3::UnitX()));
    for (const auto& [role, sign] : {std::pair{Role::left_upper_arm, -1.0f}, {Role::right_upper_arm, 1.0f}}) {
        Transform& arm = rest[static_cast<size_t>(human.expected[role])];
        arm.rotation = Quat(Eigen::AngleAxisf(sign * pi / 2, Vec3::UnitY()));
        arm.scale = Vec3::Constant(1.5f);
    }
    const Skeleton beast = *Skeleton::create(human.skeleton.names(), human.skeleton.parents(), rest);
    CHECK_FALSE(recognise_humanoid(beast).is_body());

    std::vector<std::string> names = human.skeleton.names();
    for (std::string& name : names)
        if (name.find("UpperArm") != std::string::npos) name = "Front_Leg_Upper_" + name.substr(0, 1);
    CHECK_FALSE(
        recognise_humanoid(*Skeleton::create(names, human.skeleton.parents(), human.skeleton.rest())).is_body());
}

TEST_CASE("recognise_humanoid: empty, tiny and degenerate skeletons") {
    CHECK_FALSE(recognise_humanoid(Skeleton()).is_body());
    CHECK_FALSE(recognise_humanoid(*Skeleton::create({"hips"}, {-1}, {Transform()})).is_body());
    // All joints in one place: names still speak.
    const NamedHumanoid human = make_humanoid_skeleton(vrm_style());
    const std::vector<Transform> rest(human.skeleton.size());
    const Skeleton point = *Skeleton::create(human.skeleton.names(), human.skeleton.parents(), rest);
    CHECK(recognise_humanoid(point)[Role::left_lower_leg] == human.expected[Role::left_lower_leg]);
    const std::vector<std::string> names(point.size(), "");
    CHECK_FALSE(recognise_humanoid(*Skeleton::create(names, point.parents(), rest)).is_body());
}

TEST_CASE("parse_joint_name: sides, parts, helpers") {
    CHECK(parse_joint_name("mixamorig:LeftUpLeg").part == BodyPart::upper_leg);
    CHECK(parse_joint_name("mixamorig:LeftUpLeg").side == Side::left);
    CHECK(parse_joint_name("lfemur").side == Side::left);
    CHECK(parse_joint_name("rradius").part == BodyPart::lower_arm);
    CHECK(parse_joint_name("DEF-upper_arm.L.001").part == BodyPart::upper_arm);
    CHECK(parse_joint_name("upperarm_twist_01_l").helper);
    CHECK(parse_joint_name("LeftToe_End").helper);
    CHECK(parse_joint_name("leg").side == Side::none);
    CHECK(parse_joint_name("Front_Leg_Upper_L").animal_leg);
    CHECK(parse_joint_name("lowerback").part == BodyPart::spine);
    CHECK(parse_joint_name("").part == BodyPart::none);
    CHECK(parse_joint_name("99999999999999999999").part == BodyPart::none);
    CHECK(parse_joint_name("finger99999999999999999999").part == BodyPart::finger);
}
