#include <doctest/doctest.h>
#include <sinew/core/random.h>
#include <sinew/motion/touch/active_frames.h>
#include <sinew/motion/touch/body_shape.h>
#include <sinew/motion/touch/place_arms.h>
#include <sinew/motion/touch/settle_body.h>
#include <sinew/motion/touch/smooth_curve.h>
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

TEST_CASE("body shape: a neck joint that lies in the chest makes the trunk no shorter") {
    const SkinnedBody& body = body_of(HumanoidBuild::average);
    const Skeleton& skeleton = body.character.skeleton;
    std::vector<Transform> rest = skeleton.rest();
    const auto neck = static_cast<size_t>(body.map[Role::neck]);
    REQUIRE(skeleton.parents()[static_cast<size_t>(body.map[Role::head])] == body.map[Role::neck]);
    const Vec3 lower(0, -0.15f, 0);  // as captures from a well-known library have it
    rest[neck].translation += lower;
    for (size_t j = 0; j < rest.size(); ++j)
        if (skeleton.parents()[j] == body.map[Role::neck]) rest[j].translation -= lower;
    const auto low = Skeleton::create(skeleton.names(), skeleton.parents(), rest);
    REQUIRE(low.has_value());
    const Body usual = measured(body), other = measure_body(*low, body.map, world_pose(*low, rest));
    const BodyShape a = find_body_shape(usual, {}), b = find_body_shape(other, {});
    for (const PartName part : {PartName::trunk, PartName::head}) {
        CHECK(b[part].length == doctest::Approx(a[part].length).epsilon(1e-4));
        const PosedPart pa = pose_part(a[part], body_pose(usual, usual.reference)),
                        pb = pose_part(b[part], body_pose(other, other.reference));
        const PartPlace place{0.7, 0.4, 0.2};
        CHECK((point_at(pa, place) - point_at(pb, place)).norm() < 1e-4);
    }
}

TEST_CASE("arm goals: a hand that touches is pulled with all weight, one that is merely near with hardly any") {
    const Body measure = measured(body_of(HumanoidBuild::average));
    const BodyShape shape = find_body_shape(measure, {});
    const BodyMotion body{shape, {body_pose(measure, measure.reference)}};
    const TouchScene scene{body, body, Quatd::Identity()};
    const std::array arms = {record_arm(body, measure.frame.col(2), 0), record_arm(body, measure.frame.col(2), 1)};
    const auto pull = [&](size_t what, float weight, float gap) {
        std::vector<WristGoal> goals(1);
        set_wrist_goals(scene, {.side = 0, .what = what, .weight = {weight}, .gap = {gap}}, 0, arms, 0, 1, goals);
        return goals[0].weight;
    };
    for (const size_t what : {static_cast<size_t>(PartName::trunk), static_cast<size_t>(Touched::floor),
                              static_cast<size_t>(Touched::other_hand)}) {
        CHECK(pull(what, 1.0f, 0.0f) == 1.0);
        CHECK(pull(what, 1.0f, -0.02f) == 1.0);
        CHECK(pull(what, 1.0f, 0.14f) < 2e-4);  // the arm's own way weighs as much
        CHECK(pull(what, 0.1f, 0.0f) < 2e-3);
        CHECK(pull(what, 0.5f, 0.05f) < pull(what, 1.0f, 0.05f));
    }
}

TEST_CASE("smooth curve: stays above its bounds, is smooth, begins and ends at zero") {
    constexpr size_t frames = 60;
    SmoothCurve curve(frames, {.spread = 6});
    const auto need = [](size_t f) { return f >= 25 && f < 32 ? 0.2 : 0.0; };
    for (size_t f = 0; f < frames; ++f) curve.add_bound(f, Vec3d::UnitY(), need(f), 3e4);
    CHECK(curve.step() > 0.15);
    double bend = 0;
    for (size_t f = 0; f < frames; ++f) {
        CHECK(curve.at(f).y() > need(f) - 0.004);
        CHECK(std::abs(curve.at(f).x()) < 1e-12);
        if (f > 0 && f + 1 < frames)
            bend = std::max(bend, std::abs(curve.at(f - 1).y() - 2 * curve.at(f).y() + curve.at(f + 1).y()));
    }
    CHECK(bend < 0.03);
    for (const size_t f : {size_t{0}, frames - 1}) CHECK(std::abs(curve.at(f).y()) < 1e-4);
    // A row of one frame alone is an ordinary least-squares problem: x minimises x² + 3 (x − 2)².
    SmoothCurve alone(1, {.open_start = true, .open_end = true});
    alone.add(0, Vec3d::UnitX(), 2.0, 3.0);
    alone.step();
    CHECK(alone.at(0).x() == doctest::Approx(1.5));
}

TEST_CASE("settle body: a head that is too large for the floor tilts the body, and the feet stay down") {
    const SkinnedBody& body = body_of(HumanoidBuild::average);
    const Body measure = measured(body);
    BodyShape shape = find_body_shape(measure, body.skin);
    constexpr double larger = 0.25;  // metres that the head sticks out behind
    shape.floor_points.push_back({Role::head, Vec3d(0, 0.1, -larger)});
    BodyMotion motion{shape, {}, Vec3d::UnitY(), 0.0, 1.0};
    const PosedShape standing = body_pose(measure, measure.reference);
    const Quatd back(Eigen::AngleAxisd(-radians(90), Vec3d::UnitX()));
    for (int f = 0; f < 60; ++f) {  // lying on its back, just above the floor
        PosedShape pose = standing;
        for (size_t r = 0; r < body_role_count; ++r) {
            pose.position[r] = back * standing.position[r] + 0.13 * Vec3d::UnitY();
            pose.turn[r] = back;
        }
        motion.poses.push_back(pose);
    }
    const auto lowest_head = [&](const PosedShape& pose) {
        return (pose.at(Role::head) + pose.turn_of(Role::head) * shape.floor_points.back().offset).y();
    };
    REQUIRE(lowest_head(motion.poses[30]) < -0.1);
    const PosedShape tilted = shifted(motion.poses[30], settle_body(motion, 30)[30], motion.up);
    const PosedShape raised = shifted(motion.poses[30], settle_body(motion, 30, false)[30], motion.up);
    for (const PosedShape* pose : {&tilted, &raised}) CHECK(lowest_head(*pose) > -0.02);
    const auto rise = [&](const PosedShape& pose, Role role) {
        return pose.at(role).y() - motion.poses[30].at(role).y();
    };
    CHECK(rise(raised, Role::left_foot) > 0.08);
    CHECK(std::abs(rise(tilted, Role::left_foot)) < 0.5 * rise(raised, Role::left_foot));
    CHECK(std::abs(rise(tilted, Role::hips)) < 0.7 * rise(raised, Role::hips));
}

TEST_CASE("settle body: a body that lies in the floor comes out of it, one that stands is left alone") {
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
    const std::vector<BodyShift> shifts = settle_body(motion, 30);
    for (const size_t f : {0, 20, 100, 119}) CHECK(shifts[f].stays());
    double bend = 0;
    for (size_t f = 1; f + 1 < shifts.size(); ++f)
        bend = std::max(bend, std::abs(shifts[f - 1].lift - 2 * shifts[f].lift + shifts[f + 1].lift));
    CHECK(bend < 0.03);
    for (size_t f = 50; f < 70; ++f) {
        double lowest = 1;
        const PosedShape moved = shifted(motion.poses[f], shifts[f], motion.up);
        for (const FloorPoint& point : shape.floor_points)
            lowest = std::min(lowest, (moved.at(point.joint) + moved.turn_of(point.joint) * point.offset).y());
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
