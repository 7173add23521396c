// Mirrored weights: puts the weights of one side on both sides.
// Data flow: WeightField → *here* → WeightField, for the `weights` verb.
#pragma once

#include <sinew/skeleton/skeleton.h>
#include <sinew/weights/field.h>
#include <sinew/weights/surface/surface.h>

namespace sinew {

// mirror[j] is the joint that stands at the mirror image of j, within `tolerance`. The plane is across axis 0 … 2,
// through the middle of the joints. Of several joints at one place, the one whose name names the other side is taken. A
// joint on the plane, or without a twin, is its own mirror image.
std::vector<int32_t> mirror_joints(const Skeleton& skeleton, std::span<const Vec3d> joint_positions, int axis,
                                   double tolerance);

struct MirrorResult {
    size_t mirrored = 0;   // vertices that got new weights
    size_t unmatched = 0;  // vertices with no surface within 2% of the size of their mirror image; they keep theirs
};

// The positive side of the axis is the original. The plane goes through `middle`, in the Surface's units. Vertices on
// the plane get the mean of their own weights and their mirror image's.
MirrorResult mirror_weights(WeightField& field, const Surface& surface, std::span<const int32_t> mirror, int axis,
                            double middle);

}  // namespace sinew
