// Mapping: what moves what, in part, mirrored, and across animals; legs that fold.
#include <doctest/doctest.h>
#include <sinew/clip/clip.h>
#include <sinew/core/random.h>
#include <sinew/io/read.h>
#include <sinew/motion/builtin.h>
#include <sinew/motion/creatures/creature_motion.h>
#include <sinew/motion/mapping/body_part.h>
#include <sinew/motion/retarget.h>
#include <sinew/motion/retarget_creature/creature_feet.h>
#include <sinew/motion/retarget_creature/leg_fold.h>
#include <sinew/skeleton/creature.h>
#include <sinew/skeleton/pose.h>
#include <set>

#include "motion/world_at.h"
#include "support/data_case.h"

using namespace sinew;
using test::world_at;

namespace {

std::set<int32_t> moved(const Clip& clip) {
    std::set<int32_t> joints;
    for (const Track& track : clip.tracks) joints.insert(track.target);
    return joints;
}

// The skeleton without the joints below (and with) some.
Skeleton without(const Skeleton& skeleton, const std::vector<int32_t>& gone) {
    std::vector<std::string> names;
    std::vector<int32_t> parents, kept(skeleton.size(), -1);
    std::vector<Transform> rest;
    for (size_t j = 0; j < skeleton.size(); ++j) {
        const int32_t parent = skeleton.parents()[j];
        const bool cut = std::ranges::find(gone, static_cast<int32_t>(j)) != gone.end();
        if (cut || (parent >= 0 && kept[static_cast<size_t>(parent)] < 0)) continue;
        kept[j] = static_cast<int32_t>(names.size());
        names.push_back(skeleton.names()[j]);
        parents.push_back(parent < 0 ? -1 : kept[static_cast<size_t>(parent)]);
        rest.push_back(skeleton.rest()[j]);
    }
    return *Skeleton::create(names, parents, rest);
}

Clip on(const Skeleton& from, const Clip& clip, const Skeleton& to) {
    Clip made{clip.name, {}, -1};
    for (Track track : clip.tracks) {
        track.target = to.find(from.names()[static_cast<size_t>(track.target)]);
        if (track.target >= 0) made.tracks.push_back(std::move(track));
    }
    return made;
}

}  // namespace

TEST_CASE("find_part: halves and names") {
    const Skeleton skeleton = builtin_motion("walk")->skeleton;
    const HumanoidMap map = recognise_humanoid(skeleton);
    const auto upper = find_part(skeleton, "upper"), lower = find_part(skeleton, "lower");
    REQUIRE(upper);
    REQUIRE(lower);
    const auto has = [](const std::vector<int32_t>& joints, int32_t joint) {
        return std::ranges::binary_search(joints, joint);
    };
    for (const Role role : {Role::spine, Role::head, Role::left_hand, Role::right_upper_arm}) {
        CHECK(has(*upper, map[role]));
        CHECK_FALSE(has(*lower, map[role]));
    }
    for (const Role role : {Role::hips, Role::left_upper_leg, Role::right_foot}) {
        CHECK(has(*lower, map[role]));
        CHECK_FALSE(has(*upper, map[role]));
    }
    const std::string arm = skeleton.names()[static_cast<size_t>(map[Role::left_upper_arm])];
    const auto one = find_part(skeleton, arm);
    REQUIRE(one);
    CHECK(has(*one, map[Role::left_hand]));
    CHECK_FALSE(has(*one, map[Role::right_hand]));
    const auto wrong = find_part(skeleton, "uper");
    REQUIRE_FALSE(wrong);
    CHECK(wrong.error().message.find("upper") != std::string::npos);
}

