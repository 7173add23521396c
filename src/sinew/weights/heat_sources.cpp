#include <sinew/weights/heat_sources.h>

#include <sinew/core/parallel.h>
#include <sinew/weights/piece_bones.h>
#include <sinew/weights/shreds.h>
#include <algorithm>
#include <cmath>

namespace sinew {
namespace {

constexpr double least_facing = 0.02;  // a bone straight in front of the surface costs at most this much more
constexpr double most_leak = 0.02;     // of the solid; beyond it, "outside" is an opinion

// The share of the way from a bone to the skin that runs outside the solid, the last voxel before the skin apart.
double share_outside(const Solid& solid, const Vec3d& from, const Vec3d& to) {
    const Vec3d way = to - from;
    const int steps = static_cast<int>(std::min(way.norm() / solid.grid.cell, 4096.0));
    int outside = 0;
    for (int i = 0; i + 1 < steps; ++i) {
        const Vec3d p = from + way * ((i + 0.5) / steps);
        outside += !solid.filled(solid.grid.index(solid.grid.locate(p)));
    }
    return steps > 1 ? static_cast<double>(outside) / steps : 0.0;
}

Vec3d nearest_point(const Bone& bone, const Vec3d& p) {
    return bone.head + nearest_on(bone, p) * (bone.tail - bone.head);
}

struct Sphere {
    Vec3d centre = Vec3d::Zero();
    double radius = 0.0;
};

std::vector<Sphere> bounding_spheres(std::span<const Bone> bones) {
    std::vector<Sphere> spheres;
    for (const Bone& bone : bones)
        spheres.push_back({0.5 * (bone.head + bone.tail), 0.5000001 * (bone.tail - bone.head).norm() + 1e-9});
    return spheres;
}

}  // namespace

Solid heat_solid(const Surface& surface) {
    std::vector<Vec3> points(surface.vertex_count());
    for (size_t v = 0; v < points.size(); ++v) points[v] = surface.positions[v].cast<float>();
    return make_solid(points, surface.triangles, {.resolution = 128});
}

std::vector<HeatSource> heat_sources(const Surface& surface, const Solid& solid, std::span<const Bone> bones,
                                     const HeatOptions& options) {
    const bool ask_solid = !solid.empty() && solid.leak < most_leak && options.outside_cost > 0.0;
    const Shreds shreds = find_shreds(surface);
    const PieceBones foreign = piece_bones(surface, bones);
    const std::vector<Sphere> spheres = bounding_spheres(bones);
    const double beyond = (1.0 + options.outside_cost) * (1.0 + options.tie);
    std::vector<HeatSource> sources(surface.vertex_count());
    parallel_for(surface.vertex_count(), 512, [&](size_t begin, size_t end) {
        std::vector<double> cost(bones.size()), distance(bones.size());
        size_t nearest_before = 0;  // neighbours in memory are neighbours in space: most often the nearest again
        for (size_t v = begin; v < end; ++v) {
            const Vec3d &p = surface.positions[v], &n = surface.normals[v];
            const bool two_sided = surface.piece[v] >= 0 && shreds.of_piece[static_cast<size_t>(surface.piece[v])];
            double best = INFINITY;
            const auto measure = [&](size_t b) {
                const Vec3d to = p - nearest_point(bones[b], p);
                const double d = to.norm();
                double cosine = d > 0.0 ? to.dot(n) / d : 0.0;
                if (two_sided) cosine = std::abs(cosine);
                const double facing = 0.5 * (cosine + 1.0);
                distance[b] = d;
                cost[b] = std::max(d, 1e-9) / std::max(facing, least_facing);
                if (foreign.is_foreign(surface.piece[v], b)) cost[b] *= 1.0 + options.foreign_cost;
                if (cost[b] < best) best = cost[b], nearest_before = b;
            };
            if (!bones.empty()) measure(nearest_before);
            for (size_t b = 0; b < bones.size(); ++b) {
                cost[b] = INFINITY;
                // No bone costs less than its distance.
                const double reach = best * beyond + spheres[b].radius;
                if ((p - spheres[b].centre).squaredNorm() <= reach * reach) measure(b);
            }
            if (ask_solid) {
                const double reach = best * (1.0 + options.outside_cost);
                best = INFINITY;
                for (size_t b = 0; b < bones.size(); ++b) {
                    if (cost[b] > reach) continue;
                    cost[b] *= 1.0 + options.outside_cost * share_outside(solid, nearest_point(bones[b], p), p);
                    best = std::min(best, cost[b]);
                }
            }
            HeatSource& source = sources[v];
            double nearest = INFINITY;
            for (uint32_t b = 0; b < bones.size() && source.count < source.bones.size(); ++b) {
                if (cost[b] > best * (1.0 + options.tie)) continue;
                source.bones[source.count++] = b;
                nearest = std::min(nearest, distance[b]);
            }
            source.distance = std::max(nearest, options.least_distance);
        }
    });
    return sources;
}

}  // namespace sinew
