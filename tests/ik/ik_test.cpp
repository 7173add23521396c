#include <doctest/doctest.h>

#include <sinew/ik/ik.h>

#include "ik/chains.h"

using namespace sinew;

TEST_CASE("ik: coordinate descent reaches most goals") {
    Random random(1);
    for (const int joints : {2, 3, 7, 30}) {
        int reached = 0;
        for (int i = 0; i < 100; ++i) {
            const test::Chain chain = test::random_chain(random, joints);
            const IkGoal goal{.joint = joints, .position = test::reachable_goal(random, chain)};
            const IkResult result =
                solve_ik({.parents = chain.parents, .pose = chain.pose, .goals = {&goal, 1}}, IkSolver::ccd);
            reached += result.reached;
        }
        CHECK(reached >= 90);
    }
}
