#include <sinew/core/parallel.h>
#include <sinew/mesh/solid_steps.h>

namespace sinew {
namespace {

struct Crossing {
    uint32_t column;
    float depth;  // negative if the ray along the axis leaves the surface here (depths themselves are positive)
};

// On which side of a→b the point (u, v) lies. The ends are always taken in the same order, so both triangles of an edge
// get the same answer, and rounding cannot let a ray slip between them. A point exactly on the edge belongs to one of
// the two.
bool left_of(const Vec3d& a, const Vec3d& b, int u, int v, double pu, double pv) {
    const bool swapped = a[u] != b[u] ? a[u] > b[u] : a[v] > b[v];
    const Vec3d &p = swapped ? b : a, &q = swapped ? a : b;
    const double side = (q[u] - p[u]) * (pv - p[v]) - (q[v] - p[v]) * (pu - p[u]);
    return (side > 0.0) != swapped;
}

void cross(const VoxelGrid& grid, const Vec3d* p, int axis, std::vector<Crossing>& out) {
    const int u = (axis + 1) % 3, v = (axis + 2) % 3;
    const Vec3d normal = (p[1] - p[0]).cross(p[2] - p[0]);
    if (normal[axis] == 0.0) return;
    const auto first = [&](int k) {
        return std::max(0, static_cast<int>(std::ceil(std::min({p[0][k], p[1][k], p[2][k]}) - 0.5)));
    };
    const auto last = [&](int k) {
        return std::min(grid.dims[static_cast<size_t>(k)] - 1,
                        static_cast<int>(std::floor(std::max({p[0][k], p[1][k], p[2][k]}) - 0.5)));
    };
    const int u_end = last(u), v_end = last(v);
    const bool counter = normal[axis] > 0.0;
    for (int cv = first(v); cv <= v_end; ++cv) {
        for (int cu = first(u); cu <= u_end; ++cu) {
            const double pu = cu + 0.5, pv = cv + 0.5;
            if (left_of(p[0], p[1], u, v, pu, pv) != counter || left_of(p[1], p[2], u, v, pu, pv) != counter ||
                left_of(p[2], p[0], u, v, pu, pv) != counter)
                continue;
            const double depth = p[0][axis] - (normal[u] * (pu - p[0][u]) + normal[v] * (pv - p[0][v])) / normal[axis];
            const float within = std::max(static_cast<float>(depth), 1e-30f);
            out.push_back(
                {static_cast<uint32_t>(cv * grid.dims[static_cast<size_t>(u)] + cu), counter ? -within : within});
        }
    }
}

// The depths of the crossings, column by column: those of column c are [first[c], first[c + 1]), nearest first.
struct Columns {
    std::vector<uint32_t> first;
    std::vector<float> depths;
};

Columns sort_columns(const std::vector<Crossing>& crossings, size_t count) {
    Columns columns{.first = std::vector<uint32_t>(count + 1, 0), .depths = std::vector<float>(crossings.size())};
    for (const Crossing& c : crossings) ++columns.first[c.column + 1];
    for (size_t c = 0; c < count; ++c) columns.first[c + 1] += columns.first[c];
    std::vector<uint32_t> at(columns.first.begin(), columns.first.end() - 1);
    for (const Crossing& c : crossings) columns.depths[at[c.column]++] = c.depth;
    const auto nearer = [](float a, float b) { return std::abs(a) != std::abs(b) ? std::abs(a) < std::abs(b) : a < b; };
    for (size_t c = 0; c < count; ++c)
        std::sort(columns.depths.begin() + columns.first[c], columns.depths.begin() + columns.first[c + 1], nearer);
    return columns;
}

// Adds the two votes of the rays along one axis, column by column.
void vote_along(const VoxelGrid& grid, std::span<const Vec3d> corners, int axis, std::vector<uint8_t>& votes) {
    const int u = (axis + 1) % 3, v = (axis + 2) % 3;
    const auto width = static_cast<size_t>(grid.dims[static_cast<size_t>(u)]),
               height = static_cast<size_t>(grid.dims[static_cast<size_t>(v)]);
    std::vector<Crossing> crossings;
    for (size_t t = 0; t + 2 < corners.size(); t += 3) cross(grid, &corners[t], axis, crossings);
    const Columns columns = sort_columns(crossings, width * height);
    const int length = grid.dims[static_cast<size_t>(axis)];
    const size_t step = grid.stride(axis);
    const auto sign = [](float depth) { return depth < 0.0f ? -1 : 1; };
    for (size_t c = 0; c < width * height; ++c) {
        size_t i = columns.first[c];
        const size_t end = columns.first[c + 1];
        if (i == end) continue;
        int total = 0, entered = 0;
        for (size_t k = i; k < end; ++k) total += sign(columns.depths[k]);
        size_t voxel = c % width * grid.stride(u) + c / width * grid.stride(v);
        for (int k = 0; k < length; ++k, voxel += step) {
            while (i < end && std::abs(columns.depths[i]) < static_cast<float>(k) + 0.5f)
                entered += sign(columns.depths[i++]);
            // Looking back, `entered` surfaces are still open. Looking ahead, they are left again.
            votes[voxel] = static_cast<uint8_t>(votes[voxel] + (entered > 0) + (entered - total > 0));
        }
    }
}

}  // namespace

std::vector<uint8_t> count_ray_votes(const VoxelGrid& grid, std::span<const Vec3d> corners) {
    std::vector<uint8_t> votes[3];
    parallel_for(3, 1, [&](size_t begin, size_t) {
        votes[begin].assign(grid.count(), 0);
        vote_along(grid, corners, static_cast<int>(begin), votes[begin]);
    });
    for (size_t i = 0; i < votes[0].size(); ++i)
        votes[0][i] = static_cast<uint8_t>(votes[0][i] + votes[1][i] + votes[2][i]);
    return std::move(votes[0]);
}

}  // namespace sinew
