// Creatures: what is recognised in real rigs, in Sinew's own, and in copies whose names, sides, frames and directions
// were changed.
#include <doctest/doctest.h>
#include <sinew/io/read.h>
#include <sinew/rig/template/template_json.h>
#include <sinew/skeleton/creature.h>
#include <sinew/skeleton/pose.h>

#include "skeleton/disguise.h"
#include "support/data_case.h"

using namespace sinew;
using test::rerolled;
using test::without_names;

namespace {

// At the other side of x = 0; names stay.
Skeleton mirrored(const Skeleton& skeleton) {
    std::vector<Transform> rest = skeleton.rest();
    for (Transform& t : rest) {
        t.translation.x() *= -1;
        t.rotation.y() *= -1;
        t.rotation.z() *= -1;
    }
    return *Skeleton::create(skeleton.names(), skeleton.parents(), rest);
}

// The whole body turned; every root takes part.
Skeleton facing(const Skeleton& skeleton, const Quat& turn) {
    std::vector<Transform> rest = skeleton.rest();
    for (size_t j = 0; j < rest.size(); ++j) {
        if (skeleton.parents()[j] >= 0) continue;
        rest[j].translation = turn * rest[j].translation;
        rest[j].rotation = (turn * rest[j].rotation).normalized();
    }
    return *Skeleton::create(skeleton.names(), skeleton.parents(), rest);
}

struct Expected {
    const char* file;
    CreatureKind kind;
    size_t legs, arms, wings, fins;
    bool tail;
};

void check_alike(const CreatureMap& map, const Expected& expected, const Vec3d& forward, const char* what) {
    INFO(std::string(expected.file));
    INFO(std::string(what));
    CHECK(map.kind == expected.kind);
    CHECK(map.legs.size() == expected.legs);
    CHECK(map.arms.size() == expected.arms);
    CHECK(map.wings.size() == expected.wings);
    CHECK(map.fins.size() == expected.fins);
    CHECK(map.tail.empty() != expected.tail);
    CHECK_FALSE(map.head.empty());
    CHECK(map.forward.dot(forward) > 0.99);
}

// Chains are chains, sides lie on their side, and no joint has two parts.
void check_sound(const Skeleton& skeleton, const CreatureMap& map) {
    const auto world = rest_world(skeleton);
    std::vector<int> uses(skeleton.size(), 0);
    const auto chain = [&](const JointChain& joints, bool downwards) {
        for (size_t i = 0; i < joints.size(); ++i) {
            ++uses[static_cast<size_t>(joints[i])];
            if (i == 0 || !downwards) continue;
            int32_t above = joints[i];
            while (above > joints[i - 1]) above = skeleton.parents()[static_cast<size_t>(above)];
            CHECK(above == joints[i - 1]);
        }
    };
    chain(map.spine, false);
    for (const JointChain* joints : {&map.neck, &map.head, &map.tail, &map.jaw}) chain(*joints, true);
    for (const auto* limbs : {&map.legs, &map.arms, &map.wings, &map.fins}) {
        for (size_t i = 0; i < limbs->size(); ++i) {
            const CreatureLimb& limb = (*limbs)[i];
            chain(limb.joints, true);
            CHECK(limb.side == (i % 2 == 0 ? Side::left : Side::right));
            REQUIRE(limb.socket <= limb.foot);
            REQUIRE(limb.foot < limb.joints.size());
            const Vec3d tip = world[static_cast<size_t>(limb.joints.back())].translation() -
                              world[static_cast<size_t>((*limbs)[i ^ 1].joints.back())].translation();
            CHECK((tip.dot(map.left()) > 0) == (i % 2 == 0));
        }
    }
    for (const int count : uses) CHECK(count <= 1);
    CHECK(map.up.cross(map.forward).norm() == doctest::Approx(1));
}

const Expected files[] = {
    {"rigged-gt/m2m_rig-fox.glb", CreatureKind::quadruped, 4, 0, 0, 0, true},
    {"rigged-gt/m2m_rig-horse.glb", CreatureKind::quadruped, 4, 0, 0, 0, true},
    {"rigged-gt/m2m_rig-bird.glb", CreatureKind::bird, 2, 0, 2, 0, true},
    {"rigged-gt/m2m_rig-shark.glb", CreatureKind::fish, 0, 0, 0, 4, true},
    {"rigged-gt/m2m_rig-kaiju.glb", CreatureKind::biped, 2, 2, 0, 0, true},
    {"rigged-gt/m2m_var_fox-dog.glb", CreatureKind::quadruped, 4, 0, 0, 0, true},
    {"rigged-gt/m2m_var_fox-horse.glb", CreatureKind::quadruped, 4, 0, 0, 0, true},
    {"rigged-gt/m2m_var_fox-panda.glb", CreatureKind::quadruped, 4, 0, 0, 0, true},
    {"rigged-gt/m2m_var_bird-eagle.glb", CreatureKind::bird, 2, 0, 2, 0, true},
    {"rigged-gt/m2m_rig-human.glb", CreatureKind::biped, 2, 2, 0, 0, false},
    {"rigged-gt/m2m_var_human-male.glb", CreatureKind::biped, 2, 2, 0, 0, false},
    {"rigged-gt/m2m_var_human-female.glb", CreatureKind::biped, 2, 2, 0, 0, false},
    {"rigged-gt/m2m_var_human-zombie.glb", CreatureKind::biped, 2, 2, 0, 0, false},
    {"rigged-gt/kaykit_Knight.glb", CreatureKind::biped, 2, 2, 0, 0, false},
    {"gltf-khronos/Fox.glb", CreatureKind::quadruped, 4, 0, 0, 0, true},
    {"gltf-khronos/CesiumMan.glb", CreatureKind::biped, 2, 2, 0, 0, false},
    {"gltf-khronos/RiggedFigure.glb", CreatureKind::biped, 2, 2, 0, 0, false},
};

}  // namespace

