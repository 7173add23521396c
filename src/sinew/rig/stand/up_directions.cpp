#include <sinew/rig/stand/up_directions.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace sinew {
namespace {

// All of these are chosen by us.
// What is this near to the ground, as a share of the size, touches it.
constexpr double touches_ground = 0.006;
// The body stands safely when its centre is half of this inside the ground it covers, and falls when it is half of this
// outside; share of the size.
constexpr double stable_range = 0.06;
// A side of the hull can be rested on when the centre is no farther outside; sides shorter than `no_side` are rounding.
constexpr double falls_over = -0.05, no_side = 1e-6;
// Directions within 2 degrees of each other (cosine) are one. Next to an axis of the mesh, within 10 degrees, the axis
// is meant.
constexpr double same_direction = 0.9994, same_as_axis = 0.985;
// A normal whose component along an axis is less than this is across it.
constexpr double across_axis = 0.5;
// Sides to rest on, the longest first.
constexpr size_t most_sides = 20;

using Point = std::array<double, 2>;

// Counter-clockwise, by Andrew's monotone chain.
std::vector<Point> convex_hull(std::vector<Point> points) {
    std::sort(points.begin(), points.end());
    const auto cross = [](const Point& o, const Point& a, const Point& b) {
        return (a[0] - o[0]) * (b[1] - o[1]) - (a[1] - o[1]) * (b[0] - o[0]);
    };
    std::vector<Point> hull;
    for (int pass = 0; pass < 2; ++pass) {
        const size_t start = hull.size();
        for (const Point& p : points) {
            while (hull.size() >= start + 2 && cross(hull[hull.size() - 2], hull.back(), p) <= 0.0) hull.pop_back();
            hull.push_back(p);
        }
        if (!hull.empty()) hull.pop_back();
        std::reverse(points.begin(), points.end());
    }
    return hull;
}

// The outline seen along the plane's normal.
struct Outline {
    Vec3d u, v;
    std::vector<Point> hull;
    Point centre = {0.0, 0.0}, long_axis = {1.0, 0.0};
    double size = 0.0;

    Vec3d direction(const Point& d) const { return d[0] * u + d[1] * v; }
    // How far the centre lies within what touches the ground when `up` is up, as a share of the size; negative:
    // outside.
    double margin(const Vec3d& up) const {
        const double x = up.dot(u), y = up.dot(v);
        double ground = INFINITY, from = INFINITY, to = -INFINITY;
        for (const Point& p : hull) ground = std::min(ground, x * p[0] + y * p[1]);
        for (const Point& p : hull) {
            if (x * p[0] + y * p[1] > ground + touches_ground * size) continue;
            from = std::min(from, y * p[0] - x * p[1]);
            to = std::max(to, y * p[0] - x * p[1]);
        }
        const double at = y * centre[0] - x * centre[1];
        return std::min(at - from, to - at) / size;
    }
};

Outline see_outline(const VoxelBody& body, std::span<const Vec3d> points, const Vec3d& normal) {
    Outline outline;
    outline.u = normal.unitOrthogonal();
    outline.v = normal.cross(outline.u);
    std::vector<Point> flat;
    for (const Vec3d& p : points) flat.push_back({outline.u.dot(p), outline.v.dot(p)});
    outline.hull = convex_hull(std::move(flat));
    outline.size = (body.high - body.low).maxCoeff();
    const auto count = static_cast<double>(body.voxels.size());
    for (uint32_t voxel : body.voxels) {
        outline.centre[0] += outline.u.dot(body.at(voxel)) / count;
        outline.centre[1] += outline.v.dot(body.at(voxel)) / count;
    }
    double xx = 0.0, xy = 0.0, yy = 0.0;
    for (uint32_t voxel : body.voxels) {
        const double x = outline.u.dot(body.at(voxel)) - outline.centre[0],
                     y = outline.v.dot(body.at(voxel)) - outline.centre[1];
        xx += x * x, xy += x * y, yy += y * y;
    }
    const double angle = 0.5 * std::atan2(2.0 * xy, xx - yy);
    outline.long_axis = {std::cos(angle), std::sin(angle)};
    return outline;
}

struct Ups {
    const Outline& outline;
    std::vector<RestingUp> list;

    void add(const Vec3d& up, double same = same_direction) {
        for (const RestingUp& other : list)
            if (other.up.dot(up) > same) return;
        list.push_back({up, std::clamp(0.5 + outline.margin(up) / stable_range, 0.0, 1.0)});
    }
};

// Long sides first: a sole is made of many short ones, which say the same less exactly.
std::vector<Vec3d> sides_to_rest_on(const Outline& outline) {
    std::vector<std::pair<double, Vec3d>> sides;
    for (size_t i = 0; i < outline.hull.size(); ++i) {
        const Point &a = outline.hull[i], &b = outline.hull[(i + 1) % outline.hull.size()];
        const double eu = b[0] - a[0], ev = b[1] - a[1], length = std::hypot(eu, ev);
        if (length < no_side * outline.size) continue;
        const Vec3d up = outline.direction({-ev / length, eu / length});  // the inside is to the left
        if (outline.margin(up) > falls_over) sides.push_back({length, up});
    }
    std::stable_sort(sides.begin(), sides.end(), [](const auto& a, const auto& b) { return a.first > b.first; });
    std::vector<Vec3d> ups;
    for (const auto& side : sides) ups.push_back(side.second);
    return ups;
}

}  // namespace

std::vector<RestingUp> find_resting_ups(const VoxelBody& body, std::span<const Vec3d> points,
                                        const MirrorPlane& plane) {
    const Outline outline = see_outline(body, points, plane.normal);
    Ups ups{outline, {}};
    const bool aligned = plane.normal.cwiseAbs().maxCoeff() > along_axis;
    if (aligned)
        for (int axis : {1, 2, 0})
            if (std::abs(plane.normal[axis]) < across_axis)
                for (const double sign : {1.0, -1.0}) ups.add(sign * Vec3d::Unit(axis));
    const double same = aligned ? same_as_axis : same_direction;
    for (const Vec3d& up : sides_to_rest_on(outline))
        if (ups.list.size() < most_sides) ups.add(up, same);
    const auto [x, y] = outline.long_axis;
    for (const Point& d : {Point{x, y}, Point{-x, -y}, Point{-y, x}, Point{y, -x}}) ups.add(outline.direction(d), same);
    return ups.list;
}

}  // namespace sinew
