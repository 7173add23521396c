#include <sinew/weights/heat/heat_matrix.h>

#include <sinew/core/parallel.h>
#include <sinew/core/sort_buckets.h>
#include <sinew/weights/surface/point_grid.h>
#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

namespace sinew {
namespace {

// Found on the 16 rigged glTFs of tests/weights/models.h: the cotangent of 3°. Needles beyond it would weld their ends.
constexpr double greatest_cotangent = 20.0;
constexpr double least_cotangent = -1e9;  // stands for −∞, so that sums stay finite; it is bounded further below
// Of the bound at which a triangle's share would become singular. Chosen: the rest keeps it positive after rounding.
constexpr double obtuse_share = 0.95;
constexpr uint32_t links_per_vertex = 4;  // chosen: more fill the factor (a soup of 41,000 triangles took 7 s)
// Chosen: about the flow along an edge of good triangles (0.58 between equilateral ones).
constexpr double link_strength = 1.0;
constexpr double grid_share = 0.5;  // of the reach: the cells in which links are looked for
// The least area around a vertex: this share of the mean, and in any case this much. Chosen: far below any true area,
// and enough for a vertex with slivers only to take up some heat.
constexpr double least_share = 1e-6, least_area = 1e-15;
constexpr size_t triangle_grain = 4096;  // triangles per task

// The cotangents of a triangle's corners, bounded so that its share of the Laplacian stays positive semidefinite: that
// needs xy + yz + zx ≥ 0 (it is 1 for true angles).
std::array<double, 3> bounded_cotangents(const Vec3d& a, const Vec3d& b, const Vec3d& c) {
    const double twice_area = (b - a).cross(c - a).norm();
    const auto cotangent = [&](const Vec3d& u, const Vec3d& v) {
        const double dot = u.dot(v);
        return std::clamp(twice_area > 0.0 ? dot / twice_area : (dot > 0.0 ? INFINITY : -INFINITY), least_cotangent,
                          greatest_cotangent);
    };
    std::array<double, 3> cot = {cotangent(b - a, c - a), cotangent(c - b, a - b), cotangent(a - c, b - c)};
    const size_t wide = static_cast<size_t>(std::min_element(cot.begin(), cot.end()) - cot.begin());
    const double x = std::max(cot[(wide + 1) % 3], 0.0), y = std::max(cot[(wide + 2) % 3], 0.0);
    cot[(wide + 1) % 3] = x;
    cot[(wide + 2) % 3] = y;
    const double bound = x + y > 0.0 ? -obtuse_share * x * y / (x + y) : 0.0;
    if (cot[wide] < 0.0) cot[wide] = std::max(cot[wide], bound);
    return cot;
}

// What a triangle adds: to the flow along the side across each corner, and to the area around each corner.
struct Share {
    std::array<double, 3> flow, area;
};

// Areas are mixed Voronoi areas, with the factors of [Meyer2003]: 1/8 per side and cotangent or, in obtuse triangles,
// 1/2 and 1/4 of the whole.
Share share_of(const Vec3d& a, const Vec3d& b, const Vec3d& c) {
    const std::array<Vec3d, 3> p = {a, b, c};
    const std::array<double, 3> cot = bounded_cotangents(a, b, c);
    const bool obtuse = cot[0] < 0.0 || cot[1] < 0.0 || cot[2] < 0.0;
    const double whole = 0.5 * (b - a).cross(c - a).norm();
    Share share;
    for (size_t k = 0; k < 3; ++k) {
        const size_t next = (k + 1) % 3, last = (k + 2) % 3;
        share.flow[k] = 0.5 * cot[k];
        if (obtuse)
            share.area[k] = cot[k] < 0.0 ? whole / 2.0 : whole / 4.0;
        else
            share.area[k] =
                ((p[next] - p[k]).squaredNorm() * cot[last] + (p[last] - p[k]).squaredNorm() * cot[next]) / 8.0;
    }
    return share;
}

std::vector<Share> shares_of(const Surface& surface) {
    std::vector<Share> shares(surface.triangle_count());
    parallel_for(shares.size(), triangle_grain, [&](size_t begin, size_t end) {
        for (size_t i = begin; i < end; ++i) {
            const uint32_t* t = &surface.triangles[3 * i];
            shares[i] = share_of(surface.positions[t[0]], surface.positions[t[1]], surface.positions[t[2]]);
        }
    });
    return shares;
}

// Bridges over gaps: each vertex on an open edge is linked to the nearest vertex of another piece within reach.
std::vector<std::array<uint32_t, 2>> find_links(const Surface& surface, double reach) {
    std::vector<std::array<uint32_t, 2>> links;
    if (surface.piece_count < 2 || std::find(surface.open.begin(), surface.open.end(), 1) == surface.open.end())
        return links;
    const PointGrid grid(surface.positions, grid_share * reach);
    std::vector<uint8_t> used(surface.vertex_count(), 0);
    for (uint32_t v = 0; v < surface.vertex_count(); ++v) {
        if (!surface.open[v] || used[v] >= links_per_vertex) continue;
        const int64_t other = grid.nearest(surface.positions[v], reach, [&](uint32_t w) {
            return surface.piece[w] >= 0 && surface.piece[w] != surface.piece[v] && used[w] < links_per_vertex;
        });
        if (other < 0) continue;
        const auto w = static_cast<uint32_t>(other);
        links.push_back({std::max(v, w), std::min(v, w)});
        ++used[v];
        ++used[w];
    }
    std::sort(links.begin(), links.end());
    links.erase(std::unique(links.begin(), links.end()), links.end());
    return links;
}

// visit(higher vertex, lower vertex, i) wherever heat flows: first along the side across each triangle corner i, then
// along the links.
template <class Visit>
void each_flow(const Surface& surface, const HeatMatrix& matrix, const Visit& visit) {
    const std::vector<uint32_t>& corners = surface.triangles;
    for (size_t i = 0; i < corners.size(); i += 3)
        for (size_t k = 0; k < 3; ++k) {
            const uint32_t a = corners[i + (k + 1) % 3], b = corners[i + (k + 2) % 3];
            visit(std::max(a, b), std::min(a, b), i + k);
        }
    for (const auto& [high, low] : matrix.links) visit(high, low, corners.size());
}

}  // namespace

HeatMatrix make_heat_pattern(const Surface& surface, double link_distance) {
    const size_t n = surface.vertex_count();
    HeatMatrix matrix{.lower = {}, .uptake = {}, .links = find_links(surface, link_distance)};
    // Each flow is filed under its lower end, and every vertex under itself.
    std::vector<uint32_t> first(n + 1, 1);
    first[0] = 0;
    each_flow(surface, matrix, [&](uint32_t, uint32_t low, size_t) { ++first[low + 1]; });
    std::partial_sum(first.begin(), first.end(), first.begin());
    std::vector<int> rows(first.back());
    std::vector<uint32_t> at(first.begin(), first.end() - 1);
    for (size_t v = 0; v < n; ++v) rows[at[v]++] = static_cast<int>(v);
    each_flow(surface, matrix, [&](uint32_t high, uint32_t low, size_t) { rows[at[low]++] = static_cast<int>(high); });
    sort_buckets<int>(first, rows);
    size_t used = 0;
    matrix.lower.resize(static_cast<Eigen::Index>(n), static_cast<Eigen::Index>(n));
    for (size_t v = 0; v < n; ++v) {
        for (size_t i = first[v]; i < first[v + 1]; ++i)
            if (i == first[v] || rows[i] != rows[i - 1]) rows[used++] = rows[i];
        matrix.lower.outerIndexPtr()[v + 1] = static_cast<int>(used);
    }
    matrix.lower.resizeNonZeros(static_cast<Eigen::Index>(used));
    std::copy_n(rows.begin(), used, matrix.lower.innerIndexPtr());
    std::fill_n(matrix.lower.valuePtr(), used, 0.0);
    return matrix;
}

std::vector<double> fill_laplacian(const Surface& surface, HeatMatrix& matrix) {
    const size_t n = surface.vertex_count();
    const std::vector<Share> shares = shares_of(surface);
    const int *begin_of = matrix.lower.outerIndexPtr(), *rows = matrix.lower.innerIndexPtr();
    double* values = matrix.lower.valuePtr();
    each_flow(surface, matrix, [&](uint32_t high, uint32_t low, size_t i) {
        const double flow = i < surface.triangles.size() ? shares[i / 3].flow[i % 3] : link_strength;
        int entry = begin_of[low];  // the diagonal's
        values[entry] += flow;
        values[begin_of[high]] += flow;
        while (rows[entry] != static_cast<int>(high)) ++entry;
        values[entry] -= flow;
    });
    std::vector<double> area(n, 0.0);
    for (size_t i = 0; i < surface.triangles.size(); ++i) area[surface.triangles[i]] += shares[i / 3].area[i % 3];
    double total = 0.0;
    for (double a : area) total += a;
    const double least = std::max(least_share * total / static_cast<double>(std::max<size_t>(n, 1)), least_area);
    for (double& a : area) a = std::max(a, least);
    return area;
}

void take_up(HeatMatrix& matrix, std::vector<double> uptake) {
    matrix.uptake = std::move(uptake);
    for (Eigen::Index v = 0; v < matrix.lower.cols(); ++v)  // every column of a lower half begins with its diagonal
        matrix.lower.valuePtr()[matrix.lower.outerIndexPtr()[v]] += matrix.uptake[static_cast<size_t>(v)];
}

}  // namespace sinew
