#include <doctest/doctest.h>

#include <sinew/ik/ik.h>
#include <algorithm>
#include <array>

#include "ik/person.h"
#include "ik/score.h"

using namespace sinew;
using namespace sinew::test;

namespace {

constexpr double rounding = 1e-6;  // radians: a rotation that was rounded to float

enum class Kind { hinge, swing_twist, euler };
constexpr std::array kinds = {Kind::hinge, Kind::swing_twist, Kind::euler};

IkLimit random_limit(Random& random, int32_t joint, Kind kind) {
    const auto range = [&](double most) {
        const double a = random.uniform(-most, most), b = random.uniform(-most, most);
        return std::pair(std::min(a, b), std::max(a, b));
    };
    IkLimit limit{.joint = joint, .reference = random_rotation(random, 3.0)};
    if (kind == Kind::hinge) {
        const auto [min, max] = range(3.1);
        limit.shape = HingeLimit{random_direction(random), min, max};
    } else if (kind == Kind::swing_twist) {
        const auto [min, max] = range(3.1);
        limit.shape = SwingTwistLimit{random_direction(random), random.uniform(0.05, 3.0), min, max};
    } else {
        EulerLimit euler;
        for (int i = 0; i < 3; ++i) std::tie(euler.min[i], euler.max[i]) = range(i == 1 ? 1.5 : 3.1);
        limit.shape = euler;
    }
    return limit;
}

// A rotation within a limit, made from angles within their ranges.
Quatd random_within(Random& random, const IkLimit& limit) {
    const auto about = [](const Vec3d& axis, double angle) { return Quatd(Eigen::AngleAxisd(angle, axis)); };
    Quatd turn;
    if (const auto* hinge = std::get_if<HingeLimit>(&limit.shape)) {
        turn = about(hinge->axis, random.uniform(hinge->min, hinge->max));
    } else if (const auto* cone = std::get_if<SwingTwistLimit>(&limit.shape)) {
        turn = about(cone->axis.cross(random_direction(random)).normalized(), random.uniform(0, cone->swing)) *
               about(cone->axis, random.uniform(cone->twist_min, cone->twist_max));
    } else {
        const auto& euler = std::get<EulerLimit>(limit.shape);
        const auto angle = [&](int i) { return random.uniform(euler.min[i], euler.max[i]); };
        turn = about(Vec3d::UnitZ(), angle(2)) * about(Vec3d::UnitY(), angle(1)) * about(Vec3d::UnitX(), angle(0));
    }
    return limit.reference * turn;
}

}  // namespace

TEST_CASE("limits: what is made within stays, what is outside comes in, and once in it stays") {
    Random random(31);
    for (const Kind kind : kinds) {
        for (int i = 0; i < 1000; ++i) {
            const IkLimit limit = random_limit(random, 0, kind);
            const Quatd within = random_within(random, limit);
            CHECK(limit_excess(limit, within) < 1e-9);
            CHECK(clamp_to_limit(limit, within).angularDistance(within) < 2e-6);

            const Quatd any = random_rotation(random, 3.14), clamped = clamp_to_limit(limit, any);
            CHECK(limit_excess(limit, clamped) < 1e-9);
            CHECK(limit_excess(limit, clamped.cast<float>().cast<double>()) < rounding);
            CHECK(clamp_to_limit(limit, clamped).angularDistance(clamped) < 1e-6);
            CHECK(std::abs(clamped.norm() - 1) < 1e-12);
        }
    }
}

