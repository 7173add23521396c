#include <sinew/weights/surface/surface_finder.h>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace sinew {
namespace {

constexpr double any_ring = 1e6;      // in units of the Surface's size: a ring this wide holds any figure
constexpr size_t vertices_asked = 8;  // chosen: their triangles hold the nearest point of an ordinary mesh
// Vertices this much farther off than the nearest are asked too, and within this share of the usual spacing. Chosen.
constexpr double ring_share = 1.5, ring_spacing = 0.25;
constexpr double least_spacing = 1e-3;  // chosen: finer cells would only cost memory

// The nearest point of a triangle as barycentric coordinates [Ericson2005 5.1.5].
std::array<double, 3> nearest_in_triangle(const Vec3d& p, const Vec3d& a, const Vec3d& b, const Vec3d& c) {
    const Vec3d ab = b - a, ac = c - a, ap = p - a;
    const double d1 = ab.dot(ap), d2 = ac.dot(ap);
    if (d1 <= 0.0 && d2 <= 0.0) return {1, 0, 0};
    const Vec3d bp = p - b;
    const double d3 = ab.dot(bp), d4 = ac.dot(bp);
    if (d3 >= 0.0 && d4 <= d3) return {0, 1, 0};
    const double vc = d1 * d4 - d3 * d2;
    if (vc <= 0.0 && d1 >= 0.0 && d3 <= 0.0) {
        const double t = d1 - d3 > 0.0 ? d1 / (d1 - d3) : 0.0;
        return {1 - t, t, 0};
    }
    const Vec3d cp = p - c;
    const double d5 = ab.dot(cp), d6 = ac.dot(cp);
    if (d6 >= 0.0 && d5 <= d6) return {0, 0, 1};
    const double vb = d5 * d2 - d1 * d6;
    if (vb <= 0.0 && d2 >= 0.0 && d6 <= 0.0) {
        const double t = d2 - d6 > 0.0 ? d2 / (d2 - d6) : 0.0;
        return {1 - t, 0, t};
    }
    const double va = d3 * d6 - d5 * d4;
    if (va <= 0.0 && d4 - d3 >= 0.0 && d5 - d6 >= 0.0) {
        const double sum = (d4 - d3) + (d5 - d6), t = sum > 0.0 ? (d4 - d3) / sum : 0.0;
        return {0, 1 - t, t};
    }
    const double sum = va + vb + vc;
    return sum > 0.0 ? std::array<double, 3>{va / sum, vb / sum, vc / sum} : std::array<double, 3>{1, 0, 0};
}

double usual_spacing(const Surface& surface) {
    return std::max(least_spacing, 1.0 / std::sqrt(static_cast<double>(std::max<size_t>(1, surface.vertex_count()))));
}

}  // namespace

SurfaceFinder::SurfaceFinder(const Surface& surface)
    : surface_(surface), grid_(surface.positions, usual_spacing(surface)), first_(surface.vertex_count() + 1, 0) {
    for (uint32_t v : surface.triangles) ++first_[v + 1];
    std::partial_sum(first_.begin(), first_.end(), first_.begin());
    faces_.resize(surface.triangles.size());
    std::vector<uint32_t> at(first_.begin(), first_.end() - 1);
    for (size_t i = 0; i < surface.triangles.size(); ++i)
        faces_[at[surface.triangles[i]]++] = static_cast<uint32_t>(i / 3);
}

SurfacePoint SurfaceFinder::nearest(const Vec3d& p) const {
    std::array<uint32_t, vertices_asked> near{};
    size_t count = 0;
    const int64_t first = grid_.nearest(p, any_ring, [](uint32_t) { return true; });
    const auto start = static_cast<uint32_t>(std::max<int64_t>(first, 0));
    near[count++] = start;
    const double ring = ring_share * (surface_.positions[start] - p).norm() + usual_spacing(surface_) * ring_spacing;
    grid_.each_within(p, ring, [&](uint32_t v, double) {
        if (count < near.size() && v != start) near[count++] = v;
    });
    SurfacePoint best{.vertices = {start, start, start},
                      .shares = {1, 0, 0},
                      .distance = (surface_.positions[start] - p).norm(),
                      .normal = surface_.normals[start]};
    for (size_t i = 0; i < count; ++i) {
        for (uint32_t f = first_[near[i]]; f < first_[near[i] + 1]; ++f) {
            const uint32_t* t = &surface_.triangles[3 * size_t{faces_[f]}];
            const Vec3d &a = surface_.positions[t[0]], &b = surface_.positions[t[1]], &c = surface_.positions[t[2]];
            const auto shares = nearest_in_triangle(p, a, b, c);
            const double distance = (shares[0] * a + shares[1] * b + shares[2] * c - p).norm();
            if (!(distance < best.distance)) continue;
            best = {{t[0], t[1], t[2]}, shares, distance, (b - a).cross(c - a).normalized()};
        }
    }
    return best;
}

void add_weights(const WeightField& field, const SurfacePoint& point, double share, WeightField& row, size_t at) {
    for (size_t k = 0; k < 3; ++k)
        for (const Influence& i : field.of(point.vertices[k]))
            row.add(at, i.joint, static_cast<float>(share * point.shares[k] * i.weight));
}

}  // namespace sinew
