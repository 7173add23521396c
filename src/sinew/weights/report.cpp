#include <sinew/weights/report.h>

#include <algorithm>
#include <map>

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
    // One flood per joint and island; seen[v] has one bit per slot of the vertex's list.
    std::vector<uint16_t> seen(field.vertex_count(), 0);
    std::vector<Island> islands;
    std::vector<uint32_t> todo;
    for (uint32_t start = 0; start < field.vertex_count(); ++start) {
        for (size_t slot = 0; slot < std::min<size_t>(16, field.of(start).size()); ++slot) {
            const Influence seed = field.of(start)[slot];
            if (seed.weight < counts || (seen[start] >> slot & 1) || surface.piece[start] < 0) continue;
            Island island{.joint = seed.joint, .piece = surface.piece[start]};
            const auto visit = [&](uint32_t v) {
                const std::span<const Influence> list = field.of(v);
                for (size_t k = 0; k < std::min<size_t>(16, list.size()); ++k) {
                    if (list[k].joint != seed.joint || list[k].weight < counts || (seen[v] >> k & 1)) continue;
                    seen[v] = static_cast<uint16_t>(seen[v] | 1 << k);
                    ++island.vertices;
                    island.total += list[k].weight;
                    island.sum += list[k].weight * surface.positions[v];
                    todo.push_back(v);
                }
            };
            visit(start);
            while (!todo.empty()) {
                const uint32_t v = todo.back();
                todo.pop_back();
                for (uint32_t w : neighbours.of(v)) visit(w);
            }
            islands.push_back(island);
        }
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
