// Linear blending of one run, sixteen vertices at a time: entries of its matrices are broadcast, never gathered.
// Data flow: included by skin/kernel_linear.cpp, and by the other kernels for runs of one joint.
#if defined(SINEW_SKIN_KERNEL_LINEAR_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef SINEW_SKIN_KERNEL_LINEAR_INL_H_
#undef SINEW_SKIN_KERNEL_LINEAR_INL_H_
#else
#define SINEW_SKIN_KERNEL_LINEAR_INL_H_
#endif

#include <sinew/skin/kernel-inl.h>

HWY_BEFORE_NAMESPACE();
namespace sinew {
namespace HWY_NAMESPACE {
namespace {

constexpr size_t entries = 12;
constexpr float identity[entries] = {1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0};

// The first joint's matrix, then the others less it: Σ wᵢ Mᵢ = M₀ + Σ wᵢ (Mᵢ − M₀).
struct RunMatrices {
    HWY_ALIGN float m[largest_run * entries];
};

HWY_INLINE const float* matrix_of(const KernelJob& job, uint32_t joint) {
    return joint == no_joint ? identity : job.palette + entries * joint;
}

HWY_INLINE void prepare(const KernelJob& job, const SkinRun& run, RunMatrices& to) {
    const hn::CappedTag<float, 4> d;
    const uint32_t* joints = job.skin->run_joints.data() + run.first_joint;
    const float* base = matrix_of(job, joints[0]);
    for (size_t i = 0; i < entries; i += hn::Lanes(d)) hn::StoreU(hn::LoadU(d, base + i), d, to.m + i);
    for (uint32_t k = 1; k < run.influences; ++k) {
        const float* other = matrix_of(job, joints[k]);
        for (size_t i = 0; i < entries; i += hn::Lanes(d))
            hn::StoreU(hn::Sub(hn::LoadU(d, other + i), hn::LoadU(d, base + i)), d, to.m + k * entries + i);
    }
}

// Keeps the compiler from loading all matrices before the loop: there are more entries than registers.
HWY_INLINE const float* opaque(const float* p) {
#if HWY_COMPILER_GCC || HWY_COMPILER_CLANG
    asm volatile("" : "+r"(p));
#endif
    return p;
}

template <uint32_t K, class Make>
HWY_INLINE void run_blocks(const KernelJob& job, const SkinRun& run, const RunMatrices& matrices, uint32_t first_place,
                           uint32_t end_place) {
    const D d;
    const uint32_t influences = K == 0 ? run.influences : K;
    const float* weights = job.skin->weights.data() + run.first_weight;
    constexpr size_t n = hn::MaxLanes(D());
    each_block(
        job, run, first_place, end_place, [&](uint32_t block, const LaneStreams& s, uint32_t) SINEW_INLINE_LAMBDA {
            const float* block_weights = weights + size_t{block} * (influences - 1) * block_size;
            const float* m = K == 1 || (K == 2 && n == block_size) ? matrices.m : opaque(matrices.m);
            for (size_t lane = 0; lane < block_size; lane += group * n) {
                const float* w = block_weights + lane;
                transform_group<Make>(s.at(lane), [&](int row, V(&a)[4][group]) SINEW_INLINE_LAMBDA {
                    SINEW_UNROLL for (int c = 0; c < 4; ++c) SINEW_UNROLL for (size_t g = 0; g < group; ++g) a[c][g] =
                        hn::Set(d, m[3 * c + row]);
                    for (uint32_t k = 1; k < influences; ++k) {
                        SINEW_UNROLL for (int c = 0; c < 4; ++c) {
                            const V entry =
                                hn::Set(d, m[k * entries + 3 * static_cast<size_t>(c) + static_cast<size_t>(row)]);
                            SINEW_UNROLL for (size_t g = 0; g < group; ++g) a[c][g] =
                                hn::MulAdd(hn::Load(d, w + (k - 1) * block_size + g * n), entry, a[c][g]);
                        }
                    }
                });
            }
        });
}

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace sinew
HWY_AFTER_NAMESPACE();

#endif
