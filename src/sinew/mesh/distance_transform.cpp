#include <sinew/mesh/distance_transform.h>

#include <sinew/core/parallel.h>
#include <sinew/mesh/voxel_work.h>

namespace sinew {
namespace {

// d[x] = min over y of (x − y)² + f[y] for one line, by the lower envelope of parabolas. y = −1 and y = n are outside
// the grid and have f = 0. `line` holds f on entry and d on return.
struct LineTransform {
    std::vector<double> f, bound;
    std::vector<int> apex;

    void run(float* line, size_t stride, int n) {
        f.resize(static_cast<size_t>(n) + 2);
        apex.resize(f.size());
        bound.resize(f.size() + 1);
        f.front() = f.back() = 0.0;
        for (int x = 0; x < n; ++x)
            f[static_cast<size_t>(x) + 1] = static_cast<double>(line[static_cast<size_t>(x) * stride]);
        int k = 0;
        apex[0] = 0;
        bound[0] = -INFINITY;
        bound[1] = INFINITY;
        const auto value = [&](int x) { return f[static_cast<size_t>(x)] + static_cast<double>(x) * x; };
        for (int x = 1; x < n + 2; ++x) {
            double meet = 0.0;
            while (true) {
                const int top = apex[static_cast<size_t>(k)];
                meet = (value(x) - value(top)) / (2.0 * (x - top));
                if (meet > bound[static_cast<size_t>(k)] || k == 0) break;
                --k;
            }
            ++k;
            apex[static_cast<size_t>(k)] = x;
            bound[static_cast<size_t>(k)] = meet;
            bound[static_cast<size_t>(k) + 1] = INFINITY;
        }
        k = 0;
        for (int x = 1; x <= n; ++x) {
            while (bound[static_cast<size_t>(k) + 1] < x) ++k;
            const int top = apex[static_cast<size_t>(k)];
            const double d = static_cast<double>(x - top) * (x - top) + f[static_cast<size_t>(top)];
            line[static_cast<size_t>(x - 1) * stride] = static_cast<float>(d);
        }
    }
};

}  // namespace

std::vector<float> distance_to_outside(const VoxelGrid& grid, std::span<const uint8_t> mask) {
    constexpr float far_away = 1e12f;  // squared, in voxels: beyond any grid
    std::vector<float> squared(grid.count());
    count_voxel_work(grid.count() / cells_per_visit);
    for (size_t i = 0; i < squared.size(); ++i) squared[i] = mask[i] ? far_away : 0.0f;
    for (int axis = 0; axis < 3; ++axis) {
        const int u = (axis + 1) % 3, v = (axis + 2) % 3;
        parallel_for(static_cast<size_t>(grid.dims[static_cast<size_t>(v)]), 4, [&](size_t begin, size_t end) {
            LineTransform transform;
            for (size_t cv = begin; cv < end; ++cv)
                for (size_t cu = 0; cu < static_cast<size_t>(grid.dims[static_cast<size_t>(u)]); ++cu)
                    transform.run(&squared[cu * grid.stride(u) + cv * grid.stride(v)], grid.stride(axis),
                                  grid.dims[static_cast<size_t>(axis)]);
        });
    }
    for (float& d : squared) d = std::sqrt(d);
    return squared;
}

}  // namespace sinew
