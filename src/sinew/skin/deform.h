// Deformers, the clear scalar reference: rigid and linear blend skinning of positions, normals and tangents.
// Data flow: forward_kinematics.h → palette → *here* → render, io, the caller.
#pragma once

#include <sinew/mesh/mesh.h>
#include <sinew/skin/influences.h>
#include <span>

namespace sinew {

// world_from_bind[i] = world_from_joint[skin.joints[i]] * skin.inverse_bind[i]: the skin's palette.
void make_palette(const Skin& skin, std::span<const AffineD> world_from_joint, std::span<Affine> world_from_bind);

// Where the input is read from and the result goes to. Empty spans are left out; in and out may be the same memory.
struct DeformBuffers {
    std::span<const Vec3> positions_in;
    std::span<const Vec3> normals_in;
    std::span<const Vec4> tangents_in;
    std::span<Vec3> positions_out;
    std::span<Vec3> normals_out;
    std::span<Vec4> tangents_out;
};

// Every vertex by one matrix. Normals by the inverse transpose, tangents by the matrix itself, both unit afterwards;
// a mirroring matrix flips the tangent's handedness.
void deform_rigid(const Affine& world_from_mesh, const DeformBuffers& buffers);

// p' = Σ wᵢ Mᵢ p. A vertex without influences stays as it is.
void deform_linear_blend(std::span<const Affine> world_from_bind, const Influences& influences,
                         const DeformBuffers& buffers);

}  // namespace sinew
