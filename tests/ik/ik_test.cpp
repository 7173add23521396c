#include <doctest/doctest.h>

#include <sinew/ik/ik.h>
#include <array>
#include <limits>

#include "ik/score.h"
#include "support/count_allocations.h"

using namespace sinew;
using namespace sinew::test;

namespace {

IkProblem problem_of(const Chain& chain, std::span<const IkGoal> goals) {
    return {.parents = chain.parents, .pose = chain.pose, .goals = goals};
}

std::vector<AffineD> world_of(std::span<const int32_t> parents, const std::vector<Transform>& pose) {
    std::vector<AffineD> world(pose.size());
    local_to_world(parents, pose, world);
    return world;
}

bool all_finite(const std::vector<Transform>& pose) {
    return std::ranges::all_of(
        pose, [](const Transform& t) { return t.translation.allFinite() && t.rotation.coeffs().allFinite(); });
}

// A trunk of two bones with two arms of two bones each; tips are joints 4 and 6.
Chain two_arms() {
    Chain chain;
    chain.parents = {-1, 0, 1, 2, 3, 2, 5};
    chain.pose.resize(7);
    for (size_t j = 1; j < 7; ++j) chain.pose[j].translation = Vec3(0, 1, 0);
    chain.pose[3].translation = Vec3(0.7f, 0.7f, 0);
    chain.pose[5].translation = Vec3(-0.7f, 0.7f, 0);
    return chain;
}

}  // namespace

TEST_CASE("ik: every solver reaches 99 of 100 goals within reach, by the same joints' turns alone") {
    for (const IkSolver solver : iterative_solvers) {
        for (const int joints : {2, 3, 7, 30}) {
            CAPTURE(to_string(solver));
            CAPTURE(joints);
            const Score score = score_solver(solver, reachable_trials(joints, 400, 11));
            CHECK(score.reached >= 0.99);
            CHECK(score.worst_length < 1e-6);
            CHECK(score.finite);
        }
    }
}

TEST_CASE("ik: goals out of reach end as near as the bones' lengths allow") {
    for (const IkSolver solver : iterative_solvers) {
        for (const int joints : {2, 3, 7, 30}) {
            CAPTURE(to_string(solver));
            CAPTURE(joints);
            const Score score = score_solver(solver, unreachable_trials(joints, 100, 12));
            CHECK(score.worst_distance < 1e-3);
            CHECK(score.worst_length < 1e-6);
            CHECK(score.finite);
        }
    }
}

TEST_CASE("ik: the two-bone solver bends a chain by the law of cosines") {
    Random random(13);
    for (int i = 0; i < 200; ++i) {
        const Chain chain = random_chain(random, 2);
        const double a = chain.bone(1), b = chain.bone(2), d = random.uniform(std::abs(a - b) + 1e-3, a + b - 1e-3);
        const IkGoal goal{.joint = 2, .position = chain.root() + d * random_direction(random)};
        const IkResult result = solve_ik(problem_of(chain, {&goal, 1}), IkSolver::two_bone, {.tolerance = 1e-9});
        const auto world = world_of(chain.parents, result.pose);
        const Vec3d upper = world[0].translation() - world[1].translation(),
                    lower = world[2].translation() - world[1].translation();
        CHECK((world[2].translation() - *goal.position).norm() < 1e-6);
        CHECK(std::abs(std::atan2(upper.cross(lower).norm(), upper.dot(lower)) -
                       std::acos((a * a + b * b - d * d) / (2 * a * b))) < 1e-5);
    }
}

TEST_CASE("ik: what a result says is what its pose does") {
    Random random(14);
    for (const IkSolver solver : iterative_solvers) {
        for (int i = 0; i < 20; ++i) {
            const Chain chain = random_chain(random, 5);
            const Quatd turn = random_rotation(random, 3.0);
            const IkGoal goal{.joint = 5, .position = reachable_goal(random, chain), .orientation = turn};
            const IkResult result = solve_ik(problem_of(chain, {&goal, 1}), solver);
            CAPTURE(to_string(solver));
            const auto world = world_of(chain.parents, result.pose);
            CHECK(result.errors[0].distance ==
                  doctest::Approx((world[5].translation() - *goal.position).norm()).scale(10));
            const Quatd is(world[5].linear());
            CHECK(std::abs(result.errors[0].angle - is.angularDistance(turn)) < 1e-5);
            CHECK(result.reached == result.errors[0].reached);
            CHECK(result.iterations <= ik_budget(solver));
            CHECK(result.reached);  // a tip that turns freely can have any orientation
        }
    }
}

