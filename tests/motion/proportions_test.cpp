#include <doctest/doctest.h>

#include <sinew/clip/clip.h>
#include <sinew/motion/builtin.h>
#include <sinew/motion/retarget.h>
#include <sinew/motion/retarget/motion_body.h>
#include <sinew/sample/sample.h>
#include <sinew/skeleton/humanoid.h>
#include <sinew/skeleton/pose.h>

using namespace sinew;

namespace {

// The sample's skeleton with other distances between its shoulders and between its hips.
Skeleton built(float shoulders, float hips) {
    const Skeleton from = make_rigged_humanoid().skeleton;
    std::vector<Transform> rest = from.rest();
    const std::vector<AffineD> world = rest_world(from);
    const auto move = [&](const char* name, float factor) {
        const auto j = static_cast<size_t>(from.find(name));
        const auto parent = static_cast<size_t>(from.parents()[j]);
        const Vec3d out(static_cast<double>(factor - 1.0f) * world[j].translation().x(), 0.0, 0.0);
        rest[j].translation += Vec3d(world[parent].linear().transpose() * out).cast<float>();
    };
    for (const char* arm : {"leftUpperArm", "rightUpperArm"}) move(arm, shoulders);
    for (const char* leg : {"leftUpperLeg", "rightUpperLeg"}) move(leg, hips);
    return Skeleton::create(from.names(), from.parents(), rest).value();
}

// The least that a hand lies outside its hip, to the side, in a walk.
double least_beside(const Skeleton& skeleton) {
    const Motion walk = builtin_motion("walk").value();
    const RetargetResult moved = retarget(walk.skeleton, walk.clip, skeleton).value();
    double least = INFINITY;
    for (float time = 0.0f; time < 1.0f; time += 0.05f) {
        Pose pose{skeleton.rest(), {}};
        sample(moved.clip, time, pose);
        std::vector<AffineD> world(skeleton.size());
        local_to_world(skeleton.parents(), pose.local, world);
        const auto at = [&](const char* name) -> Vec3d {
            return world[static_cast<size_t>(skeleton.find(name))].translation();
        };
        const Vec3d left = (at("leftUpperLeg") - at("rightUpperLeg")).normalized();
        least = std::min(
            {least, left.dot(at("leftHand") - at("leftUpperLeg")), left.dot(at("rightUpperLeg") - at("rightHand"))});
    }
    return least;
}

}  // namespace

TEST_CASE("retarget: hands pass broad hips as they pass narrow ones") {
    const double usual = least_beside(built(1.0f, 1.0f)), broad = least_beside(built(0.7f, 1.5f));
    MESSAGE("beside the hip: ", usual, " and ", broad, " m");
    CHECK(usual > 0.05);
    CHECK(broad > 0.02);  // −0.01 when arms take the source's directions as they are
}

// Captures whose rest pose is no body take a frame of the walk as their reference, with one foot in the air.
TEST_CASE("measure_body: the ball of a foot that points down is where that of the other foot is") {
    const Skeleton skeleton = make_rigged_humanoid().skeleton;
    const HumanoidMap map = recognise_humanoid(skeleton);
    for (const Role foot : {Role::left_foot, Role::right_foot}) {
        std::vector<Transform> local = skeleton.rest();
        const auto j = static_cast<size_t>(map[foot]);
        const WorldPose rest = world_pose(skeleton, local);
        const Quatd down(Eigen::AngleAxisd(1.0, Vec3d::UnitX())), own = rest.rotation[j];
        local[j].rotation = (local[j].rotation.cast<double>() * own.conjugate() * down * own).cast<float>();
        const Body body = measure_body(skeleton, map, world_pose(skeleton, local));
        CHECK(body.feet[0].ball_joint == map[Role::left_toes]);
        CHECK(body.feet[1].ball_joint == map[Role::right_toes]);
        CHECK(body.feet[0].ball_offset.norm() == 0.0);
        CHECK(body.feet[1].ball_offset.norm() == 0.0);
    }
}
