#include <sinew/weights/surface/surface_steps.h>

#include <sinew/core/parallel.h>
#include <sinew/core/sort_buckets.h>
#include <sinew/core/union_find.h>
#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

namespace sinew {
namespace {

constexpr uint32_t no_corner = UINT32_MAX;
// Of the volume that the faces would enclose if each were seen squarely from the middle: less is a nearly flat patch.
// Chosen; a sphere has 1.
constexpr double clear_volume = 0.02;
constexpr double no_normal = 1e-9;  // a sum of unit normals this short: the faces around look in opposite directions

// Three corners in ascending order, to find doubles.
std::array<uint32_t, 3> sorted_corners(const uint32_t* t) {
    std::array<uint32_t, 3> s = {t[0], t[1], t[2]};
    std::sort(s.begin(), s.end());
    return s;
}

// Which face lies across each edge of each face. Corner 3t + k stands for the edge from corner k to corner k + 1.
struct Edges {
    std::vector<uint32_t> across;  // the corner of the other face; no_corner: open, or shared by more than two
    std::vector<uint8_t> open;     // per vertex
};

Edges connect(const std::vector<uint32_t>& triangles, size_t vertex_count) {
    const size_t corners = triangles.size();
    const auto ends = [&](size_t corner) {
        const size_t t = corner / 3, k = corner % 3;
        const uint32_t a = triangles[corner], b = triangles[3 * t + (k + 1) % 3];
        return std::pair(std::min(a, b), std::max(a, b));
    };
    // Edges are filed under their lower end. One number holds the higher end and the corner, to sort quickly.
    std::vector<uint32_t> first(vertex_count + 1, 0);
    for (size_t c = 0; c < corners; ++c) ++first[ends(c).first + 1];
    std::partial_sum(first.begin(), first.end(), first.begin());
    std::vector<uint64_t> order(corners);
    std::vector<uint32_t> at(first.begin(), first.end() - 1);
    for (size_t c = 0; c < corners; ++c) {
        const auto [low, high] = ends(c);
        order[at[low]++] = uint64_t{high} << 32 | c;
    }
    sort_buckets<uint64_t>(first, order);
    Edges edges{.across = std::vector<uint32_t>(corners, no_corner), .open = std::vector<uint8_t>(vertex_count, 0)};
    for (size_t v = 0; v < vertex_count; ++v) {
        const auto begin = order.begin() + first[v], end = order.begin() + first[v + 1];
        for (auto i = begin; i != end;) {
            auto j = i + 1;
            while (j != end && *j >> 32 == *i >> 32) ++j;
            const auto a = static_cast<uint32_t>(*i);
            if (j - i == 2) {
                const auto b = static_cast<uint32_t>(*(i + 1));
                edges.across[a] = b;
                edges.across[b] = a;
            } else if (j - i == 1) {
                edges.open[v] = edges.open[*i >> 32] = 1;
            }
            i = j;
        }
    }
    return edges;
}

// Gathers the patch of faces connected to `start`, and notes which of them to flip so that neighbours are wound alike.
void gather_patch(const Surface& surface, const Edges& edges, uint32_t start, std::vector<uint32_t>& patch,
                  std::vector<uint8_t>& seen, std::vector<uint8_t>& flip) {
    const std::vector<uint32_t>& triangles = surface.triangles;
    seen[start] = 1;
    patch.assign(1, start);
    for (size_t i = 0; i < patch.size(); ++i) {
        const uint32_t t = patch[i];
        for (uint32_t k = 0; k < 3; ++k) {
            const uint32_t other = edges.across[3 * size_t{t} + k];
            if (other == no_corner || seen[other / 3]) continue;
            const bool alike = triangles[other] != triangles[3 * size_t{t} + k];  // both run the edge the other way
            flip[other / 3] = static_cast<uint8_t>(flip[t] ^ (alike ? 0 : 1));
            seen[other / 3] = 1;
            patch.push_back(other / 3);
        }
    }
}

// Whether a patch is inside out: it encloses a negative volume, seen from its middle. A nearly flat patch encloses too
// little to tell; then most of its faces keep the side they had.
bool is_inside_out(const Surface& surface, const std::vector<uint32_t>& patch, const std::vector<uint8_t>& flip) {
    const auto corner = [&](uint32_t t, size_t k) { return surface.positions[surface.triangles[3 * size_t{t} + k]]; };
    Vec3d middle = Vec3d::Zero();
    for (uint32_t t : patch)
        for (size_t k = 0; k < 3; ++k) middle += corner(t, k);
    middle /= 3.0 * static_cast<double>(patch.size());
    double volume = 0.0, largest = 0.0;
    size_t flipped = 0;
    for (uint32_t t : patch) {
        const Vec3d a = corner(t, 0) - middle, b = corner(t, 1) - middle, c = corner(t, 2) - middle;
        volume += (flip[t] ? -1.0 : 1.0) * a.dot(b.cross(c));
        largest += (b - a).cross(c - a).norm() * a.norm();  // if every face were seen squarely from the middle
        flipped += flip[t];
    }
    return std::abs(volume) > clear_volume * largest ? volume < 0.0 : 2 * flipped > patch.size();
}

// Winds neighbours alike from face to face, then turns each patch so that it encloses a positive volume.
void orient(Surface& surface, const Edges& edges) {
    const size_t count = surface.triangle_count();
    std::vector<uint8_t> seen(count, 0), flip(count, 0);
    std::vector<uint32_t> patch;
    for (uint32_t start = 0; start < count; ++start) {
        if (seen[start]) continue;
        gather_patch(surface, edges, start, patch, seen, flip);
        const bool inside_out = is_inside_out(surface, patch, flip);
        for (uint32_t t : patch)
            if ((flip[t] != 0) != inside_out)
                std::swap(surface.triangles[3 * size_t{t} + 1], surface.triangles[3 * size_t{t} + 2]);
    }
}

void find_pieces(Surface& surface) {
    const size_t n = surface.vertex_count();
    UnionFind pieces(n);
    std::vector<uint8_t> used(n, 0);
    for (size_t i = 0; i < surface.triangles.size(); i += 3) {
        for (size_t k = 0; k < 3; ++k) {
            used[surface.triangles[i + k]] = 1;
            pieces.join(surface.triangles[i], surface.triangles[i + k]);
        }
    }
    surface.piece_count = 0;
    surface.piece.assign(n, -1);
    for (uint32_t v = 0; v < n; ++v) {  // a piece is named after its lowest vertex, which comes first
        if (!used[v]) continue;
        const uint32_t lowest = pieces.find(v);
        surface.piece[v] = lowest == v ? static_cast<int32_t>(surface.piece_count++) : surface.piece[lowest];
    }
}

}  // namespace

void drop_doubles(std::vector<uint32_t>& triangles, size_t vertex_count) {
    struct Entry {
        uint64_t others;  // the two higher corners
        uint32_t triangle;
        bool operator<(const Entry& o) const { return others != o.others ? others < o.others : triangle < o.triangle; }
    };
    // Filed under their lowest corner, so that each sort is short. In that order, neighbours in space stay neighbours
    // in memory.
    const size_t count = triangles.size() / 3;
    std::vector<uint32_t> first(vertex_count + 1, 0);
    for (size_t t = 0; t < count; ++t)
        ++first[std::min({triangles[3 * t], triangles[3 * t + 1], triangles[3 * t + 2]}) + 1];
    std::partial_sum(first.begin(), first.end(), first.begin());
    std::vector<Entry> order(count);
    std::vector<uint32_t> at(first.begin(), first.end() - 1);
    for (size_t t = 0; t < count; ++t) {
        const std::array<uint32_t, 3> s = sorted_corners(&triangles[3 * t]);
        order[at[s[0]]++] = {uint64_t{s[1]} << 32 | s[2], static_cast<uint32_t>(t)};
    }
    sort_buckets<Entry>(first, order);
    std::vector<uint32_t> kept;
    kept.reserve(triangles.size());
    for (size_t v = 0; v < vertex_count; ++v) {
        const auto begin = order.begin() + first[v], end = order.begin() + first[v + 1];
        for (auto i = begin; i != end; ++i) {
            if (i != begin && i->others == (i - 1)->others) continue;
            const uint32_t* t = &triangles[3 * size_t{i->triangle}];
            kept.insert(kept.end(), t, t + 3);
        }
    }
    triangles = std::move(kept);
}

void connect_faces(Surface& surface) {
    Edges edges;
    parallel_for(2, 1, [&](size_t part, size_t) {
        if (part == 0)
            edges = connect(surface.triangles, surface.vertex_count());
        else
            find_pieces(surface);
    });
    orient(surface, edges);
    surface.open = std::move(edges.open);
}

void make_normals(Surface& surface) {
    surface.normals.assign(surface.vertex_count(), Vec3d::Zero());
    for (size_t i = 0; i < surface.triangles.size(); i += 3) {
        const uint32_t* t = &surface.triangles[i];
        const Vec3d cross = (surface.positions[t[1]] - surface.positions[t[0]])
                                .cross(surface.positions[t[2]] - surface.positions[t[0]]);
        const double length = cross.norm();
        if (!(length > 0.0)) continue;
        for (int k = 0; k < 3; ++k) surface.normals[t[k]] += cross / length;
    }
    for (Vec3d& n : surface.normals) {
        const double length = n.norm();
        n = length > no_normal ? Vec3d(n / length) : Vec3d(Vec3d::Zero());
    }
}

Neighbours neighbours(const Surface& surface) {
    const size_t n = surface.vertex_count();
    Neighbours result;
    result.first.assign(n + 1, 0);
    for (uint32_t v : surface.triangles) result.first[v + 1] += 2;
    std::partial_sum(result.first.begin(), result.first.end(), result.first.begin());
    std::vector<uint32_t> at(result.first.begin(), result.first.end() - 1);
    result.all.resize(2 * surface.triangles.size());
    for (size_t i = 0; i < surface.triangles.size(); i += 3) {
        for (size_t k = 0; k < 3; ++k) {
            const uint32_t a = surface.triangles[i + k], b = surface.triangles[i + (k + 1) % 3];
            result.all[at[a]++] = b;
            result.all[at[b]++] = a;
        }
    }
    sort_buckets<uint32_t>(result.first, result.all);
    uint32_t used = 0;
    for (size_t v = 0; v < n; ++v) {
        const auto begin = result.all.begin() + result.first[v], end = result.all.begin() + result.first[v + 1];
        const uint32_t from = used;
        for (auto i = begin; i != end; ++i)
            if (i == begin || *i != *(i - 1)) result.all[used++] = *i;
        result.first[v] = from;
    }
    result.first[n] = used;
    result.all.resize(used);
    return result;
}

}  // namespace sinew