TEST_CASE("ik: a straight chain with its goal on its line bends") {
    Chain chain;
    for (int j = 0; j <= 4; ++j) {
        chain.parents.push_back(j - 1);
        chain.pose.emplace_back().translation = Vec3(0, j > 0, 0);
    }
    for (const IkSolver solver : iterative_solvers) {
        for (const double y : {0.0, 1.0, 2.0, 3.99, -1.0, -3.0}) {
            CAPTURE(to_string(solver));
            CAPTURE(y);
            const IkGoal goal{.joint = 4, .position = Vec3d(0, y, 0)};
            CHECK(solve_ik(problem_of(chain, {&goal, 1}), solver).reached);
        }
    }
}

TEST_CASE("ik: turn and move the problem, and the solution does the same") {
    Random random(15);
    for (const IkSolver solver : iterative_solvers) {
        for (int i = 0; i < 10; ++i) {
            Chain chain = random_chain(random, 4);
            IkGoal goal{.joint = 4, .position = reachable_goal(random, chain)};
            const IkResult here = solve_ik(problem_of(chain, {&goal, 1}), solver);
            const Quatd turn = random_rotation(random, 3.0);
            chain.pose[0].translation = (turn * chain.root() + Vec3d(1, 2, 3)).cast<float>();
            chain.pose[0].rotation = (turn * chain.pose[0].rotation.cast<double>()).cast<float>();
            goal.position = turn * *goal.position + Vec3d(1, 2, 3);
            const IkResult there = solve_ik(problem_of(chain, {&goal, 1}), solver);
            CAPTURE(to_string(solver));
            CHECK(here.iterations == there.iterations);
            for (size_t j = 1; j < 5; ++j) CHECK(here.pose[j].rotation.angularDistance(there.pose[j].rotation) < 2e-3f);
        }
    }
}

TEST_CASE("ik: two arms on one trunk reach two goals") {
    const Chain chain = two_arms();
    const std::array goals = {IkGoal{.joint = 4, .position = Vec3d(1.5, 2.0, 0.8)},
                              IkGoal{.joint = 6, .position = Vec3d(-1.0, 2.5, 0.9)}};
    for (const IkSolver solver : iterative_solvers) {
        CAPTURE(to_string(solver));
        const IkResult result = solve_ik(problem_of(chain, goals), solver);
        CHECK(result.reached);
        const auto world = world_of(chain.parents, result.pose);
        for (const IkGoal& goal : goals)
            CHECK((world[static_cast<size_t>(goal.joint)].translation() - *goal.position).norm() < 1e-2);
    }
}

TEST_CASE("ik: hands that should meet close a loop, wherever") {
    const Chain chain = two_arms();
    const IkGoal goal{.joint = 4, .meets = 6};
    for (const IkSolver solver : iterative_solvers) {
        CAPTURE(to_string(solver));
        const IkResult result = solve_ik(problem_of(chain, {&goal, 1}), solver);
        CHECK(result.reached);
        const auto world = world_of(chain.parents, result.pose);
        CHECK((world[4].translation() - world[6].translation()).norm() < 5e-3);
    }
}

TEST_CASE("ik: only a chain's joints turn") {
    Random random(16);
    const Chain chain = random_chain(random, 8);
    const IkChain part{.root = 4, .tip = 8};
    const auto world = world_of(chain.parents, chain.pose);
    const IkGoal goal{.joint = 8, .position = Vec3d(world[4].translation() + Vec3d(0.5, 1.0, 0.5))};
    for (const IkSolver solver : iterative_solvers) {
        CAPTURE(to_string(solver));
        IkProblem problem = problem_of(chain, {&goal, 1});
        problem.chains = {&part, 1};
        const IkResult result = solve_ik(problem, solver);
        CHECK(result.reached);
        for (const size_t j : {0, 1, 2, 3, 8}) CHECK(result.pose[j] == chain.pose[j]);
        for (size_t j = 0; j < 9; ++j) CHECK(result.pose[j].translation == chain.pose[j].translation);
    }
}

TEST_CASE("ik: a pole says to which side a chain bends") {
    Random random(17);
    for (const IkSolver solver : {IkSolver::two_bone, IkSolver::ccd, IkSolver::fabrik, IkSolver::pseudo_inverse,
                                  IkSolver::newton, IkSolver::full_body}) {
        for (int i = 0; i < 20; ++i) {
            CAPTURE(to_string(solver));
            const Chain chain = random_chain(random, 2);
            const double d = 0.5 * (std::abs(chain.bone(1) - chain.bone(2)) + chain.length());
            const IkGoal goal{.joint = 2, .position = chain.root() + d * random_direction(random)};
            const IkPole pole{.chain = {0, 2}, .joint = 1, .direction = random_direction(random)};
            IkProblem problem = problem_of(chain, {&goal, 1});
            problem.poles = {&pole, 1};
            const IkResult result = solve_ik(problem, solver);
            CHECK(result.reached);
            const auto world = world_of(chain.parents, result.pose);
            const Vec3d along = (world[2].translation() - world[0].translation()).normalized();
            const Vec3d out = world[1].translation() - world[0].translation();
            const Vec3d side = (out - along * along.dot(out)).normalized();
            CHECK(side.dot((pole.direction - along * along.dot(pole.direction)).normalized()) > 0.9999);
        }
    }
}

