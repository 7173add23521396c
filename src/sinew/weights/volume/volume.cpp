#include <sinew/weights/volume/volume.h>

#include <sinew/core/parallel.h>
#include <sinew/mesh/solid_steps.h>
#include <sinew/weights/volume/volume_cells.h>
#include <algorithm>
#include <cmath>

namespace sinew {
namespace {

// Every voxel that a triangle touches is of the solid, which makes it up to a voxel thicker on each side: fingers that
// lie close would grow together. A touched voxel whose own centre is outside, between body on two opposite sides, is a
// gap.
std::vector<uint8_t> conducting_voxels(const Solid& solid, std::span<const Vec3> points,
                                       std::span<const uint32_t> triangles) {
    constexpr int majority = 3;
    std::vector<Vec3d> corners(triangles.size());
    for (size_t i = 0; i < corners.size(); ++i)
        corners[i] = (points[triangles[i]].cast<double>() - solid.grid.origin) / solid.grid.cell;
    const std::vector<uint8_t> votes = count_ray_votes(solid.grid, corners);
    std::vector<uint8_t> filled = solid_mask(solid);
    parallel_for(filled.size(), size_t{1} << 16, [&](size_t begin, size_t end) {
        for (size_t i = begin; i < end; ++i) {
            if (solid.fill[i] != Fill::surface || votes[i] >= majority) continue;
            for (int axis = 0; axis < 3; ++axis) {
                const size_t step = solid.grid.stride(axis);
                const auto body = [&](size_t n) { return solid.filled(n) && votes[n] >= majority; };
                if ((body(i - step) || body(i - 2 * step)) && (body(i + step) || body(i + 2 * step))) filled[i] = 0;
            }
        }
    });
    return filled;
}

bool encloses_anything(const Solid& solid) {
    return std::find(solid.fill.begin(), solid.fill.end(), Fill::inside) != solid.fill.end();
}

}  // namespace

uint32_t Volume::at(const Vec3d& point) const {
    const Vec3d g = (point - grid.origin) / grid.cell;
    for (int k = 0; k < 3; ++k)
        if (!(g[k] >= 0.0 && g[k] < grid.dims[static_cast<size_t>(k)])) return no_cell;
    return cell_of[grid.index(grid.locate(point))];
}

bool Volume::sees(const Vec3d& from, const Vec3d& to) const {
    const Vec3d way = to - from;
    const int steps = static_cast<int>(way.norm() / grid.cell);
    for (int i = 1; i < steps; ++i)
        if (at(from + way * (static_cast<double>(i) / steps)) == no_cell) return false;
    return true;
}

Volume make_volume(const Surface& surface, const VolumeOptions& options) {
    std::vector<Vec3> points(surface.vertex_count());
    for (size_t v = 0; v < points.size(); ++v) points[v] = surface.positions[v].cast<float>();
    int resolution = options.resolution;
    constexpr int probe = 128;
    if (resolution > probe && !encloses_anything(make_solid(points, surface.triangles, {.resolution = probe})))
        resolution = probe;  // sheets and scraps: more voxels would only find the same, slowly
    for (;;) {
        Volume volume;
        const Solid solid =
            make_solid(points, surface.triangles, {.resolution = resolution, .max_voxels = options.max_voxels});
        if (solid.empty()) return volume;
        volume.grid = solid.grid;
        volume.leak = solid.leak;
        build_cells(conducting_voxels(solid, points, surface.triangles), options, volume);
        if (volume.size() <= options.max_cells || resolution <= 16) return volume;
        // The solid may be coarser than it was asked to be. Thin parts have as many cells as their area has voxels.
        resolution = std::min(resolution, *std::max_element(solid.grid.dims.begin(), solid.grid.dims.end()));
        const double shrink = std::sqrt(static_cast<double>(options.max_cells) / static_cast<double>(volume.size()));
        resolution = std::max(16, static_cast<int>(resolution * std::clamp(0.97 * shrink, 0.25, 0.9)));
    }
}

}  // namespace sinew
