#include <sinew/core/check.h>
#include <sinew/skin/deformers/deform_vertex.h>
#include <sinew/skin/deformers/weight_gradients.h>

namespace sinew {
namespace {

// ∇w sums up to nothing, so that Mᵢ p may be measured from where the vertex goes: no large numbers cancel.
void deform_with_gradients(std::span<const Affine> palette, const DeformBinding& binding,
                           const DeformBuffers& buffers) {
    check_sizes(binding, buffers);
    SINEW_CHECK(binding.first_gradient + buffers.positions_in.size() <= binding.gradients->point_of.size());
    for (size_t v = 0; v < buffers.positions_in.size(); ++v) {
        const std::span<const Influence> list = binding.influences.of(v);
        if (list.empty()) {
            copy_vertex(buffers, v);
            continue;
        }
        const Affine blended = blend_matrices(palette, list);
        const Vec3 point = buffers.positions_in[v], moved = blended * point;
        Mat3 linear = blended.linear();
        for (const WeightGradient& g : binding.gradients->of(binding.first_gradient + v))
            linear += (palette[g.joint] * point - moved) * g.gradient.transpose();
        deform_vertex(moved, linear, blended.linear(), buffers, v);
    }
}

}  // namespace

void deform_linear_blend(std::span<const Affine> palette, const DeformBinding& binding, const DeformBuffers& buffers) {
    const bool directions = !buffers.normals_out.empty() || !buffers.tangents_out.empty();
    if (binding.gradients && directions) return deform_with_gradients(palette, binding, buffers);
    for_each_blended(palette, binding, buffers, [&](size_t v, std::span<const Influence> list) {
        deform_vertex(blend_matrices(palette, list), buffers, v);
    });
}

}  // namespace sinew
