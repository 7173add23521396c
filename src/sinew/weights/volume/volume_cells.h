// The cells of a Volume: filled voxels joined to cubes, and the flows between them.
// Data flow: volume.cpp (which voxels conduct) → *here* → Volume.
#pragma once

#include <sinew/weights/volume/volume.h>

namespace sinew {

// Makes the cells of `volume`, whose grid is set. `filled` says which voxels belong to the body; those of the grid's
// outer layer do not. O(voxels).
void build_cells(std::vector<uint8_t> filled, const VolumeOptions& options, Volume& volume);

}  // namespace sinew
