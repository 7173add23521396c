#include <sinew/weights/soften/soften_weights.h>

#include <sinew/core/parallel.h>
#include <sinew/weights/soften/skin_growth.h>
#include <sinew/weights/soften/spread_jumps.h>
#include <algorithm>
#include <utility>

namespace sinew {
namespace {

// share·a + (1 − share)·b
JointShares mix(std::span<const JointShare> a, std::span<const JointShare> b, double share) {
    JointShares sum;
    sum.reserve(a.size() + b.size());
    each_pair(a, b, [&](int joint, double w, double v) { sum.push_back({joint, share * w + (1.0 - share) * v}); });
    return sum;
}

using Edges = std::vector<PlaceEdge>;

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
    for (const PlaceEdge& edge : places.edges)
        if (touched[static_cast<size_t>(edge[0])] || touched[static_cast<size_t>(edge[1])]) edges.push_back(edge);
    return edges;
}

// Draws the ends of each edge that still grows too much together, edge by edge.
void even_out(const SkinGrowth& skin, const SoftenOptions& options, const Edges& edges, SkinPlaces& places) {
    std::vector<uint64_t> changed(places.size(), 0);  // when each place last changed
    std::vector<uint64_t> seen(edges.size(), 0);      // when each edge was last looked at
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
            // Growth beyond 1 is proportional to the difference of the ends.
            const double keep = (options.stretch - 1.0) / (growth - 1.0), share = 0.5 + 0.5 * keep;
            JointShares mixed = mix(places.of(edges[e][0]), places.of(edges[e][1]), share);
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
    // Half way between the least and the most, a jump becomes half as steep as `stretch` allows. So the jumps are
    // spread first, to twice the growth beyond 1, and then whatever is still too steep.
    spread_jumps(growth, 2.0 * options.stretch - 1.0, growing, places);
    growing = growing_edges(growth, options.stretch, touched_edges(growing, places), places);
    spread_jumps(growth, options.stretch, growing, places);
    even_out(growth, options, touched_edges(growing, places), places);
}

std::vector<Influence> largest(std::span<const JointShare> weights, int most) {
    JointShares sorted(weights.begin(), weights.end());
    std::stable_sort(sorted.begin(), sorted.end(),
                     [](const JointShare& a, const JointShare& b) { return a.weight > b.weight; });
    if (static_cast<int>(sorted.size()) > most) sorted.resize(static_cast<size_t>(most));
    while (sorted.size() > 1 && sorted.back().weight < no_weight) sorted.pop_back();
    std::vector<Influence> list;
    for (const auto& [j, w] : sorted) list.push_back({static_cast<uint32_t>(j), static_cast<float>(w)});
    return list;
}

void write_back(const SkinPlaces& places, std::span<const BoundMesh> meshes, size_t joints, int most) {
    for (size_t m = 0; m < meshes.size(); ++m) {
        if (meshes[m].influences->empty()) continue;
        std::vector<uint32_t> first = {0};
        std::vector<Influence> raw;
        for (size_t v = 0; v < places.of_vertex[m].size(); ++v) {
            const int place = places.of_vertex[m][v];
            if (place < 0 || !places.is_changed(place)) {
                for (const Influence& i : meshes[m].influences->of(v)) raw.push_back(i);
            } else {
                for (const Influence& i : largest(places.of(place), most)) raw.push_back(i);
            }
            first.push_back(static_cast<uint32_t>(raw.size()));
        }
        if (auto made = Influences::create(std::move(first), std::move(raw), joints))
            *meshes[m].influences = *std::move(made);
    }
}

}  // namespace

size_t soften_weights(std::span<const BoundMesh> meshes, const Skin& skin, std::span<const int32_t> parents,
                      const SoftenOptions& options) {
    SkinPlaces places = find_places(meshes);
    soften_places(SkinGrowth(skin, parents), options, places);
    if (!places.softened.empty()) write_back(places, meshes, skin.joints.size(), options.influences);
    return places.softened.size();
}

}  // namespace sinew
