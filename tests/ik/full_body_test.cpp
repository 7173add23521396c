#include <doctest/doctest.h>

#include <sinew/ik/ik.h>
#include <sinew/skeleton/pose.h>
#include <array>

#include "ik/chains.h"
#include "ik/full_body_frames.h"
#include "ik/person.h"

using namespace sinew;
using namespace sinew::test;

namespace {

std::vector<AffineD> world_of(const Skeleton& skeleton, const std::vector<Transform>& pose) {
    std::vector<AffineD> world(pose.size());
    local_to_world(skeleton.parents(), pose, world);
    return world;
}

}  // namespace

TEST_CASE("full body: five goals, frame after frame, are reached and planted feet stay") {
    const Skeleton skeleton = person();
    FullBodyFrames frames(skeleton);
    IkWorkspace workspace;
    IkResult result;
    result.pose = skeleton.rest();
    for (int f = 0; f < 60; ++f) {
        frames.set(f);
        IkProblem problem = frames.problem();
        problem.pose = result.pose;
        solve_ik(problem, IkSolver::full_body, {}, workspace, result);
        CAPTURE(f);
        CHECK(result.reached);
        const auto world = world_of(skeleton, result.pose);
        for (const IkGoal& goal : frames.goals)
            CHECK((world[static_cast<size_t>(goal.joint)].translation() - *goal.position).norm() < 2e-3);
        for (size_t j = 0; j < result.pose.size(); ++j)
            if (static_cast<int32_t>(j) != problem.moving_root)
                CHECK(result.pose[j].translation == skeleton.rest()[j].translation);
    }
}

TEST_CASE("full body: of goals that cannot both be had, the smaller priority number wins") {
    const Skeleton skeleton = person();
    const int32_t hand = skeleton.find("leftHand"), other = skeleton.find("rightHand");
    for (const bool left_first : {true, false}) {
        const std::array goals = {
            IkGoal{.joint = hand, .position = Vec3d(0.9, 1.4, 0.1), .priority = left_first ? 0 : 1},
            IkGoal{.joint = other, .position = Vec3d(-0.9, 1.4, 0.1), .priority = left_first ? 1 : 0}};
        IkProblem problem{.parents = skeleton.parents(), .pose = skeleton.rest(), .goals = goals};
        // Both hands pull; spine and arms together reach 0.9 on one side, not on both.
        const IkChain chains[] = {{skeleton.find("spine"), hand}, {skeleton.find("spine"), other}};
        problem.chains = chains;
        const IkResult result = solve_ik(problem, IkSolver::full_body);
        CHECK(!result.reached);
        CHECK(result.errors[left_first ? 0 : 1].reached);
        CHECK(result.errors[left_first ? 1 : 0].distance > 0.05);
    }
}

TEST_CASE("full body: balance brings the centre of mass over the feet, and the hand still reaches") {
    const Skeleton skeleton = person();
    const HumanoidMap map = recognise_humanoid(skeleton);
    const std::vector<double> mass = body_masses(map, skeleton);
    const auto rest = rest_world(skeleton);
    const auto place = [&](Role role) { return Vec3d(rest[static_cast<size_t>(map[role])].translation()); };
    const std::array support = {place(Role::left_foot), place(Role::right_foot), place(Role::left_toes),
                                place(Role::right_toes)};
    const std::array goals = {IkGoal{.joint = map[Role::left_foot], .position = place(Role::left_foot)},
                              IkGoal{.joint = map[Role::right_foot], .position = place(Role::right_foot)},
                              IkGoal{.joint = map[Role::left_hand], .position = Vec3d(0.3, 0.7, 0.75), .priority = 1}};
    IkProblem problem{.parents = skeleton.parents(), .pose = skeleton.rest(), .goals = goals};
    problem.moving_root = map[Role::hips];
    const auto sway = [&](const std::vector<Transform>& pose) {
        const auto world = world_of(skeleton, pose);
        Vec3d centre = Vec3d::Zero();
        for (size_t j = 0; j < world.size(); ++j) centre += mass[j] * world[j].translation();
        const double ahead = std::max(0.0, centre.z() - support[2].z()),
                     behind = std::max(0.0, support[0].z() - centre.z());
        return std::max({ahead, behind, std::abs(centre.x()) - support[0].x()});
    };
    const IkResult without = solve_ik(problem, IkSolver::full_body);
    problem.balance = IkBalance{.mass = mass, .support = support};
    const IkResult with = solve_ik(problem, IkSolver::full_body);
    CHECK(without.reached);
    CHECK(with.reached);
    CHECK(sway(without.pose) > 0.02);
    CHECK(sway(with.pose) < 2e-3);
}

TEST_CASE("full body: keeps to the preferred pose where the goals leave it open") {
    const Skeleton skeleton = person();
    const int32_t hand = skeleton.find("leftHand"), head = skeleton.find("head"), neck = skeleton.find("neck");
    std::vector<Transform> start = skeleton.rest();
    start[static_cast<size_t>(neck)].rotation = Quat(Eigen::AngleAxisf(0.5f, Vec3::UnitX()));
    start[static_cast<size_t>(skeleton.find("spine"))].rotation = Quat(Eigen::AngleAxisf(0.4f, Vec3::UnitZ()));
    const IkGoal goal{.joint = hand, .position = Vec3d(0.4, 1.3, 0.4)};
    IkProblem problem{.parents = skeleton.parents(), .pose = start, .goals = {&goal, 1}};
    const auto bend = [&](const IkResult& result) {
        return result.pose[static_cast<size_t>(skeleton.find("spine"))].rotation.angularDistance(Quat::Identity());
    };
    const IkResult without = solve_ik(problem, IkSolver::full_body);
    problem.preferred = skeleton.rest();
    const IkResult with = solve_ik(problem, IkSolver::full_body);
    CHECK(with.reached);
    CHECK(bend(with) < 0.8f * bend(without));
    CHECK(with.pose[static_cast<size_t>(head)] == start[static_cast<size_t>(head)]);  // nothing hangs on it
}

TEST_CASE("full body: with anatomical limits the hands still reach, and no limit is exceeded") {
    const Skeleton skeleton = person();
    const HumanoidMap map = recognise_humanoid(skeleton);
    const std::vector<IkLimit> limits = anatomical_limits(map, skeleton);
    Random random(51);
    int reached = 0;
    const int count = 30;
    for (int i = 0; i < count; ++i) {
        const std::array goals = {
            IkGoal{.joint = map[Role::left_hand],
                   .position = Vec3d(random.uniform(0.1, 0.5), random.uniform(0.9, 1.6), random.uniform(0.2, 0.45))},
            IkGoal{.joint = map[Role::right_hand],
                   .position = Vec3d(random.uniform(-0.5, -0.1), random.uniform(0.9, 1.6), random.uniform(0.2, 0.45))}};
        IkProblem problem{.parents = skeleton.parents(), .pose = skeleton.rest(), .goals = goals};
        problem.limits = limits;
        const IkResult result = solve_ik(problem, IkSolver::full_body);
        reached += result.reached;
        for (const IkLimit& limit : limits)
            CHECK(limit_excess(limit, result.pose[static_cast<size_t>(limit.joint)].rotation.cast<double>()) < 1e-6);
    }
    CHECK(reached >= count * 9 / 10);
}
