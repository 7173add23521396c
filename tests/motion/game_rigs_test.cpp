// Rigs as packs of game characters have them: feet on controls, knees bent at rest, fish that are one chain, insects in
// flight, legs that sprawl. What they are taken for, and how the built-in motions move them.
#include <doctest/doctest.h>

#include <sinew/motion/builtin.h>
#include <sinew/motion/builtin_on_body.h>
#include <sinew/motion/skinned/carry.h>
#include <sinew/motion/skinned/loose_feet.h>
#include <sinew/skeleton/humanoid.h>
#include <sinew/skeleton/pose.h>
#include <algorithm>
#include <array>
#include <cmath>

#include "creature_bodies.h"
#include "world_at.h"

using namespace sinew;
using namespace sinew::test;

namespace {

constexpr std::array sides = {"L", "R"};

Vec3d mirrored(const Vec3d& at, size_t side) {
    return {side == 0 ? at.x() : -at.x(), at.y(), at.z()};
}
std::string named(const char* part, size_t side) {
    return std::string(part) + "." + sides[side];
}
int32_t joint_called(const Skeleton& skeleton, std::string_view name) {
    const auto at = std::ranges::find(skeleton.names(), name);
    return at == skeleton.names().end() ? -1 : static_cast<int32_t>(at - skeleton.names().begin());
}

// A chain from head to tail below an armature, as fish of game packs have it.
Skeleton one_chain(const char* armature, int joints) {
    CreatureBuilder b;
    int32_t joint = b.add(armature, -1, {0, 0, 0});
    for (int i = 0; i < joints; ++i)
        joint = b.add("Main" + std::to_string(i + 1), joint, {0.05 * i, 0.0, 1.5 - 0.8 * i});
    return b.finish({}, 1.0, Quatd::Identity(), false).skeleton;
}

// A robot without arms on two legs whose feet hang on the armature; `bent` is how far its knees stand ahead.
Skeleton armless(double bent) {
    CreatureBuilder b;
    const int32_t armature = b.add("RobotArmature", -1, {0, 0, 0});
    for (size_t side = 0; side < 2; ++side) b.add(named("Foot", side), armature, mirrored({0.4, 0.08, 0.0}, side));
    const int32_t body = b.add("Body", armature, {0, 1.2, 0});
    const int32_t torso = b.add("Torso", body, {0, 1.35, 0});
    const int32_t neck = b.add("Neck", torso, {0, 1.7, 0});
    b.add("Head", neck, {0, 1.85, 0.1});
    for (size_t side = 0; side < 2; ++side) {
        const int32_t upper = b.add(named("UpperLeg", side), body, mirrored({0.4, 1.15, 0}, side));
        b.add(named("LowerLeg", side), upper, mirrored({0.4, 0.65, bent}, side));
        b.add(named("PoleTarget", side), body, mirrored({0.4, 0.7, 3.0}, side));
    }
    return b.finish({}).skeleton;
}

SkinnedSkeleton bound_to_all(const Skeleton& skeleton, const std::vector<Skin>& skins) {
    return {skeleton, skins, {{0, 0}}, std::vector<bool>(skeleton.size(), true)};
}
std::vector<Skin> skin_of(const Skeleton& skeleton) {
    std::vector<Skin> skins(1);
    for (size_t j = 0; j < skeleton.size(); ++j) {
        skins[0].joints.push_back(static_cast<int32_t>(j));
        skins[0].inverse_bind.push_back(rest_world(skeleton)[j].inverse().cast<float>());
    }
    return skins;
}

}  // namespace

TEST_CASE("one chain: names tell a fish from a snake") {
    CHECK(recognise_creature(one_chain("Fish_Armature", 7)).kind == CreatureKind::fish);
    CHECK(recognise_creature(one_chain("WhaleRig", 4)).kind == CreatureKind::fish);
    CHECK(recognise_creature(one_chain("Armature", 7)).kind == CreatureKind::serpent);
    CHECK(recognise_creature(one_chain("FishingRod", 7)).kind == CreatureKind::serpent);
    CHECK(builtin_motions_of(one_chain("Fish_Armature", 7)).names.front() == "swim");
}

TEST_CASE("a frog: legs that sprawl, and one side's names copied from the other") {
    CreatureBuilder b;
    const int32_t root = b.add("root", -1, {0, 0, 0});
    const int32_t body = b.add("Body", root, {0, 0.8, 0});
    const int32_t neck = b.add("Neck", body, {0, 1.0, 0.6});
    b.add("Head", neck, {0, 1.1, 0.9});
    for (size_t side = 0; side < 2; ++side) {
        const int32_t first =
            b.add(side == 0 ? "FrontLeg.L" : "FrontLeg.L.001", body, mirrored({0.4, 0.95, 0.45}, side));
        const int32_t upper = b.add(named("FrontUpLeg", side), first, mirrored({0.65, 0.95, 0.45}, side));
        const int32_t lower = b.add(named("FrontLowLeg", side), upper, mirrored({1.05, 0.3, 0.0}, side));
        b.add(named("FrontLowLeg_end", side), lower, mirrored({1.05, 0.0, 0.8}, side));
        const int32_t hip = b.add(named("BackLeg", side), body, mirrored({0.5, 0.46, -1.05}, side));
        const int32_t thigh = b.add(named("BackUpLeg", side), hip, mirrored({1.03, 0.35, -0.35}, side));
        const int32_t shin = b.add(named("BackLowLeg", side), thigh, mirrored({1.0, 0.04, -1.4}, side));
        b.add(named("BackLowLeg_end", side), shin, mirrored({1.3, 0.04, -0.4}, side));
    }
    const CreatureMap map = recognise_creature(b.finish({}).skeleton);
    CHECK(map.kind == CreatureKind::quadruped);
    CHECK(map.legs.size() == 4);
    CHECK(map.forward.z() > 0.99);
}

