#include <sinew/core/union_find.h>
#include <sinew/mesh/geodesic.h>
#include <sinew/rig/body/neighbours.h>
#include <sinew/rig/body/voxel_body.h>
#include <algorithm>
#include <cmath>

namespace sinew {
namespace {

// Far points that the middle is nearest to: as many as a body has limbs and a head.
constexpr int far_points = 5;
// A limb's outer part, whose direction and thickness are measured: this share of its prominence, and of its distance
// from the middle at most.
constexpr double outer_part = 0.6, outer_part_most = 0.35;
// The root of a limb has this share of the prominence behind it.
constexpr double root_part = 0.8;
// The cap of a limb: this share of its prominence, and of the largest distance at most.
constexpr double cap_part = 0.5, cap_part_most = 0.08;
// More extremities than this are fur.
constexpr size_t most_extremities = 64;

std::vector<float> distances_from(const VoxelBody& body, uint32_t voxel) {
    return geodesic_distance(body.grid, body.mask, std::span(&voxel, 1));
}

// The body in voxels twice as large. A large voxel is filled where any of its eight small ones is.
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

// Takes far points one after another, each the farthest from those before. The place that is nearest to all of them
// lies in the trunk, even where the head is the thickest part. It need not be exact, so large voxels do.
Vec3d middle_place(const CoarseMask& coarse) {
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
    for (int k = 0; k < far_points; ++k) {
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

// Maxima by persistence: voxels are added from the farthest to the nearest. Where two growing peaks meet, the lower one
// ends; its saddle is there. Peaks are numbered as they begin, so the higher one has the smaller number.
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
    UnionFind joined(order.size());
    std::vector<Peak> peaks;
    for (uint32_t v : order) {
        const VoxelIndex at = body.grid.voxel(v);
        int32_t mine = -1;
        for (int k = 0; k < cube_size; ++k) {
            const VoxelIndex n = in_cube(at, k);
            if (!body.grid.contains(n)) continue;
            const int32_t label = peak_of[body.grid.index(n)];
            if (label < 0) continue;
            const auto other = static_cast<int32_t>(joined.find(static_cast<uint32_t>(label)));
            if (mine >= 0 && mine != other) {
                peaks[static_cast<size_t>(std::max(mine, other))].saddle = height[v];
                joined.join(static_cast<uint32_t>(mine), static_cast<uint32_t>(other));
            }
            mine = mine < 0 ? other : std::min(mine, other);
        }
        if (mine < 0) {
            mine = static_cast<int32_t>(peaks.size());
            peaks.push_back({v, height[v], 0.0f});
        }
        peak_of[v] = mine;
    }
    return peaks;
}

// The middle of the voxels that hang together with the peak and are at most `depth` voxels nearer to the middle.
Vec3d cap_middle(const VoxelBody& body, const std::vector<float>& distance, uint32_t peak, double depth,
                 std::vector<uint8_t>& seen) {
    std::vector<uint32_t> cap = {peak};
    seen[peak] = 1;
    const auto least = static_cast<float>(static_cast<double>(distance[peak]) - depth);
    Vec3d sum = Vec3d::Zero();
    for (size_t i = 0; i < cap.size(); ++i) {
        sum += body.at(cap[i]);
        const VoxelIndex at = body.grid.voxel(cap[i]);
        for (int k = 0; k < cube_size; ++k) {
            const VoxelIndex n = in_cube(at, k);
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
    const double behind = std::min(outer_part * e.prominence, outer_part_most * e.distance) / cell;
    size_t k = 0;
    double widest = 0.0;
    while (k + 1 < path.size() && static_cast<double>(distance[path[0]] - distance[path[k]]) < behind)
        widest = std::max(widest, static_cast<double>(body.radius[path[k++]]));
    e.thickness = cell * widest;
    const Vec3d inward = body.at(path[k]) - e.position;
    if (inward.norm() > 0.0) e.inward = inward.normalized();
    while (k + 1 < path.size() &&
           static_cast<double>(distance[path[0]] - distance[path[k]]) < root_part * e.prominence / cell)
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
    if (peaks.size() > most_extremities) peaks.resize(most_extremities);
    std::vector<uint8_t> seen(body.mask.size(), 0);
    for (const Peak& peak : peaks) {
        result.list.push_back(describe(body, result.distance, peak));
        const double depth = std::min(cap_part * static_cast<double>(peak.top - peak.saddle),
                                      cap_part_most * static_cast<double>(reach));
        result.list.back().cap = cap_middle(body, result.distance, peak.voxel, depth, seen);
    }
    return result;
}

}  // namespace sinew
