#include <sinew/pipeline/soften_weights.h>

#include <sinew/core/parallel.h>
#include <sinew/core/sort_buckets.h>
#include <sinew/mesh/space_curve.h>
#include <sinew/mesh/topology.h>
#include <sinew/pipeline/skin_growth.h>
#include <sinew/pipeline/spread_jumps.h>
#include <algorithm>
#include <array>
#include <numeric>
#include <set>
#include <span>
#include <utility>

namespace sinew {
namespace {

// share·a + (1 − share)·b
Shares mix(std::span<const Share> a, std::span<const Share> b, double share) {
    Shares sum;
    sum.reserve(a.size() + b.size());
    each_pair(a, b, [&](int joint, double w, double v) { sum.push_back({joint, share * w + (1.0 - share) * v}); });
    return sum;
}

using Edges = std::vector<std::array<int, 2>>;

Edges growing_edges(const SkinGrowth& growth, double stretch, const Edges& edges, const SkinPlaces& places) {
    constexpr size_t grain = 8192;
    std::vector<char> grows(edges.size(), 0);
    parallel_for(edges.size(), grain, [&](size_t begin, size_t end) {
        SkinGrowth::Scratch scratch;
        for (size_t e = begin; e < end; ++e) grows[e] = growth.growth(places, edges[e], scratch) > stretch;
    });
    Edges growing;
    for (size_t e = 0; e < grows.size(); ++e)
        if (grows[e]) growing.push_back(edges[e]);
    return growing;
}

// The edges at places that have changed, and at the ends of `growing`.
Edges touched_edges(const Edges& growing, const SkinPlaces& places) {
    std::vector<char> touched(places.size(), 0);
    for (size_t p = 0; p < touched.size(); ++p) touched[p] = places.changed[p] >= 0;
    for (const auto& [a, b] : growing) touched[static_cast<size_t>(a)] = touched[static_cast<size_t>(b)] = 1;
    Edges edges;
    for (const std::array<int, 2>& edge : places.edges)
        if (touched[static_cast<size_t>(edge[0])] || touched[static_cast<size_t>(edge[1])]) edges.push_back(edge);
    return edges;
}

// Edge by edge, those that still grow too much.
void even_out(const SkinGrowth& skin, const SoftenOptions& options, const Edges& edges, SkinPlaces& places) {
    std::vector<uint64_t> changed(places.size(), 0), seen(edges.size(), 0);  // when a place changed, an edge was seen
    uint64_t now = 0;
    SkinGrowth::Scratch scratch;
    for (int round = 0; round < options.rounds; ++round) {
        bool any = false;
        for (size_t e = 0; e < edges.size(); ++e) {
            const auto i = static_cast<size_t>(edges[e][0]), k = static_cast<size_t>(edges[e][1]);
            if (changed[i] < seen[e] && changed[k] < seen[e]) continue;
            seen[e] = ++now;
            const double growth = skin.growth(places, edges[e], scratch);
            if (growth <= options.stretch) continue;
            // Growth beyond 1 shrinks in proportion to the difference.
            const double keep = (options.stretch - 1.0) / (growth - 1.0), share = 0.5 + 0.5 * keep;
            Shares mixed = mix(places.of(edges[e][0]), places.of(edges[e][1]), share);
            places.set(edges[e][1], mix(places.of(edges[e][1]), places.of(edges[e][0]), share));
            places.set(edges[e][0], std::move(mixed));
            changed[i] = changed[k] = now;
            any = true;
        }
        if (!any) break;
    }
}

void soften_places(const SkinGrowth& growth, const SoftenOptions& options, SkinPlaces& places) {
    Edges growing = growing_edges(growth, options.stretch, places.edges, places);
    if (growing.empty()) return;
    // Half way between the least and the most, a jump becomes half as steep as it might be: first the jumps, then what
    // was steep before.
    spread_jumps(growth, 2.0 * options.stretch - 1.0, growing, places);
    growing = growing_edges(growth, options.stretch, touched_edges(growing, places), places);
    spread_jumps(growth, options.stretch, growing, places);
    even_out(growth, options, touched_edges(growing, places), places);
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

struct Part {
    Primitive* primitive = nullptr;
    std::vector<int> place;  // per vertex; −1: not bound
};

std::vector<uint32_t> order_in_space(std::span<const Vec3> positions) {
    std::vector<Vec3d> points;
    points.reserve(positions.size());
    Eigen::AlignedBox3d box(Vec3d::Zero());
    for (const Vec3& p : positions) box.extend(points.emplace_back(p.cast<double>()));
    return order_on_curve(points, box.min(), std::max(box.sizes().maxCoeff(), 1e-30));
}

// Places are numbered so that an edge's ends are near each other in memory, too; each has the weights of the first
// vertex there that is bound. Returns every vertex's place; −1: not bound.
std::vector<int> make_places(std::span<const Vec3> positions, std::span<const std::span<const Influence>> lists,
                             SkinPlaces& places) {
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
        if (lists[v].empty() || owner[first[v]] != UINT32_MAX) continue;
        owner[first[v]] = v;
        shares += lists[v].size();
    }
    places.bound.reserve(shares);
    std::vector<int> place(positions.size(), -1);
    for (const uint32_t v : order) {
        if (owner[first[v]] != v) continue;
        place[v] = static_cast<int>(places.position.size());
        places.position.push_back(positions[v]);
        for (const auto& [joint, weight] : lists[v])
            places.bound.push_back({static_cast<int>(joint), static_cast<double>(weight)});
        std::sort(places.bound.begin() + static_cast<std::ptrdiff_t>(places.first.back()), places.bound.end(),
                  [](const Share& a, const Share& b) { return a.joint < b.joint; });
        places.first.push_back(places.bound.size());
    }
    for (size_t v = 0; v < place.size(); ++v)
        if (!lists[v].empty()) place[v] = place[owner[first[v]]];
    return place;
}

std::vector<Part> gather(Character& character, int skin, SkinPlaces& places) {
    std::vector<Part> parts;
    std::set<int32_t> seen;
    for (const MeshInstance& instance : character.instances) {
        if (instance.skin != skin || !seen.insert(instance.mesh).second) continue;
        for (Primitive& primitive : character.meshes[static_cast<size_t>(instance.mesh)].primitives)
            if (!primitive.influences.empty()) parts.push_back({&primitive, {}});
    }
    std::vector<Vec3> positions;
    std::vector<std::span<const Influence>> lists;
    for (const Part& part : parts)
        for (size_t v = 0; v < part.primitive->mesh.positions.size(); ++v) {
            const Vec3& p = part.primitive->mesh.positions[v];
            positions.push_back(p.allFinite() ? p : Vec3::Zero());
            lists.push_back(p.allFinite() ? part.primitive->influences.of(v) : std::span<const Influence>());
        }
    const std::vector<int> place = make_places(positions, lists, places);
    size_t base = 0;
    for (Part& part : parts) {
        const Mesh& mesh = part.primitive->mesh;
        part.place.assign(place.data() + base, place.data() + base + mesh.positions.size());
        base += mesh.positions.size();
        const auto& t = mesh.triangles;
        for (size_t i = 0; i + 2 < t.size(); i += 3)
            for (size_t k = 0; k < 3; ++k) {
                const int a = part.place[t[i + k]], b = part.place[t[i + (k + 1) % 3]];
                if (a < 0 || b < 0 || a == b) continue;
                const auto length = static_cast<double>(
                    (places.position[static_cast<size_t>(a)] - places.position[static_cast<size_t>(b)]).norm());
                if (length > 0.0) places.edges.push_back({std::min(a, b), std::max(a, b)});
            }
    }
    sort_edges(places);
    places.changed.assign(places.position.size(), -1);
    return parts;
}

void write_back(const SkinPlaces& places, const std::vector<Part>& parts, size_t joints, int most) {
    for (const Part& part : parts) {
        std::vector<uint32_t> first = {0};
        std::vector<Influence> raw;
        for (size_t v = 0; v < part.place.size(); ++v) {
            const int place = part.place[v];
            if (place < 0 || places.changed[static_cast<size_t>(place)] < 0) {
                for (const Influence& i : part.primitive->influences.of(v)) raw.push_back(i);
            } else {
                Shares weights(places.of(place).begin(), places.of(place).end());
                std::stable_sort(weights.begin(), weights.end(),
                                 [](const Share& a, const Share& b) { return a.weight > b.weight; });
                if (static_cast<int>(weights.size()) > most) weights.resize(static_cast<size_t>(most));
                for (const auto& [j, w] : weights) raw.push_back({static_cast<uint32_t>(j), static_cast<float>(w)});
            }
            first.push_back(static_cast<uint32_t>(raw.size()));
        }
        if (auto made = Influences::create(std::move(first), std::move(raw), joints))
            part.primitive->influences = *std::move(made);
    }
}

}  // namespace

size_t soften_weights(Character& character, const SoftenOptions& options) {
    size_t changed = 0;
    for (size_t s = 0; s < character.skins.size(); ++s) {
        SkinPlaces places;
        const std::vector<Part> parts = gather(character, static_cast<int>(s), places);
        soften_places(SkinGrowth(character.skeleton, character.skins[s]), options, places);
        if (places.softened.empty()) continue;
        write_back(places, parts, character.skins[s].joints.size(), options.influences);
        changed += places.softened.size();
    }
    return changed;
}

}  // namespace sinew