TEST_CASE("an insect in flight flaps, whether its legs hang or it has none; one that stands on its legs does not") {
    const auto insect = [](int leg_pairs, double foot) {
        CreatureBuilder b;
        const int32_t root = b.add("Root", -1, {0, 0, 0});
        const int32_t thorax = b.add("Thorax", root, {0, 2.0, 0});
        const int32_t head = b.add("Head", thorax, {0, 2.1, 0.5});
        b.add("Head_end", head, {0, 2.0, 0.9});
        const int32_t abdomen = b.add("Abdomen", thorax, {0, 1.7, -0.3});
        b.add("Sting", abdomen, {0, 1.0, -0.5});
        for (size_t side = 0; side < 2; ++side) {
            const int32_t wing = b.add(named("Wing", side), thorax, mirrored({0.2, 2.2, 0}, side));
            b.add(named("Wing_end", side), wing, mirrored({1.5, 2.4, -0.5}, side));
            for (int k = 0; k < leg_pairs; ++k) {
                const std::string name = "Leg" + std::string(1, static_cast<char>('A' + k));
                int32_t leg = b.add(named(name.c_str(), side), thorax, mirrored({0.2, 1.9, 0.2 - 0.2 * k}, side));
                leg = b.add(named((name + "Low").c_str(), side), leg, mirrored({0.4, 1.8, 0.2 - 0.2 * k}, side));
                b.add(named((name + "Foot").c_str(), side), leg, mirrored({0.4, foot, 0.2 - 0.2 * k}, side));
            }
        }
        return b.finish({}).skeleton;
    };
    for (const int legs : {0, 1, 3}) {
        const Skeleton hovering = insect(legs, 1.3);
        const CreatureMap map = recognise_creature(hovering);
        CHECK(map.kind == CreatureKind::bird);
        CHECK(map.wings.size() == 2);
        CHECK(map.root == joint_called(hovering, "Thorax"));
        const std::vector<Skin> skins = skin_of(hovering);
        const auto moved = builtin_on_body("walk", bound_to_all(hovering, skins));
        REQUIRE(moved);
        CHECK(moved->clip.name == "flap");
        // All of its skin goes along, that of the root above its body too.
        const auto start = world_at(hovering, moved->clip, 0),
                   end = world_at(hovering, moved->clip, duration(moved->clip));
        const Vec3d way =
            end[static_cast<size_t>(map.root)].translation() - start[static_cast<size_t>(map.root)].translation();
        for (size_t j = 0; j < hovering.size(); ++j)
            CHECK((end[j].translation() - start[j].translation() - way).norm() < 0.05 + 0.01 * way.norm());
    }
    CHECK(recognise_creature(insect(3, 0.0)).kind != CreatureKind::bird);
}

TEST_CASE("controls at the ends of legs are no limbs; skin that hangs on them goes along") {
    CreatureBuilder b;
    const int32_t root = b.add("Root", -1, {0, 0, 0});
    const int32_t body = b.add("Body", root, {0, 1.0, 0});
    b.add("Head", body, {0, 1.3, 0.2});
    for (size_t side = 0; side < 2; ++side) {
        int32_t leg = b.add(named("Leg1", side), body, mirrored({0.3, 0.9, 0}, side));
        leg = b.add(named("Leg2", side), leg, mirrored({0.35, 0.5, 0.15}, side));
        b.add(named("Leg2_end", side), leg, mirrored({0.35, 0.05, 0}, side));
        const int32_t foot = b.add(named("Foot", side), root, mirrored({0.35, 0.05, 0}, side));
        b.add(named("Foot_end", side), foot, mirrored({0.6, 0.05, 0}, side));
    }
    const Skeleton skeleton = b.finish({}).skeleton;
    const CreatureMap map = recognise_creature(skeleton);
    CHECK(map.kind == CreatureKind::biped);
    CHECK(map.arms.empty());
    CHECK(map.root == joint_called(skeleton, "Body"));
    const std::vector<Skin> skins = skin_of(skeleton);
    SkinnedSkeleton skinned = bound_to_all(skeleton, skins);
    skinned.moves[static_cast<size_t>(root)] = false;
    const auto moved = builtin_on_body("walk", skinned);
    REQUIRE(moved);
    CHECK(moved->clip.name == "walk");
    for (int k = 0; k <= 10; ++k) {
        const auto world = world_at(skeleton, moved->clip, 0.1f * static_cast<float>(k) * duration(moved->clip));
        for (size_t side = 0; side < 2; ++side) {
            const auto at = [&](const char* part) {
                return Vec3d(world[static_cast<size_t>(joint_called(skeleton, named(part, side)))].translation());
            };
            CHECK((at("Foot") - at("Leg2_end")).norm() < 1e-3);
        }
    }
}