DATA_TEST_CASE("recognise_creature: real rigs, and copies without names, mirrored, with other frames and facings") {
    for (const Expected& expected : files) {
        const auto file = read_character(data / expected.file);
        REQUIRE(file);
        const Skeleton& skeleton = file->skeleton;
        const CreatureMap map = recognise_creature(skeleton);
        check_alike(map, expected, Vec3d::UnitZ(), "as it is");
        check_sound(skeleton, map);
        const Skeleton nameless = without_names(skeleton);
        check_alike(recognise_creature(nameless), expected, Vec3d::UnitZ(), "without names");
        check_sound(nameless, recognise_creature(nameless));
        check_alike(recognise_creature(rerolled(skeleton, 1)), expected, Vec3d::UnitZ(), "other frames");
        check_alike(recognise_creature(rerolled(nameless, 2)), expected, Vec3d::UnitZ(), "other frames without names");
        check_alike(recognise_creature(mirrored(nameless)), expected, Vec3d::UnitZ(), "mirrored without names");
        const Quat turn(Eigen::AngleAxisf(2.1f, Vec3::UnitY()));
        const Vec3d ahead = turn.cast<double>() * Vec3d::UnitZ();
        check_alike(recognise_creature(facing(skeleton, turn)), expected, ahead, "turned");
        check_alike(recognise_creature(facing(nameless, turn)), expected, ahead, "turned without names");
    }
}

DATA_TEST_CASE("recognise_creature: a fox's legs, sockets and feet") {
    const auto file = read_character(data / "rigged-gt/m2m_rig-fox.glb");
    REQUIRE(file);
    const CreatureMap map = recognise_creature(file->skeleton);
    const auto name = [&](int32_t joint) { return file->skeleton.names()[static_cast<size_t>(joint)]; };
    REQUIRE(map.legs.size() == 4);
    CHECK(name(map.legs[0].joints[map.legs[0].socket]) == "Front_Leg_Upper_L");
    CHECK(name(map.legs[3].joints[map.legs[3].socket]) == "Back_Leg_Upper_R");
    CHECK(name(map.spine.front()) == "Hips");
    CHECK(name(map.spine.back()) == "Spine_2.001");
    CHECK(name(map.head.front()) == "Head");
    CHECK(name(map.tail.front()) == "Tail_Base");
    CHECK(name(map.jaw.front()) == "Chin");
    CHECK(name(map.root) == "Hips");
}

