// Least squares with bounds on the unknowns: the small dense quadratic programme behind direct manipulation.
// Data flow: a symmetric positive (semi)definite H and a gradient → *here* → x inside its box.
#pragma once

#include <Eigen/Core>

namespace sinew {

struct BoxSolution {
    Eigen::VectorXd x;
    int iterations = 0;
    bool converged = false;
    double optimality = 0.0;  // largest |projected gradient|, over the largest entry of H: how far from a minimum
};

// Minimises ½ xᵀHx − gᵀx subject to low ≤ x ≤ high, starting at `start` clamped into the box. H is symmetric, at least
// semidefinite; low ≤ high in each entry (equal: fixed). A primal active-set method [Stark1995]: every step solves the
// free unknowns exactly, walks to the nearest bound or to the solution, and frees the bound that pulls hardest away, so
// it ends after finitely many steps at the exact minimum. O(n³) a step.
BoxSolution minimise_in_box(const Eigen::MatrixXd& H, const Eigen::VectorXd& g, const Eigen::VectorXd& low,
                            const Eigen::VectorXd& high, const Eigen::VectorXd& start);

}  // namespace sinew
