#include <sinew/io/obj/polygon.h>
#include <algorithm>
#include <cmath>

namespace sinew {
namespace {

using Vec2d = Eigen::Vector2d;

// Newell's normal: right for concave and slightly bent polygons, its length twice their area.
Vec3d newell_normal(std::span<const Vec3> corners) {
    Vec3d normal = Vec3d::Zero();
    const Vec3d origin = corners[0].cast<double>();
    for (size_t i = 0; i < corners.size(); ++i) {
        const Vec3d a = corners[i].cast<double>() - origin;
        const Vec3d b = corners[(i + 1) % corners.size()].cast<double>() - origin;
        normal += a.cross(b);
    }
    return normal;
}

double turn(const Vec2d& a, const Vec2d& b, const Vec2d& c) {
    return (b.x() - a.x()) * (c.y() - a.y()) - (b.y() - a.y()) * (c.x() - a.x());
}

// Drops the normal's largest axis and keeps the orientation, so that the polygon turns left.
void flatten(std::span<const Vec3> corners, const Vec3d& normal, std::vector<Vec2d>& flat) {
    Eigen::Index axis = 0;
    normal.cwiseAbs().maxCoeff(&axis);
    Eigen::Index u = (axis + 1) % 3, v = (axis + 2) % 3;
    if (normal[axis] < 0) std::swap(u, v);
    flat.clear();
    for (const Vec3& corner : corners) flat.emplace_back(corner[u], corner[v]);
}

// Left turns everywhere, once around: the directions of the edges change sign of x at most twice.
bool is_convex(const std::vector<Vec2d>& flat) {
    const size_t n = flat.size();
    size_t sign_changes = 0;
    for (size_t i = 0; i < n; ++i) {
        const Vec2d& a = flat[i];
        const Vec2d& b = flat[(i + 1) % n];
        const Vec2d& c = flat[(i + 2) % n];
        if (turn(a, b, c) < 0) return false;
        if ((b.x() > a.x()) != (c.x() > b.x())) ++sign_changes;
    }
    return sign_changes <= 2;
}

void fan(std::span<const uint32_t> corners, std::vector<uint32_t>& triangles) {
    for (size_t i = 2; i < corners.size(); ++i)
        triangles.insert(triangles.end(), {corners[0], corners[i - 1], corners[i]});
}

}  // namespace

bool Triangulator::is_ear(size_t previous, size_t corner, size_t next) {
    const Vec2d& a = flat_[left_[previous]];
    const Vec2d& b = flat_[left_[corner]];
    const Vec2d& c = flat_[left_[next]];
    if (!(turn(a, b, c) > 0)) return false;
    for (const uint32_t other : left_) {
        const Vec2d& p = flat_[other];
        if (p == a || p == b || p == c) continue;  // a repeated point (a bridge to a hole) blocks nothing
        if (budget_ > 0) --budget_;
        if (turn(a, b, p) >= 0 && turn(b, c, p) >= 0 && turn(c, a, p) >= 0) return false;
    }
    return true;
}

void Triangulator::split(std::span<const Vec3> corners, std::vector<uint32_t>& triangles) {
    if (corners.size() < 3) return;
    left_.resize(corners.size());
    for (size_t i = 0; i < left_.size(); ++i) left_[i] = static_cast<uint32_t>(i);
    if (corners.size() == 3) return fan(left_, triangles);

    flatten(corners, newell_normal(corners), flat_);
    if (is_convex(flat_)) return fan(left_, triangles);

    // Go around and cut ears where they are; a full round without one means a polygon that crosses itself.
    size_t corner = 1, misses = 0;
    while (left_.size() > 3 && misses < left_.size() && budget_ > 0) {
        const size_t n = left_.size();
        corner %= n;
        const size_t previous = (corner + n - 1) % n, next = (corner + 1) % n;
        if (is_ear(previous, corner, next)) {
            triangles.insert(triangles.end(), {left_[previous], left_[corner], left_[next]});
            left_.erase(left_.begin() + static_cast<std::ptrdiff_t>(corner));
            misses = 0;
        } else {
            ++corner;
            ++misses;
        }
    }
    fan(left_, triangles);
}

}  // namespace sinew
