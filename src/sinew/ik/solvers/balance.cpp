#include <sinew/ik/solvers/balance.h>

#include <sinew/core/check.h>
#include <sinew/skeleton/pose.h>
#include <algorithm>
#include <cmath>

namespace sinew {
namespace {

using Vec2d = Eigen::Vector2d;

double cross(const Vec2d& a, const Vec2d& b) {
    return a.x() * b.y() - a.y() * b.x();
}

// The convex hull, anticlockwise, by Andrew's monotone chain; one or two points stay what they are.
void make_outline(std::vector<Vec2d>& points) {
    std::ranges::sort(points,
                      [](const Vec2d& a, const Vec2d& b) { return a.x() != b.x() ? a.x() < b.x() : a.y() < b.y(); });
    if (points.size() < 3) return;
    std::vector<Vec2d> hull;
    for (const int half : {0, 1}) {
        const size_t start = hull.size();
        for (const Vec2d& p : points) {
            while (hull.size() >= start + 2 && cross(hull.back() - hull[hull.size() - 2], p - hull.back()) <= 0.0)
                hull.pop_back();
            hull.push_back(p);
        }
        hull.pop_back();
        if (half == 0) std::ranges::reverse(points);
    }
    if (!hull.empty()) points = hull;
}

Vec2d nearest_on_segment(const Vec2d& p, const Vec2d& a, const Vec2d& b) {
    const Vec2d ab = b - a;
    const double length = ab.squaredNorm();
    return a + ab * (length > 0.0 ? std::clamp((p - a).dot(ab) / length, 0.0, 1.0) : 0.0);
}

Vec2d nearest_supported(const Vec2d& p, std::span<const Vec2d> outline) {
    if (outline.empty()) return p;
    bool inside = outline.size() > 2;
    Vec2d nearest = outline[0];
    for (size_t i = 0; i < outline.size(); ++i) {
        const Vec2d &a = outline[i], &b = outline[(i + 1) % outline.size()];
        inside = inside && cross(b - a, p - a) >= 0.0;
        const Vec2d here = nearest_on_segment(p, a, b);
        if ((here - p).norm() < (nearest - p).norm()) nearest = here;
    }
    return inside ? p : nearest;
}

}  // namespace

void set_up_balance(IkMemory& memory, const IkBalance& balance, const IkProblem& problem) {
    SINEW_CHECK(balance.mass.size() == problem.parents.size());
    const IkBody& body = memory.body;
    BalanceMemory& b = memory.balance;
    const size_t n = body.joints.size();
    b.mass.assign(n, 0.0), b.moment.assign(n, Vec3d::Zero());
    b.below_mass.resize(n), b.below_moment.resize(n);
    b.fixed = Vec3d::Zero(), b.total = 0.0;
    b.world.resize(problem.parents.size());
    local_to_world(problem.parents, problem.pose, b.world);
    b.carrier.assign(problem.parents.size(), -1);
    for (size_t j = 0; j < problem.parents.size(); ++j) {
        const int32_t parent = problem.parents[j];
        const int32_t carrier = b.carrier[j] = body.slot[j] >= 0 ? body.slot[j]
                                               : parent < 0      ? -1
                                                                 : b.carrier[at(parent)];
        const double mass = balance.mass[j];
        b.total += mass;
        if (carrier < 0) {
            b.fixed += mass * b.world[j].translation();
            continue;
        }
        b.mass[at(carrier)] += mass;
        b.moment[at(carrier)] +=
            mass * (body.rotation[at(carrier)].conjugate() * (b.world[j].translation() - body.position[at(carrier)]));
    }
    b.up = balance.up.norm() > 0.0 ? Vec3d(balance.up.normalized()) : Vec3d(Vec3d::UnitY());
    b.side = b.up.unitOrthogonal(), b.ahead = b.up.cross(b.side);
    b.outline.clear();
    for (const Vec3d& p : balance.support) b.outline.emplace_back(b.side.dot(p), b.ahead.dot(p));
    make_outline(b.outline);
}

Vec3d balance_error(const IkMemory& memory) {
    const IkBody& body = memory.body;
    const BalanceMemory& b = memory.balance;
    if (!(b.total > 0.0)) return Vec3d::Zero();
    Vec3d centre = b.fixed;
    for (size_t j = 0; j < body.joints.size(); ++j)
        centre += b.mass[j] * body.position[j] + body.rotation[j] * b.moment[j];
    centre /= b.total;
    const Vec2d flat(b.side.dot(centre), b.ahead.dot(centre)), off = nearest_supported(flat, b.outline) - flat;
    return off.x() * b.side + off.y() * b.ahead;
}

void add_balance_rows(IkMemory& memory, const IkBalance& balance) {
    const IkBody& body = memory.body;
    BalanceMemory& b = memory.balance;
    IkJacobian& jacobian = memory.jacobian;
    const size_t n = jacobian.columns, rows = jacobian.rows;
    const double unit = std::sqrt(balance.weight) / body.length;
    const Vec3d error = unit * balance_error(memory);
    jacobian.error.resize(rows + 3);
    jacobian.j.resize((rows + 3) * n);
    std::fill_n(jacobian.row(rows), 3 * n, 0.0);
    for (int i = 0; i < 3; ++i) jacobian.error[rows + at(i)] = error[i];
    if (error.isZero(0.0)) return;  // it is over the support: nothing to ask
    for (size_t j = 0; j < body.joints.size(); ++j) {
        b.below_mass[j] = b.mass[j];
        b.below_moment[j] = b.mass[j] * body.position[j] + body.rotation[j] * b.moment[j];
    }
    for (size_t j = body.joints.size(); j-- > 0;) {
        if (body.joints[j].parent < 0) continue;
        b.below_mass[at(body.joints[j].parent)] += b.below_mass[j];
        b.below_moment[at(body.joints[j].parent)] += b.below_moment[j];
    }
    for (size_t c = 0; c < n; ++c) {
        const Freedom& freedom = jacobian.freedoms[c];
        const auto j = at(freedom.joint);
        const double share = b.below_mass[j] / b.total;
        Vec3d moved = freedom.moves ? Vec3d(share * body.length * freedom.axis)
                                    : freedom.axis.cross(b.below_moment[j] / b.total - share * body.position[j]);
        moved -= b.up * b.up.dot(moved);
        for (int i = 0; i < 3; ++i) jacobian.row(rows + at(i))[c] = unit * moved[i];
    }
}

}  // namespace sinew