TEST_CASE("retarget: only a part moves") {
    const auto walk = builtin_motion("walk");
    std::vector<std::string> names = walk->skeleton.names();
    for (std::string& name : names) name = "x:" + name;
    const Skeleton target = *Skeleton::create(names, walk->skeleton.parents(), walk->skeleton.rest());
    const std::vector<int32_t> upper = *find_part(target, "upper");
    const auto whole = retarget(walk->skeleton, walk->clip, target),
               part = retarget(walk->skeleton, walk->clip, target, {.only = upper});
    REQUIRE(whole);
    REQUIRE(part);
    CHECK(part->mapped_joints == static_cast<int32_t>(part->map.size()));
    CHECK(part->map.size() < whole->map.size());
    for (const int32_t joint : moved(part->clip)) CHECK(std::ranges::binary_search(upper, joint));
    // What moves, moves as in the whole motion.
    for (const Track& track : part->clip.tracks)
        CHECK(std::ranges::find(whole->clip.tracks, track) != whole->clip.tracks.end());
}

TEST_CASE("retarget: a motion of an upper body alone") {
    const auto wave = builtin_motion("wave");
    const HumanoidMap map = recognise_humanoid(wave->skeleton);
    const Skeleton half = without(wave->skeleton, {map[Role::left_upper_leg], map[Role::right_upper_leg]});
    const Clip clip = on(wave->skeleton, wave->clip, half);
    std::vector<std::string> names = wave->skeleton.names();
    for (std::string& name : names) name = "hero:" + name;
    const Skeleton target = *Skeleton::create(names, wave->skeleton.parents(), wave->skeleton.rest());
    const auto result = retarget(half, clip, target);
    REQUIRE(result);
    const float middle = 0.5f * duration(clip);
    const auto truth = world_at(wave->skeleton, wave->clip, middle), made = world_at(target, result->clip, middle);
    for (const Role role : {Role::head, Role::left_hand, Role::right_hand}) {
        const auto j = static_cast<size_t>(map[role]);
        CHECK((truth[j].translation() - made[j].translation()).norm() < 0.02);
    }
}

TEST_CASE("retarget: a person's motion goes onto four legs only when asked") {
    std::vector<std::string> names = {"hips", "spine", "chest", "neck", "head", "tail1", "tail2"};
    std::vector<int32_t> parents = {-1, 0, 1, 2, 3, 0, 5};
    std::vector<Vec3> at = {{0, 1, -0.5f},   {0, 1, 0},     {0, 1, 0.5f},    {0, 1.3f, 0.7f},
                            {0, 1.5f, 0.9f}, {0, 1, -0.7f}, {0, 0.9f, -0.9f}};
    for (const char* side : {"_L", "_R"}) {
        for (const bool front : {true, false}) {
            int32_t parent = front ? 2 : 0;
            for (int i = 0; i < 3; ++i) {
                names.push_back(std::string(front ? "front_leg_" : "hind_leg_") + std::to_string(i) + side);
                parents.push_back(parent);
                at.push_back({side[1] == 'L' ? 0.2f : -0.2f, 0.9f - 0.43f * static_cast<float>(i),
                              (front ? 0.5f : -0.5f) + (i == 1 ? (front ? -0.05f : 0.05f) : 0.0f)});
                parent = static_cast<int32_t>(names.size()) - 1;
            }
        }
    }
    std::vector<Transform> rest(at.size());
    for (size_t j = 0; j < at.size(); ++j)
        rest[j].translation = parents[j] < 0 ? at[j] : Vec3(at[j] - at[static_cast<size_t>(parents[j])]);
    const Skeleton dog = *Skeleton::create(names, parents, rest);
    const auto walk = builtin_motion("walk");
    const auto refused = retarget(walk->skeleton, walk->clip, dog);
    REQUIRE_FALSE(refused);
    CHECK(refused.error().message.find("--onto-animal") != std::string::npos);
    const auto asked = retarget(walk->skeleton, walk->clip, dog, {.onto_animal = true});
    REQUIRE(asked);
    CHECK(asked->mapped_joints >= 16);
    for (float time = 0; time < duration(asked->clip); time += 0.1f)
        for (const AffineD& joint : world_at(dog, asked->clip, time)) {
            REQUIRE(joint.translation().allFinite());
            CHECK(joint.translation().y() > -0.05);
        }
}

