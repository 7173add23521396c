#include <sinew/mesh/geodesic.h>
#include <sinew/rig/body/voxel_body.h>
#include <algorithm>
#include <cmath>

namespace sinew {
namespace {

std::vector<float> distances_from(const VoxelBody& body, uint32_t voxel) {
    return geodesic_distance(body.grid, body.mask, std::span(&voxel, 1));
}

// The body with voxels twice as large, filled where any of the eight is.
struct CoarseMask {
    VoxelGrid grid;
    std::vector<uint8_t> mask;
    std::vector<uint32_t> voxels;
};

CoarseMask coarsen(const VoxelBody& body) {
    CoarseMask coarse;
    coarse.grid = body.grid;
    coarse.grid.cell *= 2.0;
    for (int32_t& d : coarse.grid.dims) d = (d + 1) / 2;
    coarse.mask.assign(coarse.grid.count(), 0);
    for (uint32_t v : body.voxels) {
        const VoxelIndex at = body.grid.voxel(v);
        coarse.mask[coarse.grid.index({at[0] / 2, at[1] / 2, at[2] / 2})] = 1;
    }
    for (size_t i = 0; i < coarse.mask.size(); ++i)
        if (coarse.mask[i]) coarse.voxels.push_back(static_cast<uint32_t>(i));
    return coarse;
}

// Farthest points one after another; the place that is nearest to all of them lies in the trunk, even where the head is
// the thickest part. It need not be exact, so large voxels do.
Vec3d middle_place(const CoarseMask& coarse) {
    constexpr int points = 5;
    const auto from_one = [&](uint32_t v) { return geodesic_distance(coarse.grid, coarse.mask, std::span(&v, 1)); };
    const auto farthest = [&](const std::vector<float>& distance) {
        uint32_t best = coarse.voxels.front();
        for (uint32_t v : coarse.voxels)
            if (distance[v] < INFINITY && distance[v] > distance[best]) best = v;
        return best;
    };
    std::vector<float> nearest = from_one(coarse.voxels[coarse.voxels.size() / 2]);
    std::vector<double> sum(coarse.mask.size(), 0.0);
    uint32_t from = farthest(nearest);
    std::fill(nearest.begin(), nearest.end(), INFINITY);
    for (int k = 0; k < points; ++k) {
        const std::vector<float> distance = from_one(from);
        for (uint32_t v : coarse.voxels) {
            nearest[v] = std::min(nearest[v], distance[v]);
            const double d = static_cast<double>(distance[v]);
            sum[v] += d * d;
        }
        from = farthest(nearest);
    }
    uint32_t best = coarse.voxels.front();
    for (uint32_t v : coarse.voxels)
        if (sum[v] < sum[best]) best = v;
    return coarse.grid.centre(best);
}

uint32_t find_middle(const VoxelBody& body) {
    const Vec3d place = middle_place(coarsen(body));
    uint32_t best = body.voxels.front();
    double least = INFINITY;
    for (uint32_t v : body.voxels)
        if (const double d = (body.at(v) - place).squaredNorm(); d < least) least = d, best = v;
    return best;
}

// Maxima by persistence: voxels are added from the farthest on; where two growing peaks meet, the lower one ends.
struct Peak {
    uint32_t voxel;
    float top, saddle;
};

std::vector<Peak> persistent_peaks(const VoxelBody& body, const std::vector<float>& height) {
    std::vector<uint32_t> order;
    for (uint32_t v : body.voxels)
        if (height[v] < INFINITY) order.push_back(v);
    std::sort(order.begin(), order.end(),
              [&](uint32_t a, uint32_t b) { return height[a] != height[b] ? height[a] > height[b] : a < b; });
    std::vector<int32_t> peak_of(body.mask.size(), -1);
    std::vector<int32_t> parent;
    std::vector<Peak> peaks;
    const auto root = [&](int32_t p) {
        while (parent[static_cast<size_t>(p)] != p)
            p = parent[static_cast<size_t>(p)] = parent[static_cast<size_t>(parent[static_cast<size_t>(p)])];
        return p;
    };
    for (uint32_t v : order) {
        const VoxelIndex at = body.grid.voxel(v);
        int32_t mine = -1;
        for (int k = 0; k < 27; ++k) {
            const VoxelIndex n = {at[0] + k % 3 - 1, at[1] + k / 3 % 3 - 1, at[2] + k / 9 - 1};
            if (!body.grid.contains(n)) continue;
            const int32_t label = peak_of[body.grid.index(n)];
            if (label < 0) continue;
            const int32_t other = root(label);
            if (mine < 0) {
                mine = other;
            } else if (mine != other) {
                const bool other_first =
                    peaks[static_cast<size_t>(other)].top > peaks[static_cast<size_t>(mine)].top ||
                    (peaks[static_cast<size_t>(other)].top == peaks[static_cast<size_t>(mine)].top && other < mine);
                const int32_t winner = other_first ? other : mine, loser = other_first ? mine : other;
                peaks[static_cast<size_t>(loser)].saddle = height[v];
                parent[static_cast<size_t>(loser)] = winner;
                mine = winner;
            }
        }
        if (mine < 0) {
            mine = static_cast<int32_t>(peaks.size());
            peaks.push_back({v, height[v], 0.0f});
            parent.push_back(mine);
        }
        peak_of[v] = mine;
    }
    return peaks;
}

// The middle of the voxels that hang together with the peak and are no more than `depth` voxels closer.
Vec3d cap_middle(const VoxelBody& body, const std::vector<float>& distance, uint32_t peak, double depth,
                 std::vector<uint8_t>& seen) {
    std::vector<uint32_t> cap = {peak};
    seen[peak] = 1;
    const auto least = static_cast<float>(static_cast<double>(distance[peak]) - depth);
    Vec3d sum = Vec3d::Zero();
    for (size_t i = 0; i < cap.size(); ++i) {
        sum += body.at(cap[i]);
        const VoxelIndex at = body.grid.voxel(cap[i]);
        for (int k = 0; k < 27; ++k) {
            const VoxelIndex n = {at[0] + k % 3 - 1, at[1] + k / 3 % 3 - 1, at[2] + k / 9 - 1};
            if (!body.grid.contains(n)) continue;
            const size_t v = body.grid.index(n);
            if (!body.mask[v] || seen[v] || !(distance[v] >= least) || !(distance[v] < INFINITY)) continue;
            seen[v] = 1;
            cap.push_back(static_cast<uint32_t>(v));
        }
    }
    for (uint32_t v : cap) seen[v] = 0;
    return sum / static_cast<double>(cap.size());
}

Extremity describe(const VoxelBody& body, const std::vector<float>& distance, const Peak& peak) {
    const double cell = body.grid.cell;
    Extremity e{.voxel = peak.voxel,
                .position = body.at(peak.voxel),
                .distance = cell * static_cast<double>(peak.top),
                .prominence = cell * static_cast<double>(peak.top - peak.saddle)};
    const std::vector<uint32_t> path = descend(body.grid, distance, peak.voxel);
    const double behind = std::min(0.6 * e.prominence, 0.35 * e.distance) / cell;
    size_t k = 0;
    double widest = 0.0;
    while (k + 1 < path.size() && static_cast<double>(distance[path[0]] - distance[path[k]]) < behind)
        widest = std::max(widest, static_cast<double>(body.radius[path[k++]]));
    e.thickness = cell * widest;
    const Vec3d inward = body.at(path[k]) - e.position;
    if (inward.norm() > 0.0) e.inward = inward.normalized();
    while (k + 1 < path.size() &&
           static_cast<double>(distance[path[0]] - distance[path[k]]) < 0.8 * e.prominence / cell)
        ++k;
    e.root = body.at(path[k]);
    return e;
}

}  // namespace

Extremities find_extremities(const VoxelBody& body, double least) {
    return body.empty() ? Extremities{} : find_extremities_from(body, find_middle(body), least);
}

Extremities find_extremities_from(const VoxelBody& body, uint32_t middle, double least) {
    Extremities result;
    result.middle = middle;
    result.distance = distances_from(body, result.middle);
    std::vector<Peak> peaks = persistent_peaks(body, result.distance);
    if (peaks.empty()) return result;
    const float reach = peaks.front().top;
    std::erase_if(peaks, [&](const Peak& p) {
        return static_cast<double>(p.top - p.saddle) < least * static_cast<double>(reach);
    });
    std::stable_sort(peaks.begin(), peaks.end(),
                     [](const Peak& a, const Peak& b) { return a.top - a.saddle > b.top - b.saddle; });
    if (peaks.size() > 64) peaks.resize(64);
    std::vector<uint8_t> seen(body.mask.size(), 0);
    for (const Peak& peak : peaks) {
        result.list.push_back(describe(body, result.distance, peak));
        const double depth =
            std::min(0.5 * static_cast<double>(peak.top - peak.saddle), 0.08 * static_cast<double>(reach));
        result.list.back().cap = cap_middle(body, result.distance, peak.voxel, depth, seen);
    }
    return result;
}

}  // namespace sinew
