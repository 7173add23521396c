#include <sinew/skin/deformers/weight_gradients.h>

#include <algorithm>
#include <cmath>

namespace sinew {
namespace {

struct Sums {
    const Influences& influences;
    std::span<const Vec3> positions;
    const PointMesh& mesh;
    std::vector<WeightGradient> gradients;  // of one point
    double angles = 0.0;

    // The triangle's weights are linear functions on it: Σ wᵢ ∇φᵢ, ∇φᵢ across the edge opposite corner i.
    void add_triangle(uint32_t corner) {
        const uint32_t base = corner / 3 * 3;
        uint32_t vertex[3];
        Vec3d p[3];
        for (uint32_t k = 0; k < 3; ++k) {
            vertex[k] = mesh.vertex_of[mesh.triangles[base + (corner + k) % 3]];
            p[k] = positions[vertex[k]].cast<double>();
        }
        const Vec3d normal = (p[1] - p[0]).cross(p[2] - p[0]);
        const double twice_area = normal.norm();
        const double angle = std::atan2(twice_area, (p[1] - p[0]).dot(p[2] - p[0]));
        if (!(twice_area > 0.0)) return;
        angles += angle;
        for (int k = 0; k < 3; ++k) {
            const Vec3d slope = normal.cross(p[(k + 2) % 3] - p[(k + 1) % 3]) / (twice_area * twice_area);
            for (const Influence& influence : influences.of(vertex[k]))
                gradients.push_back({influence.joint, (angle * influence.weight * slope).cast<float>()});
        }
    }
};

}  // namespace

WeightGradients find_weight_gradients(const Influences& influences, std::span<const Vec3> positions,
                                      std::span<const uint32_t> triangles) {
    const PointMesh mesh = make_point_mesh(influences, positions, triangles);
    WeightGradients result{.point_of = mesh.point_of, .first = {0}, .all = {}};
    Sums sums{influences, positions, mesh, {}, 0.0};
    for (size_t i = 0; i < mesh.size(); ++i) {
        sums.gradients.clear();
        sums.angles = 0.0;
        for (uint32_t k = mesh.first_corner[i]; k < mesh.first_corner[i + 1]; ++k) sums.add_triangle(mesh.corners[k]);
        std::stable_sort(sums.gradients.begin(), sums.gradients.end(),
                         [](const WeightGradient& a, const WeightGradient& b) { return a.joint < b.joint; });
        for (const WeightGradient& g : sums.gradients) {
            const Vec3 share = g.gradient / static_cast<float>(sums.angles);
            if (result.all.size() == result.first.back() || result.all.back().joint != g.joint)
                result.all.push_back({g.joint, share});
            else
                result.all.back().gradient += share;
        }
        result.first.push_back(static_cast<uint32_t>(result.all.size()));
    }
    return result;
}

}  // namespace sinew
