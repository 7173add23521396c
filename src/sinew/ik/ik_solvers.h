// The solvers behind solve_ik, one file each.
// Data flow: IkBody (ik_body.h), placed and within its limits → *here* → the same, solved; how many iterations it took.
#pragma once

#include <sinew/ik/ik_body.h>

namespace sinew {

// What every solver is given. The body is placed; the problem has what the body does not: preferred pose, balance.
struct IkTask {
    const IkProblem& problem;
    const IkOptions& options;
    int budget;
    double largest_turn;  // of a joint in one iteration
};

int solve_ccd(IkBody& body, const IkTask& task);

}  // namespace sinew
