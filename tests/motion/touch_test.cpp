#include <doctest/doctest.h>
#include <sinew/core/random.h>
#include <sinew/motion/touch/active_frames.h>
#include <sinew/motion/touch/body_shape.h>
#include <sinew/motion/touch/lift_body.h>
#include <sinew/motion/touch/place_arms.h>
#include <cmath>
#include <map>

#include "touch_gestures.h"

using namespace sinew;
using namespace sinew::test;

namespace {

const SkinnedBody& body_of(HumanoidBuild build) {
    static std::map<HumanoidBuild, SkinnedBody> bodies;
    auto place = bodies.find(build);
    if (place == bodies.end()) place = bodies.emplace(build, make_body(build)).first;
    return place->second;
}

Body measured(const SkinnedBody& body) {
    const Skeleton& skeleton = body.character.skeleton;
    return measure_body(skeleton, body.map, world_pose(skeleton, skeleton.rest()));
}

}  // namespace

TEST_CASE("body part: a place and its point are inverse to each other, however the trunk bends") {
    const SkinnedBody& body = body_of(HumanoidBuild::average);
    const Body measure = measured(body);
    const BodyShape shape = find_body_shape(measure, body.skin);
    Random random(11);
    PosedShape pose = body_pose(measure, measure.reference);
    for (const Role role : {Role::hips, Role::spine, Role::chest})
        pose.turn[static_cast<size_t>(role)] = Quatd(Eigen::AngleAxisd(0.2, Vec3d(0.3, 1, 0.2).normalized()));
    for (size_t p = 0; p < part_count; ++p) {
        REQUIRE(shape.parts[p].exists());
        const PosedPart posed = pose_part(shape.parts[p], pose);
        for (int i = 0; i < 200; ++i) {
            const PartPlace place{random.uniform(-0.9, 1.9), random.uniform(-3.1, 3.1), random.uniform(0.01, 0.03)};
            const PartPlace again = place_on(posed, point_at(posed, place));
            // Near a kink of the axis a point has two places; both give the point.
            CHECK((point_at(posed, again) - point_at(posed, place)).norm() < 1e-9);
        }
    }
}

TEST_CASE("body part: the radii of a known shape; heights are distances to first order") {
    const SkinnedBody& body = body_of(HumanoidBuild::average);
    const Body measure = measured(body);
    BodyShape shape = find_body_shape(measure, {});
    const PosedShape pose = body_pose(measure, measure.reference);
    BodySegment& part = shape[PartName::left_thigh];
    const PosedPart posed = pose_part(part, pose);
    constexpr double radius = 0.083;
    std::vector<Vec3d> skin;
    for (double along = -1; along <= 2; along += 0.02)
        for (double around = -3.14; around < 3.14; around += 0.1)
            skin.push_back(point_at(posed, {along, around, radius}));
    measure_radii(part, pose, skin);
    Random random(12);
    for (int i = 0; i < 100; ++i) {
        const double along = random.uniform(-0.8, 1.8), around = random.uniform(-3.1, 3.1),
                     up = random.uniform(-0.02, 0.05);
        const SkinHeight found = height_over(posed, point_at(posed, {along, around, radius + up}));
        CHECK(found.height == doctest::Approx(up).epsilon(1e-6));
        CHECK((point_at(posed, {along, around, radius + up}) + 0.01 * found.out -
               point_at(posed, {along, around, radius + up + 0.01}))
                  .norm() < 1e-6);
    }
}

TEST_CASE("body shape: measured skin is within a centimetre of the mesh on every build") {
    for (const HumanoidBuild build :
         {HumanoidBuild::average, HumanoidBuild::fat, HumanoidBuild::thin, HumanoidBuild::child}) {
        const SkinnedBody& body = body_of(build);
        const Body measure = measured(body);
        const BodyShape shape = find_body_shape(measure, body.skin);
        CHECK(shape.from_skin);
        const PosedPart trunk = pose_part(shape[PartName::trunk], body_pose(measure, measure.reference));
        double sum = 0, count = 0;
        for (size_t v = 0; v < body.skin.size(); ++v) {
            const Role role = body.vertex_role[v];
            if (role != Role::spine && role != Role::chest && role != Role::upper_chest) continue;
            sum += std::abs(height_over(trunk, body.mesh().positions[v].cast<double>()).height);
            count += 1;
        }
        CAPTURE(static_cast<int>(build));
        CHECK(count > 200);
        CHECK(sum / count < 0.006);
    }
}

