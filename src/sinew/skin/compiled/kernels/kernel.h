// What the SIMD kernels are given: a stretch of chunks, and packed buffers for just those vertices.
// Data flow: skin/compiled/compiled_deform.cpp → *here* → skin/kernel_*.cpp, compiled once per instruction set.
#pragma once

#include <sinew/math/types.h>
#include <sinew/skin/compiled/compiled_skin.h>
#include <sinew/skin/deformers/centre_influences.h>

namespace sinew {

// A joint's matrix A, t taken apart as JointMotion has it, but all as numbers to be blended:
// rotation and translation as a dual quaternion, x y z w each; what A − rotation does to a point p adds `strain` p to
// the dual part; `stretch` is for directions.
struct alignas(16) MotionEntry {
    float real[4];
    float dual[4];
    float strain[4][3];  // row by row
    float stretch[9];    // column after column
    float padding[3];
};

struct KernelJob {
    const CompiledSkin* skin = nullptr;
    std::span<const SkinChunk> chunks;
    const float* palette = nullptr;  // 12 floats a joint, column after column: what an Affine holds
    // The same in columns of four, on cache lines; for loose vertices. Times centre_weight_unit for centres of
    // rotation.
    const float* padded = nullptr;
    const MotionEntry* motions = nullptr;  // one a joint, for the deformers that blend rotations
    const uint8_t* is_rigid = nullptr;     // whether its dual quaternion is all of it
    const uint8_t* is_near = nullptr;      // whether it lies on one side with every other that does
    bool all_rigid = false, all_near = false;
    float* positions = nullptr;  // packed, of the chunks' places; null outputs are left out
    float* normals = nullptr;
    float* tangents = nullptr;
    bool exact_normals = true;
    bool unit = true;  // directions of length 1
};

// Takes joints apart, on the side of the first one. Those that are nearly singular are left to the caller: `is_rigid`
// is `undone`, and `is_near` says nothing.
constexpr uint8_t undone = 2;
void joint_motions_kernel(std::span<const Affine> palette, MotionEntry* motions, uint8_t* is_rigid, uint8_t* is_near);

void linear_blend_kernel(const KernelJob& job);
void dual_quaternion_kernel(const KernelJob& job);
void centres_of_rotation_kernel(const KernelJob& job);

}  // namespace sinew
