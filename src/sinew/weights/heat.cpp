#include <sinew/weights/heat.h>

#include <sinew/core/parallel.h>
#include <sinew/weights/columns.h>
#include <sinew/weights/heat_coarse.h>
#include <sinew/weights/heat_matrix.h>
#include <sinew/weights/point_grid.h>
#include <cmath>

namespace sinew {
namespace {

WeightField sources_as_weights(std::span<const HeatSource> sources, std::span<const Bone> bones) {
    WeightField field(sources.size());
    for (size_t v = 0; v < sources.size(); ++v)
        for (uint32_t i = 0; i < sources[v].count; ++i)
            field.add(v, static_cast<uint32_t>(bones[sources[v].bones[i]].joint),
                      1.0f / static_cast<float>(sources[v].count));
    return field;
}

HeatResult solve_directly(const Surface& surface, std::span<const Bone> bones, std::span<const HeatSource> sources,
                          const HeatOptions& options);

// Directly where that is quick; otherwise on a coarser surface first, so that the time grows with the vertices.
HeatResult solve(const Surface& surface, std::span<const Bone> bones, std::span<const HeatSource> sources,
                 const HeatOptions& options);

// What a vertex is sent to its cluster with: the sources of the vertex that stands for the cluster.
std::vector<HeatSource> sources_of_seeds(const CoarseSurface& levels, std::span<const HeatSource> sources,
                                         const Surface& surface) {
    std::vector<HeatSource> coarse(levels.coarse.vertex_count());
    for (size_t v = 0; v < sources.size(); ++v) {
        const uint32_t c = levels.cluster_of[v];
        if (surface.positions[v] == levels.coarse.positions[c]) coarse[c] = sources[v];
    }
    return coarse;
}

}  // namespace

HeatResult heat_weights(const Surface& surface, std::span<const Bone> bones, const HeatOptions& options) {
    return solve(surface, bones, heat_sources(surface, heat_solid(surface), bones, options), options);
}

namespace {

HeatResult solve(const Surface& surface, std::span<const Bone> bones, std::span<const HeatSource> sources,
                 const HeatOptions& options) {
    const size_t n = surface.vertex_count();
    if (n <= options.direct_vertices) return solve_directly(surface, bones, sources, options);
    const CoarseSurface levels = coarsen(surface, std::max(options.direct_vertices / 2, n / 6));
    // Loose triangles and stray vertices cannot be gathered, and need not be: their part of the matrix is easy.
    if (levels.coarse.vertex_count() > n / 4 * 3) return solve_directly(surface, bones, sources, options);
    HeatResult result = solve(levels.coarse, bones, sources_of_seeds(levels, sources, surface), options);
    const HeatMatrix matrix = make_heat_matrix(surface, sources, options);
    result.links = matrix.links;
    result.field = settle(levels, result.field, matrix, sources, bones);
    return result;
}

HeatResult solve_directly(const Surface& surface, std::span<const Bone> bones, std::span<const HeatSource> sources,
                          const HeatOptions& options) {
    HeatResult result;
    const HeatMatrix matrix = make_heat_matrix(surface, sources, options);
    result.links = matrix.links;
    const JointColumns columns = joint_columns(bones);
    const HeatFactor factor(matrix);
    result.solved = factor.ok();
    if (!result.solved) {
        result.field = sources_as_weights(sources, bones);
        return result;
    }

    const size_t n = surface.vertex_count();
    constexpr size_t lanes = HeatFactor::lanes, blocks_at_once = 4;
    const size_t blocks = (columns.joints.size() + lanes - 1) / lanes;
    result.field = WeightField(n);
    std::vector<std::vector<double>> solution(std::min(blocks, blocks_at_once));
    for (size_t first = 0; first < blocks; first += blocks_at_once) {
        const size_t count = std::min(blocks_at_once, blocks - first);
        parallel_for(count, 1, [&](size_t begin, size_t end) {
            for (size_t b = begin; b < end; ++b) {
                std::vector<double>& x = solution[b];
                x.assign(n * lanes, 0.0);
                const size_t low = (first + b) * lanes;
                for (size_t v = 0; v < n; ++v)
                    for (uint32_t i = 0; i < sources[v].count; ++i) {
                        const size_t column = columns.column_of_bone[sources[v].bones[i]];
                        if (column >= low && column < low + lanes)
                            x[v * lanes + column - low] += matrix.uptake[v] / sources[v].count;
                    }
                factor.solve(x);
            }
        });
        parallel_for(n, 4096, [&](size_t begin, size_t end) {
            for (size_t v = begin; v < end; ++v)
                for (size_t b = 0; b < count; ++b)
                    for (size_t k = 0; k < lanes; ++k) {
                        const size_t column = (first + b) * lanes + k;
                        const double w = solution[b][v * lanes + k];
                        if (column < columns.joints.size() && w > 1e-4)
                            result.field.add(v, static_cast<uint32_t>(columns.joints[column]), static_cast<float>(w));
                    }
        });
    }
    for (size_t v = 0; v < n; ++v) {
        if (!result.field.of(v).empty()) continue;
        for (uint32_t i = 0; i < sources[v].count; ++i)
            result.field.add(v, static_cast<uint32_t>(bones[sources[v].bones[i]].joint), 1.0f);
    }
    return result;
}

}  // namespace

}  // namespace sinew
