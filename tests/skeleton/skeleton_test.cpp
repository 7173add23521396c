#include <doctest/doctest.h>

#include <sinew/skeleton/joint_label.h>
#include <sinew/skeleton/pose.h>
#include <sinew/skeleton/skeleton.h>

using namespace sinew;

namespace {

Transform moved(const Vec3& by, const Quat& turn = Quat::Identity()) {
    return {by, turn, Vec3::Ones()};
}
Quat turn(float angle, const Vec3& axis) {
    return Quat(Eigen::AngleAxisf(angle, axis));
}

}  // namespace

// Two quarter turns that do not commute: a swapped product or a wrong parent cannot pass.
TEST_CASE("local_to_world: a bent arm reaches the hand-computed point") {
    const std::vector<int32_t> parents = {-1, 0, 1};
    const std::vector<Transform> local = {moved({0, 1, 0}, turn(pi / 2, Vec3::UnitZ())),
                                          moved({1, 0, 0}, turn(pi / 2, Vec3::UnitX())), moved({0, 0, 1})};
    std::vector<AffineD> world(3);
    local_to_world(parents, local, world);
    CHECK((world[1].translation() - Vec3d(0, 2, 0)).norm() < 1e-6);
    // x-turn takes (0,0,1) to (0,−1,0); the z-turn takes that to (1,0,0).
    CHECK((world[2].translation() - Vec3d(1, 2, 0)).norm() < 1e-6);
}

TEST_CASE("local_to_world: a parent's scale reaches its children") {
    const std::vector<int32_t> parents = {-1, 0};
    std::vector<Transform> local = {moved({0, 0, 0}), moved({1, 2, 3})};
    local[0].scale = {2, 1, -1};
    std::vector<AffineD> world(2);
    local_to_world(parents, local, world);
    CHECK((world[1].translation() - Vec3d(2, 2, -3)).norm() < 1e-6);
}

TEST_CASE("Skeleton::create: proves the order, the sizes and the numbers") {
    CHECK(Skeleton::create({"a", "b"}, {-1, 0}, {Transform{}, Transform{}}));
    CHECK_FALSE(Skeleton::create({"a", "b"}, {1, -1}, {Transform{}, Transform{}}));
    CHECK_FALSE(Skeleton::create({"a"}, {0}, {Transform{}}));
    CHECK_FALSE(Skeleton::create({"a"}, {-2}, {Transform{}}));
    CHECK_FALSE(Skeleton::create({"a", "b"}, {-1}, {Transform{}}));
    Transform broken;
    broken.translation.x() = NAN;
    CHECK_FALSE(Skeleton::create({"a"}, {-1}, {broken}));
    Transform long_rotation;
    long_rotation.rotation.coeffs() *= 2.0f;
    CHECK_FALSE(Skeleton::create({"a"}, {-1}, {long_rotation}));
}

TEST_CASE("children_of lists each joint under its parent, in order") {
    const std::vector<int32_t> parents = {-1, 0, 0, 1};
    const auto children = children_of(parents);
    CHECK(children[0] == std::vector<int32_t>{1, 2});
    CHECK(children[1] == std::vector<int32_t>{3});
    CHECK(children[3].empty());
}

TEST_CASE("joint_label: the name, or the number of a joint without one") {
    const Skeleton skeleton = *Skeleton::create({"hips", "", "7"}, {-1, 0, 1}, std::vector<Transform>(3));
    CHECK(joint_label(skeleton, 0) == "hips");
    CHECK(joint_label(skeleton, 1) == "joint 1");
    CHECK(joint_label(skeleton, 2) == "7");
    const auto broken = Skeleton::create({""}, {-1}, {Transform{.translation = Vec3(INFINITY, 0, 0)}});
    REQUIRE_FALSE(broken);
    CHECK(broken.error().message.find("joint 0") != std::string::npos);
}
