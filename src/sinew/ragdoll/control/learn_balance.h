// Learning balance: a body that knows the poses of a walk, but not how to stay on its feet, finds out by falling.
// Data flow: RagdollBody, the poses of a WalkStyle → *here* (evolve.h, walk_trial.h) → WalkStyle.
#pragma once

#include <sinew/ragdoll/control/learn_walk.h>
#include <functional>

namespace sinew {

struct BalanceLesson {
    int steps = 100;                // without a fall, ahead,
    double length = 0.2;            // and so long in the mean, in metres, for a body of 1.75 m
    size_t most_evaluations = 500;  // each is one walk, until it falls or has made its steps
    uint64_t seed = 1;
    std::function<void(size_t evaluations)> progress = {};  // after each generation. May be empty
};
struct LearnedBalance : LearnedWalk {
    bool walks = false;  // it made its steps
};
// Begins without_balance(poses), so that no feedback is given. First a wide search, until a walk lasts for some
// seconds; then narrow ones, each about the best walk so far: what is best is found by luck and lost by taking means.
// Stops at the first walk that makes its steps. The same for any number of threads.
LearnedBalance learn_balance(const RagdollBody& body, const WalkStyle& poses, const BalanceLesson& lesson = {});

}  // namespace sinew
