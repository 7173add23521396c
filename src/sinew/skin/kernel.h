// What the SIMD kernels are given: a stretch of chunks, and packed buffers for just those vertices.
// Data flow: skin/compiled_deform.cpp → *here* → skin/kernel_*.cpp, compiled once per instruction set.
#pragma once

#include <sinew/skin/compiled.h>
#include <sinew/skin/joint_motion.h>

namespace sinew {

struct KernelJob;

// Moves places one at a time, by the scalar deformer: a run or the loose runs of a chunk.
struct SlowPath {
    void (*run)(const KernelJob& job, const SkinRun& run);
    void (*loose)(const KernelJob& job, const SkinChunk& chunk);
};

// A joint's rigid motion as a dual quaternion: real x y z w, dual x y z w.
struct MotionEntry {
    float q[8];
};

struct KernelJob {
    const CompiledSkin* skin = nullptr;
    std::span<const SkinChunk> chunks;
    const float* palette = nullptr;            // 12 floats a joint, column after column: what an Affine holds
    const float* padded = nullptr;             // the same in columns of four, on cache lines; for loose vertices
    const MotionEntry* motions = nullptr;      // one a joint, for the deformers that blend rotations
    const uint8_t* is_rigid = nullptr;         // whether it is all of the joint's matrix
    std::span<const JointMotion> taken_apart;  // of the joints that are not rigid, for the slow path
    const SlowPath* slow = nullptr;
    float* positions = nullptr;  // packed, of the chunks' places; null outputs are left out
    float* normals = nullptr;
    float* tangents = nullptr;
    bool exact_normals = true;
    bool unit = true;  // directions of length 1
};

void linear_blend_kernel(const KernelJob& job);
void dual_quaternion_kernel(const KernelJob& job);
void centres_of_rotation_kernel(const KernelJob& job);

}  // namespace sinew
