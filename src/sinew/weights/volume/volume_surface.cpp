#include <sinew/weights/volume/volume_surface.h>

#include <sinew/core/parallel.h>
#include <sinew/weights/surface/point_grid.h>
#include <sinew/weights/volume/flow_solve.h>
#include <Eigen/Cholesky>
#include <algorithm>
#include <array>
#include <cmath>

namespace sinew {
namespace {

using Vec4d = Eigen::Vector4d;

constexpr size_t surface_grain = 1024, fit_grain = 256;  // vertices per task
constexpr size_t rings = 2;          // steps from the vertex's cell. Chosen: one step has too few cells for a fit
constexpr double cell_reach = 2.2;   // of its size: how far a cell counts. Chosen: just beyond its second neighbours
constexpr double scale_share = 2.0;  // of the cell's size: the unit of length in the fit
constexpr double against_slopes = 1e-3;  // of the total weight. Chosen: enough to tame a flat set of cells
constexpr double step_inwards = 0.5;     // of a voxel, when looking for the cell under a vertex
constexpr double any_distance = 1e3;     // in units of the Surface's size
constexpr double least_weight = 1e-4;    // as in heat.cpp

// The cell and those two steps around it.
void gather(const Volume& volume, uint32_t start, std::vector<uint32_t>& cells) {
    cells.assign(1, start);
    for (size_t begin = 0, ring = 0; ring < rings; ++ring) {
        const size_t end = cells.size();
        for (; begin < end; ++begin)
            for (uint32_t i = volume.first[cells[begin]]; i < volume.first[cells[begin] + 1]; ++i)
                cells.push_back(volume.others[i]);
    }
    std::sort(cells.begin(), cells.end());
    cells.erase(std::unique(cells.begin(), cells.end()), cells.end());
}

// C² and zero from q = 1 on [Wendland1995].
double kernel(double q) {
    return q < 1.0 ? std::pow(1.0 - q, 4) * (4.0 * q + 1.0) : 0.0;
}

// The value at p of the linear function that fits best is e₀ᵀ (BᵀWB)⁻¹ BᵀW f, where B has the rows (1, (c − p) /
// reach). A little weight against slopes keeps it sane if the cells lie in a plane or on a line.
void fit(const Volume& volume, const Vec3d& p, double reach, std::span<const uint32_t> cells,
         std::vector<double>& out) {
    Eigen::Matrix4d normal = Eigen::Matrix4d::Zero();
    out.resize(cells.size());
    double total = 0.0;
    for (size_t i = 0; i < cells.size(); ++i) {
        const Vec3d d = (volume.centres[cells[i]] - p) / reach;
        // Each cell reaches in proportion to its own size, so that nothing jumps where sizes change.
        out[i] = kernel(d.norm() * reach / (cell_reach * volume.sizes[cells[i]])) * volume.volumes[cells[i]];
        total += out[i];
        const Vec4d row(1.0, d.x(), d.y(), d.z());
        normal += out[i] * row * row.transpose();
    }
    if (!(total > 0.0)) {
        out.assign(cells.size(), 0.0);
        return;
    }
    normal.diagonal().tail<3>().array() += against_slopes * total;
    const Vec4d line = normal.ldlt().solve(Vec4d::UnitX());
    double sum = 0.0;
    for (size_t i = 0; i < cells.size(); ++i) {
        const Vec3d d = (volume.centres[cells[i]] - p) / reach;
        out[i] *= line[0] + line.tail<3>().dot(d);
        sum += out[i];
    }
    for (double& coefficient : out) coefficient /= sum;
}

// The cell of a vertex. The skin's own voxel may not belong to the volume; then the cell below it, up to two voxels
// deep, or just above it.
uint32_t cell_below(const Volume& volume, const Vec3d& p, const Vec3d& normal) {
    const Vec3d inwards = -step_inwards * volume.grid.cell * normal.normalized();
    for (const int k : {0, 1, 2, 3, 4, -1, -2}) {
        const uint32_t cell = volume.at(p + k * inwards);
        if (cell != Volume::no_cell) return cell;
    }
    return Volume::no_cell;
}

}  // namespace

VertexCells vertex_cells(const Volume& volume, const Surface& surface) {
    const std::vector<Vec3d>& positions = surface.positions;
    const PointGrid grid(volume.centres, centre_grid_cells * volume.grid.cell);
    std::vector<std::vector<std::pair<uint32_t, double>>> rows(positions.size());
    parallel_for(positions.size(), fit_grain, [&](size_t begin, size_t end) {
        std::vector<uint32_t> cells;
        std::vector<double> coefficients;
        for (size_t v = begin; v < end; ++v) {
            const Vec3d& p = positions[v];
            const uint32_t cell = cell_below(volume, p, surface.normals[v]);
            if (cell == Volume::no_cell) {
                const int64_t nearest = grid.nearest(p, any_distance, [](uint32_t) { return true; });
                rows[v].push_back({static_cast<uint32_t>(std::max<int64_t>(nearest, 0)), 1.0});
                continue;
            }
            gather(volume, cell, cells);
            fit(volume, p, scale_share * volume.sizes[cell], cells, coefficients);
            for (size_t i = 0; i < cells.size(); ++i)
                if (coefficients[i] != 0.0) rows[v].push_back({cells[i], coefficients[i]});
            if (rows[v].empty()) rows[v].push_back({cell, 1.0});
        }
    });
    VertexCells result;
    result.first.push_back(0);
    for (const auto& row : rows) {
        for (const auto& [cell, coefficient] : row)
            result.cells.push_back(cell), result.coefficients.push_back(coefficient);
        result.first.push_back(static_cast<uint32_t>(result.cells.size()));
    }
    return result;
}

void add_to_vertices(const VertexCells& map, std::span<const double> values, std::span<const int32_t> joints,
                     WeightField& field) {
    const size_t lanes = std::min(flow_lanes, joints.size());
    parallel_for(field.vertex_count(), surface_grain, [&](size_t begin, size_t end) {
        for (size_t v = begin; v < end; ++v) {
            std::array<double, flow_lanes> sums{};
            for (uint32_t i = map.first[v]; i < map.first[v + 1]; ++i)
                for (size_t k = 0; k < lanes; ++k)
                    sums[k] += map.coefficients[i] * values[map.cells[i] * flow_lanes + k];
            for (size_t k = 0; k < lanes; ++k)
                if (sums[k] > least_weight) field.add(v, static_cast<uint32_t>(joints[k]), static_cast<float>(sums[k]));
        }
    });
}

}  // namespace sinew