TEST_CASE("ik: newton comes as near to the preferred pose as the goal allows") {
    Random random(18);
    int nearer = 0;
    for (int i = 0; i < 20; ++i) {
        const Chain start = random_chain(random, 7);
        Chain wanted = start;
        for (size_t j = 0; j < 7; ++j)
            wanted.pose[j].rotation =
                (random_rotation(random, 0.6) * start.pose[j].rotation.cast<double>()).normalized().cast<float>();
        // A goal that the preferred pose reaches: then it is the answer.
        const Vec3d there = world_of(wanted.parents, wanted.pose)[7].translation();
        const IkGoal goal{.joint = 7, .position = there};
        IkProblem problem = problem_of(start, {&goal, 1});
        const IkResult without = solve_ik(problem, IkSolver::newton);
        problem.preferred = wanted.pose;
        const IkResult with = solve_ik(problem, IkSolver::newton);
        CHECK(with.reached);
        double far = 0, near = 0;
        for (size_t j = 0; j < 7; ++j) {
            far = std::max<double>(far, without.pose[j].rotation.angularDistance(wanted.pose[j].rotation));
            near = std::max<double>(near, with.pose[j].rotation.angularDistance(wanted.pose[j].rotation));
        }
        nearer += near < 0.05 && near < far;
    }
    CHECK(nearer == 20);
}

TEST_CASE("ik: a pose that has reached comes back bit for bit, and a solved one stays") {
    Random random(19);
    for (const IkSolver solver : iterative_solvers) {
        const Chain chain = random_chain(random, 6);
        const IkGoal goal{.joint = 6, .position = reachable_goal(random, chain)};
        const IkResult once = solve_ik(problem_of(chain, {&goal, 1}), solver);
        REQUIRE(once.reached);
        const IkResult twice =
            solve_ik({.parents = chain.parents, .pose = once.pose, .goals = {&goal, 1}}, solver, {.tolerance = 1.1e-3});
        CHECK(twice.iterations == 0);
        CHECK(twice.pose == once.pose);
    }
}

TEST_CASE("ik: mirrors and uniform scales are followed") {
    Random random(20);
    for (const IkSolver solver : iterative_solvers) {
        Chain chain = random_chain(random, 5);
        chain.pose[0].scale = Vec3(-2, 2, 2);
        chain.pose[2].scale = Vec3(0.5f, 0.5f, 0.5f);
        chain.pose[3].scale = Vec3(1, 1, -1);
        const auto before = world_of(chain.parents, chain.pose);
        Chain other = chain;
        for (Transform& t : other.pose) t.rotation = random_rotation(random, 1.0).cast<float>();
        const IkGoal goal{.joint = 5, .position = Vec3d(world_of(other.parents, other.pose)[5].translation())};
        const IkResult result = solve_ik(problem_of(chain, {&goal, 1}), solver);
        CAPTURE(to_string(solver));
        CHECK(result.reached);
        const auto after = world_of(chain.parents, result.pose);
        CHECK((after[5].translation() - *goal.position).norm() < 1e-2);
        for (size_t j = 1; j < 6; ++j)
            CHECK((after[j].translation() - after[j - 1].translation()).norm() ==
                  doctest::Approx((before[j].translation() - before[j - 1].translation()).norm()).epsilon(1e-6));
    }
}

TEST_CASE("ik: degenerate chains and goals give finite poses") {
    const double inf = std::numeric_limits<double>::infinity(), nan = std::numeric_limits<double>::quiet_NaN();
    Chain pointlike;  // all joints at one place
    Chain bones_of_zero;
    Chain folded;
    for (int j = 0; j <= 3; ++j) {
        for (Chain* chain : {&pointlike, &bones_of_zero, &folded}) {
            chain->parents.push_back(j - 1);
            chain->pose.emplace_back();
        }
        bones_of_zero.pose.back().translation = Vec3(0, j % 2 ? 1.0f : 0.0f, 0);
        folded.pose.back().translation = Vec3(0, j % 2 ? 1.0f : -1.0f, 0);
    }
    for (const IkSolver solver :
         {IkSolver::two_bone, IkSolver::ccd, IkSolver::fabrik, IkSolver::jacobian_transpose, IkSolver::pseudo_inverse,
          IkSolver::damped_least_squares, IkSolver::newton, IkSolver::full_body}) {
        for (const Chain& chain : {pointlike, bones_of_zero, folded}) {
            for (const Vec3d& target : {Vec3d(0, 0, 0), Vec3d(0, 1, 0), Vec3d(0, -5, 0), Vec3d(1e-12, 0, 0),
                                        Vec3d(1e9, 1, 1), Vec3d(nan, 0, 0), Vec3d(0, inf, 0), Vec3d(1e200, 0, 0)}) {
                const IkGoal goal{.joint = 3, .position = target};
                const IkResult result = solve_ik(problem_of(chain, {&goal, 1}), solver);
                const bool finite = target.norm() < 1e100;  // overflow is as good as infinite
                CAPTURE(to_string(solver));
                CHECK(all_finite(result.pose));
                CHECK((result.errors[0].distance == inf) == !finite);
                if (!finite) CHECK(result.pose == chain.pose);
                if (!finite) CHECK(!result.reached);
            }
        }
        const IkGoal no_turn{.joint = 3, .orientation = Quatd(0, 0, 0, 0)};
        CHECK(solve_ik(problem_of(folded, {&no_turn, 1}), solver).pose == folded.pose);
        const IkResult none = solve_ik({}, solver);
        CHECK(none.reached);
    }
}

