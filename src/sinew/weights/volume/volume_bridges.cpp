#include <sinew/weights/volume/volume.h>

#include <sinew/weights/surface/point_grid.h>
#include <algorithm>
#include <cmath>

namespace sinew {
namespace {

constexpr double reach_share = 2.0;  // of the grid's diagonal: everything is within it
constexpr int most_rounds = 64;      // each round at least halves the parts, so this is enough for 2⁶⁴

std::vector<uint32_t> find_parts(const Volume& volume) {
    std::vector<uint32_t> part(volume.size(), Volume::no_cell), stack;
    uint32_t count = 0;
    for (uint32_t seed = 0; seed < volume.size(); ++seed) {
        if (part[seed] != Volume::no_cell) continue;
        part[seed] = count;
        stack.assign(1, seed);
        while (!stack.empty()) {
            const uint32_t c = stack.back();
            stack.pop_back();
            for (uint32_t i = volume.first[c]; i < volume.first[c + 1]; ++i) {
                const uint32_t other = volume.others[i];
                if (part[other] != Volume::no_cell) continue;
                part[other] = count;
                stack.push_back(other);
            }
        }
        ++count;
    }
    return part;
}

struct Bridge {
    uint32_t from = 0, to = 0;
    double length = INFINITY;
};

// The shortest way out of every part without a marked cell, to any other part.
std::vector<Bridge> shortest_bridges(const Volume& volume, const PointGrid& grid, std::span<const uint32_t> part,
                                     std::span<const uint8_t> good, double reach) {
    std::vector<Bridge> best(good.size());
    for (uint32_t c = 0; c < volume.size(); ++c) {
        Bridge& bridge = best[part[c]];
        if (good[part[c]]) continue;
        const double within = std::min(bridge.length, reach);
        const int64_t other = grid.nearest(volume.centres[c], within, [&](uint32_t o) { return part[o] != part[c]; });
        if (other < 0) continue;
        const auto o = static_cast<uint32_t>(other);
        const double length = (volume.centres[o] - volume.centres[c]).norm();
        if (length < bridge.length) bridge = {c, o, length};
    }
    return best;
}

void add_flows(Volume& volume, const std::vector<Bridge>& bridges) {
    std::vector<std::vector<std::pair<uint32_t, double>>> extra(volume.size());
    for (const Bridge& b : bridges) {
        // As if the two were neighbours, so that a floating part takes the weights of what it is nearest to.
        const double flow = std::min(volume.sizes[b.from], volume.sizes[b.to]);
        extra[b.from].push_back({b.to, flow});
        extra[b.to].push_back({b.from, flow});
    }
    std::vector<uint32_t> first = {0}, others;
    std::vector<double> flows;
    for (size_t c = 0; c < volume.size(); ++c) {
        for (uint32_t i = volume.first[c]; i < volume.first[c + 1]; ++i)
            others.push_back(volume.others[i]), flows.push_back(volume.flows[i]);
        for (const auto& [other, flow] : extra[c]) others.push_back(other), flows.push_back(flow);
        first.push_back(static_cast<uint32_t>(others.size()));
    }
    volume.first = std::move(first), volume.others = std::move(others), volume.flows = std::move(flows);
}

}  // namespace

size_t bridge_parts(Volume& volume, std::span<const std::vector<uint32_t>> cells) {
    size_t laid = 0;
    if (volume.empty()) return laid;
    const Vec3d extent = volume.grid.cell * Vec3d(volume.grid.dims[0], volume.grid.dims[1], volume.grid.dims[2]);
    const PointGrid grid(volume.centres, centre_grid_cells * volume.grid.cell);
    // Every part that still needs a bone lays a bridge to another part.
    for (int round = 0; round < most_rounds; ++round) {
        const std::vector<uint32_t> part = find_parts(volume);
        std::vector<uint8_t> good(*std::max_element(part.begin(), part.end()) + 1, 0);
        for (const std::vector<uint32_t>& list : cells)
            for (const uint32_t c : list) good[part[c]] = 1;
        if (std::find(good.begin(), good.end(), 0) == good.end()) break;
        std::vector<Bridge> bridges;
        for (const Bridge& b : shortest_bridges(volume, grid, part, good, reach_share * extent.norm()))
            if (b.length < INFINITY) bridges.push_back(b);
        if (bridges.empty()) break;
        laid += bridges.size();
        add_flows(volume, bridges);
    }
    return laid;
}

}  // namespace sinew
