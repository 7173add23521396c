// Legs that touch, or whose trousers do, taken apart along the mirror plane.
// Data flow: voxel_body.h, standing → inner_parts.h → *here* → extremities, fitters.
#pragma once

#include <sinew/rig/body/voxel_body.h>

namespace sinew {

// For a body that stands on +Y and is mirrored at x = 0. Going down, the crotch is where what joins the two sides
// becomes thin beside them; from there on the voxels at the plane are taken away wherever the body is narrowest there.
// Returns whether anything changed; a body that would fall into pieces stays as it is. Call refresh() afterwards.
bool part_legs(VoxelBody& body);

// Cloth that hangs between the legs, or around them, can close a space that counts as solid. Below where the insides of
// the legs part, what lies between them and is neither is taken away. Same requirements and result.
bool clear_between_legs(VoxelBody& body);

}  // namespace sinew
