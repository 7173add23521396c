// Mirrored weights: one side's weights on both sides.
// Data flow: WeightField → *here* → WeightField, in the `weights` verb.
#pragma once

#include <sinew/skeleton/skeleton.h>
#include <sinew/weights/field.h>
#include <sinew/weights/surface/surface.h>

namespace sinew {

// mirror[j]: the joint that stands where j's mirror image stands, across axis 0…2 through the middle of the joints; of
// several at one place, the one whose name names the other side. j itself when it stands on the plane or has no twin.
std::vector<int32_t> mirror_joints(const Skeleton& skeleton, std::span<const Vec3d> joint_positions, int axis,
                                   double tolerance);

struct MirrorResult {
    size_t mirrored = 0;   // vertices that got new weights
    size_t unmatched = 0;  // that found no surface within 2% of the size at their mirror image, and keep what they had
};

// The positive side of the axis is the original; the plane goes through `middle` (in the Surface's units). Vertices on
// the plane get the mean of themselves and their mirror image.
MirrorResult mirror_weights(WeightField& field, const Surface& surface, std::span<const int32_t> mirror, int axis,
                            double middle);

}  // namespace sinew
