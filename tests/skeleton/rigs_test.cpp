// Rigs that people make: names of further programs, control rigs, feet and hands beside the tree.
#include <doctest/doctest.h>
#include <sinew/skeleton/humanoid.h>
#include <sinew/skeleton/pose.h>

#include "support/humanoid.h"

using namespace sinew;
using namespace sinew::test;

namespace {

std::vector<NamingStyle> program_styles() {
    std::vector<NamingStyle> list;
    list.push_back({"Auto-Rig Pro",
                    "l",
                    "r",
                    {"root.x",      "spine_01.x",    "spine_02.x",        "spine_03.x",    "neck.x",      "head.x",
                     "c_eye.*",     "c_jawbone.x",   "thigh_stretch.*",   "leg_stretch.*", "foot.*",      "toes_01.*",
                     "shoulder.*",  "arm_stretch.*", "forearm_stretch.*", "hand.*",        "c_thumb1.*",  "c_thumb2.*",
                     "c_thumb3.*",  "c_index1.*",    "c_index2.*",        "c_index3.*",    "c_middle1.*", "c_middle2.*",
                     "c_middle3.*", "c_ring1.*",     "c_ring2.*",         "c_ring3.*",     "c_pinky1.*",  "c_pinky2.*",
                     "c_pinky3.*"},
                    {{"thigh_twist.*", 8}, {"leg_twist.*", 9}, {"arm_twist.*", 13}, {"forearm_twist.*", 14}}});
    list.back().names[6] = list.back().names[7] = "";
    list.push_back({"3ds Max CAT",
                    "L",
                    "R",
                    {"CATRigPelvis",
                     "CATRigSpine1",
                     "CATRigSpine2",
                     "CATRigRibcage",
                     "CATRigNeck1",
                     "CATRigHead",
                     "",
                     "",
                     "CATRig*Leg1",
                     "CATRig*Leg2",
                     "CATRig*LegAnkle",
                     "CATRig*LegDigit11",
                     "CATRig*ArmCollarbone",
                     "CATRig*Arm1",
                     "CATRig*Arm2",
                     "CATRig*ArmPalm",
                     "CATRig*ArmDigit11",
                     "CATRig*ArmDigit12",
                     "CATRig*ArmDigit13",
                     "CATRig*ArmDigit21",
                     "CATRig*ArmDigit22",
                     "CATRig*ArmDigit23",
                     "",
                     "",
                     "",
                     "",
                     "",
                     "",
                     "",
                     "",
                     ""},
                    {{"CATRig*LegPlatform", -1}}});
    list.push_back({"CAT's base human",
                    "L",
                    "R",
                    {"Base HumanPelvis",
                     "Base HumanSpine1",
                     "Base HumanSpine2",
                     "Base HumanRibcage",
                     "Base HumanNeck",
                     "Base HumanHead",
                     "",
                     "",
                     "Base Human*Thigh",
                     "Base Human*Calf",
                     "Base Human*Foot",
                     "Base Human*Toe",
                     "Base Human*Collarbone",
                     "Base Human*Upperarm",
                     "Base Human*Forearm",
                     "Base Human*Palm",
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
    list.push_back({"Daz Genesis 8",
                    "l",
                    "r",
                    {"hip",          "abdomenLower", "abdomenUpper", "chestUpper", "neckLower", "head",    "*Eye",
                     "lowerJaw",     "*ThighBend",   "*Shin",        "*Foot",      "*Toe",      "*Collar", "*ShldrBend",
                     "*ForearmBend", "*Hand",        "*Thumb1",      "*Thumb2",    "*Thumb3",   "*Index1", "*Index2",
                     "*Index3",      "*Mid1",        "*Mid2",        "*Mid3",      "*Ring1",    "*Ring2",  "*Ring3",
                     "*Pinky1",      "*Pinky2",      "*Pinky3"},
                    {{"*ThighTwist", 8}, {"*ShldrTwist", 13}, {"*ForearmTwist", 14}}});
    list.push_back({"MMD, Japanese",
                    "左",
                    "右",
                    {"センター", "上半身",  "上半身2", "",        "首",      "頭",      "*目",     "",
                     "*足",      "*ひざ",   "*足首",   "*つま先", "*肩",     "*腕",     "*ひじ",   "*手首",
                     "*親指０",  "*親指１", "*親指２", "*人指１", "*人指２", "*人指３", "*中指１", "*中指２",
                     "*中指３",  "*薬指１", "*薬指２", "*薬指３", "*小指１", "*小指２", "*小指３"},
                    {{"*足ＩＫ", -1}, {"*つま先ＩＫ", -1}, {"*腕捩", 13}, {"*手捩", 14}, {"両目", 5}}});
    list.push_back({"French",
                    "gauche",
                    "droite",
                    {"Bassin",        "Colonne1",     "Colonne2",     "Poitrine",       "Cou",
                     "Tête",          "Œil *",        "Mâchoire",     "Cuisse *",       "Tibia *",
                     "Pied *",        "Orteils *",    "Clavicule *",  "Bras *",         "Avant-bras *",
                     "Main *",        "Pouce1 *",     "Pouce2 *",     "Pouce3 *",       "Index1 *",
                     "Index2 *",      "Index3 *",     "Majeur1 *",    "Majeur2 *",      "Majeur3 *",
                     "Annulaire1 *",  "Annulaire2 *", "Annulaire3 *", "Auriculaire1 *", "Auriculaire2 *",
                     "Auriculaire3 *"},
                    {{"Cheveux", 5}}});
    list.push_back({"German",
                    "L",
                    "R",
                    {"Becken",
                     "Wirbelsäule1",
                     "Wirbelsäule2",
                     "Brust",
                     "Hals",
                     "Kopf",
                     "Auge.*",
                     "Kiefer",
                     "Oberschenkel.*",
                     "Unterschenkel.*",
                     "Fuß.*",
                     "Zehen.*",
                     "Schlüsselbein.*",
                     "Oberarm.*",
                     "Unterarm.*",
                     "Hand.*",
                     "Daumen1.*",
                     "Daumen2.*",
                     "Daumen3.*",
                     "Zeigefinger1.*",
                     "Zeigefinger2.*",
                     "Zeigefinger3.*",
                     "Mittelfinger1.*",
                     "Mittelfinger2.*",
                     "Mittelfinger3.*",
                     "Ringfinger1.*",
                     "Ringfinger2.*",
                     "Ringfinger3.*",
                     "",
                     "",
                     ""},
                    {}});
    list.push_back({"Spanish",
                    "Izquierda",
                    "Derecha",
                    {"Caderas", "Columna1", "Columna2",   "Pecho",  "Cuello",
                     "Cabeza",  "Ojo*",     "Mandíbula",  "Muslo*", "Pantorrilla*",
                     "Pie*",    "",         "Clavícula*", "Brazo*", "Antebrazo*",
                     "Mano*",   "",         "",           "",       "",
                     "",        "",         "",           "",       "",
                     "",        "",         "",           "",       "",
                     ""},
                    {}});
    list.push_back({"MMD, English",
                    "L",
                    "R",
                    {"center",
                     "upper body",
                     "upper body2",
                     "",
                     "neck",
                     "head",
                     "eye_*",
                     "",
                     "leg_*",
                     "knee_*",
                     "ankle_*",
                     "toe_*",
                     "shoulder_*",
                     "arm_*",
                     "elbow_*",
                     "wrist_*",
                     "thumb0_*",
                     "thumb1_*",
                     "thumb2_*",
                     "fore1_*",
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
                    {{"leg IK_*", -1}}});
    list.back().names[19] = "";
    return list;
}

void check_all_roles(const HumanoidMap& found, const NamedHumanoid& human, const std::string& title) {
    const auto name = [&](int32_t joint) {
        return joint < 0 ? std::string("nothing") : human.skeleton.names()[static_cast<size_t>(joint)];
    };
    for (size_t r = 0; r < role_count; ++r) {
        INFO(title << ": " << to_string(static_cast<Role>(r)) << " should be " << name(human.expected.joint[r])
                   << ", is " << name(found.joint[r]));
        CHECK(found.joint[r] == human.expected.joint[r]);
    }
}

// Joints of these roles hang on the topmost joint instead, where they were.
Skeleton hung_on_root(const NamedHumanoid& human, std::initializer_list<Role> roles, bool nameless) {
    std::vector<int32_t> parents = human.skeleton.parents();
    std::vector<Transform> rest = human.skeleton.rest();
    std::vector<std::string> names = human.skeleton.names();
    const std::vector<AffineD> world = rest_world(human.skeleton);
    for (const Role role : roles) {
        const auto j = static_cast<size_t>(human.expected[role]);
        parents[j] = 0;
        rest[j].translation = Vec3((world[0].inverse() * Vec3d(world[j].translation())).cast<float>());
        if (nameless) names[j] = "Bone." + std::to_string(j);
    }
    return *Skeleton::create(names, parents, rest);
}

// Every joint three times, as Rigify does: ORG- joints make the tree, MCH- and DEF- joints hang on them.
NamedHumanoid triplets(const NamedHumanoid& human) {
    const Skeleton& plain = human.skeleton;
    std::vector<std::string> names;
    std::vector<int32_t> parents;
    std::vector<Transform> rest;
    for (size_t j = 0; j < plain.size(); ++j) {
        const int32_t parent = plain.parents()[j];
        const auto own = static_cast<int32_t>(names.size());
        for (const char* prefix : {"ORG-", "MCH-", "DEF-"}) {
            const bool first = prefix[0] == 'O';
            names.push_back(j == 0 ? prefix + std::string("root") : prefix + plain.names()[j]);
            parents.push_back(first ? (parent < 0 ? -1 : 3 * parent) : own);
            rest.push_back(first ? plain.rest()[j] : Transform());
        }
    }
    return {*Skeleton::create(names, parents, rest), human.expected};
}

}  // namespace

TEST_CASE("recognise_humanoid: names of Auto-Rig Pro, CAT, Daz and MMD") {
    for (const NamingStyle& style : program_styles()) {
        const NamedHumanoid human = make_humanoid_skeleton(style);
        const HumanoidMap found = recognise_humanoid(human.skeleton);
        CHECK(found.is_body());
        check_all_roles(found, human, style.title);
    }
}

TEST_CASE("recognise_humanoid: feet and hands that hang on controls, by name or by place") {
    const NamedHumanoid human = make_humanoid_skeleton(vrm_style());
    for (const bool nameless : {false, true}) {
        INFO(nameless);
        const HumanoidMap feet = recognise_humanoid(hung_on_root(human, {Role::left_foot, Role::right_foot}, nameless));
        for (const Role role : {Role::left_foot, Role::right_foot, Role::left_toes, Role::right_toes})
            CHECK(feet[role] == human.expected[role]);
        const HumanoidMap hands =
            recognise_humanoid(hung_on_root(human, {Role::left_hand, Role::right_hand}, nameless));
        CHECK(hands[Role::left_hand] == human.expected[Role::left_hand]);
        CHECK(hands[Role::right_hand] == human.expected[Role::right_hand]);
    }
}

TEST_CASE("recognise_humanoid: of ORG-, MCH- and DEF- joints, what is moved carries the DEF- ones") {
    const NamedHumanoid human = make_humanoid_skeleton(vrm_style());
    const NamedHumanoid rig = triplets(human);
    const HumanoidMap found = recognise_humanoid(rig.skeleton);
    REQUIRE(found.is_body());
    for (const Role role : {Role::left_upper_leg, Role::left_lower_leg, Role::left_foot, Role::right_upper_arm,
                            Role::right_lower_arm, Role::right_hand, Role::head}) {
        INFO(to_string(role));
        const int32_t own = 3 * human.expected[role];  // ORG-; DEF- is the second after it
        CHECK((found[role] == own || found[role] == own + 2));
    }
}