TEST_CASE("recognise_creature: Sinew's own rigs") {
    for (const auto& [kind, expected] : {std::pair{RigKind::quadruped, CreatureKind::quadruped},
                                         {RigKind::bird, CreatureKind::bird},
                                         {RigKind::biped, CreatureKind::biped}}) {
        const RigTemplate& rig = builtin_template(kind);
        std::vector<std::string> names;
        std::vector<int32_t> parents;
        std::vector<Transform> rest;
        for (const TemplateJoint& joint : rig.joints) {
            names.push_back(joint.name);
            parents.push_back(joint.parent);
            rest.emplace_back();
            const Vec3d above =
                joint.parent < 0 ? Vec3d(Vec3d::Zero()) : rig.joints[static_cast<size_t>(joint.parent)].position;
            rest.back().translation = (joint.position - above).cast<float>();
        }
        const Skeleton skeleton = *Skeleton::create(names, parents, rest);
        for (const Skeleton& copy : {skeleton, without_names(skeleton)}) {
            const CreatureMap map = recognise_creature(copy);
            CHECK(map.kind == expected);
            CHECK(map.legs.size() == (kind == RigKind::quadruped ? 4 : 2));
            CHECK(map.wings.size() == (kind == RigKind::bird ? 2 : 0));
            CHECK(map.tail.empty() == (kind == RigKind::biped));
            check_sound(copy, map);
        }
    }
}

namespace {

struct Builder {
    std::vector<std::string> names;
    std::vector<int32_t> parents;
    std::vector<Vec3d> position;
    int32_t add(std::string name, int32_t parent, Vec3d at) {
        names.push_back(std::move(name));
        parents.push_back(parent);
        position.push_back(at);
        return static_cast<int32_t>(names.size()) - 1;
    }
    Skeleton make() const {
        std::vector<Transform> rest(names.size());
        for (size_t j = 0; j < names.size(); ++j) {
            const Vec3d above = parents[j] < 0 ? Vec3d(Vec3d::Zero()) : position[static_cast<size_t>(parents[j])];
            rest[j].translation = (position[j] - above).cast<float>();
        }
        return *Skeleton::create(names, parents, rest);
    }
};

// A plain animal that faces +X, with the names of one convention for its parts.
Skeleton plain_animal(const std::array<const char*, 5>& trunk, const std::array<const char*, 3>& front,
                      const std::array<const char*, 3>& hind, const std::array<const char*, 2>& sides) {
    Builder b;
    const int32_t hips = b.add(trunk[0], -1, {-0.5, 1.0, 0});
    const int32_t back = b.add(trunk[1], hips, {0, 1.05, 0});
    const int32_t chest = b.add(trunk[2], back, {0.5, 1.0, 0});
    const int32_t neck = b.add(trunk[3], chest, {0.7, 1.3, 0});
    b.add(trunk[4], neck, {0.9, 1.5, 0});
    int32_t tail = hips;
    for (int i = 0; i < 3; ++i) tail = b.add("tail0" + std::to_string(i + 1), tail, {-0.7 - 0.2 * i, 0.95, 0});
    for (int side = 0; side < 2; ++side) {
        const double z = side == 0 ? -0.2 : 0.2;  // facing +X, left is −Z
        const auto leg = [&](const std::array<const char*, 3>& names, int32_t base, double x, double knee) {
            int32_t joint = b.add(names[0] + std::string(sides[static_cast<size_t>(side)]), base, {x, 0.9, z});
            joint = b.add(names[1] + std::string(sides[static_cast<size_t>(side)]), joint, {x + knee, 0.5, z});
            b.add(names[2] + std::string(sides[static_cast<size_t>(side)]), joint, {x, 0.05, z});
        };
        leg(front, chest, 0.45, -0.08);
        leg(hind, hips, -0.55, 0.1);
    }
    return b.make();
}

}  // namespace

