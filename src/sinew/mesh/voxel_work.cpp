#include <sinew/mesh/voxel_work.h>

namespace sinew {
namespace {

thread_local uint64_t voxels_visited = 0;

}  // namespace

uint64_t voxel_work() {
    return voxels_visited;
}

void count_voxel_work(uint64_t voxels) {
    voxels_visited += voxels;
}

}  // namespace sinew
