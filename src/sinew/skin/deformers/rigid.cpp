#include <sinew/skin/deformers/deform_vertex.h>

namespace sinew {

void deform_rigid(std::span<const Affine> palette, const DeformBinding& binding, const DeformBuffers& buffers) {
    for_each_blended(palette, binding, buffers, [&](size_t v, std::span<const Influence> list) {
        deform_vertex(palette[list.front().joint], buffers, v);
    });
}

void deform_by_matrix(const Affine& world_from_mesh, const DeformBuffers& buffers) {
    check_sizes(buffers);
    for (size_t v = 0; v < buffers.positions_in.size(); ++v) deform_vertex(world_from_mesh, buffers, v);
}

}  // namespace sinew
