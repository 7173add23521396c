#include <sinew/skin/deform_vertex.h>

namespace sinew {

void deform_linear_blend(std::span<const Affine> palette, const DeformBinding& binding, const DeformBuffers& buffers) {
    for_each_blended(palette, binding, buffers, [&](size_t v, std::span<const Influence> list) {
        deform_vertex(blend_matrices(palette, list), buffers, v);
    });
}

}  // namespace sinew
