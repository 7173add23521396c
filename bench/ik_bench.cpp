// Inverse kinematics: how many seeded goals each solver reaches, in how many iterations, and how long a solve takes;
// how near it comes to goals out of reach; two-bone limbs in batches; a full body frame after frame.
#include <sinew/ik/ik.h>
#include <sinew/ik/two_bone.h>

#include "ik/full_body_frames.h"
#include "ik/score.h"
#include "support.h"

namespace {

using namespace sinew;

constexpr int goals = 10000, goals_out_of_reach = 1000;

void measure_solvers(bench::Table& table) {
    fmt::print("{:<22} {:>6} {:>9} {:>7} {:>5} {:>12} {:>12} {:>14}\n", "solver", "joints", "reached", "median", "p99",
               "ns a solve", "median ns", "out of reach");
    std::vector<std::pair<std::string, test::Score>> rows;
    for (const IkSolver solver : test::iterative_solvers) {
        double least_reached = 1.0, worst_beyond = 0.0, worst_length = 0.0;
        for (const int joints : {2, 3, 7, 30}) {
            const test::Score score = test::score_solver(solver, test::reachable_trials(joints, goals, 1));
            const test::Score out = test::score_solver(solver, test::unreachable_trials(joints, goals_out_of_reach, 2));
            fmt::print("{:<22} {:>6} {:>8.2f}% {:>7} {:>5} {:>12.0f} {:>12.0f} {:>14.1e}\n", to_string(solver), joints,
                       100 * score.reached, score.median, score.p99, 1e9 * score.seconds_per_solve,
                       1e9 * score.median_seconds, out.worst_distance);
            least_reached = std::min(least_reached, score.reached);
            worst_beyond = std::max(worst_beyond, out.worst_distance);
            worst_length = std::max({worst_length, score.worst_length, out.worst_length});
            if (joints == 7 && (solver == IkSolver::ccd || solver == IkSolver::fabrik))
                rows.emplace_back(fmt::format("{}, 7 joints, median", to_string(solver)), score);
        }
        table.add(fmt::format("{}, goals reached, least of all chains", to_string(solver)), 100 * least_reached, "%",
                  99.0);
        table.add(fmt::format("{}, beyond the best distance, worst", to_string(solver)), 1e3 * worst_beyond, "1e-3",
                  1.0);
        table.add(fmt::format("{}, change of a bone's length, worst", to_string(solver)), 1e6 * worst_length, "1e-6",
                  1.0);
    }
    for (const auto& [name, score] : rows)
        table.add(name, 1e6 * score.median_seconds, "us",
                  name.starts_with("fabrik") ? std::optional(3.0) : std::nullopt);
}

void measure_two_bones(bench::Table& table) {
    constexpr size_t count = 1024;
    Random random(3);
    std::vector<TwoBoneLimb> limbs;
    std::vector<TwoBoneGoal> targets;
    std::vector<TwoBoneSolution> solutions(count);
    for (size_t i = 0; i < count; ++i) {
        const Vec3d root = test::random_direction(random),
                    mid = root + random.uniform(0.4, 0.6) * test::random_direction(random);
        limbs.push_back({root, mid, mid + random.uniform(0.4, 0.6) * test::random_direction(random)});
        targets.push_back(
            {root + random.uniform(0.1, 1.2) * test::random_direction(random), test::random_direction(random)});
    }
    const auto times = bench::race(0.3, {[&] { solve_two_bones(limbs, targets, {}, solutions); },
                                         [&] {
                                             for (size_t i = 0; i < count; ++i)
                                                 solutions[i] = solve_two_bone(limbs[i], targets[i]);
                                         }});
    table.add("two-bone, in batches", 1e9 * times[0] / count, "ns", 60.0);
    table.add("two-bone, one at a time / in batches", times[1] / times[0], "x");
}

// The least time of each frame over many rounds: a whole round is long enough for other programs to come in between.
void measure_full_body(bench::Table& table, const std::string& name, const Skeleton& skeleton,
                       test::FullBodyFrames& scene, std::optional<double> target) {
    constexpr int frames = 240, rounds = 20;  // four seconds
    IkWorkspace workspace;
    IkResult result;
    std::vector<double> best(frames, 1e300);
    int iterations = 0, reached = 0;
    for (int round = 0; round < rounds; ++round) {
        result.pose = skeleton.rest();
        iterations = reached = 0;
        for (int f = 0; f < frames; ++f) {
            scene.set(f);
            IkProblem problem = scene.problem();
            problem.pose = result.pose;
            const double seconds =
                bench::best_seconds(1, [&] { solve_ik(problem, IkSolver::full_body, {}, workspace, result); });
            best[static_cast<size_t>(f)] = std::min(best[static_cast<size_t>(f)], seconds);
            iterations += result.iterations;
            reached += result.reached;
        }
    }
    double sum = 0;
    for (const double seconds : best) sum += seconds;
    std::vector<AffineD> world(skeleton.size());
    const double forward = bench::best_seconds(1000, [&] { local_to_world(skeleton.parents(), result.pose, world); });
    fmt::print("{}: {} joints, {} goals, {} frames, {:.2f} iterations a frame\n", name, skeleton.size(),
               scene.goals.size(), frames, static_cast<double>(iterations) / frames);
    table.add(name + ", a frame", 1e6 * sum / frames, "us", target);
    table.add(name + ", a frame / forward kinematics", sum / frames / forward, "x");
    table.add(name + ", frames that reached all goals", 100.0 * reached / frames, "%", 99.0);
}

}  // namespace

int main(int argc, char** argv) {
    bench::Table table;
    measure_solvers(table);
    measure_two_bones(table);
    const Skeleton skeleton = test::person();
    test::FullBodyFrames scene(skeleton), hard(skeleton);
    hard.ask_for_all();
    measure_full_body(table, "full body", skeleton, scene, 100.0);
    measure_full_body(table, "full body with limits and balance", skeleton, hard, {});
    return table.finish(argc, argv);
}
