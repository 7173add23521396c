#include <sinew/physics/cloth/hinge.h>

#include <algorithm>
#include <cmath>

namespace sinew {

double hinge_angle(const Vec3d& a, const Vec3d& b, const Vec3d& c, const Vec3d& d) {
    const Vec3d e = b - a, left = e.cross(c - a), right = (d - a).cross(e);
    const double length = e.norm();
    if (!(length > 0.0)) return 0.0;
    return std::atan2(right.cross(left).dot(e) / length, left.dot(right));
}

// With the normals n = e × (c − a) and m = (d − a) × e: ∂θ/∂c = |e| n/|n|², ∂θ/∂d = |e| m/|m|², and a and b take the
// opposite, shared by where c and d stand along the edge, so that moving or turning the whole changes nothing.
double hinge_angle(const Vec3d& a, const Vec3d& b, const Vec3d& c, const Vec3d& d, std::array<Vec3d, 4>& gradient) {
    const Vec3d e = b - a, left = e.cross(c - a), right = (d - a).cross(e);
    const double length = e.norm(), nn = left.squaredNorm(), mm = right.squaredNorm();
    if (!(length > 0.0) || !(nn > 0.0) || !(mm > 0.0)) {
        gradient.fill(Vec3d::Zero());
        return 0.0;
    }
    const Vec3d to_c = (length / nn) * left, to_d = (length / mm) * right;
    const double at_c = (c - a).dot(e) / (length * length), at_d = (d - a).dot(e) / (length * length);
    gradient = {Vec3d(-(1.0 - at_c) * to_c - (1.0 - at_d) * to_d), Vec3d(-at_c * to_c - at_d * to_d), to_c, to_d};
    return std::atan2(right.cross(left).dot(e) / length, left.dot(right));
}

std::vector<Hinge> find_hinges(std::span<const Vec3> positions, std::span<const uint32_t> triangles) {
    struct Side {
        uint32_t low, high, opposite;
        bool forward;
    };
    std::vector<Side> sides;
    sides.reserve(triangles.size());
    for (size_t t = 0; t + 2 < triangles.size(); t += 3)
        for (size_t k = 0; k < 3; ++k) {
            const uint32_t from = triangles[t + k], to = triangles[t + (k + 1) % 3],
                           opposite = triangles[t + (k + 2) % 3];
            sides.push_back({std::min(from, to), std::max(from, to), opposite, from < to});
        }
    std::ranges::stable_sort(
        sides, [](const Side& l, const Side& r) { return l.low != r.low ? l.low < r.low : l.high < r.high; });
    std::vector<Hinge> hinges;
    for (size_t i = 0; i < sides.size();) {
        size_t end = i;
        while (end < sides.size() && sides[end].low == sides[i].low && sides[end].high == sides[i].high) ++end;
        if (end == i + 2 && sides[i].forward != sides[i + 1].forward && sides[i].opposite != sides[i + 1].opposite) {
            const Side& left = sides[i].forward ? sides[i] : sides[i + 1];
            const Side& right = sides[i].forward ? sides[i + 1] : sides[i];
            Hinge hinge{.a = left.low, .b = left.high, .c = left.opposite, .d = right.opposite};
            const Vec3d a = positions[hinge.a].cast<double>(), b = positions[hinge.b].cast<double>();
            const Vec3d c = positions[hinge.c].cast<double>(), d = positions[hinge.d].cast<double>();
            const double area = 0.5 * ((b - a).cross(c - a).norm() + (b - a).cross(d - a).norm());
            hinge.rest_angle = hinge_angle(a, b, c, d);
            hinge.shape = area > 0.0 ? (b - a).squaredNorm() / area : 0.0;
            hinges.push_back(hinge);
        }
        i = end;
    }
    return hinges;
}

double bending_energy(std::span<const Hinge> hinges, std::span<const Vec3d> x, double stiffness) {
    double sum = 0.0;
    for (const Hinge& h : hinges) {
        const double turn = std::remainder(hinge_angle(x[h.a], x[h.b], x[h.c], x[h.d]) - h.rest_angle, 2.0 * M_PI);
        sum += 0.5 * stiffness * h.shape * turn * turn;
    }
    return sum;
}

}  // namespace sinew
