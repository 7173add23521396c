#include <sinew/mesh/orient.h>

#include <sinew/core/sort_buckets.h>
#include <sinew/mesh/topology.h>
#include <algorithm>
#include <cmath>

namespace sinew {
namespace {

// One side of one triangle, filed under its lower end. Sorting brings the sides of the same edge together.
struct HalfEdge {
    uint32_t high, triangle;
    bool forward;  // runs from the lower end to the higher
    bool operator<(const HalfEdge& o) const { return high != o.high ? high < o.high : triangle < o.triangle; }
};

struct Link {
    uint32_t to;
    bool turn;  // the two disagree
};

struct Links {
    std::vector<uint32_t> first;
    std::vector<Link> all;
};

// The half edges of vertex v, sorted, are [first[v], first[v + 1]).
struct HalfEdges {
    std::vector<uint32_t> first;
    std::vector<HalfEdge> all;
};

HalfEdges half_edges(std::span<const uint32_t> weld, std::span<const uint32_t> triangles) {
    const auto each = [&](const auto& visit) {
        for (uint32_t i = 0; i + 2 < triangles.size(); i += 3)
            for (uint32_t k = 0; k < 3; ++k) {
                const uint32_t a = weld[triangles[i + k]], b = weld[triangles[i + (k + 1) % 3]];
                if (a != b) visit(std::min(a, b), HalfEdge{std::max(a, b), i / 3, a < b});
            }
    };
    HalfEdges edges;
    edges.first.assign(weld.size() + 1, 0);
    each([&](uint32_t low, const HalfEdge&) { ++edges.first[low + 1]; });
    for (size_t v = 0; v < weld.size(); ++v) edges.first[v + 1] += edges.first[v];
    edges.all.resize(edges.first.back());
    std::vector<uint32_t> next(edges.first.begin(), edges.first.end() - 1);
    each([&](uint32_t low, const HalfEdge& edge) { edges.all[next[low]++] = edge; });
    sort_buckets<HalfEdge>(edges.first, edges.all);
    return edges;
}

// visit(the half edges of one edge) for every edge.
template <class Visit>
void each_edge(const HalfEdges& edges, const Visit& visit) {
    for (size_t v = 0; v + 1 < edges.first.size(); ++v)
        for (size_t i = edges.first[v]; i < edges.first[v + 1];) {
            size_t end = i + 1;
            while (end < edges.first[v + 1] && edges.all[end].high == edges.all[i].high) ++end;
            visit(std::span(edges.all).subspan(i, end - i));
            i = end;
        }
}

Links link_faces(const HalfEdges& edges, size_t triangle_count) {
    Links links;
    links.first.assign(triangle_count + 1, 0);
    std::vector<std::pair<uint32_t, Link>> found;
    found.reserve(edges.all.size());
    each_edge(edges, [&](std::span<const HalfEdge> sides) {
        if (sides.size() != 2) return;
        const bool turn = sides[0].forward == sides[1].forward;
        found.push_back({sides[0].triangle, {sides[1].triangle, turn}});
        found.push_back({sides[1].triangle, {sides[0].triangle, turn}});
    });
    for (const auto& [from, link] : found) ++links.first[from + 1];
    for (size_t t = 1; t < links.first.size(); ++t) links.first[t] += links.first[t - 1];
    links.all.resize(found.size());
    std::vector<uint32_t> next(links.first.begin(), links.first.end() - 1);
    for (const auto& [from, link] : found) links.all[next[from]++] = link;
    return links;
}

// Whether a piece must be turned as a whole: by its signed volume about its own centre if that is clear, and if not, by
// the way most of its area looked before.
bool piece_looks_inward(std::span<const Vec3> positions, std::span<const uint32_t> triangles,
                        std::span<const uint32_t> piece, std::span<const uint8_t> flip) {
    Vec3d centre = Vec3d::Zero();
    double area = 0.0, flipped_area = 0.0;
    const auto corner = [&](uint32_t t, uint32_t k) { return Vec3d(positions[triangles[3 * t + k]].cast<double>()); };
    for (uint32_t t : piece) {
        const Vec3d a = corner(t, 0), b = corner(t, 1), c = corner(t, 2);
        const double size = 0.5 * (b - a).cross(c - a).norm();
        centre += size * (a + b + c) / 3.0;
        area += size;
        if (flip[t]) flipped_area += size;
    }
    if (!(area > 0.0)) return false;
    centre /= area;
    double volume = 0.0;
    for (uint32_t t : piece) {
        const Vec3d a = corner(t, 0) - centre, b = corner(t, 1) - centre, c = corner(t, 2) - centre;
        volume += (flip[t] ? -1.0 : 1.0) * a.dot(b.cross(c)) / 6.0;
    }
    // A sphere has a volume of 0.094 area^1.5, and a thin tube of 1 : 20 still 0.02.
    constexpr double clear_share = 0.004;
    const double clear = clear_share * std::pow(area, 1.5);
    return std::abs(volume) > clear ? volume < 0.0 : flipped_area > 0.5 * area;
}

}  // namespace

OrientedFaces orient_faces(std::span<const Vec3> positions, std::span<const uint32_t> triangles,
                           const OrientOptions& options) {
    const size_t count = triangles.size() / 3;
    OrientedFaces result{.flip = std::vector<uint8_t>(count, 0)};
    const HalfEdges edges = half_edges(weld_exact(positions), triangles.first(3 * count));
    each_edge(edges, [&](std::span<const HalfEdge> sides) { result.open_edges |= sides.size() % 2 != 0; });
    if (!result.open_edges && !options.closed_too) return result;
    const Links links = link_faces(edges, count);
    std::vector<uint8_t> seen(count, 0);
    std::vector<uint32_t> piece;
    for (uint32_t seed = 0; seed < count; ++seed) {
        if (seen[seed]) continue;
        piece.assign(1, seed);
        seen[seed] = 1;
        for (size_t i = 0; i < piece.size(); ++i) {
            const uint32_t t = piece[i];
            for (uint32_t l = links.first[t]; l < links.first[t + 1]; ++l) {
                const Link& link = links.all[l];
                if (seen[link.to]) continue;
                seen[link.to] = 1;
                result.flip[link.to] = result.flip[t] ^ static_cast<uint8_t>(link.turn);
                piece.push_back(link.to);
            }
        }
        if (piece_looks_inward(positions, triangles, piece, result.flip))
            for (uint32_t t : piece) result.flip[t] ^= 1;
    }
    return result;
}

}  // namespace sinew
