// Evolution: finds the numbers that cost least by trying many: each generation is drawn about the last one's best, with
// a covariance that learns where better ones lie (CMA-ES [Hansen2016]). Data flow: a cost → *here* → the best numbers.
#pragma once

#include <Eigen/Core>
#include <cstdint>
#include <functional>
#include <vector>

namespace sinew {

struct EvolutionOptions {
    size_t population = 12;
    size_t most_evaluations = 500;
    double spread = 1.0;  // of the first generation, in `scale`
    uint64_t seed = 1;
    double good_enough = -1e300;  // it stops at a cost below
    // After each generation: how many evaluations there were, and the best cost so far. May be empty.
    std::function<void(size_t evaluations, double cost)> progress = {};
};

struct Evolved {
    std::vector<double> best;
    std::vector<double> middle;  // of the last generation: where chance has a part in the costs, the safer choice
    double cost = 0.0;           // of the best
    size_t evaluations = 0;
    std::vector<double> best_costs;  // after each generation
};

// `cost` is called for the members of a generation at once, on several threads. A cost that is not a number is the
// worst. The same for any number of threads.
Evolved evolve(std::vector<double> start, const std::vector<double>& scale,
               const std::function<double(const std::vector<double>&)>& cost, const EvolutionOptions& options = {});

}  // namespace sinew
