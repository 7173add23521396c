// Cuts arms that rest against the body off it, from the hands up to the armpits.
// Data flow: voxel_body.h, standing → inner_parts.h → *here* → extremities, fitters.
#pragma once

#include <sinew/rig/body/voxel_body.h>

namespace sinew {

// For a body that stands with +Y up and is mirrored at x = 0. Going down, an arm is an inner part that leaves the trunk
// to one side and goes on for a while without reaching the ground. There are two alike, or one alone when the other
// does not hang. The voxels around an arm are removed. Returns whether anything changed. Call refresh() afterwards.
bool part_arms(VoxelBody& body);

}  // namespace sinew
