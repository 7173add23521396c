// VoxelBody: the solid that skeletons are fitted to — voxels in one connected part, its thickness, its extremities.
// Data flow: Mesh → mesh/solid.h → *here* → reading.h (which way it stands) → biped.h, quadruped.h, bird.h, generic.h.
#pragma once

#include <sinew/mesh/voxel_grid.h>
#include <cstdint>
#include <span>
#include <vector>

namespace sinew {

// A mesh with more than this share of its voxels in loose parts may be several bodies.
constexpr double several_bodies = 0.3;

// `mask` is one connected part. Specks below 0.2% of the volume are dropped; larger loose parts are joined to the rest
// by bridges of voxels.
struct VoxelBody {
    VoxelGrid grid;
    std::vector<uint8_t> mask;
    std::vector<uint32_t> voxels;                     // those of the mask, increasing
    std::vector<uint8_t> shell;                       // 1 for voxels that a triangle touches, per voxel of the grid
    std::vector<float> radius;                        // distance to the outside in voxels, per voxel of the grid
    Vec3d low = Vec3d::Zero(), high = Vec3d::Zero();  // bounds of the mask's voxels
    double leak = 0.0;                                // as Solid::leak
    double apart = 0.0;  // share of the voxels outside the largest part, before parts were joined

    bool empty() const { return voxels.empty(); }
    Vec3d at(size_t voxel) const { return grid.centre(voxel); }
    bool inside(const Vec3d& point) const;
    double height() const { return high.y() - low.y(); }
    // The share of its bounds that it fills: 1 for a box, a tenth for a person.
    double fills() const {
        return static_cast<double>(voxels.size()) / Vec3d((high - low) / grid.cell + Vec3d::Ones()).prod();
    }
};

// The resolution is chosen so that the surface has about `surface_voxels` voxels, and the body no more than
// `most_volume` times as many: 64 to 320 along the longest side; for hands and the like (below 10,000 surface voxels)
// 36 to 180.
struct BodyOptions {
    int surface_voxels = 16000;  // chosen: joints of the tests' characters gain little from more
    double most_volume = 4.0;    // fat bodies would take long, and most of their voxels tell nothing
    bool join = true;            // bridge loose parts; false: keep the largest part alone
};
VoxelBody make_voxel_body(std::span<const Vec3> positions, std::span<const uint32_t> triangles,
                          const BodyOptions& options = {});

// Recomputes voxels, radius and bounds after `mask` was changed.
void refresh(VoxelBody& body);

// Cuts the body down to the largest connected part of `mask`. Leaves it as it is and returns false when it would lose
// more than `most` voxels. Call refresh() afterwards.
bool cut_down_to(VoxelBody& body, std::vector<uint8_t> mask, size_t most);

// A place that sticks out: a maximum of the geodesic distance from the body's middle.
struct Extremity {
    uint32_t voxel = 0;
    Vec3d position = Vec3d::Zero();
    Vec3d cap = Vec3d::Zero();     // the middle of the outermost part: which corner of a paw is farthest out is chance
    Vec3d root = Vec3d::Zero();    // on the way to the middle, where four fifths of the prominence lie behind it
    double distance = 0.0;         // from the middle, in world units
    double prominence = 0.0;       // how far one must go back before any place farther out can be reached, world units
    double thickness = 0.0;        // radius of the limb a little behind the tip, world units
    Vec3d inward = Vec3d::Zero();  // unit; the direction of the limb's outer part, from the tip inward
};

struct Extremities {
    uint32_t middle = 0;          // the voxel with the least sum of squared distances to far points
    std::vector<float> distance;  // geodesic from the middle, in voxels
    std::vector<Extremity> list;  // most prominent first
};
// Finds the extremities whose prominence is at least `least` times the largest distance from the middle.
constexpr double least_prominence = 0.05;  // chosen: less than feet and hands, more than noses
Extremities find_extremities(const VoxelBody& body, double least = least_prominence);
// The same with a given voxel as the middle.
Extremities find_extremities_from(const VoxelBody& body, uint32_t middle, double least);

}  // namespace sinew
