#include <sinew/core/check.h>
#include <sinew/skin/deformers/deform_vertex.h>

namespace sinew {

void deform_centres_of_rotation(std::span<const Affine> palette, const DeformBinding& binding,
                                const DeformBuffers& buffers) {
    SINEW_CHECK(binding.centres.size() == buffers.positions_in.size());
    SINEW_CHECK(binding.centre_influences && binding.centre_influences->vertex_count() == binding.centres.size());
    const std::vector<JointMotion> motions = take_apart(palette);
    for_each_blended(palette, binding, buffers, [&](size_t v, std::span<const Influence> list) {
        const Vec3 point = buffers.positions_in[v], centre = binding.centres[v];
        const Mat3 linear = blend_motions(motions, list, point).linear;
        deform_vertex(linear * (point - centre) + blend_matrices(palette, binding.centre_influences->of(v)) * centre,
                      linear, buffers, v);
    });
}

}  // namespace sinew
