#include <sinew/weights/surface.h>

#include <sinew/core/parallel.h>
#include <sinew/mesh/topology.h>
#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

namespace sinew {
namespace {

constexpr double weld_tolerance = 1e-6;
constexpr uint32_t none = UINT32_MAX;

// The middle of the surface, and four times its mean distance from there; of the vertices where there are no faces.
void measure(std::span<const Vec3> points, std::span<const uint32_t> triangles, Vec3d& center, double& size) {
    double mass = 0.0;
    Vec3d sum = Vec3d::Zero();
    const auto each = [&](const auto& visit) {
        for (size_t i = 0; i + 2 < triangles.size(); i += 3) {
            const Vec3d a = points[triangles[i]].cast<double>(), b = points[triangles[i + 1]].cast<double>(),
                        c = points[triangles[i + 2]].cast<double>();
            visit(0.5 * (b - a).cross(c - a).norm(), Vec3d((a + b + c) / 3.0));
        }
    };
    const auto each_point = [&](const auto& visit) {
        for (const Vec3& p : points) visit(1.0, p.cast<double>());
    };
    const auto add = [&](double weight, const Vec3d& p) {
        mass += weight;
        sum += weight * p;
    };
    each(add);
    const bool faces = mass > 0.0;
    if (!faces) each_point(add);
    center = mass > 0.0 ? Vec3d(sum / mass) : Vec3d(Vec3d::Zero());
    double spread = 0.0;
    const auto widen = [&](double weight, const Vec3d& p) { spread += weight * (p - center).norm(); };
    if (faces)
        each(widen);
    else
        each_point(widen);
    size = mass > 0.0 ? 4.0 * spread / mass : 0.0;
    if (!(size > 0.0) || !std::isfinite(size)) size = 1.0;
}

// representative[v] for points within the tolerance of an earlier point. Cells are four tolerances wide, so that a
// point asks one cell, rarely two.
std::vector<uint32_t> weld_near(std::span<const Vec3d> points) {
    struct Entry {
        uint64_t cell;
        uint32_t vertex;
    };
    const double width = 4.0 * weld_tolerance;
    const auto hash = [](int64_t x, int64_t y, int64_t z) {
        uint64_t h = static_cast<uint64_t>(x) * 0x9e3779b97f4a7c15ull;
        h = (h ^ (h >> 32)) + static_cast<uint64_t>(y) * 0xbf58476d1ce4e5b9ull;
        h = (h ^ (h >> 29)) + static_cast<uint64_t>(z) * 0x94d049bb133111ebull;
        return h ^ (h >> 31);
    };
    const auto cell_of = [&](double x) { return static_cast<int64_t>(std::floor(std::clamp(x / width, -1e15, 1e15))); };
    size_t capacity = 16;
    while (capacity < 2 * points.size()) capacity *= 2;
    std::vector<uint32_t> table(capacity, none), next(points.size(), none);
    std::vector<uint32_t> representative(points.size());
    for (uint32_t v = 0; v < points.size(); ++v) {
        const Vec3d& p = points[v];
        std::array<int64_t, 3> low, high;
        for (int k = 0; k < 3; ++k) {
            low[k] = cell_of(p[k] - weld_tolerance);
            high[k] = cell_of(p[k] + weld_tolerance);
        }
        uint32_t found = none;
        for (int64_t x = low[0]; x <= high[0]; ++x)
            for (int64_t y = low[1]; y <= high[1]; ++y)
                for (int64_t z = low[2]; z <= high[2]; ++z)
                    for (uint32_t w = table[hash(x, y, z) & (capacity - 1)]; w != none; w = next[w])
                        if (w < found && (points[w] - p).squaredNorm() <= weld_tolerance * weld_tolerance) found = w;
        representative[v] = found == none ? v : found;
        if (found != none) continue;
        uint32_t& slot = table[hash(cell_of(p[0]), cell_of(p[1]), cell_of(p[2])) & (capacity - 1)];
        next[v] = slot;
        slot = v;
    }
    return representative;
}

// Three corners in one order, to find doubles.
std::array<uint32_t, 3> sorted_corners(const uint32_t* t) {
    std::array<uint32_t, 3> s = {t[0], t[1], t[2]};
    std::sort(s.begin(), s.end());
    return s;
}

void drop_doubles(std::vector<uint32_t>& triangles, size_t vertex_count) {
    // Bucketed by their lowest corner, so that each sort is short.
    const size_t count = triangles.size() / 3;
    std::vector<uint32_t> first(vertex_count + 1, 0), order(count);
    for (size_t t = 0; t < count; ++t) ++first[sorted_corners(&triangles[3 * t])[0] + 1];
    std::partial_sum(first.begin(), first.end(), first.begin());
    std::vector<uint32_t> at(first.begin(), first.end() - 1);
    for (size_t t = 0; t < count; ++t) order[at[sorted_corners(&triangles[3 * t])[0]]++] = static_cast<uint32_t>(t);
    std::vector<uint8_t> drop(count, 0);
    for (size_t v = 0; v < vertex_count; ++v) {
        const auto begin = order.begin() + first[v], end = order.begin() + first[v + 1];
        std::sort(begin, end, [&](uint32_t a, uint32_t b) {
            const auto p = sorted_corners(&triangles[3 * size_t{a}]), q = sorted_corners(&triangles[3 * size_t{b}]);
            return p != q ? p < q : a < b;
        });
        for (auto i = begin; i != end; ++i)
            drop[*i] = i != begin &&
                       sorted_corners(&triangles[3 * size_t{*i}]) == sorted_corners(&triangles[3 * size_t{*(i - 1)}]);
    }
    size_t kept = 0;
    for (size_t t = 0; t < count; ++t) {
        if (drop[t]) continue;
        for (size_t k = 0; k < 3; ++k) triangles[3 * kept + k] = triangles[3 * t + k];
        ++kept;
    }
    triangles.resize(3 * kept);
}

// Which face lies across each edge of each face. Corner 3t + k stands for the edge from corner k to corner k + 1.
struct Edges {
    std::vector<uint32_t> across;  // the corner of the other face; none: open, or shared by more than two
    std::vector<uint8_t> open;     // per vertex
};

Edges connect(const std::vector<uint32_t>& triangles, size_t vertex_count) {
    const size_t corners = triangles.size();
    const auto ends = [&](size_t corner) {
        const size_t t = corner / 3, k = corner % 3;
        const uint32_t a = triangles[corner], b = triangles[3 * t + (k + 1) % 3];
        return std::pair(std::min(a, b), std::max(a, b));
    };
    std::vector<uint32_t> first(vertex_count + 1, 0), order(corners);
    for (size_t c = 0; c < corners; ++c) ++first[ends(c).first + 1];
    std::partial_sum(first.begin(), first.end(), first.begin());
    std::vector<uint32_t> at(first.begin(), first.end() - 1);
    for (size_t c = 0; c < corners; ++c) order[at[ends(c).first]++] = static_cast<uint32_t>(c);
    Edges edges{.across = std::vector<uint32_t>(corners, none), .open = std::vector<uint8_t>(vertex_count, 0)};
    for (size_t v = 0; v < vertex_count; ++v) {
        const auto begin = order.begin() + first[v], end = order.begin() + first[v + 1];
        std::sort(begin, end, [&](uint32_t a, uint32_t b) {
            const uint32_t p = ends(a).second, q = ends(b).second;
            return p != q ? p < q : a < b;
        });
        for (auto i = begin; i != end;) {
            auto j = i + 1;
            while (j != end && ends(*j).second == ends(*i).second) ++j;
            if (j - i == 2) {
                edges.across[*i] = *(i + 1);
                edges.across[*(i + 1)] = *i;
            } else if (j - i == 1) {
                edges.open[v] = edges.open[ends(*i).second] = 1;
            }
            i = j;
        }
    }
    return edges;
}

// Winds neighbours alike from face to face, then turns each patch so that it encloses a positive volume.
void orient(Surface& surface, const Edges& edges) {
    const size_t count = surface.triangle_count();
    std::vector<uint32_t>& triangles = surface.triangles;
    std::vector<uint8_t> seen(count, 0), flip(count, 0);
    std::vector<uint32_t> patch;
    for (uint32_t start = 0; start < count; ++start) {
        if (seen[start]) continue;
        seen[start] = 1;
        patch.assign(1, start);
        Vec3d middle = Vec3d::Zero();
        for (size_t i = 0; i < patch.size(); ++i) {
            const uint32_t t = patch[i];
            for (uint32_t k = 0; k < 3; ++k) {
                middle += surface.positions[triangles[3 * size_t{t} + k]];
                const uint32_t other = edges.across[3 * size_t{t} + k];
                if (other == none || seen[other / 3]) continue;
                const bool alike = triangles[other] != triangles[3 * size_t{t} + k];  // both run the edge the other way
                flip[other / 3] = static_cast<uint8_t>(flip[t] ^ (alike ? 0 : 1));
                seen[other / 3] = 1;
                patch.push_back(other / 3);
            }
        }
        middle /= 3.0 * static_cast<double>(patch.size());
        double volume = 0.0;
        for (uint32_t t : patch) {
            const Vec3d a = surface.positions[triangles[3 * size_t{t}]] - middle,
                        b = surface.positions[triangles[3 * size_t{t} + 1]] - middle,
                        c = surface.positions[triangles[3 * size_t{t} + 2]] - middle;
            volume += (flip[t] ? -1.0 : 1.0) * a.dot(b.cross(c));
        }
        for (uint32_t t : patch)
            if ((flip[t] != 0) != (volume < 0.0)) std::swap(triangles[3 * size_t{t} + 1], triangles[3 * size_t{t} + 2]);
    }
}

void find_pieces(Surface& surface) {
    const size_t n = surface.vertex_count();
    std::vector<uint32_t> parent(n);
    std::iota(parent.begin(), parent.end(), 0u);
    const auto root = [&](uint32_t v) {
        while (parent[v] != v) v = parent[v] = parent[parent[v]];
        return v;
    };
    std::vector<uint8_t> used(n, 0);
    for (size_t i = 0; i < surface.triangles.size(); i += 3) {
        for (size_t k = 0; k < 3; ++k) {
            used[surface.triangles[i + k]] = 1;
            const uint32_t a = root(surface.triangles[i]), b = root(surface.triangles[i + k]);
            parent[std::max(a, b)] = std::min(a, b);
        }
    }
    surface.piece.assign(n, -1);
    for (uint32_t v = 0; v < n; ++v) {  // a root is the lowest vertex of its piece, so it comes first
        if (!used[v]) continue;
        const uint32_t r = root(v);
        surface.piece[v] = r == v ? static_cast<int32_t>(surface.piece_count++) : surface.piece[r];
    }
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
        n = length > 1e-9 ? Vec3d(n / length) : Vec3d(Vec3d::Zero());
    }
}

}  // namespace

