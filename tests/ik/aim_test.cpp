#include <doctest/doctest.h>

#include <sinew/ik/ik.h>
#include <sinew/skeleton/pose.h>
#include <array>

#include "ik/chains.h"
#include "ik/person.h"

using namespace sinew;
using namespace sinew::test;

namespace {

struct Gaze {
    Vec3d place, forward, up;
};
Gaze gaze(const Skeleton& skeleton, const std::vector<Transform>& pose, int32_t head) {
    std::vector<AffineD> world(pose.size());
    local_to_world(skeleton.parents(), pose, world);
    const AffineD& at = world[static_cast<size_t>(head)];
    return {at.translation(), at.linear().col(2), at.linear().col(1)};
}
double angle_to(const Gaze& gaze, const Vec3d& target) {
    return std::acos(std::clamp((target - gaze.place).normalized().dot(gaze.forward.normalized()), -1.0, 1.0));
}

}  // namespace

TEST_CASE("aim: head, neck and chest look at a point together") {
    const Skeleton skeleton = person();
    const int32_t chest = skeleton.find("upperChest"), neck = skeleton.find("neck"), head = skeleton.find("head");
    Random random(41);
    for (int i = 0; i < 100; ++i) {
        const Vec3d target = Vec3d(0, 1.5, 0) + random.uniform(0.5, 5) * random_direction(random);
        const IkAim aim{.chain = {chest, head}, .target = target};
        const IkResult result =
            solve_aim({.parents = skeleton.parents(), .pose = skeleton.rest()}, aim, {.angle_tolerance = 1e-4});
        CHECK(result.reached);
        CHECK(angle_to(gaze(skeleton, result.pose, head), target) < 1e-3);
        CHECK(result.errors[0].angle < 1e-4);
        // Everyone takes a share.
        if (target.z() > 1.0)
            for (const int32_t j : {chest, neck, head}) {
                const float turned = result.pose[static_cast<size_t>(j)].rotation.angularDistance(Quat::Identity());
                const double whole = angle_to(gaze(skeleton, skeleton.rest(), head), target);
                CHECK(turned > 0.2 * whole);
                CHECK(turned < 0.5 * whole + 0.01);
            }
        for (size_t j = 0; j < result.pose.size(); ++j)
            CHECK(result.pose[j].translation == skeleton.rest()[j].translation);
    }
}

TEST_CASE("aim: with an up direction the head does not roll") {
    const Skeleton skeleton = person();
    const int32_t neck = skeleton.find("neck"), head = skeleton.find("head");
    Random random(42);
    for (int i = 0; i < 50; ++i) {
        Vec3d direction = random_direction(random);
        direction.y() *= 0.5;
        const IkAim aim{.chain = {neck, head}, .target = Vec3d(0, 1.5, 0) + 2.0 * direction, .up = Vec3d::UnitY()};
        const IkResult result = solve_aim({.parents = skeleton.parents(), .pose = skeleton.rest()}, aim);
        CHECK(result.reached);
        const Gaze g = gaze(skeleton, result.pose, head);
        CHECK(std::abs(g.up.cross(g.forward).dot(Vec3d::UnitY())) < 1e-3);
        CHECK(g.up.y() > 0);
    }
}

TEST_CASE("aim: limits stop the neck, and the others do the rest as far as they can") {
    const Skeleton skeleton = person();
    const int32_t chest = skeleton.find("upperChest"), neck = skeleton.find("neck"), head = skeleton.find("head");
    const std::array limits = {IkLimit{.joint = neck, .shape = SwingTwistLimit{Vec3d::UnitY(), 0.2, -0.2, 0.2}},
                               IkLimit{.joint = head, .shape = SwingTwistLimit{Vec3d::UnitY(), 0.4, -0.6, 0.6}}};
    IkProblem problem{.parents = skeleton.parents(), .pose = skeleton.rest()};
    problem.limits = limits;
    Random random(43);
    for (int i = 0; i < 60; ++i) {
        const Vec3d target = Vec3d(0, 1.5, 0) + 3.0 * random_direction(random);
        for (const int32_t root : {chest, neck}) {
            const IkResult result = solve_aim(problem, {.chain = {root, head}, .target = target});
            for (const IkLimit& limit : limits)
                CHECK(limit_excess(limit, result.pose[static_cast<size_t>(limit.joint)].rotation.cast<double>()) <
                      1e-6);
            CHECK(result.errors[0].angle ==
                  doctest::Approx(angle_to(gaze(skeleton, result.pose, head), target)).epsilon(1e-3).scale(1));
            if (root == chest) CHECK(result.reached);  // the chest is free
        }
    }
    const IkResult behind = solve_aim(problem, {.chain = {neck, head}, .target = Vec3d(0.1, 1.5, -3)});
    CHECK(!behind.reached);
    CHECK(behind.errors[0].angle < 2.6);  // as far as it can
}

TEST_CASE("aim: targets without a direction leave the pose alone") {
    const Skeleton skeleton = person();
    const int32_t neck = skeleton.find("neck"), head = skeleton.find("head");
    const Vec3d at_head = rest_world(skeleton)[static_cast<size_t>(head)].translation();
    const IkProblem problem{.parents = skeleton.parents(), .pose = skeleton.rest()};
    CHECK(solve_aim(problem, {.chain = {neck, head}, .target = at_head}).pose == skeleton.rest());
    const IkResult none = solve_aim(problem, {.chain = {neck, head}, .target = Vec3d(NAN, 0, 0)});
    CHECK(none.pose == skeleton.rest());
    CHECK(!none.reached);
}