TEST_CASE("fold_leg: reaches its goals, keeps its bones, never jumps") {
    Random random(11);
    for (int trial = 0; trial < 400; ++trial) {
        // A leg that zigzags downwards, as animals' legs do.
        std::vector<Vec3d> rest = {Vec3d(0, 1, 0)};
        const size_t bones = 2 + random.below(3);
        for (size_t i = 0; i < bones; ++i) {
            const double slant = random.uniform(0.15, 0.7) * (i % 2 == 0 ? 1 : -1);
            rest.push_back(rest.back() + random.uniform(0.2, 0.5) *
                                             Vec3d(random.uniform(-0.05, 0.05), -std::cos(slant), std::sin(slant)));
        }
        const LegFold fold = measure_fold(rest, Vec3d::UnitX(), false);
        std::vector<Quatd> turn(bones);
        Vec3d last = Vec3d::Zero();
        for (int step = 0; step <= 60; ++step) {
            // From well bent to out of reach.
            const double length = fold.reach * (0.6 + 0.6 * step / 60.0);
            const Vec3d goal = rest[0] + length * Vec3d(0.1, -1, 0.2).normalized();
            std::vector<Vec3d> leg = rest;
            fold_leg(fold, Vec3d::UnitX(), goal, leg, turn);
            for (size_t i = 0; i < bones; ++i) {
                const double bone = (rest[i + 1] - rest[i]).norm();
                REQUIRE(std::abs((leg[i + 1] - leg[i]).norm() - bone) < 1e-9);
                REQUIRE((leg[i] + turn[i] * (rest[i + 1] - rest[i]) - leg[i + 1]).norm() < 1e-9);
            }
            const double reached = (leg.back() - rest[0]).norm();
            if (length < 0.9 * fold.reach && length > 0.7 * fold.reach)
                CHECK((leg.back() - goal).norm() < 1e-6 * fold.reach);
            CHECK(reached <= fold.reach * (1 + 1e-9));
            // 1% of the reach at a time: no joint moves more than a few percent.
            if (step > 0 && bones == 2) CHECK((leg[1] - last).norm() < 0.09 * fold.reach);
            last = leg[1];
        }
    }
}

TEST_CASE("find_standing and hold_plants: a foot that skates while it stands") {
    std::vector<Vec3d> foot;
    for (int f = 0; f < 90; ++f) {
        const double phase = f % 30 / 30.0;
        const double lift = phase < 0.5 ? 0.0 : 0.2 * std::sin(3.14159265 * (phase - 0.5) * 2);
        const double along = f / 30 + (phase < 0.5 ? 0.05 * phase : 0.025 + 0.975 * (phase - 0.5) * 2);
        foot.push_back({0.1, 0.02 + lift, along});
    }
    const std::vector<FootStand> plants = find_standing(foot, Vec3d::UnitY(), 0.02, 1.0, 30);
    REQUIRE(plants.size() == 3);
    std::vector<Vec3d> goals = foot;
    hold_plants(plants, Vec3d::UnitY(), 30, goals);
    for (const FootStand& plant : plants)
        for (int32_t f = plant.first; f < plant.last; ++f)
            CHECK(std::abs(goals[static_cast<size_t>(f)].z() - goals[static_cast<size_t>(f) + 1].z()) < 1e-12);
    for (size_t f = 1; f < goals.size(); ++f) {
        CHECK((goals[f] - foot[f]).norm() < 0.05);
        CHECK(goals[f].y() == foot[f].y());
        CHECK((goals[f] - goals[f - 1]).norm() < (foot[f] - foot[f - 1]).norm() + 0.02);
    }
}

