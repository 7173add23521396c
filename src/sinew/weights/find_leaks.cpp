#include <sinew/weights/find_leaks.h>

#include <sinew/core/union_find.h>
#include <algorithm>
#include <map>

namespace sinew {
namespace {

constexpr float counts = 0.1f;        // a lower weight hardly shows when the joint moves. Chosen
constexpr double small_beside = 0.5;  // of the joint's largest island. Chosen: an equal half is a second home
constexpr double too_small = 1000.0;  // under one part in so many of all weight nobody sees it. Chosen
constexpr size_t most_suspects = 20;  // more would fill the report and help nobody. Chosen

struct Island {
    uint32_t joint = 0;
    int32_t piece = 0;
    size_t vertices = 0;
    double total = 0.0;
    Vec3d sum = Vec3d::Zero();
};

}  // namespace

std::vector<LeakSuspect> find_leaks(const WeightField& field, const Surface& surface, const Neighbours& neighbours) {
    // Every weight of every vertex has a number: vertex · slots + slot. The weights of two neighbours for the same
    // joint belong to one island.
    const size_t slots = field.capacity();
    const auto counted = [&](size_t v) {
        const std::span<const Influence> list = field.of(v);
        size_t count = 0;
        while (surface.piece[v] >= 0 && count < list.size() && list[count].weight >= counts) ++count;
        return list.first(count);
    };
    const auto number = [&](size_t v, size_t slot) { return static_cast<uint32_t>(v * slots + slot); };
    UnionFind connected(field.vertex_count() * slots);
    for (size_t v = 0; v < field.vertex_count(); ++v)
        for (size_t k = 0; k < counted(v).size(); ++k)
            for (const uint32_t w : neighbours.of(static_cast<uint32_t>(v))) {
                if (w >= v) break;
                const std::span<const Influence> others = counted(w);
                for (size_t m = 0; m < others.size(); ++m) {
                    if (others[m].joint == counted(v)[k].joint) connected.join(number(v, k), number(w, m));
                }
            }
    std::vector<Island> islands;
    std::vector<uint32_t> island_of(connected.size());
    for (size_t v = 0; v < field.vertex_count(); ++v)
        for (size_t k = 0; k < counted(v).size(); ++k) {
            const auto [joint, weight] = counted(v)[k];
            const uint32_t i = number(v, k), lowest = connected.find(i);
            if (lowest == i) {
                island_of[i] = static_cast<uint32_t>(islands.size());
                islands.push_back({.joint = joint, .piece = surface.piece[v]});
            }
            Island& island = islands[island_of[lowest]];
            ++island.vertices;
            island.total += weight;
            island.sum += weight * surface.positions[v];
        }
    std::map<std::pair<uint32_t, int32_t>, double> largest;
    for (const Island& i : islands) {
        double& most = largest[{i.joint, i.piece}];
        most = std::max(most, i.total);
    }
    std::vector<LeakSuspect> leaks;
    for (const Island& i : islands) {
        if (i.total > small_beside * largest[{i.joint, i.piece}] ||
            i.total * too_small < static_cast<double>(field.vertex_count()))
            continue;
        leaks.push_back({static_cast<int32_t>(i.joint), i.vertices, i.total, surface.from_surface(i.sum / i.total)});
    }
    std::stable_sort(leaks.begin(), leaks.end(),
                     [](const LeakSuspect& a, const LeakSuspect& b) { return a.total > b.total; });
    if (leaks.size() > most_suspects) leaks.resize(most_suspects);
    return leaks;
}

}  // namespace sinew
