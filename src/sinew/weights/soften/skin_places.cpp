#include <sinew/weights/soften/skin_places.h>

#include <sinew/core/parallel.h>
#include <sinew/core/sort_buckets.h>
#include <sinew/mesh/space_curve.h>
#include <sinew/mesh/topology.h>
#include <algorithm>
#include <numeric>
#include <utility>

namespace sinew {
namespace {

// All vertices of all meshes, one mesh after another. What is not bound has no weights.
struct Vertices {
    std::vector<Vec3> positions;
    std::vector<std::span<const Influence>> weights;
};

Vertices join_meshes(std::span<const BoundMesh> meshes) {
    Vertices all;
    for (const BoundMesh& mesh : meshes) {
        if (mesh.influences->empty()) continue;
        for (size_t v = 0; v < mesh.positions.size(); ++v) {
            const bool finite = mesh.positions[v].allFinite();
            all.positions.push_back(finite ? mesh.positions[v] : Vec3::Zero());
            all.weights.push_back(finite ? mesh.influences->of(v) : std::span<const Influence>());
        }
    }
    return all;
}

std::vector<uint32_t> order_in_space(std::span<const Vec3> positions) {
    constexpr double least_width = 1e-30;  // all points in one place: any positive width will do
    std::vector<Vec3d> points;
    points.reserve(positions.size());
    Eigen::AlignedBox3d box(Vec3d::Zero());
    for (const Vec3& p : positions) box.extend(points.emplace_back(p.cast<double>()));
    return order_on_curve(points, box.min(), std::max(box.sizes().maxCoeff(), least_width));
}

// Numbers the places along a curve, so that the ends of an edge are near each other in memory too. Returns every
// vertex's place; −1: not bound.
std::vector<int> number_places(const Vertices& vertices, SkinPlaces& places) {
    const std::vector<Vec3>& positions = vertices.positions;
    std::vector<uint32_t> first, order;
    parallel_for(2, 1, [&](size_t part, size_t) {
        if (part == 0)
            first = weld_exact(positions);
        else
            order = order_in_space(positions);
    });
    std::vector<uint32_t> owner(positions.size(), UINT32_MAX);  // of a place, under the first vertex there
    size_t shares = 0;
    for (uint32_t v = 0; v < positions.size(); ++v) {
        if (vertices.weights[v].empty() || owner[first[v]] != UINT32_MAX) continue;
        owner[first[v]] = v;
        shares += vertices.weights[v].size();
    }
    places.bound.reserve(shares);
    std::vector<int> place(positions.size(), -1);
    for (const uint32_t v : order) {
        if (owner[first[v]] != v) continue;
        place[v] = static_cast<int>(places.position.size());
        places.position.push_back(positions[v]);
        for (const auto& [joint, weight] : vertices.weights[v])
            places.bound.push_back({static_cast<int>(joint), static_cast<double>(weight)});
        std::sort(places.bound.begin() + static_cast<std::ptrdiff_t>(places.first.back()), places.bound.end(),
                  [](const JointShare& a, const JointShare& b) { return a.joint < b.joint; });
        places.first.push_back(places.bound.size());
    }
    for (size_t v = 0; v < place.size(); ++v)
        if (!vertices.weights[v].empty()) place[v] = place[owner[first[v]]];
    return place;
}

// By their lower ends, then by their higher ones; each once.
void sort_edges(SkinPlaces& places) {
    std::vector<uint32_t> first(places.position.size() + 1, 0);
    for (const auto& [low, high] : places.edges) ++first[static_cast<size_t>(low) + 1];
    std::partial_sum(first.begin(), first.end(), first.begin());
    std::vector<int> highs(places.edges.size());
    std::vector<uint32_t> at(first.begin(), first.end() - 1);
    for (const auto& [low, high] : places.edges) highs[at[static_cast<size_t>(low)]++] = high;
    sort_buckets<int>(first, highs);
    places.edges.clear();
    for (size_t v = 0; v < places.position.size(); ++v) {
        const auto begin = highs.begin() + first[v], end = highs.begin() + first[v + 1];
        for (auto i = begin; i != end; ++i)
            if (i == begin || *i != *(i - 1)) places.edges.push_back({static_cast<int>(v), *i});
    }
}

void add_edges(std::span<const uint32_t> triangles, std::span<const int> place, SkinPlaces& places) {
    for (size_t i = 0; i + 2 < triangles.size(); i += 3)
        for (size_t k = 0; k < 3; ++k) {
            const int a = place[triangles[i + k]], b = place[triangles[i + (k + 1) % 3]];
            if (a < 0 || b < 0 || a == b) continue;
            const auto length = static_cast<double>(
                (places.position[static_cast<size_t>(a)] - places.position[static_cast<size_t>(b)]).norm());
            if (length > 0.0) places.edges.push_back({std::min(a, b), std::max(a, b)});
        }
}

}  // namespace

void SkinPlaces::set(int place, JointShares weights) {
    int& slot = changed[static_cast<size_t>(place)];
    if (slot < 0) {
        slot = static_cast<int>(softened.size());
        softened.emplace_back();
    }
    softened[static_cast<size_t>(slot)] = std::move(weights);
}

SkinPlaces find_places(std::span<const BoundMesh> meshes) {
    SkinPlaces places;
    const std::vector<int> place = number_places(join_meshes(meshes), places);
    places.of_vertex.resize(meshes.size());
    size_t base = 0;
    for (size_t m = 0; m < meshes.size(); ++m) {
        if (meshes[m].influences->empty()) continue;
        places.of_vertex[m].assign(place.data() + base, place.data() + base + meshes[m].positions.size());
        base += meshes[m].positions.size();
        add_edges(meshes[m].triangles, places.of_vertex[m], places);
    }
    sort_edges(places);
    places.changed.assign(places.position.size(), -1);
    return places;
}

}  // namespace sinew
