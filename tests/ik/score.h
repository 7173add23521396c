// How good a solver is on seeded goals: for the tests, with few, and for the bench, with many.
#pragma once

#include <sinew/ik/ik.h>
#include <sinew/skeleton/pose.h>
#include <algorithm>
#include <chrono>
#include <vector>

#include "ik/chains.h"

namespace sinew::test {

struct Score {
    double reached = 0;            // share of the goals
    int median = 0, p99 = 0;       // iterations
    double worst_distance = 0;     // beyond the best possible, as a share of the chain's length
    double worst_length = 0;       // change of a bone's length, as a share of it
    double seconds_per_solve = 0;  // of all goals; the least of the runs
    double median_seconds = 0;
    bool finite = true;
};

struct Trial {
    Chain chain;
    Vec3d goal;
};

// Goals that the chain can reach. Every eighth chain is straight, and every sixteenth has its goal on its own line.
inline std::vector<Trial> reachable_trials(int joints, int count, uint64_t seed) {
    Random random(seed);
    std::vector<Trial> trials;
    for (int i = 0; i < count; ++i) {
        const bool straight = i % 8 == 7, on_line = i % 16 == 15;
        Trial trial{random_chain(random, joints, straight ? 0.0 : 1.0), Vec3d::Zero()};
        trial.goal = reachable_goal(random, trial.chain);
        if (on_line)
            trial.goal = trial.chain.root() + (trial.goal - trial.chain.root()).norm() *
                                                  trial.chain.pose[1].translation.cast<double>().normalized();
        trials.push_back(std::move(trial));
    }
    return trials;
}

// Goals out of reach: farther than the bones' sum, and nearer than one long bone lets the tip come.
inline std::vector<Trial> unreachable_trials(int joints, int count, uint64_t seed) {
    Random random(seed);
    std::vector<Trial> trials;
    for (int i = 0; i < count; ++i) {
        Trial trial{random_chain(random, joints), Vec3d::Zero()};
        double distance = trial.chain.length() * random.uniform(1.0, 2.0);
        if (i % 2) {
            const auto longest = 1 + random.below(static_cast<uint64_t>(joints));
            const double others = trial.chain.length() - trial.chain.bone(longest);
            trial.chain.pose[longest].translation *=
                static_cast<float>(random.uniform(1.1, 3.0) * others / trial.chain.bone(longest));
            distance = trial.chain.best_distance(trial.chain.root()) * random.uniform(0.05, 1.0);
        }
        trial.goal = trial.chain.root() + distance * random_direction(random);
        trials.push_back(std::move(trial));
    }
    return trials;
}

inline Score score_solver(IkSolver solver, const std::vector<Trial>& trials, const IkOptions& options = {}) {
    Score score;
    std::vector<int> iterations;
    std::vector<double> seconds;
    std::vector<AffineD> world;
    IkWorkspace workspace;
    IkResult result;
    for (const Trial& trial : trials) {
        const IkGoal goal{.joint = trial.chain.tip(), .position = trial.goal};
        const IkProblem problem{.parents = trial.chain.parents, .pose = trial.chain.pose, .goals = {&goal, 1}};
        const auto start = std::chrono::steady_clock::now();
        solve_ik(problem, solver, options, workspace, result);
        seconds.push_back(std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
        iterations.push_back(result.iterations);
        // Measured on the pose that came back, not by what the solver says.
        world.resize(result.pose.size());
        local_to_world(trial.chain.parents, result.pose, world);
        const double length = trial.chain.length(), distance = (world.back().translation() - trial.goal).norm();
        score.finite &= std::isfinite(distance);
        score.reached += distance <= 1.0001 * options.tolerance * length;
        score.worst_distance =
            std::max(score.worst_distance, (distance - trial.chain.best_distance(trial.goal)) / length);
        for (size_t j = 1; j < world.size(); ++j) {
            const double bone = (world[j].translation() - world[j - 1].translation()).norm();
            score.worst_length = std::max(score.worst_length, std::abs(bone / trial.chain.bone(j) - 1));
        }
    }
    const size_t count = trials.size();
    std::ranges::sort(iterations);
    std::ranges::sort(seconds);
    score.reached /= static_cast<double>(count);
    score.median = iterations[count / 2], score.p99 = iterations[count * 99 / 100];
    for (const double s : seconds) score.seconds_per_solve += s / static_cast<double>(count);
    score.median_seconds = seconds[count / 2];
    return score;
}

constexpr IkSolver iterative_solvers[] = {IkSolver::ccd,
                                          IkSolver::fabrik,
                                          IkSolver::jacobian_transpose,
                                          IkSolver::pseudo_inverse,
                                          IkSolver::damped_least_squares,
                                          IkSolver::newton,
                                          IkSolver::full_body};

}  // namespace sinew::test
