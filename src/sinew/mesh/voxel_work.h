// Voxel work: how many voxels the algorithms on grids have visited. A measure of cost that no machine changes: tests
// bound it where they must not look at a clock. Data flow: solid.h, distance_transform.h, geodesic.h count → *here*.
#pragma once

#include <cstdint>

namespace sinew {

// Passing over all cells of a grid, filled or not, costs about a quarter of a visit for each.
constexpr uint64_t cells_per_visit = 4;

// Of the calling thread, since it began. What other threads do in loops of their own is theirs.
uint64_t voxel_work();
void count_voxel_work(uint64_t voxels);

}  // namespace sinew
