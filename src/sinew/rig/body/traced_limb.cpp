#include <sinew/rig/body/traced_limb.h>

#include <sinew/mesh/geodesic.h>
#include <sinew/rig/body/neighbours.h>
#include <algorithm>
#include <cmath>

namespace sinew {
namespace {

// A slice of the trunk is this many times larger than the limb's, chosen: palms and elbows grow by less; and at least
// this share of the largest slice, so that a palm behind a finger is no trunk.
constexpr double trunk_grows = 2.1, least_of_largest = 0.15;
// Steps along a limb in slices.
constexpr double slice_step = 0.5;
// The distances reach this many voxels past the end, so that the last slice is whole.
constexpr float past_end = 2.0f;
// More slices than any limb has.
constexpr double most_slices = 1e6;

// The voxels of one slice that hang together with `seed`.
void flood_slice(const VoxelBody& body, const std::vector<float>& distance, int slice, uint32_t seed,
                 std::vector<uint8_t>& seen, std::vector<uint32_t>& out) {
    out.assign(1, seed);
    seen[seed] = 1;
    for (size_t i = 0; i < out.size(); ++i) {
        const VoxelIndex at = body.grid.voxel(out[i]);
        for (int k = 0; k < cube_size; ++k) {
            const VoxelIndex n = in_cube(at, k);
            if (!body.grid.contains(n)) continue;
            const size_t v = body.grid.index(n);
            if (!body.mask[v] || seen[v] || !(distance[v] < INFINITY) || static_cast<int>(distance[v]) != slice)
                continue;
            seen[v] = 1;
            out.push_back(static_cast<uint32_t>(v));
        }
    }
}

}  // namespace

Vec3d TracedLimb::at(double slice) const {
    const double k = std::clamp(slice, 0.0, static_cast<double>(size() - 1));
    const auto low = static_cast<size_t>(k);
    const size_t high = std::min(low + 1, centre.size() - 1);
    return centre[low] + (k - static_cast<double>(low)) * (centre[high] - centre[low]);
}

double TracedLimb::at_height(double y) const {
    for (int k = 0; k < size(); ++k)
        if (centre[static_cast<size_t>(k)].y() >= y) return k;
    return size() - 1.0;
}

double TracedLimb::nearest(const Vec3d& point, double from, double to) const {
    double best = from, least = INFINITY;
    for (double k = std::max(0.0, from); k <= std::min(to, size() - 1.0); k += slice_step) {
        const double d = (at(k) - point).squaredNorm();
        if (d < least) least = d, best = k;
    }
    return best;
}

TracedLimb trace_limb(const VoxelBody& body, uint32_t tip, uint32_t middle, double length) {
    TracedLimb limb;
    limb.cell = body.grid.cell;
    const double limit = length / body.grid.cell;
    const std::vector<float> to_middle =
        geodesic_distance(body.grid, body.mask, std::span(&tip, 1), {.limit = static_cast<float>(limit) + past_end});
    limb.distance = to_middle;
    // The way starts at the middle if that was reached, else at the farthest voxel that is nearest to it.
    uint32_t from = middle;
    if (!(limb.distance[middle] < INFINITY)) {
        double least = INFINITY;
        for (uint32_t v : body.voxels) {
            if (!(static_cast<double>(limb.distance[v]) > limit - 1.0) || !(limb.distance[v] < INFINITY)) continue;
            const double d = (body.at(v) - body.at(middle)).squaredNorm();
            if (d < least) least = d, from = v;
        }
    }
    std::vector<uint32_t> way = descend(body.grid, limb.distance, from);
    std::reverse(way.begin(), way.end());
    std::vector<uint8_t> seen(body.mask.size(), 0);
    std::vector<uint32_t> slice;
    for (uint32_t v : way) {
        const int k = static_cast<int>(limb.distance[v]);
        if (k != limb.size() || k > limit) {
            // A step over a corner can skip a slice: repeat the last one.
            while (k > limb.size() && limb.size() > 0 && k <= limit)
                limb.centre.push_back(limb.centre.back()), limb.area.push_back(limb.area.back()),
                    limb.reach.push_back(limb.reach.back());
            if (k != limb.size() || k > limit) continue;
        }
        flood_slice(body, limb.distance, k, v, seen, slice);
        Vec3d centre = Vec3d::Zero();
        for (uint32_t s : slice) centre += body.at(s);
        centre /= static_cast<double>(slice.size());
        double reach = 0.0;
        for (uint32_t s : slice) reach = std::max(reach, (body.at(s) - centre).norm());
        limb.centre.push_back(centre);
        limb.area.push_back(static_cast<double>(slice.size()));
        limb.reach.push_back(reach);
    }
    if (limb.centre.empty()) {
        limb.centre.push_back(body.at(tip));
        limb.area.push_back(1.0);
        limb.reach.push_back(0.0);
    }
    return limb;
}

double find_root_slice(const TracedLimb& limb, double least, double tip, double recent) {
    const int first = static_cast<int>(tip / limb.cell),
              window = static_cast<int>(std::clamp(recent / limb.cell, 1.0, most_slices));
    const double trunk = limb.area.empty() ? 0.0 : *std::max_element(limb.area.begin(), limb.area.end());
    std::vector<double> sorted;
    for (int k = first; k < limb.size(); ++k) {
        const double area = limb.area[static_cast<size_t>(k)];
        if (k * limb.cell > least && !sorted.empty() && area > trunk_grows * sorted[sorted.size() / 2] &&
            area > least_of_largest * trunk)
            return k - 0.5;
        sorted.insert(std::upper_bound(sorted.begin(), sorted.end(), area), area);
        if (k - first >= window)
            sorted.erase(std::lower_bound(sorted.begin(), sorted.end(), limb.area[static_cast<size_t>(k - window)]));
    }
    return limb.size() - 1.0;
}

void drop_tip(TracedLimb& limb, int slices) {
    const ptrdiff_t count = std::clamp(slices, 0, limb.size() - 1);
    limb.centre.erase(limb.centre.begin(), limb.centre.begin() + count);
    limb.area.erase(limb.area.begin(), limb.area.begin() + count);
    limb.reach.erase(limb.reach.begin(), limb.reach.begin() + count);
}

void smooth(TracedLimb& limb, int radius) {
    const TracedLimb raw = limb;
    for (int k = 0; k < limb.size(); ++k) {
        Vec3d centre = Vec3d::Zero();
        double area = 0.0, count = 0.0;
        const int r = std::min({radius, k, limb.size() - 1 - k});
        for (int i = k - r; i <= k + r; ++i) {
            centre += raw.centre[static_cast<size_t>(i)];
            area += raw.area[static_cast<size_t>(i)];
            count += 1.0;
        }
        limb.centre[static_cast<size_t>(k)] = centre / count;
        limb.area[static_cast<size_t>(k)] = area / count;
    }
}

}  // namespace sinew
