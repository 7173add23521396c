#include <doctest/doctest.h>
#include <sinew/motion/builtin.h>
#include <algorithm>
#include <cmath>

#include "touch_gestures.h"

using namespace sinew;
using namespace sinew::test;

namespace {

// A point of the skin that follows one joint alone.
SkinPoint point_of(int32_t joint, const Vec3& place) {
    SkinPoint point;
    point.joint[0] = joint;
    point.weight[0] = 1;
    point.place[0] = place;
    return point;
}

// Two seconds of one pose.
Clip still_clip(const SkinnedBody& body, const gesture::Posing& pose) {
    const std::vector<float> times = {0.0f, 1.0f, 2.0f};
    Clip clip{"still", {}, -1};
    const std::vector<Quatd> local = pose.local();
    for (size_t j = 0; j < local.size(); ++j)
        clip.tracks.push_back(rotation_track(static_cast<int32_t>(j), times, {local[j], local[j], local[j]}));
    const size_t hips = pose.joint(Role::hips);
    const Vec3d place = body.character.skeleton.rest()[hips].translation.cast<double>() + pose.hips_way;
    clip.tracks.push_back(translation_track(static_cast<int32_t>(hips), times, {place, place, place}));
    return clip;
}

Quatd turned(double degrees) {
    return Quatd(Eigen::AngleAxisd(radians(degrees), Vec3d::UnitX()));
}

// The angle between thigh and shin, in degrees.
double knee_bend_deg(const SkinnedBody& body, const std::vector<AffineD>& world, size_t side) {
    const auto leg = leg_roles(side);
    const auto at = [&](size_t i) { return Vec3d(world[static_cast<size_t>(body.map[leg[i]])].translation()); };
    const Vec3d thigh = at(1) - at(0), shin = at(2) - at(1);
    return std::atan2(thigh.cross(shin).norm(), thigh.dot(shin)) / radians(1.0);
}

}  // namespace

// A motion file has bones and no skin: what its hands touch is judged by the body of a usual person.
TEST_CASE("gestures of a motion without skin keep their contacts on other bodies") {
    const SkinnedBody source = make_body(HumanoidBuild::average);
    for (const HumanoidBuild build : {HumanoidBuild::fat, HumanoidBuild::thin, HumanoidBuild::child}) {
        const SkinnedBody target = make_body(build);
        for (const Gesture which : gestures) {
            const GestureClip made = make_gesture(source, which);
            RetargetOptions how;
            how.skin = target.skin;
            const auto result = retarget(source.character.skeleton, made.clip, target.character.skeleton, how);
            REQUIRE(result.has_value());
            const float time = made.times[made.times.size() / 2];
            const auto skin = target.deform(target.world_at(result->clip, time));
            const auto gaps = touch_gaps(target, skin, which);
            CAPTURE(name_of(which));
            CAPTURE(static_cast<int>(build));
            CHECK(gaps[0] < 0.02);
            CHECK(gaps[1] < 0.02);
            CHECK(deepest(target, skin) < 0.02);
        }
    }
}

TEST_CASE("retarget: what a hand holds stays above the floor") {
    const SkinnedBody target = make_body(HumanoidBuild::tall);
    const auto idle = builtin_motion("idle");
    REQUIRE(idle.has_value());
    // A staff of 1.2 m in the left hand, along the fingers of a hanging arm.
    const int32_t hand = target.map[Role::left_hand];
    const std::vector<AffineD> rest = rest_world(target.character.skeleton);
    const Vec3d elbow = rest[static_cast<size_t>(target.map[Role::left_lower_arm])].translation(),
                wrist = rest[static_cast<size_t>(hand)].translation();
    const Vec3 ahead =
        (rest[static_cast<size_t>(hand)].linear().inverse() * (1.2 * (wrist - elbow).normalized())).cast<float>();
    const auto lowest = [&](std::span<const SkinPoint> skin) {
        RetargetOptions how;
        how.skin = skin;
        const auto result = retarget(idle->skeleton, idle->clip, target.character.skeleton, how);
        REQUIRE(result.has_value());
        const AffineD world = target.world_at(result->clip, 1.0f)[static_cast<size_t>(hand)];
        return (world * Vec3d(ahead.cast<double>())).y();
    };
    std::vector<SkinPoint> skin = target.skin;
    REQUIRE(lowest(skin) < -0.05);
    for (int i = 1; i <= 20; ++i) skin.push_back(point_of(hand, 0.05f * static_cast<float>(i) * ahead));
    CHECK(lowest(skin) > -0.012);
}

// On its back with the feet flat on the floor, and half a metre of luggage below the chest: no leg could stand there.
TEST_CASE("retarget: feet are not held where the body had to be lifted out of their reach") {
    const SkinnedBody source = make_body(HumanoidBuild::average), target = make_body(HumanoidBuild::tall);
    gesture::Posing pose(source);
    pose.rotate(Role::hips, turned(-90));
    pose.hips_way = Vec3d(0, 0.14 - pose.world()[pose.joint(Role::hips)].translation().y(), 0);
    for (size_t side = 0; side < 2; ++side) {
        const auto leg = leg_roles(side);
        const Vec3d hip = pose.world()[pose.joint(leg[0])].translation();
        pose.rotate(leg[2], turned(90));
        pose.reach({leg[0], leg[1], leg[2]}, hip + Vec3d(0, 0.08 - hip.y(), 0.45), Vec3d::UnitY());
    }
    const Clip clip = still_clip(source, pose);
    std::vector<SkinPoint> skin = target.skin;
    const int32_t chest = target.map[Role::chest];
    for (int i = 0; i < 10; ++i) skin.push_back(point_of(chest, Vec3(0.01f * static_cast<float>(i), 0, -0.7f)));
    RetargetOptions how;
    how.skin = skin;
    const auto result = retarget(source.character.skeleton, clip, target.character.skeleton, how);
    REQUIRE(result.has_value());
    const auto world = target.world_at(result->clip, 1.0f);
    CHECK(world[static_cast<size_t>(chest)].translation().y() > 0.5);
    CHECK(world[static_cast<size_t>(target.map[Role::hips])].translation().y() > 0.3);
    for (size_t side = 0; side < 2; ++side)
        CHECK(knee_bend_deg(target, world, side) ==
              doctest::Approx(knee_bend_deg(source, pose.world(), side)).epsilon(0.05));
}
