#include <sinew/sample/surface_nets.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace sinew::shape {

namespace {

// Nodes at x = (i − ½)·cell, so that the cells i = 0 straddle the mirror plane and their vertices fall on it.
struct Grid {
    Vec3d origin;
    double cell;
    std::array<int, 3> nodes;
    std::vector<float> value;   // far from the surface: only the sign is meant
    std::vector<uint8_t> near;  // nodes of blocks that may contain surface

    size_t index(int i, int j, int k) const { return (static_cast<size_t>(k) * nodes[1] + j) * nodes[0] + i; }
    Vec3d at(double i, double j, double k) const { return origin + cell * Vec3d(i, j, k); }
};

// Fills the nodes [lo, hi): halves blocks until they are small or surely on one side.
void fill(const Field& field, Grid& grid, std::array<int, 3> lo, std::array<int, 3> hi, std::span<const int> parts) {
    Vec3d center = 0.5 * (grid.at(lo[0], lo[1], lo[2]) + grid.at(hi[0] - 1, hi[1] - 1, hi[2] - 1));
    double radius = 0.5 * grid.cell * Vec3d(hi[0] - lo[0], hi[1] - lo[1], hi[2] - lo[2]).norm() + grid.cell;
    std::vector<int> local = field.near(center, radius, parts);
    double d = field.distance(center, local);
    int longest = 0;
    for (int a = 1; a < 3; ++a) {
        if (hi[a] - lo[a] > hi[longest] - lo[longest]) longest = a;
    }
    // The parts' fields are up to 1.5 times as steep as a true distance.
    bool far = std::abs(d) > 1.6 * radius;
    if (far || hi[longest] - lo[longest] <= 4) {
        for (int k = lo[2]; k < hi[2]; ++k) {
            for (int j = lo[1]; j < hi[1]; ++j) {
                for (int i = lo[0]; i < hi[0]; ++i) {
                    grid.near[grid.index(i, j, k)] = !far;
                    grid.value[grid.index(i, j, k)] =
                        static_cast<float>(far ? d : field.distance(grid.at(i, j, k), local));
                }
            }
        }
        return;
    }
    int middle = (lo[longest] + hi[longest]) / 2;
    auto low_hi = hi, high_lo = lo;
    low_hi[longest] = middle;
    high_lo[longest] = middle;
    fill(field, grid, lo, low_hi, local);
    fill(field, grid, high_lo, hi, local);
}

// One vertex per cell that the surface crosses: the mean of the crossings on its edges.
bool cell_vertex(const Grid& grid, int i, int j, int k, Vec3d& out) {
    static constexpr int corner[8][3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {1, 1, 0},
                                         {0, 0, 1}, {1, 0, 1}, {0, 1, 1}, {1, 1, 1}};
    static constexpr int edge[12][2] = {{0, 1}, {2, 3}, {4, 5}, {6, 7}, {0, 2}, {1, 3},
                                        {4, 6}, {5, 7}, {0, 4}, {1, 5}, {2, 6}, {3, 7}};
    std::array<double, 8> v;
    for (int c = 0; c < 8; ++c) v[c] = grid.value[grid.index(i + corner[c][0], j + corner[c][1], k + corner[c][2])];
    Vec3d sum = Vec3d::Zero();
    int crossings = 0;
    for (auto [a, b] : edge) {
        if ((v[a] < 0) == (v[b] < 0)) continue;
        double u = v[a] / (v[a] - v[b]);
        Vec3d pa(corner[a][0], corner[a][1], corner[a][2]), pb(corner[b][0], corner[b][1], corner[b][2]);
        sum += pa + u * (pb - pa);
        ++crossings;
    }
    if (crossings == 0) return false;
    sum /= crossings;
    out = grid.at(i + sum.x(), j + sum.y(), k + sum.z());
    if (i == 0) out.x() = 0;
    return true;
}

}  // namespace

HalfMesh surface_nets(const Field& field, const Box& box, double cell) {
    Grid grid;
    grid.cell = cell;
    grid.origin = Vec3d(-0.5 * cell, box.min.y() - 2 * cell, box.min.z() - 2 * cell);
    Vec3d extent = box.max.cast<double>() - grid.origin;
    for (int a = 0; a < 3; ++a) grid.nodes[a] = static_cast<int>(std::ceil(extent[a] / cell)) + 3;
    grid.value.resize(static_cast<size_t>(grid.nodes[0]) * grid.nodes[1] * grid.nodes[2]);
    grid.near.resize(grid.value.size());
    fill(field, grid, {0, 0, 0}, grid.nodes, field.all());
    // Both sides of the plane must have the same field, to the last bit.
    for (int k = 0; k < grid.nodes[2]; ++k) {
        for (int j = 0; j < grid.nodes[1]; ++j) grid.value[grid.index(0, j, k)] = grid.value[grid.index(1, j, k)];
    }

    HalfMesh mesh;
    std::vector<uint32_t> vertex(grid.value.size(), 0);
    auto [nx, ny, nz] = grid.nodes;
    for (int k = 0; k + 1 < nz; ++k) {
        for (int j = 0; j + 1 < ny; ++j) {
            for (int i = 0; i + 1 < nx; ++i) {
                Vec3d p;
                if (!grid.near[grid.index(i, j, k)]) continue;
                if (!cell_vertex(grid, i, j, k, p)) continue;
                vertex[grid.index(i, j, k)] = static_cast<uint32_t>(mesh.positions.size());
                mesh.positions.push_back(p);
                mesh.on_plane.push_back(i == 0);
            }
        }
    }
    auto quad = [&](uint32_t a, uint32_t b, uint32_t c, uint32_t d, bool flip) {
        if (flip) std::swap(b, d);
        mesh.triangles.insert(mesh.triangles.end(), {a, b, c, a, c, d});
    };
    // Each crossed grid edge gives the quad of its four cells; edges at i = 0 belong to the mirrored half.
    for (int k = 1; k + 1 < nz; ++k) {
        for (int j = 1; j + 1 < ny; ++j) {
            for (int i = 1; i + 1 < nx; ++i) {
                if (!grid.near[grid.index(i, j, k)]) continue;
                bool here = grid.value[grid.index(i, j, k)] < 0;
                auto cell_at = [&](int a, int b, int c) { return vertex[grid.index(i - a, j - b, k - c)]; };
                if (here != (grid.value[grid.index(i + 1, j, k)] < 0)) {
                    quad(cell_at(0, 1, 1), cell_at(0, 0, 1), cell_at(0, 0, 0), cell_at(0, 1, 0), !here);
                }
                if (here != (grid.value[grid.index(i, j + 1, k)] < 0)) {
                    quad(cell_at(1, 0, 1), cell_at(1, 0, 0), cell_at(0, 0, 0), cell_at(0, 0, 1), !here);
                }
                if (here != (grid.value[grid.index(i, j, k + 1)] < 0)) {
                    quad(cell_at(1, 1, 0), cell_at(0, 1, 0), cell_at(0, 0, 0), cell_at(1, 0, 0), !here);
                }
            }
        }
    }
    return mesh;
}

}  // namespace sinew::shape
