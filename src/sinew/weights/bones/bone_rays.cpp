#include <sinew/weights/bones/bone_rays.h>

#include <sinew/core/parallel.h>
#include <algorithm>
#include <cmath>
#include <vector>

namespace sinew {
namespace {

// In units of the Surface's size.
constexpr double parallel = 1e-18;    // a smaller determinant: the ray lies in the triangle's plane, to rounding
constexpr double at_start = 1e-6;     // nearer than vertices are welded: the ray starts on the skin
constexpr double edge_slack = 1.001;  // rounding must not skip a triangle

struct Crossing {
    double distance;
    int step;  // −1 outwards, +1 inwards
};

// Where the ray crosses the triangles [begin, end).
void find_crossings(const Surface& surface, const Vec3d& from, const Vec3d& direction, double longest, size_t begin,
                    size_t end, std::vector<Crossing>& crossings) {
    for (size_t i = 3 * begin; i < 3 * end; i += 3) {
        const Vec3d& a = surface.positions[surface.triangles[i]];
        const Vec3d offset = from - a;
        const double along = offset.dot(direction);
        if (offset.squaredNorm() - along * along > longest * longest) continue;  // too far beside the ray
        const Vec3d ab = surface.positions[surface.triangles[i + 1]] - a,
                    ac = surface.positions[surface.triangles[i + 2]] - a;
        const Vec3d cross = direction.cross(ac);
        const double determinant = ab.dot(cross);
        if (!(std::abs(determinant) > parallel)) continue;
        const double u = offset.dot(cross) / determinant;
        if (u < 0.0 || u > 1.0) continue;
        const Vec3d q = offset.cross(ab);
        const double v = direction.dot(q) / determinant;
        if (v < 0.0 || u + v > 1.0) continue;
        const double distance = ac.dot(q) / determinant;
        if (!(distance > at_start)) continue;
        crossings.push_back({distance, ab.cross(ac).dot(direction) > 0.0 ? -1 : 1});
    }
}

}  // namespace

double longest_edge(const Surface& surface) {
    double longest = 0.0;
    for (size_t i = 0; i < surface.triangles.size(); i += 3)
        for (size_t k = 0; k < 3; ++k)
            longest = std::max(longest, (surface.positions[surface.triangles[i + k]] -
                                         surface.positions[surface.triangles[i + (k + 1) % 3]])
                                            .squaredNorm());
    return std::sqrt(longest);
}

double distance_to_skin(const Surface& surface, double longest, const Vec3d& from, const Vec3d& direction) {
    constexpr size_t grain = size_t{1} << 15;
    std::vector<std::vector<Crossing>> parts((surface.triangle_count() + grain - 1) / grain);
    parallel_for(surface.triangle_count(), grain, [&](size_t begin, size_t end) {
        find_crossings(surface, from, direction, edge_slack * longest, begin, end, parts[begin / grain]);
    });
    std::vector<Crossing> crossings;
    int depth = 0;
    for (const std::vector<Crossing>& part : parts)
        for (const Crossing& crossing : part) {
            crossings.push_back(crossing);
            depth -= crossing.step;
        }
    std::sort(crossings.begin(), crossings.end(), [](const Crossing& a, const Crossing& b) {
        return a.distance != b.distance ? a.distance < b.distance : a.step > b.step;
    });
    // Pieces overlap, and each has an inside of its own. Only the way out of the last one counts.
    depth = std::max(depth, 1);
    for (const Crossing& crossing : crossings) {
        depth += crossing.step;
        if (depth <= 0) return crossing.distance;
    }
    return -1.0;
}

}  // namespace sinew
