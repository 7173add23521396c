// TracedLimb: the way from a tip into the body, cut into slices of equal distance from the tip.
// Data flow: voxel_body.h → *here* → biped.h, quadruped.h, bird.h.
#pragma once

#include <sinew/rig/body/voxel_body.h>
#include <cmath>

namespace sinew {

// Slice k holds the voxels between k and k + 1 voxels (geodesic) from the tip, as far as they hang together with the
// way to the middle.
struct TracedLimb {
    std::vector<float> distance;  // from the tip in voxels, per voxel of the grid
    std::vector<Vec3d> centre;    // of each slice
    std::vector<double> area;     // voxels in it
    std::vector<double> reach;    // the farthest that a voxel of the slice lies from its centre, world units
    double cell = 1.0;

    int size() const { return static_cast<int>(centre.size()); }
    // The centre at a distance in slices, between slices, ends held.
    Vec3d at(double slice) const;
    // The first slice whose centre is as high as y; the last one when none is.
    double at_height(double y) const;
    // How far along, in slices, the centre line comes closest to a point, searched in [from, to].
    double nearest(const Vec3d& point, double from, double to) const;
};

// Stops after `length` (world units) or at the middle.
TracedLimb trace_limb(const VoxelBody& body, uint32_t tip, uint32_t middle, double length);

// Where a limb ends and the trunk begins, in slices from the tip: the first slice that is 2.1 times as large as the
// median of those before it, and no longer small beside the largest, after `least`; the last slice when there is none.
// The tip, up to `tip`, says nothing, nor does what lies more than `recent` before. World units.
double find_root_slice(const TracedLimb& limb, double least, double tip, double recent = INFINITY);

// Leaves the first slices out; distances stay those from the old tip.
void drop_tip(TracedLimb& limb, int slices);

// Smooths slice centres and areas over `radius` slices on both sides.
void smooth(TracedLimb& limb, int radius);

}  // namespace sinew
