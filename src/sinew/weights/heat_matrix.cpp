#include <sinew/weights/heat_matrix.h>

#include <sinew/core/parallel.h>
#include <sinew/core/sort_buckets.h>
#include <sinew/weights/point_grid.h>
#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

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

// What a triangle adds: to the flow along the side across each corner, and to the area around each corner.
struct Share {
    std::array<double, 3> flow, area;
};

// Areas are mixed Voronoi areas [Meyer2003].
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
    parallel_for(shares.size(), 4096, [&](size_t begin, size_t end) {
        for (size_t i = begin; i < end; ++i) {
            const uint32_t* t = &surface.triangles[3 * i];
            shares[i] = share_of(surface.positions[t[0]], surface.positions[t[1]], surface.positions[t[2]]);
        }
    });
    return shares;
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

// All that heat flows along: the sides across the triangles' corners, then the links.
struct Flows {
    const Surface& surface;
    std::vector<Share> shares;
    std::vector<std::pair<uint32_t, uint32_t>> links;

    size_t size() const { return surface.triangles.size() + links.size(); }
    // The higher end first.
    std::pair<uint32_t, uint32_t> ends(size_t i) const {
        if (i >= surface.triangles.size()) return links[i - surface.triangles.size()];
        const uint32_t* t = &surface.triangles[i - i % 3];
        const uint32_t a = t[(i + 1) % 3], b = t[(i + 2) % 3];
        return {std::max(a, b), std::min(a, b)};
    }
    double strength(size_t i) const { return i < surface.triangles.size() ? shares[i / 3].flow[i % 3] : link_strength; }
};

Eigen::SparseMatrix<double> lower_half(const Flows& flows, size_t n) {
    // Filed under the lower end; the higher end above the flow's number, to sort quickly.
    std::vector<double> diagonal(n, 0.0);
    std::vector<uint32_t> first(n + 1, 0);
    for (size_t i = 0; i < flows.size(); ++i) {
        const auto [high, low] = flows.ends(i);
        diagonal[high] += flows.strength(i);
        diagonal[low] += flows.strength(i);
        ++first[low + 1];
    }
    std::partial_sum(first.begin(), first.end(), first.begin());
    std::vector<uint64_t> order(flows.size());
    std::vector<uint32_t> at(first.begin(), first.end() - 1);
    for (size_t i = 0; i < flows.size(); ++i) {
        const auto [high, low] = flows.ends(i);
        order[at[low]++] = uint64_t{high} << 32 | i;
    }
    sort_buckets<uint64_t>(first, order);
    Eigen::SparseMatrix<double> lower(static_cast<Eigen::Index>(n), static_cast<Eigen::Index>(n));
    int* begin_of = lower.outerIndexPtr();
    const auto is_new = [&](size_t v, size_t i) { return i == first[v] || order[i] >> 32 != order[i - 1] >> 32; };
    const auto each_column = [&](const auto& visit) {
        parallel_for(n, 8192, [&](size_t begin, size_t end) {
            for (size_t v = begin; v < end; ++v) visit(v);
        });
    };
    each_column([&](size_t v) {
        begin_of[v + 1] = 1;
        for (size_t i = first[v]; i < first[v + 1]; ++i) begin_of[v + 1] += is_new(v, i);
    });
    std::partial_sum(begin_of, begin_of + n + 1, begin_of);
    lower.resizeNonZeros(begin_of[n]);
    each_column([&](size_t v) {
        int slot = begin_of[v];
        lower.innerIndexPtr()[slot] = static_cast<int>(v);
        lower.valuePtr()[slot] = diagonal[v];
        for (size_t i = first[v]; i < first[v + 1]; ++i) {
            if (is_new(v, i)) {
                lower.innerIndexPtr()[++slot] = static_cast<int>(order[i] >> 32);
                lower.valuePtr()[slot] = 0.0;
            }
            lower.valuePtr()[slot] -= flows.strength(static_cast<uint32_t>(order[i]));
        }
    });
    return lower;
}

}  // namespace

HeatMatrix make_laplacian(const Surface& surface, double link_distance, std::vector<double>& area) {
    const size_t n = surface.vertex_count();
    const Flows flows{surface, shares_of(surface), find_links(surface, link_distance)};
    HeatMatrix matrix{.lower = lower_half(flows, n), .uptake = {}, .links = flows.links.size()};
    area.assign(n, 0.0);
    for (size_t i = 0; i < surface.triangles.size(); ++i) area[surface.triangles[i]] += flows.shares[i / 3].area[i % 3];
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
