// Inverse kinematics: put hands and feet where you want them.
//   pose [CHARACTER]
#include <sinew/ik/elastic/elastic_pose.h>
#include <sinew/ik/ik.h>
#include <sinew/sinew.h>

#include "example.h"

int main(int argc, char** argv) {
    const sinew::Character hero = argc > 1 ? or_exit(sinew::read_character(argv[1])) : sinew::make_rigged_humanoid();

    // One call: joints by role or by name, and a report.
    sinew::Character posed = hero;
    const sinew::PoseReport report =
        or_exit(sinew::pose_character(posed, {.rotate = {{"head", {0, 30, 0}}},
                                              .moves = {{"leftHand", {-0.1f, 0.4f, 0.3f}}, {"hips", {0, -0.1f, 0}}}}));
    for (const sinew::PoseGoalReport& goal : report.goals)
        std::printf("%s by %s: %s\n", goal.joint.c_str(), goal.solver.c_str(),
                    goal.reached ? "reached" : "not reached");

    // The same on plain data: a skeleton, a pose, a goal, and a solver of your choice.
    const sinew::HumanoidMap roles = sinew::recognise_humanoid(hero.skeleton);
    const int32_t hand = roles[sinew::Role::left_hand];
    const sinew::Vec3d there = rest_world(hero.skeleton)[size_t(hand)].translation() + sinew::Vec3d(-0.1, 0.3, 0.3);
    const sinew::IkChain arm{roles[sinew::Role::left_upper_arm], hand};
    sinew::IkGoal goal;
    goal.joint = hand;
    goal.position = there;
    const std::vector<sinew::Transform> rest = hero.skeleton.rest();
    sinew::IkProblem problem;
    problem.parents = hero.skeleton.parents();
    problem.pose = rest;
    problem.chains = {&arm, 1};
    problem.goals = {&goal, 1};
    for (const sinew::IkSolver solver : {sinew::IkSolver::two_bone, sinew::IkSolver::ccd, sinew::IkSolver::fabrik}) {
        const bool reached = sinew::solve_ik(problem, solver).reached;
        std::printf("%s: %s\n", std::string(to_string(solver)).c_str(), reached ? "reached" : "not reached");
    }

    // Elastic: drag a hand, hold the feet, and the whole body follows as its flesh allows.
    const sinew::Primitive& skin = hero.meshes[0].primitives[0];
    const sinew::ElasticMesh mesh{skin.mesh.positions, skin.mesh.triangles, &skin.influences, &hero.skins[0]};
    const sinew::ElasticPoser poser = or_exit(sinew::ElasticPoser::create(hero.skeleton, rest, {&mesh, 1}));
    std::vector<sinew::ElasticHandle> handles = {{.joint = hand, .target = there}};
    for (const sinew::Role foot : {sinew::Role::left_foot, sinew::Role::right_foot})
        handles.push_back(
            {.joint = roles[foot], .target = rest_world(hero.skeleton)[size_t(roles[foot])].translation()});
    std::vector<sinew::Transform> pose = rest;
    std::printf("elastic: %s\n", poser.solve(handles, pose).reached ? "reached" : "not reached");
}
// Prints:
// leftHand by full-body: reached
// hips by full-body: reached
// two-bone: reached
// ccd: reached
// fabrik: reached
// elastic: reached
