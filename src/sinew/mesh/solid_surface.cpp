#include <sinew/core/parallel.h>
#include <sinew/mesh/solid_steps.h>
#include <atomic>

namespace sinew {
namespace {

// A triangle seen along one axis: three edge functions over the unit cells of the other two axes. A cell overlaps the
// triangle if none of the three is negative at the cell's best corner [Schwarz2010 section 4].
struct Projection {
    int u = 0, v = 1;
    double nu[3], nv[3], offset[3];

    Projection(const Vec3d* p, int axis) : u((axis + 1) % 3), v((axis + 2) % 3) {
        const Vec3d e0 = p[1] - p[0], e1 = p[2] - p[0];
        const double winding = e0[u] * e1[v] - e0[v] * e1[u] >= 0.0 ? 1.0 : -1.0;
        for (int k = 0; k < 3; ++k) {
            const Vec3d& a = p[k];
            const Vec3d edge = p[(k + 1) % 3] - a;
            nu[k] = -winding * edge[v];
            nv[k] = winding * edge[u];
            offset[k] = -(nu[k] * a[u] + nv[k] * a[v]) + std::max(0.0, nu[k]) + std::max(0.0, nv[k]);
        }
    }
    bool overlaps(int cell_u, int cell_v) const {
        for (int k = 0; k < 3; ++k)
            if (nu[k] * cell_u + nv[k] * cell_v + offset[k] < 0.0) return false;
        return true;
    }
};

void touch(const VoxelGrid& grid, const Vec3d* p, std::vector<uint8_t>& touched) {
    VoxelIndex low, high;
    for (int k = 0; k < 3; ++k) {
        const auto i = static_cast<size_t>(k);
        low[i] = std::clamp(static_cast<int>(std::floor(std::min({p[0][k], p[1][k], p[2][k]}))), 0, grid.dims[i] - 1);
        high[i] = std::clamp(static_cast<int>(std::floor(std::max({p[0][k], p[1][k], p[2][k]}))), 0, grid.dims[i] - 1);
    }
    const auto mark = [&](const VoxelIndex& v) {
        std::atomic_ref(touched[grid.index(v)]).store(1, std::memory_order_relaxed);
    };
    // Most triangles of a dense mesh lie within one voxel or two side by side. There the corners tell all.
    if (high[0] - low[0] + high[1] - low[1] + high[2] - low[2] <= 1) {
        mark(low);
        mark(high);
        return;
    }
    const Vec3d normal = (p[1] - p[0]).cross(p[2] - p[0]);
    int axis = 0;
    normal.cwiseAbs().maxCoeff(&axis);
    const int u = (axis + 1) % 3, v = (axis + 2) % 3;
    const Projection along[3] = {{p, axis}, {p, u}, {p, v}};
    const double depth = normal[axis];
    const auto ia = static_cast<size_t>(axis), iu = static_cast<size_t>(u), iv = static_cast<size_t>(v);
    for (int cv = low[iv]; cv <= high[iv]; ++cv) {
        for (int cu = low[iu]; cu <= high[iu]; ++cu) {
            if (!along[0].overlaps(cu, cv)) continue;
            int from = low[ia], to = high[ia];
            if (depth != 0.0) {
                // The plane's height over this cell.
                const double su = -normal[u] / depth, sv = -normal[v] / depth;
                const double at = p[0][axis] + su * (cu - p[0][u]) + sv * (cv - p[0][v]);
                const double least = at + std::min(0.0, su) + std::min(0.0, sv);
                const double most = at + std::max(0.0, su) + std::max(0.0, sv);
                from = std::max(from, static_cast<int>(std::floor(std::max(least - 1e-9, -1.0))));
                to = std::min(to, static_cast<int>(std::floor(std::min(most + 1e-9, grid.dims[ia] + 1.0))));
            }
            for (int ca = from; ca <= to; ++ca) {
                VoxelIndex cell;
                cell[ia] = ca, cell[iu] = cu, cell[iv] = cv;
                const bool same =
                    along[1].overlaps(cell[static_cast<size_t>(along[1].u)], cell[static_cast<size_t>(along[1].v)]) &&
                    along[2].overlaps(cell[static_cast<size_t>(along[2].u)], cell[static_cast<size_t>(along[2].v)]);
                if (same) mark(cell);
            }
        }
    }
    for (int k = 0; k < 3; ++k) mark(grid.locate(grid.origin + grid.cell * p[k]));
}

}  // namespace

std::vector<uint8_t> touch_voxels(const VoxelGrid& grid, std::span<const Vec3d> corners) {
    std::vector<uint8_t> touched(grid.count(), 0);
    parallel_for(corners.size() / 3, 1024, [&](size_t begin, size_t end) {
        for (size_t t = begin; t < end; ++t) touch(grid, &corners[3 * t], touched);
    });
    return touched;
}

std::vector<uint8_t> flood_from_border(const VoxelGrid& grid, std::span<const uint8_t> blocked) {
    std::vector<uint8_t> reached(grid.count(), 0);
    std::vector<uint32_t> open;
    const auto nx = static_cast<size_t>(grid.dims[0]);
    // Works on runs along x: a run is filled at once, and the rows beside it are entered where their own runs start.
    const auto enter = [&](size_t row, size_t x) {
        if (blocked[row + x] || reached[row + x]) return;
        open.push_back(static_cast<uint32_t>(row + x));
    };
    for (int z = 0; z < grid.dims[2]; ++z) {
        for (int y = 0; y < grid.dims[1]; ++y) {
            const bool side = z == 0 || y == 0 || z == grid.dims[2] - 1 || y == grid.dims[1] - 1;
            const size_t row = grid.index({0, y, z});
            for (size_t x = 0; x < nx; x += side ? 1 : std::max<size_t>(1, nx - 1)) enter(row, x);
            while (!open.empty()) {
                const size_t seed = open.back();
                open.pop_back();
                if (reached[seed]) continue;
                const VoxelIndex v = grid.voxel(seed);
                const size_t start = seed - static_cast<size_t>(v[0]);
                size_t begin = static_cast<size_t>(v[0]), end = begin + 1;
                while (begin > 0 && !blocked[start + begin - 1]) --begin;
                while (end < nx && !blocked[start + end]) ++end;
                for (size_t x = begin; x < end; ++x) reached[start + x] = 1;
                const auto scan = [&](size_t next) {
                    for (size_t x = begin; x < end; ++x) {
                        const bool first = x == begin || blocked[next + x - 1];
                        if (first) enter(next, x);
                    }
                };
                if (v[1] > 0) scan(start - grid.stride(1));
                if (v[1] + 1 < grid.dims[1]) scan(start + grid.stride(1));
                if (v[2] > 0) scan(start - grid.stride(2));
                if (v[2] + 1 < grid.dims[2]) scan(start + grid.stride(2));
            }
        }
    }
    return reached;
}

}  // namespace sinew
