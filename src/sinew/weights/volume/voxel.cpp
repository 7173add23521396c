#include <sinew/weights/volume/voxel.h>

#include <sinew/core/parallel.h>
#include <sinew/weights/bones/columns.h>
#include <sinew/weights/volume/flow_solve.h>
#include <sinew/weights/volume/volume_surface.h>

namespace sinew {
namespace {

// The heat that eight columns' bones give to each cell.
std::vector<double> given_heat(std::span<const VoxelSource> sources, std::span<const NearBones> near,
                               std::span<const uint32_t> column_of_bone, size_t block) {
    std::vector<double> heat(sources.size() * flow_lanes, 0.0);
    for (size_t c = 0; c < sources.size(); ++c)
        for (uint32_t i = 0; i < near[c].count; ++i) {
            const size_t column = column_of_bone[near[c].bones[i]];
            if (column / flow_lanes != block) continue;
            heat[c * flow_lanes + column % flow_lanes] += sources[c].uptake * sources[c].shares[i];
        }
    return heat;
}

}  // namespace

VoxelResult voxel_weights(const Surface& surface, std::span<const Bone> bones, const VoxelOptions& options) {
    VoxelResult result;
    Volume volume = make_volume(surface, options.volume);
    result.leak = volume.leak;
    result.cells = volume.size();
    if (volume.empty() || bones.empty()) return result;
    const std::vector<std::vector<uint32_t>> cells = bone_cells(volume, bones);
    result.bridges = bridge_parts(volume, cells);
    const std::vector<NearBones> near = nearest_bones(volume, bones, cells);
    const std::vector<VoxelSource> sources = voxel_sources(volume, near, options.sources);
    std::vector<double> uptake(volume.size());
    for (size_t c = 0; c < uptake.size(); ++c) uptake[c] = sources[c].uptake;

    const JointColumns columns = joint_columns(bones);
    const size_t blocks = (columns.joints.size() + flow_lanes - 1) / flow_lanes;
    std::vector<std::vector<double>> solutions(blocks);
    std::vector<FlowSolve> solves(blocks);
    parallel_for(blocks, 1, [&](size_t b, size_t) {
        solutions[b] = given_heat(sources, near, columns.column_of_bone, b);
        solves[b] = solve_heat(volume.graph(), uptake, solutions[b]);
    });
    const VertexCells map = vertex_cells(volume, surface);
    result.field = WeightField(surface.vertex_count());
    for (size_t b = 0; b < blocks; ++b) {
        add_to_vertices(map, solutions[b], std::span(columns.joints).subspan(b * flow_lanes), result.field);
        result.iterations = std::max(result.iterations, solves[b].iterations);
    }
    for (size_t v = 0; v < surface.vertex_count(); ++v) result.field.normalise(v);
    return result;
}

}  // namespace sinew
