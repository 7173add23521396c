#include <sinew/weights/heat_matrix.h>

#include <sinew/weights/point_grid.h>
#include <algorithm>
#include <array>
#include <cmath>

namespace sinew {
namespace {

constexpr double greatest_cotangent = 20.0;
constexpr uint32_t links_per_vertex = 4;
constexpr double link_strength = 1.0;

// The cotangents of a triangle's corners, bounded so that its share of the Laplacian stays positive semidefinite: that
// needs xy + yz + zx ≥ 0 (it is 1 for true angles).
std::array<double, 3> bounded_cotangents(const Vec3d& a, const Vec3d& b, const Vec3d& c) {
    const double twice_area = (b - a).cross(c - a).norm();
    const auto cotangent = [&](const Vec3d& u, const Vec3d& v) {
        const double dot = u.dot(v);
        return std::clamp(twice_area > 0.0 ? dot / twice_area : (dot > 0.0 ? INFINITY : -INFINITY), -1e9,
                          greatest_cotangent);
    };
    std::array<double, 3> cot = {cotangent(b - a, c - a), cotangent(c - b, a - b), cotangent(a - c, b - c)};
    const size_t wide = static_cast<size_t>(std::min_element(cot.begin(), cot.end()) - cot.begin());
    const double x = std::max(cot[(wide + 1) % 3], 0.0), y = std::max(cot[(wide + 2) % 3], 0.0);
    cot[(wide + 1) % 3] = x;
    cot[(wide + 2) % 3] = y;
    const double bound = x + y > 0.0 ? -0.95 * x * y / (x + y) : 0.0;
    if (cot[wide] < 0.0) cot[wide] = std::max(cot[wide], bound);
    return cot;
}

// Mixed Voronoi areas [Meyer2003].
void add_areas(const std::array<Vec3d, 3>& p, const uint32_t* t, const std::array<double, 3>& cot,
               std::vector<double>& area) {
    const double whole = 0.5 * (p[1] - p[0]).cross(p[2] - p[0]).norm();
    for (size_t k = 0; k < 3; ++k) {
        const size_t next = (k + 1) % 3, last = (k + 2) % 3;
        if (cot[0] >= 0.0 && cot[1] >= 0.0 && cot[2] >= 0.0) {
            area[t[k]] +=
                ((p[next] - p[k]).squaredNorm() * cot[last] + (p[last] - p[k]).squaredNorm() * cot[next]) / 8.0;
        } else {
            area[t[k]] += cot[k] < 0.0 ? whole / 2.0 : whole / 4.0;
        }
    }
}

// Bridges over gaps: from each vertex on an open edge to the nearest vertex of another piece.
std::vector<std::pair<uint32_t, uint32_t>> find_links(const Surface& surface, double reach) {
    std::vector<std::pair<uint32_t, uint32_t>> links;
    if (surface.piece_count < 2 || std::find(surface.open.begin(), surface.open.end(), 1) == surface.open.end())
        return links;
    const PointGrid grid(surface.positions, 0.5 * reach);
    std::vector<uint8_t> used(surface.vertex_count(), 0);
    for (uint32_t v = 0; v < surface.vertex_count(); ++v) {
        if (!surface.open[v] || used[v] >= links_per_vertex) continue;
        const int64_t other = grid.nearest(surface.positions[v], reach, [&](uint32_t w) {
            return surface.piece[w] >= 0 && surface.piece[w] != surface.piece[v] && used[w] < links_per_vertex;
        });
        if (other < 0) continue;
        const auto w = static_cast<uint32_t>(other);
        links.emplace_back(std::max(v, w), std::min(v, w));
        ++used[v];
        ++used[w];
    }
    std::sort(links.begin(), links.end());
    links.erase(std::unique(links.begin(), links.end()), links.end());
    return links;
}

}  // namespace

HeatMatrix make_laplacian(const Surface& surface, double link_distance, std::vector<double>& area) {
    const size_t n = surface.vertex_count();
    std::vector<Eigen::Triplet<double, int>> entries;
    entries.reserve(n + 2 * surface.triangles.size());
    std::vector<double> diagonal(n, 0.0);
    area.assign(n, 0.0);
    const auto couple = [&](uint32_t a, uint32_t b, double weight) {
        diagonal[a] += weight;
        diagonal[b] += weight;
        entries.emplace_back(static_cast<int>(std::max(a, b)), static_cast<int>(std::min(a, b)), -weight);
    };
    for (size_t i = 0; i < surface.triangles.size(); i += 3) {
        const uint32_t* t = &surface.triangles[i];
        const std::array<Vec3d, 3> p = {surface.positions[t[0]], surface.positions[t[1]], surface.positions[t[2]]};
        const std::array<double, 3> cot = bounded_cotangents(p[0], p[1], p[2]);
        for (size_t k = 0; k < 3; ++k) couple(t[(k + 1) % 3], t[(k + 2) % 3], 0.5 * cot[k]);
        add_areas(p, t, cot, area);
    }
    HeatMatrix matrix;
    for (const auto& [a, b] : find_links(surface, link_distance)) {
        couple(a, b, link_strength);
        ++matrix.links;
    }
    for (size_t v = 0; v < n; ++v) entries.emplace_back(static_cast<int>(v), static_cast<int>(v), diagonal[v]);
    matrix.lower.resize(static_cast<Eigen::Index>(n), static_cast<Eigen::Index>(n));
    matrix.lower.setFromTriplets(entries.begin(), entries.end());
    // A vertex of slivers only has no area, and still takes up some heat.
    double total = 0.0;
    for (double a : area) total += a;
    const double least_area = std::max(1e-6 * total / static_cast<double>(std::max<size_t>(n, 1)), 1e-15);
    for (double& a : area) a = std::max(a, least_area);
    return matrix;
}

void take_up(HeatMatrix& matrix, std::vector<double> uptake) {
    matrix.uptake = std::move(uptake);
    for (Eigen::Index v = 0; v < matrix.lower.cols(); ++v)  // a lower half: every column begins with its diagonal
        matrix.lower.valuePtr()[matrix.lower.outerIndexPtr()[v]] += matrix.uptake[static_cast<size_t>(v)];
}

}  // namespace sinew