TEST_CASE("limits: a hinge keeps the angle about its axis, and takes the nearer end") {
    const IkLimit knee{.joint = 0, .shape = HingeLimit{Vec3d::UnitX(), -0.1, 2.0}};
    const auto about_x = [](double angle) { return Quatd(Eigen::AngleAxisd(angle, Vec3d::UnitX())); };
    CHECK(clamp_to_limit(knee, about_x(1.0) * Quatd(Eigen::AngleAxisd(0.0, Vec3d::UnitY())))
              .angularDistance(about_x(1.0)) < 1e-9);
    CHECK(clamp_to_limit(knee, about_x(2.5)).angularDistance(about_x(2.0)) < 1e-6);
    CHECK(clamp_to_limit(knee, about_x(-1.0)).angularDistance(about_x(-0.1)) < 1e-6);
    CHECK(limit_excess(knee, about_x(2.5)) == doctest::Approx(0.5));
    CHECK(limit_excess(knee, Quatd(Eigen::AngleAxisd(0.3, Vec3d::UnitZ()))) == doctest::Approx(0.3));
}

TEST_CASE("limits: a cone keeps swing and twist apart") {
    const IkLimit hip{.joint = 0, .shape = SwingTwistLimit{Vec3d::UnitY(), 0.5, -0.2, 0.3}};
    const Quatd swing(Eigen::AngleAxisd(1.0, Vec3d::UnitX())), twist(Eigen::AngleAxisd(1.0, Vec3d::UnitY()));
    const Quatd half_swing(Eigen::AngleAxisd(0.5, Vec3d::UnitX())), end_twist(Eigen::AngleAxisd(0.3, Vec3d::UnitY()));
    CHECK(clamp_to_limit(hip, swing * twist).angularDistance(half_swing * end_twist) < 2e-6);
    CHECK(limit_excess(hip, swing * twist) == doctest::Approx(0.7));
}

// The property: whatever the limits, the start and the goal, no solver leaves a joint outside.
TEST_CASE("limits: no solver exceeds a limit, of any kind") {
    Random random(32);
    for (const IkSolver solver :
         {IkSolver::two_bone, IkSolver::ccd, IkSolver::fabrik, IkSolver::jacobian_transpose, IkSolver::pseudo_inverse,
          IkSolver::damped_least_squares, IkSolver::newton, IkSolver::full_body}) {
        for (int i = 0; i < 45; ++i) {
            const int joints = 2 + i % 5;
            const Chain chain = random_chain(random, joints);
            std::vector<IkLimit> limits;
            for (int j = 0; j < joints; ++j)
                if (i % 3 != 0 || j % 2 == 0)
                    limits.push_back(random_limit(random, j, kinds[static_cast<size_t>(i + j) % 3]));
            IkGoal goal{.joint = joints, .position = reachable_goal(random, chain)};
            if (i % 4 == 0) goal.orientation = random_rotation(random, 3.0);
            const IkPole pole{.chain = {0, joints}, .joint = 1, .direction = random_direction(random)};
            IkProblem problem{.parents = chain.parents, .pose = chain.pose, .goals = {&goal, 1}};
            problem.limits = limits;
            if (i % 2) problem.poles = {&pole, 1};
            const IkResult result = solve_ik(problem, solver, {.max_iterations = 30});
            CAPTURE(to_string(solver));
            CAPTURE(i);
            for (const IkLimit& limit : limits)
                CHECK(limit_excess(limit, result.pose[static_cast<size_t>(limit.joint)].rotation.cast<double>()) <
                      rounding);
        }
    }
}

// Goals that are reached within the limits, because a pose within them made the goal.
TEST_CASE("limits: most goals that a pose within the limits reaches are found") {
    for (const IkSolver solver : iterative_solvers) {
        Random random(33);
        int reached = 0;
        const int count = 60;
        for (int i = 0; i < count; ++i) {
            Chain chain = random_chain(random, 5), other = chain;
            std::vector<IkLimit> limits;
            for (int32_t j = 0; j < 5; ++j) {
                IkLimit limit{.joint = j,
                              .reference = chain.pose[static_cast<size_t>(j)].rotation.cast<double>().normalized()};
                if (j % 2)
                    limit.shape = HingeLimit{random_direction(random), -1.2, 1.2};
                else
                    limit.shape = SwingTwistLimit{random_direction(random), 1.0, -0.5, 0.5};
                limits.push_back(limit);
                other.pose[static_cast<size_t>(j)].rotation = random_within(random, limit).cast<float>();
            }
            std::vector<AffineD> world(6);
            local_to_world(other.parents, other.pose, world);
            const IkGoal goal{.joint = 5, .position = Vec3d(world[5].translation())};
            IkProblem problem{.parents = chain.parents, .pose = chain.pose, .goals = {&goal, 1}};
            problem.limits = limits;
            reached += solve_ik(problem, solver).reached;
        }
        CAPTURE(to_string(solver));
        CHECK(reached >= count * 8 / 10);
    }
}

