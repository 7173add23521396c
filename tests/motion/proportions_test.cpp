#include <doctest/doctest.h>

#include <sinew/clip/clip.h>
#include <sinew/motion/builtin.h>
#include <sinew/motion/retarget.h>
#include <sinew/sample/sample.h>
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
