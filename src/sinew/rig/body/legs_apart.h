// Cuts legs that touch apart along the mirror plane, and clears cloth from between them.
// Data flow: voxel_body.h, standing → inner_parts.h → *here* → extremities, fitters.
#pragma once

#include <sinew/rig/body/voxel_body.h>

namespace sinew {

// For a body that stands with +Y up and is mirrored at x = 0. Going down, the crotch is where what joins the two sides
// is thin compared with them. From there down, voxels at the plane are removed wherever the body is narrowest there.
// Returns whether anything changed; a body that would fall into pieces stays as it is. Call refresh() afterwards.
bool part_legs(VoxelBody& body);

// Cloth that hangs between the legs, or around them, can enclose a space that counts as solid. Below the place where
// the insides of the legs part, removes what lies between them and belongs to neither. Same requirements and result.
bool clear_between_legs(VoxelBody& body);

}  // namespace sinew
