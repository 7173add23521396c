// The solvers behind solve_ik, one file each, and what several of them share.
// Data flow: IkBody (ik_body.h), placed and within its limits → *here* → the same, solved; how many iterations it took.
#pragma once

#include <sinew/ik/body/ik_body.h>
#include <sinew/ik/body/jacobian.h>

namespace sinew {

// What every solver is given besides the body.
struct IkTask {
    const IkProblem& problem;
    const IkOptions& options;
    int budget;           // iterations
    double largest_turn;  // of a joint in one iteration
};

struct Proposal {  // fabrik: the weighted sum of the places that a joint should come to
    Vec3d sum = Vec3d::Zero();
    double weight = 0.0;
};

struct BalanceMemory {               // balance.h
    std::vector<AffineD> world;      // of all joints of the pose
    std::vector<int32_t> carrier;    // of all joints of the pose: the body joint that each hangs on
    std::vector<double> mass;        // of each body joint, with what hangs rigidly on it
    std::vector<Vec3d> moment;       // the same times its place in the joint's frame
    std::vector<double> below_mass;  // with all joints below
    std::vector<Vec3d> below_moment;
    std::vector<Eigen::Vector2d> outline;  // of the support
    Vec3d fixed = Vec3d::Zero(), up, side, ahead;
    double total = 0.0;
};

struct IkMemory {
    IkBody body;
    IkJacobian jacobian;
    std::vector<double> matrix, old, extra;  // numbers of the solvers by linear algebra
    std::vector<Vec3d> points;               // fabrik, as the next two
    std::vector<double> lengths;
    std::vector<Proposal> proposals;
    std::vector<uint8_t> above;   // newton: whether one joint is above another, or the same
    std::vector<int32_t> levels;  // full body: the goals' priorities, as the next two
    std::vector<size_t> rows;
    std::vector<double> basis;  // directions that goals of higher priority use
    BalanceMemory balance;
};

int solve_two_bone_chains(IkBody& body, const IkTask& task);
int solve_ccd(IkBody& body, const IkTask& task);
int solve_fabrik(IkMemory& memory, const IkTask& task);
int solve_jacobian_transpose(IkMemory& memory, const IkTask& task);
int solve_pseudo_inverse(IkMemory& memory, const IkTask& task);
int solve_damped_least_squares(IkMemory& memory, const IkTask& task);
int solve_newton(IkMemory& memory, const IkTask& task);
int solve_full_body(IkMemory& memory, const IkTask& task);

}  // namespace sinew
