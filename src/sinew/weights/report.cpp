#include <sinew/weights/report.h>

#include <algorithm>
#include <map>
#include <numeric>

namespace sinew {
namespace {

constexpr float counts = 0.1f;

struct Island {
    uint32_t joint = 0;
    int32_t piece = 0;
    size_t vertices = 0;
    double total = 0.0;
    Vec3d sum = Vec3d::Zero();
};

}  // namespace

std::vector<LeakSuspect> find_leaks(const WeightField& field, const Surface& surface, const Neighbours& neighbours) {
    // A vertex's weight and its neighbour's for the same joint are of one island: trees of weights, numbered by vertex
    // and slot, with the lowest at the root.
    const size_t slots = field.capacity();
    const auto counted = [&](size_t v) {
        const std::span<const Influence> list = field.of(v);
        size_t count = 0;
        while (surface.piece[v] >= 0 && count < list.size() && list[count].weight >= counts) ++count;
        return list.first(count);
    };
    std::vector<uint32_t> parent(field.vertex_count() * slots);
    std::iota(parent.begin(), parent.end(), 0u);
    const auto root = [&](size_t i) {
        while (parent[i] != i) i = parent[i] = parent[parent[i]];
        return static_cast<uint32_t>(i);
    };
    for (size_t v = 0; v < field.vertex_count(); ++v)
        for (size_t k = 0; k < counted(v).size(); ++k)
            for (const uint32_t w : neighbours.of(static_cast<uint32_t>(v))) {
                if (w >= v) break;
                const std::span<const Influence> others = counted(w);
                for (size_t m = 0; m < others.size(); ++m) {
                    if (others[m].joint != counted(v)[k].joint) continue;
                    const uint32_t one = root(v * slots + k), other = root(w * slots + m);
                    parent[std::max(one, other)] = std::min(one, other);
                }
            }
    std::vector<Island> islands;
    std::vector<uint32_t> island_of(parent.size());
    for (size_t v = 0; v < field.vertex_count(); ++v)
        for (size_t k = 0; k < counted(v).size(); ++k) {
            const auto [joint, weight] = counted(v)[k];
            const size_t i = v * slots + k, top = root(i);
            if (top == i) {
                island_of[i] = static_cast<uint32_t>(islands.size());
                islands.push_back({.joint = joint, .piece = surface.piece[v]});
            }
            Island& island = islands[island_of[top]];
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
        if (i.total > 0.5 * largest[{i.joint, i.piece}] || i.total * 1000.0 < static_cast<double>(field.vertex_count()))
            continue;
        leaks.push_back({static_cast<int32_t>(i.joint), i.vertices, i.total, surface.from_surface(i.sum / i.total)});
    }
    std::stable_sort(leaks.begin(), leaks.end(),
                     [](const LeakSuspect& a, const LeakSuspect& b) { return a.total > b.total; });
    if (leaks.size() > 20) leaks.resize(20);
    return leaks;
}

}  // namespace sinew