TEST_CASE("recognise_creature: names of many conventions, and none") {
    const Skeleton rigs[] = {
        plain_animal({"pelvis", "spine.001", "chest", "neck", "head"}, {"front_thigh", "front_shin", "front_foot"},
                     {"thigh", "shin", "foot"}, {".L", ".R"}),
        plain_animal({"Bip01 Pelvis", "Bip01 Spine", "Bip01 Spine1", "Bip01 Neck", "Bip01 Head"},
                     {"Bip01 UpperArm", "Bip01 Forearm", "Bip01 Hand"}, {"Bip01 Thigh", "Bip01 Calf", "Bip01 Foot"},
                     {" L", " R"}),
        plain_animal({"Becken", "Wirbel", "Brust", "Hals", "Kopf"},
                     {"Vorderbein_oben", "Vorderbein_unten", "Vorderpfote"},
                     {"Hinterbein_oben", "Hinterbein_unten", "Hinterpfote"}, {"_links", "_rechts"}),
        plain_animal({"hips", "back", "torso", "neck", "head"}, {"foreleg", "knee", "hoof"},
                     {"hindleg", "hock", "hoof"}, {"_l", "_r"}),
        plain_animal({"a", "b", "c", "d", "e"}, {"f", "g", "h"}, {"i", "j", "k"}, {"", ""}),
    };
    for (const Skeleton& skeleton : rigs) {
        INFO(skeleton.names()[0]);
        const CreatureMap map = recognise_creature(skeleton);
        CHECK(map.kind == CreatureKind::quadruped);
        REQUIRE(map.legs.size() == 4);
        CHECK(map.forward.dot(Vec3d::UnitX()) > 0.99);
        CHECK(map.spine == JointChain{0, 1, 2});
        CHECK(map.tail == JointChain{5, 6, 7});
        CHECK(map.neck == JointChain{3});
        CHECK(map.head == JointChain{4});
        check_sound(skeleton, map);
    }
}

TEST_CASE("recognise_creature: a snake, an octopus, a table, and nothing at all") {
    Builder snake;
    int32_t joint = -1;
    for (int i = 0; i < 12; ++i)
        joint = snake.add(i == 11 ? "head" : "s" + std::to_string(i), joint, {0, 0.1, 0.2 * i});
    const CreatureMap serpent = recognise_creature(snake.make());
    CHECK(serpent.kind == CreatureKind::serpent);
    CHECK(serpent.spine.size() + serpent.head.size() == 12);
    CHECK(serpent.forward.dot(Vec3d::UnitZ()) > 0.99);

    Builder octopus;
    const int32_t mantle = octopus.add("mantle", -1, {0, 1, 0});
    octopus.add("top", mantle, {0, 1.4, 0});
    for (int arm = 0; arm < 8; ++arm) {
        joint = mantle;
        const double angle = 2 * 3.14159265 * (arm + 0.5) / 8;
        for (int i = 1; i <= 5; ++i)
            joint = octopus.add("arm", joint, {0.3 * i * std::cos(angle), 1 - 0.2 * i, 0.3 * i * std::sin(angle)});
    }
    const CreatureMap eight = recognise_creature(octopus.make());
    CHECK(eight.kind == CreatureKind::other);
    CHECK(eight.limbs.size() >= 8);

    // As a rig is grown into one: the arms hang on several joints, and nothing has a telling name.
    Builder grown;
    std::vector<int32_t> trunk;
    for (int i = 0; i < 4; ++i) trunk.push_back(grown.add("", trunk.empty() ? -1 : trunk.back(), {0, 1 + 0.15 * i, 0}));
    for (int arm = 0; arm < 8; ++arm) {
        joint = trunk[static_cast<size_t>(arm / 4)];
        const double angle = 2 * 3.14159265 * (arm + 0.5) / 8;
        for (int i = 1; i <= 5; ++i)
            joint = grown.add("", joint, {0.12 * i * std::cos(angle), 1 - 0.2 * i, 0.12 * i * std::sin(angle)});
    }
    CHECK_FALSE(recognise_humanoid(grown.make()).is_body());
    CHECK(recognise_creature(grown.make()).kind == CreatureKind::other);

    Builder table;
    const int32_t top = table.add("top", -1, {0, 1, 0});
    for (int leg = 0; leg < 4; ++leg) {
        const double x = leg % 2 ? 0.5 : -0.5, z = leg / 2 ? 0.8 : -0.8;
        joint = table.add("", top, {x, 0.95, z});
        joint = table.add("", joint, {x, 0.5, z});
        table.add("", joint, {x, 0, z});
    }
    CHECK(recognise_creature(table.make()).kind == CreatureKind::other);

    CHECK(recognise_creature(Skeleton()).kind == CreatureKind::other);
    CHECK(recognise_creature(Skeleton()).root == -1);
    // All joints in one place: nothing to see, nothing divided by zero.
    const CreatureMap heap =
        recognise_creature(*Skeleton::create({"a", "b", "c", "d"}, {-1, 0, 1, 1}, std::vector<Transform>(4)));
    CHECK(heap.forward.allFinite());
    CHECK(heap.up.allFinite());
    CHECK(std::isfinite(heap.ground));
}

