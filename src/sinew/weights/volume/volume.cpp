#include <sinew/weights/volume/volume.h>

#include <sinew/core/parallel.h>
#include <sinew/mesh/solid_steps.h>
#include <sinew/weights/volume/volume_cells.h>
#include <algorithm>
#include <cmath>

namespace sinew {
namespace {

constexpr int majority = 3;                      // of the six rays: if so many say "inside", a voxel's centre is inside
constexpr size_t voxel_grain = size_t{1} << 16;  // voxels per task
constexpr int probe = 128;    // the resolution at which to see whether there is an inside at all. Chosen
constexpr int coarsest = 16;  // the least resolution. Chosen: below it no body has a shape
// With too many cells the resolution shrinks a little more than they demand, to between a quarter and nine tenths of
// what it was. Chosen, so that two or three rounds are enough.
constexpr double shrink_more = 0.97, shrink_most = 0.25, shrink_least = 0.9;

// Every voxel that a triangle touches belongs to the solid, which makes it up to a voxel thicker on each side: fingers
// that lie close would grow together. A touched voxel is a gap if its own centre is outside and the body lies on two
// opposite sides of it.
std::vector<uint8_t> conducting_voxels(const Solid& solid, std::span<const Vec3> points,
                                       std::span<const uint32_t> triangles) {
    std::vector<Vec3d> corners(triangles.size());
    for (size_t i = 0; i < corners.size(); ++i)
        corners[i] = (points[triangles[i]].cast<double>() - solid.grid.origin) / solid.grid.cell;
    const std::vector<uint8_t> votes = count_ray_votes(solid.grid, corners);
    std::vector<uint8_t> filled = solid_mask(solid);
    parallel_for(filled.size(), voxel_grain, [&](size_t begin, size_t end) {
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
    if (resolution > probe && !encloses_anything(make_solid(points, surface.triangles, {.resolution = probe})))
        resolution = probe;  // sheets and scraps: more voxels would only take longer to find the same
    for (;;) {
        Volume volume;
        const Solid solid =
            make_solid(points, surface.triangles, {.resolution = resolution, .max_voxels = options.max_voxels});
        if (solid.empty()) return volume;
        volume.grid = solid.grid;
        volume.leak = solid.leak;
        build_cells(conducting_voxels(solid, points, surface.triangles), options, volume);
        if (volume.size() <= options.max_cells || resolution <= coarsest) return volume;
        // The solid may be coarser than asked. The cells of thin parts grow with the square of the resolution.
        resolution = std::min(resolution, *std::max_element(solid.grid.dims.begin(), solid.grid.dims.end()));
        const double shrink = std::sqrt(static_cast<double>(options.max_cells) / static_cast<double>(volume.size()));
        resolution = std::max(
            coarsest, static_cast<int>(resolution * std::clamp(shrink_more * shrink, shrink_most, shrink_least)));
    }
}

}  // namespace sinew
