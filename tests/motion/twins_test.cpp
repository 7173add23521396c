// A motion on its own body in disguise: turned joint frames, other names, another rest pose, mirrored. The disguise is
// made here, so every joint's place in the world is known.
#include <doctest/doctest.h>
#include <sinew/clip/clip.h>
#include <sinew/io/read.h>
#include <sinew/motion/builtin.h>
#include <sinew/motion/retarget.h>
#include <sinew/skeleton/creature.h>
#include <sinew/skeleton/pose.h>

#include "motion/world_at.h"
#include "skeleton/disguise.h"
#include "support/data_case.h"

using namespace sinew;
using test::rerolled;
using test::without_names;
using test::world_at;

namespace {

struct Moving {
    Skeleton skeleton;
    Clip clip;
};

double height_of(const Skeleton& skeleton) {
    Vec3d low = Vec3d::Constant(1e30), high = -low;
    for (const AffineD& world : rest_world(skeleton)) {
        low = low.cwiseMin(world.translation());
        high = high.cwiseMax(world.translation());
    }
    return (high - low).maxCoeff();
}

// One joint turned about a world axis, with everything below it.
Skeleton turned(const Skeleton& skeleton, int32_t joint, const Vec3d& axis, double angle) {
    std::vector<Transform> rest = skeleton.rest();
    const std::vector<AffineD> world = rest_world(skeleton);
    const Quatd all(world[static_cast<size_t>(joint)].rotation());
    const Quatd local = all.conjugate() * Quatd(Eigen::AngleAxisd(angle, axis)) * all;
    Transform& own = rest[static_cast<size_t>(joint)];
    own.rotation = (own.rotation * local.cast<float>()).normalized();
    return *Skeleton::create(skeleton.names(), skeleton.parents(), rest);
}

// Arms 40 degrees lower, or up again: the same turn to the other side for the other arm.
Skeleton a_posed(const Skeleton& skeleton) {
    const HumanoidMap map = recognise_humanoid(skeleton);
    const double angle = 0.7;
    const Skeleton half = turned(skeleton, map[Role::left_upper_arm], Vec3d::UnitZ(), -angle);
    return turned(half, map[Role::right_upper_arm], Vec3d::UnitZ(), angle);
}

// Everything at the other side of x = 0.
Transform reflected(Transform t) {
    t.translation.x() *= -1;
    t.rotation.y() *= -1;
    t.rotation.z() *= -1;
    return t;
}
Moving mirrored(const Moving& moving) {
    std::vector<Transform> rest;
    std::vector<std::string> names;
    for (const Transform& t : moving.skeleton.rest()) rest.push_back(reflected(t));
    for (std::string name : moving.skeleton.names()) {
        const auto swap = [&](const std::string& a, const std::string& b) {
            const size_t at = name.find(a);
            if (at == std::string::npos) return false;
            name.replace(at, a.size(), b);
            return true;
        };
        for (const auto& [a, b] : {std::pair{"left", "right"}, {"Left", "Right"}, {"_L", "_R"}, {"_l", "_r"}})
            if (swap(a, b) || swap(b, a)) break;
        names.push_back(name);
    }
    Moving made{*Skeleton::create(names, moving.skeleton.parents(), rest), moving.clip};
    for (Track& track : made.clip.tracks) {
        for (size_t i = 0; i < track.values.size(); ++i) {
            const auto width = static_cast<size_t>(track.width);
            const bool flips = track.path == TrackPath::translation
                                   ? i % width == 0
                                   : track.path == TrackPath::rotation && (i % width == 1 || i % width == 2);
            if (flips) track.values[i] *= -1;
        }
    }
    return made;
}

// The largest distance of joints from where they belong, in heights of the body.
double largest_error(const Moving& truth, const Skeleton& target, const Clip& clip,
                     const std::vector<int32_t>& joints) {
    double worst = 0;
    const auto more_keys = [](const Track& a, const Track& b) { return a.times.size() < b.times.size(); };
    const std::vector<float> times = std::ranges::max_element(clip.tracks, more_keys)->times;
    for (size_t i = 0; i <= 20; ++i) {
        // Times of frames: between them, both interpolate, each in its own way. Captures may begin with a T-pose.
        const float time = times[i * (times.size() - 1) / 20];
        if (time < 0.1f) continue;
        const auto a = world_at(truth.skeleton, truth.clip, time), b = world_at(target, clip, time);
        for (const int32_t j : joints)
            worst = std::max(
                worst, (a[static_cast<size_t>(j)].translation() - b[static_cast<size_t>(j)].translation()).norm());
    }
    return worst / height_of(truth.skeleton);
}

std::vector<int32_t> body_joints(const Skeleton& skeleton) {
    const HumanoidMap map = recognise_humanoid(skeleton);
    std::vector<int32_t> joints;
    for (size_t r = 0; r < static_cast<size_t>(Role::left_thumb_metacarpal); ++r)
        if (map.joint[r] >= 0) joints.push_back(map.joint[r]);
    return joints;
}

std::vector<int32_t> creature_joints(const Skeleton& skeleton) {
    const CreatureMap map = recognise_creature(skeleton);
    std::vector<int32_t> joints;
    for (const JointChain* chain : {&map.spine, &map.neck, &map.head, &map.tail})
        joints.insert(joints.end(), chain->begin(), chain->end());
    for (const auto* limbs : {&map.legs, &map.arms, &map.wings, &map.fins})
        for (const CreatureLimb& limb : *limbs) joints.insert(joints.end(), limb.joints.begin(), limb.joints.end());
    return joints;
}

void check_twin(const Moving& moving, const Skeleton& twin, const std::vector<int32_t>& joints, const char* what) {
    INFO(std::string(what));
    const auto result = retarget(moving.skeleton, moving.clip, twin);
    REQUIRE(result);
    CHECK(largest_error(moving, twin, result->clip, joints) < 1e-3);
}

void check_human(const Moving& moving) {
    const Skeleton& own = moving.skeleton;
    const std::vector<int32_t> joints = body_joints(own);
    REQUIRE(joints.size() >= 15);
    const auto same = retarget(own, moving.clip, own);
    REQUIRE(same);
    CHECK(largest_error(moving, own, same->clip, joints) < 1e-4);
    // Without the shortcut for the same rig.
    check_twin(moving, rerolled(own, 3), joints, "turned frames");
    check_twin(moving, without_names(own), joints, "other names");
    check_twin(moving, a_posed(own), joints, "arms lower");
    check_twin(moving, rerolled(without_names(a_posed(own)), 4), joints, "all of it");
    const Moving other = mirrored(moving);
    const auto swapped = retarget(own, moving.clip, other.skeleton, {.mirror = true});
    REQUIRE(swapped);
    CHECK(largest_error(other, other.skeleton, swapped->clip, joints) < 1e-3);
    const auto rolled = retarget(own, moving.clip, rerolled(other.skeleton, 5), {.mirror = true});
    REQUIRE(rolled);
    CHECK(largest_error(other, rerolled(other.skeleton, 5), rolled->clip, joints) < 1e-3);
}

void check_creature(const Moving& moving) {
    const Skeleton& own = moving.skeleton;
    const std::vector<int32_t> joints = creature_joints(own);
    REQUIRE(joints.size() >= 10);
    const auto same = retarget(own, moving.clip, own);
    REQUIRE(same);
    CHECK(largest_error(moving, own, same->clip, joints) < 1e-4);
    check_twin(moving, rerolled(own, 3), joints, "turned frames");
    check_twin(moving, rerolled(without_names(own), 4), joints, "other names and turned frames");
    const Moving other = mirrored(moving);
    const auto swapped = retarget(own, moving.clip, rerolled(other.skeleton, 6), {.mirror = true});
    REQUIRE(swapped);
    CHECK(largest_error(other, rerolled(other.skeleton, 6), swapped->clip, joints) < 1e-3);
}

Moving read_moving(const std::filesystem::path& path, const std::string& clip) {
    const auto file = read_character(path);
    REQUIRE(file);
    for (Clip found : file->clips) {
        if (!clip.empty() && found.name != clip) continue;
        // Bones that stretch are another matter: only the body itself moves.
        const int32_t root = recognise_creature(file->skeleton).root;
        std::erase_if(found.tracks, [&](const Track& track) {
            return track.path == TrackPath::morphs || (track.path == TrackPath::translation && track.target > root);
        });
        return {file->skeleton, found};
    }
    FAIL("no such clip");
    return {};
}

}  // namespace

TEST_CASE("retarget: a person's motion on his own body in disguise") {
    for (const char* name : {"walk", "jump", "wave"}) {
        INFO(std::string(name));
        const auto motion = builtin_motion(name);
        REQUIRE(motion);
        check_human({motion->skeleton, motion->clip});
    }
}

DATA_TEST_CASE("retarget: captured motions on their own bodies in disguise") {
    for (const char* name : {"bvh-cmu/02_01.bvh", "bvh-other/makehuman_walk1.bvh"}) {
        INFO(std::string(name));
        check_human(read_moving(data / name, ""));
    }
}

DATA_TEST_CASE("retarget: animals' motions on their own bodies in disguise") {
    for (const auto& [file, clip] : {std::pair{"m2m_fox-animations.glb", "Walk"},
                                     {"m2m_fox-animations.glb", "Jump"},
                                     {"m2m_horse-animations.glb", "Run"},
                                     {"m2m_bird-animations.glb", "Flap"},
                                     {"m2m_shark-animations.glb", "Swim Horizontal"},
                                     {"m2m_kaiju-animations.glb", "Walk"}}) {
        INFO(std::string(file));
        INFO(std::string(clip));
        check_creature(read_moving(data / "rigged-gt" / file, clip));
    }
}