TEST_CASE("smooth envelope: covers every need, is smooth, and is zero away from them") {
    constexpr double fps = 30, lead = 0.4;
    std::vector<double> need(300, 0.0);
    for (size_t f = 100; f < 110; ++f) need[f] = 0.2;
    need[200] = 0.1;
    const std::vector<double> x = smooth_envelope(need, fps, lead);
    double bend = 0;
    for (size_t f = 0; f < need.size(); ++f) {
        CHECK(x[f] > need[f] - 0.004);
        if (f > 0 && f + 1 < need.size()) bend = std::max(bend, std::abs(x[f - 1] - 2 * x[f] + x[f + 1]));
    }
    CHECK(bend < 0.03);
    for (const size_t f : {0, 50, 84, 130, 160, 180, 220, 299}) CHECK(x[f] == 0.0);
}

TEST_CASE("lift body: a body that lies in the floor comes out of it, one that stands is left alone") {
    const SkinnedBody& body = body_of(HumanoidBuild::fat);
    const Body measure = measured(body);
    const BodyShape shape = find_body_shape(measure, body.skin);
    BodyMotion motion{shape, {}, Vec3d::UnitY(), 0.0, 1.0};
    const PosedShape standing = body_pose(measure, measure.reference);
    for (int f = 0; f < 120; ++f) {
        PosedShape pose = standing;
        if (f >= 50 && f < 70)  // lying on its back, its spine on the floor
            for (size_t r = 0; r < body_role_count; ++r) {
                const Quatd back(Eigen::AngleAxisd(-radians(90), Vec3d::UnitX()));
                pose.position[r] = back * standing.position[r];
                pose.turn[r] = back;
            }
        motion.poses.push_back(pose);
    }
    const std::vector<double> lift = lift_body(motion, 30);
    CHECK(lift[0] == 0.0);
    CHECK(lift[119] == 0.0);
    for (size_t f = 50; f < 70; ++f) {
        double lowest = 1;
        for (const FloorPoint& point : shape.floor_points)
            lowest = std::min(
                lowest,
                (motion.poses[f].at(point.joint) + motion.poses[f].turn_of(point.joint) * point.offset).y() + lift[f]);
        CHECK(lowest > -0.02);
        CHECK(lowest < 0.06);
    }
}

// The whole way: the sample's gestures on unlike bodies, measured on the deformed skin.
TEST_CASE("gestures keep their contacts on a fat, a thin and a child's body, and no arm enters the body") {
    const SkinnedBody& source = body_of(HumanoidBuild::average);
    for (const Gesture gesture : gestures) {
        const GestureClip made = make_gesture(source, gesture);
        REQUIRE(!made.times.empty());
        const auto own = touch_gaps(source, source.deform(source.world_at(made.clip, made.times[0])), gesture);
        CAPTURE(name_of(gesture));
        REQUIRE(std::max(own[0], own[1]) < 0.012);
        for (const HumanoidBuild build : {HumanoidBuild::fat, HumanoidBuild::thin, HumanoidBuild::child}) {
            CAPTURE(static_cast<int>(build));
            const SkinnedBody& target = body_of(build);
            RetargetOptions how;
            how.skin = target.skin;
            how.source_skin = source.skin;
            const auto result = retarget(source.character.skeleton, made.clip, target.character.skeleton, how);
            REQUIRE(result.has_value());
            for (size_t i = 0; i < made.times.size(); i += made.times.size() / 2 + 1) {
                const auto skin = target.deform(target.world_at(result->clip, made.times[i]));
                const auto gaps = touch_gaps(target, skin, gesture);
                CAPTURE(made.times[i]);
                CHECK(gaps[0] < 0.02);
                CHECK(gaps[1] < 0.02);
                CHECK(deepest(target, skin) < 0.02);
            }
        }
    }
}
