#include <sinew/skin/deformers/delta_mush.h>

#include <sinew/core/check.h>
#include <sinew/core/parallel.h>
#include <sinew/math/rotation.h>
#include <sinew/skin/deformers/deform_vertex.h>
#include <algorithm>
#include <cmath>

namespace sinew {
namespace {

constexpr float step = 0.5f;  // of the way to the neighbours' mean, per iteration
constexpr size_t grain = 2048;

void for_each_point(const DeltaMush& mush, const std::function<void(size_t)>& body) {
    parallel_for(mush.mesh.vertex_of.size(), grain, [&](size_t begin, size_t end) {
        for (size_t i = begin; i < end; ++i) body(i);
    });
}

std::vector<Vec3> points_of(const DeltaMush& mush, std::span<const Vec3> positions) {
    std::vector<Vec3> points(mush.mesh.vertex_of.size());
    for (size_t i = 0; i < points.size(); ++i) points[i] = positions[mush.mesh.vertex_of[i]];
    return points;
}

std::vector<Vec3> smoothed(const DeltaMush& mush, std::vector<Vec3> points) {
    std::vector<Vec3> next = points;
    for (int n = 0; n < mush.iterations; ++n) {
        for_each_point(mush, [&](size_t i) {
            const uint32_t first = mush.mesh.first_neighbour[i], last = mush.mesh.first_neighbour[i + 1];
            if (first == last) return;
            Vec3 sum = Vec3::Zero();
            for (uint32_t k = first; k < last; ++k) sum += points[mush.mesh.neighbours[k]];
            next[i] = points[i] + step * (sum / static_cast<float>(last - first) - points[i]);
        });
        std::swap(points, next);
    }
    return points;
}

// Unit, or zero where there is none.
Vec3 surface_normal(const DeltaMush& mush, std::span<const Vec3> points, size_t i) {
    Vec3 sum = Vec3::Zero();
    for (uint32_t k = mush.mesh.first_corner[i]; k < mush.mesh.first_corner[i + 1]; ++k) {
        const uint32_t* t = &mush.mesh.triangles[mush.mesh.corners[k] / 3 * 3];
        sum += (points[t[1]] - points[t[0]]).cross(points[t[2]] - points[t[0]]);
    }
    const float length = sum.norm();
    return length > 0.0f && std::isfinite(length) ? Vec3(sum / length) : Vec3(Vec3::Zero());
}

// Tangent, bitangent, normal: turns with the surface around the point. Zero where there is none.
Mat3 frame(const DeltaMush& mush, std::span<const Vec3> points, size_t i) {
    const Vec3 normal = surface_normal(mush, points, i);
    Vec3 tangent = Vec3::Zero();
    for (uint32_t k = mush.mesh.first_neighbour[i]; k < mush.mesh.first_neighbour[i + 1]; ++k)
        tangent += mush.slopes[k] * (points[mush.mesh.neighbours[k]] - points[i]);
    const float whole = tangent.norm();
    tangent -= normal.dot(tangent) * normal;
    const float length = tangent.norm();
    if (normal.isZero(0) || !(length > 1e-6f * whole)) return Mat3::Zero();
    Mat3 result;
    result << tangent / length, normal.cross(tangent / length), normal;
    return result;
}

// Every edge pulls by its direction's share of the longest edge's direction, whatever its own length: a sum that no
// single edge can make vanish.
void find_slopes(DeltaMush& mush, std::span<const Vec3> rest) {
    mush.slopes.assign(mush.mesh.neighbours.size(), 0.0f);
    for_each_point(mush, [&](size_t i) {
        const uint32_t first = mush.mesh.first_neighbour[i], last = mush.mesh.first_neighbour[i + 1];
        const Vec3 normal = surface_normal(mush, rest, i);
        Vec3 longest = Vec3::Zero();
        for (uint32_t k = first; k < last; ++k) {
            const Vec3 edge = rest[mush.mesh.neighbours[k]] - rest[i];
            const Vec3 flat = edge - normal.dot(edge) * normal;
            if (flat.squaredNorm() > longest.squaredNorm()) longest = flat;
        }
        if (longest.isZero(0)) return;
        for (uint32_t k = first; k < last; ++k) {
            const Vec3 edge = rest[mush.mesh.neighbours[k]] - rest[i];
            if (edge.squaredNorm() > 0.0f) mush.slopes[k] = longest.normalized().dot(edge) / edge.squaredNorm();
        }
    });
}

}  // namespace

DeltaMush make_delta_mush(const Influences& influences, std::span<const Vec3> positions,
                          std::span<const uint32_t> triangles, int iterations) {
    SINEW_CHECK(iterations >= 0 && influences.vertex_count() == positions.size());
    DeltaMush mush{.iterations = iterations,
                   .mesh = make_point_mesh(influences, positions, triangles),
                   .slopes = {},
                   .deltas = {}};
    find_slopes(mush, smoothed(mush, points_of(mush, positions)));
    mush.deltas = find_deltas(mush, positions);
    return mush;
}

std::vector<Vec3> find_deltas(const DeltaMush& mush, std::span<const Vec3> positions) {
    SINEW_CHECK(positions.size() == mush.mesh.point_of.size());
    const std::vector<Vec3> points = points_of(mush, positions), smooth = smoothed(mush, points);
    std::vector<Vec3> deltas(points.size());
    for_each_point(mush, [&](size_t i) { deltas[i] = frame(mush, smooth, i).transpose() * (points[i] - smooth[i]); });
    return deltas;
}

void apply_delta_mush(const DeltaMush& mush, const MushOptions& options, const DeformBuffers& b) {
    check_sizes(b);
    SINEW_CHECK(b.positions_in.size() == mush.mesh.point_of.size());
    const std::span<const Vec3> deltas = options.deltas.empty() ? std::span(mush.deltas) : options.deltas;
    const std::vector<Vec3> points = points_of(mush, b.positions_in), smooth = smoothed(mush, points);
    std::vector<Vec3> result = points;
    for_each_point(mush, [&](size_t i) {
        const Mat3 axes = frame(mush, smooth, i);
        const Vec3 delta = options.mirrored ? Vec3(deltas[i].x(), deltas[i].y(), -deltas[i].z()) : deltas[i];
        if (!axes.isZero(0)) result[i] = smooth[i] + axes * delta;
    });
    std::vector<Quat> turns;
    if (!b.normals_out.empty() || !b.tangents_out.empty()) {
        turns.assign(points.size(), Quat::Identity());
        for_each_point(mush, [&](size_t i) {
            const Vec3 before = surface_normal(mush, points, i), after = surface_normal(mush, result, i);
            turns[i] = shortest_rotation(before.cast<double>(), after.cast<double>()).cast<float>();
        });
    }
    for (size_t v = 0; v < mush.mesh.point_of.size(); ++v) {
        const uint32_t i = mush.mesh.point_of[v];
        if (!b.positions_out.empty()) b.positions_out[v] = result[i];
        if (!b.normals_out.empty()) b.normals_out[v] = turns[i] * b.normals_in[v];
        if (b.tangents_out.empty()) continue;
        const Vec4 tangent = b.tangents_in[v];
        b.tangents_out[v].head<3>() = turns[i] * Vec3(tangent.head<3>());
        b.tangents_out[v].w() = tangent.w();
    }
}

}  // namespace sinew
