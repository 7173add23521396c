// Deformers, the clear scalar reference: how a pose moves the positions, normals and tangents of a bound mesh.
// Data flow: pose.h → palette → *here* → render, io, the caller.
#pragma once

#include <sinew/skin/influences.h>
#include <span>

namespace sinew {

struct BendTwist;
struct SkinBone;
struct WeightGradients;

// world_from_bind[i] = world_from_joint[skin.joints[i]] * skin.inverse_bind[i]: the skin's palette.
void make_palette(const Skin& skin, std::span<const AffineD> world_from_joint, std::span<Affine> world_from_bind);

// Where the input is read from and the result goes to. Empty spans are left out; in and out may be the same memory.
struct DeformBuffers {
    std::span<const Vec3> positions_in = {};
    std::span<const Vec3> normals_in = {};
    std::span<const Vec4> tangents_in = {};
    std::span<Vec3> positions_out = {};
    std::span<Vec3> normals_out = {};
    std::span<Vec4> tangents_out = {};
};

// What a deformer knows of a mesh besides its vertices. All of them need the influences. The rest is made once per
// binding, by MeshDeformer (skin/skinning.h), and read by those deformers that name it.
struct DeformBinding {
    const Influences& influences;
    std::span<const SkinBone> bones = {};           // bulge-free: one per joint
    const BendTwist* bend_twist = nullptr;          // bend-twist
    const WeightGradients* gradients = nullptr;     // linear blend, where wanted
    size_t first_gradient = 0;                      // this mesh's first vertex in the gradients
    std::span<const Vec3> centres = {};             // centres of rotation: one per vertex
    const Influences* centre_influences = nullptr;  // and what carries them
};

// All deformers have one signature. A vertex without influences stays as it is; one with a single influence goes
// exactly where that joint's matrix takes it. With weights held fixed, every deformer is locally a linear map L:
// normals go by its inverse transpose (not by L, which is wrong under scale and shear), tangents by L, both unit
// afterwards; a mirroring L flips the tangent's handedness. No per-vertex allocation.
using Deformer = void(std::span<const Affine> palette, const DeformBinding& binding, const DeformBuffers& buffers);

// Every vertex by the matrix of its largest influence.
Deformer deform_rigid;

// p' = Σ wᵢ Mᵢ p. With binding.gradients, L also counts how the weights change along the surface, which fixed weights
// leave out: L = Σ wᵢ Mᵢ + Σ (Mᵢ p) ∇wᵢᵀ [Tarini2014]. The normals are those of the deformed surface then.
Deformer deform_linear_blend;

// Blended dual quaternions [Kavan2008]: the joints' rigid motions, each brought to the side of the vertex's largest
// influence, are added up with the weights and normalised. For a joint with scale or shear, the motion
// taken is the rigid one that agrees with its matrix at the vertex itself, and L is the blended rotation after
// the linearly blended stretch: Kavan's scale pass with the vertex as its centre, so that neither the choice of origin
// nor a scale of the whole character shows.
Deformer deform_dual_quaternion;

// Dual quaternions, then what has moved away from the bones is drawn back towards them [Kim2014]: bent joints do not
// bulge.
Deformer deform_bulge_free;

// Dual quaternions with the sharper weights of binding.bend_twist; what that takes from the twist about each bone is
// given back before: v' = blend(twist(v)). Bending stays close to the joint, twist is spread along the limb.
Deformer deform_bend_twist;

// Optimised centres of rotation [Le2016]: the vertex turns by the blended rotation about binding.centres[v], which goes
// where linear blending by weights of its own takes it: p' = L (p − c) + Σ wᵢ' Mᵢ c. L as for dual quaternions.
Deformer deform_centres_of_rotation;

// Every vertex by one matrix: what is not skinned.
void deform_by_matrix(const Affine& world_from_mesh, const DeformBuffers& buffers);

}  // namespace sinew