Surface make_surface(std::span<const WeightMesh> meshes) {
    Surface surface;
    surface.mesh_begin = {0};
    std::vector<Vec3> points;
    std::vector<uint32_t> faces;
    for (const WeightMesh& mesh : meshes) {
        const auto base = static_cast<uint32_t>(points.size());
        points.insert(points.end(), mesh.positions.begin(), mesh.positions.end());
        for (size_t i = 0; i + 2 < mesh.triangles.size(); i += 3) {
            const uint32_t* t = &mesh.triangles[i];
            if (std::max({t[0], t[1], t[2]}) >= mesh.positions.size()) continue;
            for (int k = 0; k < 3; ++k) faces.push_back(base + t[k]);
        }
        surface.mesh_begin.push_back(points.size());
    }
    std::vector<uint8_t> broken(points.size(), 0);
    for (size_t v = 0; v < points.size(); ++v) {
        if (points[v].allFinite() && points[v].cwiseAbs().maxCoeff() < 1e30f) continue;
        broken[v] = 1;
        points[v] = Vec3::Zero();
        ++surface.broken_positions;
    }
    if (surface.broken_positions > 0) {
        size_t kept = 0;
        for (size_t i = 0; i < faces.size(); i += 3) {
            if (broken[faces[i]] || broken[faces[i + 1]] || broken[faces[i + 2]]) continue;
            for (size_t k = 0; k < 3; ++k) faces[kept + k] = faces[i + k];
            kept += 3;
        }
        faces.resize(kept);
    }
    measure(points, faces, surface.center, surface.size);

    std::vector<Vec3d> unit(points.size());
    for (size_t v = 0; v < points.size(); ++v)
        unit[v] = broken[v] ? Vec3d(Vec3d::Zero()) : surface.to_surface(points[v].cast<double>());
    std::vector<uint32_t> number = weld_near(unit);
    surface.vertex_of.resize(points.size());
    for (uint32_t v = 0; v < points.size(); ++v) {
        if (number[v] == v) {
            surface.vertex_of[v] = static_cast<uint32_t>(surface.positions.size());
            surface.positions.push_back(unit[v]);
        } else {
            surface.vertex_of[v] = surface.vertex_of[number[v]];
        }
    }
    for (size_t i = 0; i < faces.size(); i += 3) {
        const uint32_t a = surface.vertex_of[faces[i]], b = surface.vertex_of[faces[i + 1]],
                       c = surface.vertex_of[faces[i + 2]];
        if (a != b && b != c && c != a) surface.triangles.insert(surface.triangles.end(), {a, b, c});
    }
    drop_doubles(surface.triangles, surface.vertex_count());
    Edges edges = connect(surface.triangles, surface.vertex_count());
    orient(surface, edges);
    surface.open = std::move(edges.open);
    find_pieces(surface);
    make_normals(surface);
    return surface;
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
    uint32_t used = 0;
    for (size_t v = 0; v < n; ++v) {
        const auto begin = result.all.begin() + result.first[v], end = result.all.begin() + result.first[v + 1];
        std::sort(begin, end);
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
