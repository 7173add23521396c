// Arms that rest against the body taken off it, from the hands up to the armpits.
// Data flow: voxel_body.h, standing → inner_parts.h → *here* → extremities, fitters.
#pragma once

#include <sinew/rig/body/voxel_body.h>

namespace sinew {

// For a body that stands on +Y and is mirrored at x = 0. Going down, an arm is an inner part that leaves the trunk to
// one side and goes on for a while without reaching the ground, with its like on the other side; or one alone, when its
// partner is not to be seen hanging. Around it the voxels of the body are taken away. Returns whether anything changed.
// Call refresh() afterwards.
bool part_arms(VoxelBody& body);

}  // namespace sinew
