// Inverse kinematics: a hand goes to a place, by any of the solvers; then the whole body reaches, with feet that stay.
//   inverse_kinematics [CHARACTER]      a rigged person; without one, the built-in sample
#include <sinew/ik/ik.h>
#include <sinew/sinew.h>

#include "example.h"

int main(int argc, char** argv) {
    const sinew::Character character =
        argc > 1 ? or_exit(sinew::read_character(argv[1])) : sinew::make_rigged_humanoid();
    const sinew::Skeleton& skeleton = character.skeleton;
    const sinew::HumanoidMap map = sinew::recognise_humanoid(skeleton);
    const std::vector<sinew::AffineD> rest = sinew::rest_world(skeleton);
    const auto place = [&](sinew::Role role) -> sinew::Vec3d {
        return rest.at(static_cast<size_t>(map[role])).translation();
    };

    // The left hand, 20 cm in front of the left shoulder. Only the arm's joints turn.
    const int32_t hand = map[sinew::Role::left_hand];
    const sinew::IkGoal touch{.joint = hand, .position = place(sinew::Role::left_upper_arm) + sinew::Vec3d(0, 0, 0.2)};
    const sinew::IkChain arm{.root = map[sinew::Role::left_upper_arm], .tip = hand};
    sinew::IkProblem problem{
        .parents = skeleton.parents(), .pose = skeleton.rest(), .chains = {&arm, 1}, .goals = {&touch, 1}};
    or_exit(sinew::check_ik(problem));
    for (const sinew::IkSolver solver : {sinew::IkSolver::two_bone, sinew::IkSolver::fabrik, sinew::IkSolver::newton}) {
        const sinew::IkResult result = sinew::solve_ik(problem, solver);
        std::printf("%s: %s\n", std::string(to_string(solver)).c_str(), result.reached ? "reached" : "not reached");
    }

    // The whole body bends and squats to pick something up, as far as a person's joints can.
    const std::vector<sinew::IkLimit> limits = sinew::anatomical_limits(map, skeleton);
    const sinew::IkGoal goals[] = {
        {.joint = map[sinew::Role::left_foot], .position = place(sinew::Role::left_foot)},
        {.joint = map[sinew::Role::right_foot], .position = place(sinew::Role::right_foot)},
        {.joint = hand, .position = sinew::Vec3d(0.25, 0.45, 0.35), .priority = 1},
    };
    problem = {.parents = skeleton.parents(), .pose = skeleton.rest(), .goals = goals, .limits = limits};
    problem.moving_root = map[sinew::Role::hips];
    const sinew::IkResult low = sinew::solve_ik(problem, sinew::IkSolver::full_body);
    std::printf("full-body: %s\n", low.reached ? "reached" : "not reached");
}
// Prints:
// two-bone: reached
// fabrik: reached
// newton: reached
// full-body: reached
