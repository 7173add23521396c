#include <sinew/skin/deformers/deform_vertex.h>

namespace sinew {

void deform_dual_quaternion(std::span<const Affine> palette, const DeformBinding& binding,
                            const DeformBuffers& buffers) {
    const std::vector<JointMotion> motions = take_apart(palette);
    for_each_blended(palette, binding, buffers, [&](size_t v, std::span<const Influence> list) {
        const Vec3 point = buffers.positions_in[v];
        const BlendedMotion motion = blend_motions(motions, list, point);
        deform_vertex(motion * point, motion.linear, buffers, v);
    });
}

}  // namespace sinew
