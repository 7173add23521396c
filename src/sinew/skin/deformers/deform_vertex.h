// What the scalar deformers share: moving one vertex by its local linear map. Internal to skin.
#pragma once

#include <sinew/skin/deform.h>
#include <sinew/skin/deformers/joint_motion.h>

namespace sinew {

// The sizes agree with each other and with the influences. Once per call.
void check_sizes(const DeformBuffers& buffers);
void check_sizes(const DeformBinding& binding, const DeformBuffers& buffers);

// Writes the position, and the normal and tangent by `linear`. The side that is outside is the one that `sided`, which
// is the same map unless something folds over, puts there.
void deform_vertex(const Vec3& position, const Mat3& linear, const Mat3& sided, const DeformBuffers& buffers, size_t v);
void deform_vertex(const Vec3& position, const Mat3& linear, const DeformBuffers& buffers, size_t v);
void deform_vertex(const Affine& matrix, const DeformBuffers& buffers, size_t v);
void copy_vertex(const DeformBuffers& buffers, size_t v);

// What all blending deformers do alike: calls move(v, influences) for every vertex with two influences or more.
template <class Move>
void for_each_blended(std::span<const Affine> palette, const DeformBinding& binding, const DeformBuffers& buffers,
                      Move&& move) {
    check_sizes(binding, buffers);
    for (size_t v = 0; v < buffers.positions_in.size(); ++v) {
        const std::span<const Influence> list = binding.influences.of(v);
        if (list.empty())
            copy_vertex(buffers, v);
        else if (list.size() == 1)
            deform_vertex(palette[list.front().joint], buffers, v);
        else
            move(v, list);
    }
}

// Σ wᵢ Mᵢ.
Affine blend_matrices(std::span<const Affine> palette, std::span<const Influence> list);

// The blended dual quaternion of a vertex at `point`, normalised; `list` is not empty.
struct BlendedMotion {
    Quat rotation;
    Vec3 translation;
    Mat3 linear;  // rotation · blended stretch

    Vec3 operator*(const Vec3& point) const { return rotation * point + translation; }
};
BlendedMotion blend_motions(std::span<const JointMotion> motions, std::span<const Influence> list, const Vec3& point);

}  // namespace sinew