TEST_CASE("carry_along: a prop beside hips that hold no skin themselves goes along") {
    CreatureBuilder b;
    const int32_t root = b.add("Bip", -1, {0, 0, 0});
    const int32_t hips = b.add("Pelvis", root, {0, 1.0, 0});
    const int32_t helper = b.add("Pelvis scale", hips, {0, 1.0, 0});
    const int32_t hand = b.add("Hand", hips, {0.5, 1.0, 0});
    const int32_t palm = b.add("Hand scale", hand, {0.5, 0.9, 0});
    const int32_t prop = b.add("Prop", root, {0.5, 0.95, 0.1});
    const Skeleton skeleton = b.finish({}).skeleton;
    std::vector<Skin> skins(1);
    for (const int32_t joint : {helper, palm, prop}) {
        skins[0].joints.push_back(joint);
        skins[0].inverse_bind.push_back(rest_world(skeleton)[static_cast<size_t>(joint)].inverse().cast<float>());
    }
    SkinnedSkeleton body = bound_to_all(skeleton, skins);
    Clip clip;
    clip.tracks.push_back(
        {.target = hips, .path = TrackPath::translation, .width = 3, .times = {0, 1}, .values = {0, 1, 0, 0, 1, 3}});
    clip.tracks.push_back({.target = hand,
                           .path = TrackPath::rotation,
                           .width = 4,
                           .times = {0, 1},
                           .values = {0, 0, 0, 1, 0.6f, 0, 0, 0.8f}});
    carry_along(body, skeleton, hips, clip);
    const auto at = [](const std::vector<AffineD>& world, int32_t joint) { return world[static_cast<size_t>(joint)]; };
    const auto start = world_at(skeleton, clip, 0), end = world_at(skeleton, clip, 1);
    const AffineD held = at(start, hand).inverse() * at(start, prop), later = at(end, hand).inverse() * at(end, prop);
    CHECK((held.matrix() - later.matrix()).norm() < 1e-5);
    CHECK((at(end, prop).translation() - at(start, prop).translation()).z() > 2.5);
}

TEST_CASE("feet on controls below knees that are bent at rest are feet") {
    for (const double bent : {0.1, 0.4, 0.8}) {
        const Skeleton robot = armless(bent);
        const HumanoidMap roles = recognise_humanoid(robot);
        CHECK(roles[Role::left_foot] == joint_called(robot, "Foot.L"));
        CHECK(roles[Role::right_foot] == joint_called(robot, "Foot.R"));
    }
}

TEST_CASE("a robot without arms, its feet on controls: it walks, and its feet stay on its legs") {
    const Skeleton robot = armless(0.4);
    const std::vector<Skin> skins = skin_of(robot);
    SkinnedSkeleton skinned = bound_to_all(robot, skins);
    skinned.moves[0] = false;
    const auto moved = builtin_on_body("walk", skinned);
    REQUIRE(moved);
    CHECK(moved->clip.name == "walk");
    REQUIRE(validate(moved->clip, robot.size(), 0));
    const auto rest = rest_world(robot);
    double travelled = 0;
    for (int k = 0; k <= 40; ++k) {
        const auto world = world_at(robot, moved->clip, static_cast<float>(k) / 40.0f * duration(moved->clip));
        for (size_t side = 0; side < 2; ++side) {
            const auto shin = [&](const std::vector<AffineD>& at) {
                return (at[static_cast<size_t>(joint_called(robot, named("Foot", side)))].translation() -
                        at[static_cast<size_t>(joint_called(robot, named("LowerLeg", side)))].translation())
                    .norm();
            };
            CHECK(shin(world) == doctest::Approx(shin(rest)).epsilon(1e-3));
        }
        travelled = world[static_cast<size_t>(joint_called(robot, "Body"))].translation().z();
    }
    CHECK(travelled > 0.5);
}

TEST_CASE("join_loose_feet: the joined rig stands as the file's; nothing to join on a rig that is whole") {
    const Skeleton robot = armless(0.4);
    const auto joined = join_loose_feet(robot);
    REQUIRE(joined);
    const auto whole = rest_world(joined->skeleton), own = rest_world(robot);
    for (size_t j = 0; j < whole.size(); ++j)
        CHECK((whole[j].matrix() - own[static_cast<size_t>(joined->joint[j])].matrix()).norm() < 1e-5);
    CHECK_FALSE(join_loose_feet(joined->skeleton));
    CHECK_FALSE(join_loose_feet(one_chain("Armature", 7)));
}
