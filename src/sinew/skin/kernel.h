// What the SIMD kernels are given: a stretch of chunks, and packed buffers for just those vertices.
// Data flow: skin/compiled_deform.cpp → *here* → skin/kernel_*.cpp, compiled once per instruction set.
#pragma once

#include <sinew/skin/compiled.h>

namespace sinew {

struct KernelJob {
    const CompiledSkin* skin = nullptr;
    std::span<const SkinChunk> chunks;
    const float* palette = nullptr;  // 12 floats a joint, column after column: what an Affine holds
    const float* padded = nullptr;   // the same in columns of four, on cache lines; for loose vertices
    float* positions = nullptr;      // packed, of the chunks' places; null outputs are left out
    float* normals = nullptr;
    float* tangents = nullptr;
    bool exact_normals = true;
    bool unit = true;  // directions of length 1
};

void linear_blend_kernel(const KernelJob& job);

}  // namespace sinew