TEST_CASE("ik: a goal of no weight changes nothing but is still measured") {
    const Chain chain = two_arms();
    const std::array goals = {IkGoal{.joint = 4, .position = Vec3d(1.5, 2.0, 0.8)},
                              IkGoal{.joint = 6, .position = Vec3d(5, 5, 5), .weight = 0}};
    const IkResult result = solve_ik(problem_of(chain, goals), IkSolver::ccd);
    CHECK(result.reached);
    CHECK(result.pose[5] == chain.pose[5]);
    const Vec3d there = world_of(chain.parents, result.pose)[6].translation();
    CHECK(result.errors[1].distance == doctest::Approx((there - Vec3d(5, 5, 5)).norm()));
}

TEST_CASE("ik: repeated solves allocate nothing") {
    Random random(21);
    for (const IkSolver solver : iterative_solvers) {
        const Chain chain = random_chain(random, 7);
        IkWorkspace workspace;
        IkResult result;
        size_t counted = 0;
        for (int i = 0; i < 10; ++i) {
            const IkGoal goal{.joint = 7, .position = reachable_goal(random, chain)};
            const size_t before = allocations;
            solve_ik(problem_of(chain, {&goal, 1}), solver, {}, workspace, result);
            if (i > 2) counted += allocations - before;
        }
        CAPTURE(to_string(solver));
        CHECK(counted == 0);
    }
}

TEST_CASE("ik: names of solvers") {
    CHECK(ik_solver_names().size() == 8);
    for (const std::string_view name : ik_solver_names()) CHECK(to_string(parse_ik_solver(name).value()) == name);
    CHECK(parse_ik_solver("fabric").error().message.find("fabrik") != std::string::npos);
}

TEST_CASE("ik: check_ik tells what is wrong with a problem") {
    const Chain chain = two_arms();
    const IkGoal goal{.joint = 4, .position = Vec3d(1, 1, 1)};
    const IkProblem good = problem_of(chain, {&goal, 1});
    CHECK(check_ik(good));
    const auto fails = [](const IkProblem& problem, std::string_view word) {
        const Result<void> result = check_ik(problem);
        return !result && result.error().message.find(word) != std::string::npos;
    };
    const IkGoal nowhere{.joint = 7}, negative{.joint = 1, .weight = -1};
    const IkChain upwards{.root = 4, .tip = 2}, aside{.root = 3, .tip = 6};
    const IkPole pole{.chain = {0, 4}, .joint = 6};
    const IkLimit limit{.joint = 1, .shape = HingeLimit{.min = 1, .max = -1}};
    IkProblem bad = good;
    bad.goals = {&nowhere, 1};
    CHECK(fails(bad, "0 to 6"));
    bad.goals = {&negative, 1};
    CHECK(fails(bad, "weight"));
    bad = good, bad.chains = {&upwards, 1};
    CHECK(fails(bad, "below"));
    bad.chains = {&aside, 1};
    CHECK(fails(bad, "below"));
    bad = good, bad.poles = {&pole, 1};
    CHECK(fails(bad, "below"));
    bad = good, bad.limits = {&limit, 1};
    CHECK(fails(bad, "range"));
    bad = good, bad.pose = bad.pose.first(3);
    CHECK(fails(bad, "one transform per joint"));
    bad = good, bad.moving_root = 9;
    CHECK(fails(bad, "root"));
    const std::array<int32_t, 7> loop = {-1, 2, 1, 2, 3, 2, 5};
    bad = good, bad.parents = loop;
    CHECK(fails(bad, "parent"));
    const std::vector<double> masses(2);
    bad = good, bad.balance = IkBalance{.mass = masses};
    CHECK(fails(bad, "masses"));
}
