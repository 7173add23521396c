// TracedLimb: a limb from its tip into the body, cut into slices of equal distance from the tip.
// Data flow: voxel_body.h → *here* → biped.h, quadruped.h, bird.h.
#pragma once

#include <sinew/rig/body/voxel_body.h>
#include <cmath>

namespace sinew {

// Slice k holds the voxels that are between k and k + 1 voxels (geodesic) from the tip and hang together with the way
// to the body's middle.
struct TracedLimb {
    std::vector<float> distance;  // from the tip in voxels, per voxel of the grid
    std::vector<Vec3d> centre;    // of each slice
    std::vector<double> area;     // of each slice, in voxels
    std::vector<double> reach;    // the farthest that a voxel of the slice lies from its centre, world units
    double cell = 1.0;

    int size() const { return static_cast<int>(centre.size()); }
    // The centre line at a distance in slices, interpolated; beyond the ends, the end.
    Vec3d at(double slice) const;
    // The first slice whose centre is as high as y; the last one when none is.
    double at_height(double y) const;
    // How far along, in slices, the centre line comes closest to a point, searched in [from, to].
    double nearest(const Vec3d& point, double from, double to) const;
};

// Follows a limb from its tip for `length` (world units), or to the middle of the body.
TracedLimb trace_limb(const VoxelBody& body, uint32_t tip, uint32_t middle, double length);

// Where a limb ends and the trunk begins, in slices from the tip: the first slice farther than `least` that is 2.1
// times as large as the median of the slices before it, and not small beside the largest; the last slice when there is
// none. The median leaves out slices nearer to the tip than `tip`, and those more than `recent` before. World units.
double find_root_slice(const TracedLimb& limb, double least, double tip, double recent = INFINITY);

// Drops the first slices. `distance` stays that from the old tip.
void drop_tip(TracedLimb& limb, int slices);

// Smooths slice centres and areas over `radius` slices on both sides.
void smooth(TracedLimb& limb, int radius);

}  // namespace sinew