TEST_CASE("limits: a person's rest pose is within the anatomical limits, knees and elbows bend one way") {
    const Skeleton skeleton = person();
    const HumanoidMap map = recognise_humanoid(skeleton);
    const std::vector<IkLimit> limits = anatomical_limits(map, skeleton);
    const auto limit_of = [&](Role role) { return *std::ranges::find(limits, map[role], &IkLimit::joint); };
    CHECK(limits.size() == 21);  // trunk 3, neck and head 2, legs and arms of four joints
    for (const IkLimit& limit : limits)
        CHECK(limit_excess(limit, skeleton.rest()[static_cast<size_t>(limit.joint)].rotation.cast<double>()) < 1e-6);
    const auto excess = [&](Role role, const Vec3d& axis, double angle_deg) {
        return limit_excess(limit_of(role), Quatd(Eigen::AngleAxisd(radians(static_cast<float>(angle_deg)), axis)));
    };
    const Vec3d x = Vec3d::UnitX(), y = Vec3d::UnitY(), z = Vec3d::UnitZ();
    // Shins swing back, never forwards; T-posed forearms come forwards: the left one about −y.
    for (const Role knee : {Role::left_lower_leg, Role::right_lower_leg}) {
        CHECK(excess(knee, x, 120) < 0.01);
        CHECK(excess(knee, x, -30) > 0.3);
        CHECK(excess(knee, x, 160) > 0.3);
        CHECK(excess(knee, z, 20) > 0.3);
    }
    CHECK(excess(Role::left_lower_arm, y, -120) < 0.05);
    CHECK(excess(Role::left_lower_arm, y, 40) > 0.3);
    CHECK(excess(Role::right_lower_arm, y, 120) < 0.05);
    CHECK(excess(Role::right_lower_arm, y, -40) > 0.3);
    // Thighs come up in front farther than behind; arms go down to the side, and up.
    CHECK(excess(Role::left_upper_leg, x, -110) < 0.01);
    CHECK(excess(Role::left_upper_leg, x, 60) > 0.3);
    CHECK(excess(Role::left_upper_arm, z, -80) < 0.01);
    CHECK(excess(Role::left_upper_arm, z, 80) < 0.01);
    // The trunk bends farther forwards than back.
    CHECK(excess(Role::spine, x, 25) < 0.01);
    CHECK(excess(Role::spine, x, -25) > 0.1);
    for (const Role free : {Role::left_index_proximal, Role::jaw, Role::hips})
        CHECK(std::ranges::find(limits, map[free], &IkLimit::joint) == limits.end());
}

TEST_CASE("body masses: a person's, and they sum to 1") {
    const Skeleton skeleton = person();
    const HumanoidMap map = recognise_humanoid(skeleton);
    const std::vector<double> mass = body_masses(map, skeleton);
    double sum = 0, height = 0;
    const std::vector<AffineD> world = rest_world(skeleton);
    for (size_t j = 0; j < mass.size(); ++j) sum += mass[j], height += mass[j] * world[j].translation().y();
    CHECK(sum == doctest::Approx(1));
    CHECK(height / 1.7 == doctest::Approx(0.56).epsilon(0.06));  // of the body's height, standing [Winter2009]
    CHECK(body_masses(HumanoidMap(), skeleton)[0] == 0.0);
}
