// VoxelBody: the solid that skeleton fitting works on — one connected piece of voxels, its thickness, its extremities.
// Data flow: Mesh → mesh/solid.h → *here* → reading.h (which way it stands) → biped.h, quadruped.h, bird.h, generic.h.
#pragma once

#include <sinew/mesh/voxel_grid.h>
#include <cstdint>
#include <span>
#include <vector>

namespace sinew {

// `mask` is one connected part: specks below 0.2% of the volume are dropped, larger loose parts are joined to the rest
// by bridges.
struct VoxelBody {
    VoxelGrid grid;
    std::vector<uint8_t> mask;
    std::vector<uint32_t> voxels;                     // those of the mask, increasing
    std::vector<uint8_t> shell;                       // 1 for voxels that a triangle touches, per voxel of the grid
    std::vector<float> radius;                        // distance to the outside in voxels, per voxel of the grid
    Vec3d low = Vec3d::Zero(), high = Vec3d::Zero();  // bounds of the mask's voxels
    double leak = 0.0;
    double apart = 0.0;  // share of the voxels in parts that had to be joined to the largest

    bool empty() const { return voxels.empty(); }
    Vec3d at(size_t voxel) const { return grid.centre(voxel); }
    bool inside(const Vec3d& point) const;
    double height() const { return high.y() - low.y(); }
};

// Resolution is chosen so that the surface has about `surface_voxels` voxels, and the body no more than five times as
// many: 64 to 320 along the longest side, half of that for parts that need fewer than 10,000.
struct BodyOptions {
    int surface_voxels = 16000;
    bool join = true;  // bridge loose parts; false: keep the largest alone
};
VoxelBody make_voxel_body(std::span<const Vec3> positions, std::span<const uint32_t> triangles,
                          const BodyOptions& options = {});

// From a mask that is already there (a part cut away, a mirror image taken): recomputes what follows from it.
void refresh(VoxelBody& body);

// Leaves of the body the largest part of `mask` that hangs together, unless it would lose more than `most` voxels.
// Returns whether it did. Call refresh() afterwards.
bool cut_down_to(VoxelBody& body, std::vector<uint8_t> mask, size_t most);

// A place that sticks out: a maximum of the geodesic distance from the body's middle.
struct Extremity {
    uint32_t voxel = 0;
    Vec3d position = Vec3d::Zero();
    Vec3d cap = Vec3d::Zero();     // the middle of the outermost part: which corner of a paw is farthest is chance
    Vec3d root = Vec3d::Zero();    // on the way to the middle, where four fifths of the prominence lie behind
    double distance = 0.0;         // from the middle, in world units
    double prominence = 0.0;       // how far one must come back before anything farther can be reached, world units
    double thickness = 0.0;        // radius of the limb a little behind the tip, world units
    Vec3d inward = Vec3d::Zero();  // unit; from the tip to where the limb is a third of its prominence behind it
};

struct Extremities {
    uint32_t middle = 0;          // the voxel with the least sum of distances to far points
    std::vector<float> distance;  // geodesic from the middle, in voxels
    std::vector<Extremity> list;  // most prominent first
};
// Prominence of at least `least` of the largest distance.
Extremities find_extremities(const VoxelBody& body, double least = 0.05);
// The same seen from a given voxel.
Extremities find_extremities_from(const VoxelBody& body, uint32_t middle, double least);

}  // namespace sinew