DATA_TEST_CASE("retarget: fox to dog, horse to fox, bird to eagle and back keep their feet on the ground") {
    struct Case {
        const char *motion, *clip, *onto;
    };
    for (const Case& c : {Case{"m2m_fox-animations.glb", "Walk", "m2m_var_fox-dog.glb"},
                          Case{"m2m_fox-animations.glb", "Jump", "m2m_var_fox-panda.glb"},
                          Case{"m2m_fox-animations.glb", "Sit", "m2m_rig-horse.glb"},
                          Case{"m2m_horse-animations.glb", "Walk", "m2m_rig-fox.glb"},
                          Case{"m2m_horse-animations.glb", "Idle", "m2m_rig-fox.glb"},
                          Case{"m2m_bird-animations.glb", "Walk", "m2m_var_bird-eagle.glb"},
                          // Motions that Sinew makes for these bodies: their files have none.
                          Case{"m2m_var_bird-eagle.glb", "walk", "m2m_rig-bird.glb"},
                          Case{"m2m_var_bird-eagle.glb", "hop", "m2m_rig-bird.glb"},
                          Case{"m2m_var_fox-dog.glb", "trot", "m2m_rig-horse.glb"},
                          Case{"m2m_var_fox-dog.glb", "walk", "m2m_rig-horse.glb"}}) {
        INFO(std::string(c.motion));
        INFO(std::string(c.clip));
        const auto from = read_character(data / "rigged-gt" / c.motion),
                   onto = read_character(data / "rigged-gt" / c.onto);
        REQUIRE(from);
        REQUIRE(onto);
        const CreatureMap source = recognise_creature(from->skeleton), target = recognise_creature(onto->skeleton);
        const auto own_clip = std::ranges::find(from->clips, std::string(c.clip), &Clip::name);
        const bool made = own_clip == from->clips.end();
        const auto motion = creature_motion(from->skeleton, source, made ? c.clip : "idle");
        REQUIRE(motion);
        REQUIRE((!made || motion->clip.name == c.clip));
        const Clip* const clip = made ? &motion->clip : &*own_clip;
        const auto result = retarget(from->skeleton, *clip, onto->skeleton);
        REQUIRE(result);
        const auto rest_s = rest_world(from->skeleton), rest_t = rest_world(onto->skeleton);
        const double leg = std::abs(rest_t[static_cast<size_t>(target.root)].translation().y() - target.ground);
        std::vector<std::vector<Vec3d>> foot_s(target.legs.size()), foot_t(target.legs.size());
        for (const float time : result->clip.tracks.front().times) {
            const auto a = world_at(from->skeleton, *clip, time), b = world_at(onto->skeleton, result->clip, time);
            for (size_t i = 0; i < target.legs.size(); ++i) {
                foot_s[i].push_back(a[static_cast<size_t>(source.legs[i].joints[source.legs[i].foot])].translation());
                foot_t[i].push_back(b[static_cast<size_t>(target.legs[i].joints[target.legs[i].foot])].translation());
            }
        }
        double drift = 0, off = 0, sunk = 0;
        for (size_t i = 0; i < target.legs.size(); ++i) {
            const double level_s =
                rest_s[static_cast<size_t>(source.legs[i].joints[source.legs[i].foot])].translation().y();
            const double level_t =
                rest_t[static_cast<size_t>(target.legs[i].joints[target.legs[i].foot])].translation().y();
            for (const FootStand& plant : find_standing(foot_s[i], Vec3d::UnitY(), level_s, leg / result->scale, 30)) {
                for (int32_t f = plant.first; f < plant.last; ++f) {
                    // A walk on the spot slides in the source, too: what counts is what retargeting adds.
                    const auto now = static_cast<size_t>(f);
                    const double own = result->scale * (foot_s[i][now + 1] - foot_s[i][now]).norm();
                    const double lift = result->scale * std::abs(foot_s[i][now].y() - level_s);
                    drift = std::max(drift, ((foot_t[i][now + 1] - foot_t[i][now]).norm() - own) / leg);
                    off = std::max(off, (std::abs(foot_t[i][now].y() - level_t) - lift) / leg);
                }
            }
            for (size_t f = 0; f < foot_t[i].size(); ++f) {
                const double above_s = result->scale * (foot_s[i][f].y() - level_s);
                sunk = std::max(sunk, (std::min(above_s, 0.0) - (foot_t[i][f].y() - level_t)) / leg);
            }
        }
        MESSAGE(std::string(c.motion) << " " << std::string(c.clip) << " onto " << std::string(c.onto)
                                      << ": drift a frame " << drift << ", off the ground " << off
                                      << ", deeper than the source " << sunk << " legs");
        CHECK(drift < 0.004);
        CHECK(off < 1e-4);
        CHECK(sunk < 1e-4);
    }
}
