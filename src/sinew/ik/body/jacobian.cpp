#include <sinew/ik/body/jacobian.h>

#include <algorithm>
#include <cmath>

namespace sinew {
namespace {

using Row = Eigen::Map<Eigen::VectorXd>;
using ConstRow = Eigen::Map<const Eigen::VectorXd>;

Eigen::Index index(size_t n) {
    return static_cast<Eigen::Index>(n);
}

const HingeLimit* hinge_of(const IkJoint& joint) {
    return joint.limit ? std::get_if<HingeLimit>(&joint.limit->shape) : nullptr;
}

// The rotation vector of the shorter way round.
Vec3d rotation_vector(Quatd q) {
    if (q.w() < 0.0) q.coeffs() *= -1.0;
    const double sine = q.vec().norm();
    if (!(sine > 0.0)) return Vec3d::Zero();
    return q.vec() * (2.0 * std::atan2(sine, q.w()) / sine);
}

// The columns of one joint and everything above it, in the three rows from `row` on; `sign` is −1 for the joint that
// the other should meet.
void add_position_rows(const IkBody& body, IkJacobian& jacobian, size_t row, int32_t end, double factor) {
    const Vec3d tip = body.position[at(end)];
    for (size_t c = 0; c < jacobian.columns; ++c) {
        const Freedom& freedom = jacobian.freedoms[c];
        if (freedom.joint > end || (freedom.joint == end && !freedom.moves)) continue;
        int32_t j = end;
        while (j > freedom.joint) j = body.joints[at(j)].parent;
        if (j != freedom.joint) continue;
        const Vec3d moved = freedom.moves ? freedom.axis * body.length : freedom.axis.cross(tip - body.position[at(j)]);
        for (int i = 0; i < 3; ++i) jacobian.row(row + at(i))[c] += factor * moved[i];
    }
}

void add_orientation_rows(const IkBody& body, IkJacobian& jacobian, size_t row, int32_t end, double factor) {
    for (size_t c = 0; c < jacobian.columns; ++c) {
        const Freedom& freedom = jacobian.freedoms[c];
        if (freedom.joint > end || freedom.moves) continue;
        int32_t j = end;
        while (j > freedom.joint) j = body.joints[at(j)].parent;
        if (j != freedom.joint) continue;
        for (int i = 0; i < 3; ++i) jacobian.row(row + at(i))[c] += factor * freedom.axis[i];
    }
}

}  // namespace

double dot(const double* a, const double* b, size_t n) {
    return ConstRow(a, index(n)).dot(ConstRow(b, index(n)));
}

void add_scaled(double factor, const double* from, double* to, size_t n) {
    Row(to, index(n)) += factor * ConstRow(from, index(n));
}

void set_up_jacobian(const IkBody& body, IkJacobian& jacobian) {
    jacobian.freedoms.clear();
    for (size_t j = body.first; j < body.joints.size(); ++j) {
        const auto joint = static_cast<int32_t>(j);
        if (body.joints[j].moves)
            for (int axis = 0; axis < 3; ++axis) jacobian.freedoms.push_back({joint, true, Vec3d::Unit(axis)});
        if (!body.joints[j].turns) continue;
        const int axes = hinge_of(body.joints[j]) ? 1 : 3;
        for (int axis = 0; axis < axes; ++axis) jacobian.freedoms.push_back({joint, false, Vec3d::Unit(axis)});
    }
    jacobian.columns = jacobian.freedoms.size();
    jacobian.rows = 0;
    for (const BodyGoal& goal : body.goals)
        jacobian.rows += 3 * (size_t{goal.has_position} + size_t{goal.has_orientation});
    jacobian.error.resize(jacobian.rows);
    jacobian.step.resize(jacobian.columns);
}

void fill_jacobian(const IkBody& body, IkJacobian& jacobian) {
    for (Freedom& freedom : jacobian.freedoms) {
        const auto j = at(freedom.joint);
        if (const HingeLimit* hinge = freedom.moves ? nullptr : hinge_of(body.joints[j]))
            freedom.axis = (parent_rotation(body, j) * body.joints[j].limit->reference * hinge->axis).normalized();
    }
    jacobian.j.assign(jacobian.rows * jacobian.columns, 0.0);
    size_t row = 0;
    for (const BodyGoal& goal : body.goals) {
        const double weight = std::sqrt(goal.weight), unit = weight / body.length;
        if (goal.has_position) {
            const Vec3d there = goal.meets < 0 ? goal.target : body.position[at(goal.meets)];
            const Vec3d error = unit * (there - body.position[at(goal.joint)]);
            std::copy_n(error.data(), 3, jacobian.error.begin() + index(row));
            add_position_rows(body, jacobian, row, goal.joint, unit);
            if (goal.meets >= 0) add_position_rows(body, jacobian, row, goal.meets, -unit);
            row += 3;
        }
        if (goal.has_orientation) {
            const double share = weight * goal.length / body.length;
            const Vec3d error = share * rotation_vector(goal.orientation * body.rotation[at(goal.joint)].conjugate());
            std::copy_n(error.data(), 3, jacobian.error.begin() + index(row));
            add_orientation_rows(body, jacobian, row, goal.joint, share);
            row += 3;
        }
    }
}

void transpose_times(const IkJacobian& jacobian, std::span<const double> in, std::span<double> out) {
    std::ranges::fill(out, 0.0);
    for (size_t r = 0; r < jacobian.rows; ++r) add_scaled(in[r], jacobian.row(r), out.data(), jacobian.columns);
}

void limit_step(const IkJacobian& jacobian, std::span<double> step, double largest_turn) {
    double largest = 0.0;
    for_each_joint(jacobian, [&](const Freedom&, size_t first, size_t end) {
        largest = std::max(largest, std::sqrt(dot(&step[first], &step[first], end - first)));
    });
    if (largest > largest_turn)
        for (double& s : step) s *= largest_turn / largest;
}

void take_step(IkBody& body, const IkJacobian& jacobian, double share) {
    for_each_joint(jacobian, [&](const Freedom& freedom, size_t first, size_t end) {
        Vec3d sum = Vec3d::Zero();
        for (size_t c = first; c < end; ++c) sum += share * jacobian.step[c] * jacobian.freedoms[c].axis;
        const auto j = at(freedom.joint);
        const double size = sum.norm();
        if (!(size > 0.0) || !std::isfinite(size)) return;
        if (freedom.moves)
            body.joints[j].offset += parent_rotation(body, j).conjugate() * (body.length * sum);
        else
            turn_joint(body, j, Quatd(Eigen::AngleAxisd(size, sum / size)));
    });
    place_joints(body);
}

bool take_falling_step(IkBody& body, const IkJacobian& jacobian) {
    constexpr int halvings = 8;
    const double before = body_cost(body);
    body.before_step.assign(body.local.begin(), body.local.end());
    double share = 1.0;
    for (int i = 0; i < halvings; ++i, share *= 0.5) {
        take_step(body, jacobian, share);
        if (body_cost(body) < before) return true;
        body.local.assign(body.before_step.begin(), body.before_step.end());
        place_joints(body);
    }
    return false;
}

void decompose_rows(IkJacobian& jacobian) {
    constexpr int most_sweeps = 30;
    constexpr double orthogonal = 1e-12;  // cosine between two rows
    const size_t m = jacobian.rows, n = jacobian.columns;
    jacobian.u.assign(m * m, 0.0);
    for (size_t i = 0; i < m; ++i) jacobian.u[i * m + i] = 1.0;
    for (int sweep = 0, rotated = 1; sweep < most_sweeps && rotated; ++sweep) {
        rotated = 0;
        for (size_t p = 0; p + 1 < m; ++p) {
            for (size_t q = p + 1; q < m; ++q) {
                double *a = jacobian.row(p), *b = jacobian.row(q);
                const double aa = dot(a, a, n), bb = dot(b, b, n), ab = dot(a, b, n);
                if (std::abs(ab) <= orthogonal * std::sqrt(aa * bb)) continue;
                rotated = 1;
                // The angle that makes the two rows orthogonal: tan 2φ = 2ab / (aa − bb), the smaller φ.
                const double zeta = (bb - aa) / (2.0 * ab);
                const double t = std::copysign(1.0 / (std::abs(zeta) + std::hypot(1.0, zeta)), zeta);
                const double c = 1.0 / std::hypot(1.0, t), s = c * t;
                for (size_t k = 0; k < n; ++k) {
                    const double x = a[k], y = b[k];
                    a[k] = c * x - s * y, b[k] = s * x + c * y;
                }
                for (size_t i = 0; i < m; ++i) {
                    double &x = jacobian.u[i * m + p], &y = jacobian.u[i * m + q];
                    const double old = x;
                    x = c * old - s * y, y = s * old + c * y;
                }
            }
        }
    }
    jacobian.sigma.resize(m);
    for (size_t i = 0; i < m; ++i) jacobian.sigma[i] = std::sqrt(dot(jacobian.row(i), jacobian.row(i), n));
}

void preferred_step(const IkBody& body, const IkJacobian& jacobian, std::span<const Transform> preferred,
                    std::span<double> out) {
    for (size_t c = 0; c < jacobian.columns; ++c) {
        const Freedom& freedom = jacobian.freedoms[c];
        const auto j = at(freedom.joint);
        out[c] = 0.0;
        if (freedom.moves) continue;
        const Quatd wanted =
            preferred[at(body.joints[j].joint)].rotation.cast<double>().normalized() * body.joints[j].after;
        out[c] = freedom.axis.dot(parent_rotation(body, j) * rotation_vector(wanted * body.local[j].conjugate()));
    }
}

bool solve_positive(std::span<double> a, std::span<double> b) {
    const size_t n = b.size();
    for (size_t i = 0; i < n; ++i) {
        for (size_t k = 0; k <= i; ++k) {
            const double sum = a[i * n + k] - dot(&a[i * n], &a[k * n], k);
            if (k < i)
                a[i * n + k] = sum / a[k * n + k];
            else if (!(sum > 0.0))
                return false;
            else
                a[i * n + i] = std::sqrt(sum);
        }
    }
    for (size_t i = 0; i < n; ++i) b[i] = (b[i] - dot(&a[i * n], b.data(), i)) / a[i * n + i];
    for (size_t i = n; i-- > 0;) {
        b[i] /= a[i * n + i];
        add_scaled(-b[i], &a[i * n], b.data(), i);
    }
    return true;
}

}  // namespace sinew
