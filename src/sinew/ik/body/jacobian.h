// The Jacobian: how the goals' errors change when a joint turns a little. What the solvers by linear algebra share.
// Data flow: IkBody → *here* → a step for every degree of freedom → IkBody.
#pragma once

#include <sinew/ik/body/ik_body.h>

namespace sinew {

// One degree of freedom: a turn about a world axis through the joint, or a move of the root along it. A free joint has
// three, about x, y and z; a hinge has one.
struct Freedom {
    int32_t joint = -1;
    bool moves = false;
    Vec3d axis = Vec3d::Zero();
};

// Rows are the goals' coordinates: three for a position, three for an orientation, in this order and that of the goals.
// Everything is without unit: positions are divided by the body's length, angles multiplied by the goal's share of it,
// so that a turn of one radian moves a goal by about 1.
struct IkJacobian {
    std::vector<Freedom> freedoms;
    size_t rows = 0, columns = 0;
    std::vector<double> j;      // row after row
    std::vector<double> error;  // what each row is short of
    std::vector<double> step;   // one entry per column

    // Memory of the singular value decomposition.
    std::vector<double> u, sigma;

    double* row(size_t r) { return j.data() + r * columns; }
    const double* row(size_t r) const { return j.data() + r * columns; }
};

// The degrees of freedom; once per problem, because hinges' axes move along: their axes are set by fill_jacobian.
void set_up_jacobian(const IkBody& body, IkJacobian& jacobian);
// Rows, errors and axes as the body stands now.
void fill_jacobian(const IkBody& body, IkJacobian& jacobian);
// out = Jᵀ · in.
void transpose_times(const IkJacobian& jacobian, std::span<const double> in, std::span<double> out);

// Calls visit(freedom, first column, end column) for each joint: its freedoms stand together.
template <class Visit>
void for_each_joint(const IkJacobian& jacobian, const Visit& visit) {
    for (size_t first = 0, end = 0; first < jacobian.columns; first = end) {
        const Freedom& freedom = jacobian.freedoms[first];
        while (end < jacobian.columns && jacobian.freedoms[end].joint == freedom.joint &&
               jacobian.freedoms[end].moves == freedom.moves)
            ++end;
        visit(freedom, first, end);
    }
}

// Scales a step down as a whole so that no joint turns by more than `largest_turn`.
void limit_step(const IkJacobian& jacobian, std::span<double> step, double largest_turn);

// Does a share of `step`, and places the joints.
void take_step(IkBody& body, const IkJacobian& jacobian, double share = 1.0);

// The same, halved until the cost falls; false, and nothing has changed, where that does not help.
bool take_falling_step(IkBody& body, const IkJacobian& jacobian);

// J = U Σ Vᵀ by one-sided Jacobi rotations [Hestenes1958]: pairs of rows are rotated until all are orthogonal. Leaves
// the rows of Σ Vᵀ in j, and U row after row in u: u[i * rows + k] is the part of singular vector k in row i.
void decompose_rows(IkJacobian& jacobian);

// How far each degree of freedom is from the pose that the problem prefers: the turn that would bring it there.
void preferred_step(const IkBody& body, const IkJacobian& jacobian, std::span<const Transform> preferred,
                    std::span<double> out);

// Solves A x = b for a symmetric positive definite A of n × n, row after row, in place: A becomes its Cholesky factor,
// b the solution. False where A is not positive definite.
bool solve_positive(std::span<double> a, std::span<double> b);

double dot(const double* a, const double* b, size_t n);
void add_scaled(double factor, const double* from, double* to, size_t n);  // to += factor · from

}  // namespace sinew
