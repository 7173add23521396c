#include <sinew/weights/volume/voxel_sources.h>

#include <sinew/weights/volume/flow_solve.h>
#include <algorithm>
#include <cmath>

namespace sinew {
namespace {

// Chosen: the skin's cells hold on to their own direction, and those inside take what spreads to them.
constexpr double hold = 20.0, let_go = 1e-4;
constexpr double outward_tolerance = 1e-4;  // chosen: directions need no more
constexpr double any_bare = 0.5;            // a sum of whole numbers, squared, is not 0
constexpr double least_facing = 0.05;       // chosen: a bone straight towards the skin costs at most 20 times more
constexpr double no_slope = 1e-9;           // two bones in the same direction must not divide by zero

// The sum of the directions in which a cell's voxels are bare.
std::vector<Vec3d> bare_sides(const Volume& volume) {
    std::vector<Vec3d> bare(volume.size(), Vec3d::Zero());
    for (size_t i = 0; i < volume.cell_of.size(); ++i) {
        const uint32_t c = volume.cell_of[i];
        if (c == Volume::no_cell) continue;
        for (int axis = 0; axis < 3; ++axis) {
            const size_t step = volume.grid.stride(axis);
            bare[c][axis] +=
                (volume.cell_of[i + step] == Volume::no_cell) - (volume.cell_of[i - step] == Volume::no_cell);
        }
    }
    return bare;
}

// The skin's outward direction, continued into the body, where it fades towards the middle: in a round limb its length
// is about (distance from the axis) / radius. It comes from the voxels alone, so the directions of faces do not matter.
std::vector<Vec3d> outward(const Volume& volume) {
    std::vector<Vec3d> result = bare_sides(volume);
    std::vector<double> uptake(volume.size()), lanes(volume.size() * flow_lanes, 0.0);
    for (size_t c = 0; c < volume.size(); ++c) {
        const bool skin = result[c].squaredNorm() > any_bare;
        uptake[c] = (skin ? hold : let_go) * volume.sizes[c];
        const Vec3d direction = skin ? result[c].normalized() : Vec3d::Zero();
        for (size_t k = 0; k < 3; ++k) lanes[c * flow_lanes + k] = uptake[c] * direction[static_cast<int>(k)];
    }
    solve_heat(volume.graph(), uptake, lanes, outward_tolerance);
    for (size_t c = 0; c < volume.size(); ++c) result[c] = Eigen::Map<const Vec3d>(&lanes[c * flow_lanes]);
    return result;
}

// The share of a cube that lies on the nearer bone's side of the border, where both bones are equally near. The
// distance of the cube from that border is the difference of the two costs over its slope.
double share_of_nearer(double difference, const Vec3d& direction, const Vec3d& other_direction, double size) {
    const double slope = (other_direction - direction).norm();
    return std::clamp(0.5 + difference / std::max(slope * size, no_slope), 0.5, 1.0);
}

}  // namespace

std::vector<VoxelSource> voxel_sources(const Volume& volume, std::span<const NearBones> near,
                                       const VoxelSourceOptions& options) {
    const std::vector<Vec3d> out = outward(volume);
    std::vector<VoxelSource> sources(volume.size());
    for (size_t c = 0; c < volume.size(); ++c) {
        const NearBones& n = near[c];
        if (n.count == 0) continue;
        std::array<double, NearBones::most> cost{};
        uint32_t best = 0;
        for (uint32_t i = 0; i < n.count; ++i) {
            // A bone deeper in than the cell is near; one that lies towards the skin is far.
            const double towards = std::clamp(out[c].dot(n.directions[i]), -1.0, 1.0);
            cost[i] = n.distances[i] / std::max(1.0 - 0.5 * options.facing * (1.0 - towards), least_facing);
            if (cost[i] < cost[best]) best = i;
        }
        const double d = std::max(n.distances[0], options.least_distance);
        sources[c].uptake = volume.volumes[c] * options.strength / (d * d);
        double sum = 0.0;
        for (uint32_t i = 0; i < n.count; ++i) {
            const double share = i == best ? 0.5
                                           : 1.0 - share_of_nearer(cost[i] - cost[best], n.directions[best],
                                                                   n.directions[i], volume.sizes[c]);
            sum += sources[c].shares[i] = share / (1.0 - share);
        }
        for (uint32_t i = 0; i < n.count; ++i) sources[c].shares[i] /= sum;
    }
    return sources;
}

}  // namespace sinew