TEST_CASE("creatures: a person whose feet hang beside the tree, as in IK rigs, is one and faces the right way") {
    struct Joint {
        const char* name;
        int32_t parent;
        Vec3 at;
    };
    // Feet first, before the hips; poles ahead; a body that leans back a little.
    const std::vector<Joint> joints = {{"Bone", -1, {0, 0, -0.2f}},
                                       {"Foot.L", 0, {0.34f, 0.12f, -0.14f}},
                                       {"Foot.R", 0, {-0.34f, 0.12f, -0.14f}},
                                       {"Hips", 0, {0, 2.1f, 0.1f}},
                                       {"Abdomen", 3, {0, 2.4f, -0.08f}},
                                       {"Torso", 4, {0, 3.1f, -0.09f}},
                                       {"Neck", 5, {0, 4.1f, -0.08f}},
                                       {"Head", 6, {0, 4.3f, -0.08f}},
                                       {"UpperArm.L", 5, {0.6f, 3.8f, -0.17f}},
                                       {"LowerArm.L", 8, {0.86f, 2.9f, 0.09f}},
                                       {"Palm.L", 9, {1.0f, 1.9f, 0.24f}},
                                       {"UpperArm.R", 5, {-0.6f, 3.8f, -0.17f}},
                                       {"LowerArm.R", 11, {-0.86f, 2.9f, 0.09f}},
                                       {"Palm.R", 12, {-1.0f, 1.9f, 0.24f}},
                                       {"UpperLeg.L", 3, {0.34f, 2.15f, -0.07f}},
                                       {"LowerLeg.L", 14, {0.34f, 1.18f, 0.05f}},
                                       {"LowerLeg.L_end", 15, {0.34f, 0.12f, -0.14f}},
                                       {"UpperLeg.R", 3, {-0.34f, 2.15f, -0.07f}},
                                       {"LowerLeg.R", 17, {-0.34f, 1.18f, 0.05f}},
                                       {"LowerLeg.R_end", 18, {-0.34f, 0.12f, -0.14f}}};
    std::vector<std::string> names;
    std::vector<int32_t> parents;
    std::vector<Transform> rest(joints.size());
    for (size_t j = 0; j < joints.size(); ++j) {
        names.emplace_back(joints[j].name);
        parents.push_back(joints[j].parent);
        rest[j].translation = joints[j].at - (joints[j].parent < 0 ? Vec3(Vec3::Zero())
                                                                   : joints[static_cast<size_t>(joints[j].parent)].at);
    }
    const CreatureMap map = recognise_creature(*Skeleton::create(names, parents, rest));
    CHECK(map.kind == CreatureKind::biped);
    CHECK(map.legs.size() == 2);
    CHECK(map.arms.size() == 2);
    CHECK(map.forward.z() > 0.99);
}
