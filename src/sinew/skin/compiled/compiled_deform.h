// Deform a CompiledSkin: SIMD kernels for the machine at hand, results into the caller's buffers, nothing allocated.
// Data flow: palette, skin/compiled/compiled_skin.h → *here* → the caller's vertex buffers. The slow twins are in
// skin/deform.h.
#pragma once

#include <sinew/skin/compiled/compiled_skin.h>
#include <sinew/skin/vertex_stream.h>

namespace sinew {

enum class NormalMethod {
    exact,        // the inverse transpose of the blended matrix
    approximate,  // the blended matrix itself: right where joints only turn and scale evenly, and none mirrors
};

struct CompiledDeformOptions {
    VertexOrder order = VertexOrder::compiled;  // compiled: vertex i is CompiledSkin::order[i] of the mesh
    NormalMethod normals = NormalMethod::exact;
    // Give normals and tangents length 1; a shader that does so anyway can spare it. Deformers that blend rotations
    // always do.
    bool unit = true;
    bool parallel = true;  // spread over the threads of core/parallel.h
};

// Memory that deforming needs besides the output. Keep it from call to call; one for each concurrent call.
struct SkinScratch {
    AlignedVector<float> palette;
    AlignedVector<float> motions;  // what rotation-blending kernels need of each joint
    std::vector<uint8_t> is_rigid;
    std::vector<uint8_t> is_near;
};

// Linear blend skinning, as deform_linear_blend does it. Normals and tangents are left out where the skin has none.
void deform_linear_blend(const CompiledSkin& skin, std::span<const Affine> world_from_bind,
                         const CompiledDeformOptions& options, SkinScratch& scratch, const SkinOutput& output);

// Dual quaternion skinning, as deform_dual_quaternion does it. Normals are always exact.
void deform_dual_quaternion(const CompiledSkin& skin, std::span<const Affine> world_from_bind,
                            const CompiledDeformOptions& options, SkinScratch& scratch, const SkinOutput& output);

// Skinning about centres of rotation, as deform_centres_of_rotation does it. The skin must have been compiled with
// centres and what carries them, as CharacterDeformer does it (character/character_deformer.h).
void deform_centres_of_rotation(const CompiledSkin& skin, std::span<const Affine> world_from_bind,
                                const CompiledDeformOptions& options, SkinScratch& scratch, const SkinOutput& output);

}  // namespace sinew
