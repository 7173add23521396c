// Linear blending of one run, sixteen vertices at a time: entries of its matrices are broadcast, never gathered.
// Data flow: included by skin/compiled/kernels/kernel_linear.cpp, and by the other kernels for runs of one joint.
#if defined(SINEW_SKIN_KERNEL_LINEAR_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef SINEW_SKIN_KERNEL_LINEAR_INL_H_
#undef SINEW_SKIN_KERNEL_LINEAR_INL_H_
#else
#define SINEW_SKIN_KERNEL_LINEAR_INL_H_
#endif

#include <sinew/skin/compiled/kernels/kernel-inl.h>

HWY_BEFORE_NAMESPACE();
namespace sinew {
namespace HWY_NAMESPACE {
namespace {

constexpr float identity[matrix_entries] = {1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0};

// The first joint's matrix, then the others less it: Σ wᵢ Mᵢ = M₀ + Σ wᵢ (Mᵢ − M₀).
struct RunMatrices {
    HWY_ALIGN float m[largest_run * matrix_entries];
};

HWY_INLINE const float* matrix_of(const KernelJob& job, uint32_t joint) {
    return joint == no_joint ? identity : job.palette + matrix_entries * joint;
}

HWY_INLINE void prepare(const KernelJob& job, const SkinRun& run, RunMatrices& to) {
    const hn::CappedTag<float, 4> d;
    const uint32_t* joints = job.skin->run_joints.data() + run.first_joint;
    const float* base = matrix_of(job, joints[0]);
    for (size_t i = 0; i < matrix_entries; i += hn::Lanes(d)) hn::StoreU(hn::LoadU(d, base + i), d, to.m + i);
    for (uint32_t k = 1; k < run.influences; ++k) {
        const float* other = matrix_of(job, joints[k]);
        for (size_t i = 0; i < matrix_entries; i += hn::Lanes(d))
            hn::StoreU(hn::Sub(hn::LoadU(d, other + i), hn::LoadU(d, base + i)), d, to.m + k * matrix_entries + i);
    }
}

// Sums a block's entries: those of the run's first joint, and the others', less it, times their weights. K: how many
// joints there are, or 0 for `influences`.
template <uint32_t K>
struct RunBlend {
    const float* m;
    size_t stride;  // from joint to joint
    const float* weights;
    uint32_t influences;

    // Of each joint the entries first, first + step, …
    template <size_t step, size_t count>
    HWY_INLINE void sum(size_t first, V (&to)[count][group]) const {
        const D d;
        constexpr size_t n = lanes_of<V>;
        SINEW_UNROLL for (size_t i = 0; i < count; ++i) SINEW_UNROLL for (size_t g = 0; g < group; ++g) to[i][g] =
            hn::Set(d, m[first + step * i]);
        const auto add = [&](uint32_t k) SINEW_INLINE_LAMBDA {
            SINEW_UNROLL for (size_t i = 0; i < count; ++i) {
                const V entry = hn::Set(d, m[k * stride + first + step * i]);
                SINEW_UNROLL for (size_t g = 0; g < group; ++g) to[i][g] =
                    hn::MulAdd(hn::Load(d, weights + (k - 1) * block_size + g * n), entry, to[i][g]);
            }
        };
        if constexpr (K > 0) {
            SINEW_UNROLL for (uint32_t k = 1; k < K; ++k) add(k);
        } else {
            for (uint32_t k = 1; k < influences; ++k) add(k);
        }
    }
};

// The matrices of a run of one or two joints in registers, for all its blocks.
template <uint32_t K>
struct HeldMatrices {
    V m[K][matrix_entries];

    explicit HWY_INLINE HeldMatrices(const RunMatrices& from) {
        SINEW_UNROLL for (size_t k = 0; k < K; ++k) SINEW_UNROLL for (size_t i = 0; i < matrix_entries; ++i) m[k][i] =
            hn::Set(D(), from.m[k * matrix_entries + i]);
    }

    // A row of the blended matrix.
    HWY_INLINE void row(size_t r, V weight, V (&to)[4][1]) const {
        SINEW_UNROLL for (size_t c = 0; c < 4; ++c) to[c][0] =
            K == 1 ? m[0][3 * c + r] : hn::MulAdd(weight, m[K - 1][3 * c + r], m[0][3 * c + r]);
    }
};

// A run whose matrices stay in registers: what its vertices share, normal matrices of one joint too, is made once.
template <uint32_t K, class Make>
HWY_INLINE void held_blocks(const KernelJob& job, const SkinRun& run, const RunMatrices& matrices) {
    constexpr size_t n = lanes_of<V>;
    const float* weights = job.skin->weights.data() + run.first_weight;
    const HeldMatrices<K> held(matrices);
    each_block<Make>(job, run, [&](uint32_t block, const LaneStreams& s, uint32_t) SINEW_INLINE_LAMBDA {
        SINEW_UNROLL for (size_t lane = 0; lane < block_size; lane += n) {
            const V weight = K == 1 ? hn::Zero(D()) : hn::Load(D(), weights + size_t{block} * block_size + lane);
            transform_group<Make, V, 1, true>(
                s.at(lane), [&](size_t row, V(&a)[4][1]) SINEW_INLINE_LAMBDA { held.row(row, weight, a); });
        }
    });
}

template <uint32_t K, class Make>
HWY_NOINLINE void run_blocks(const KernelJob& job, const SkinRun& run, const RunMatrices& matrices) {
    if constexpr (K == 1 || (many_registers && K == 2)) return held_blocks<K, Make>(job, run, matrices);
    const uint32_t influences = K == 0 ? run.influences : K;
    const float* weights = job.skin->weights.data() + run.first_weight;
    constexpr size_t n = lanes_of<V>;
    each_block<Make>(job, run, [&](uint32_t block, const LaneStreams& s, uint32_t) SINEW_INLINE_LAMBDA {
        const float* w = weights + size_t{block} * (influences - 1) * block_size;
        const float* m = opaque(matrices.m);
        for (size_t lane = 0; lane < block_size; lane += group * n) {
            const RunBlend<K> blend{m, matrix_entries, w + lane, influences};
            transform_group<Make, V, group>(
                s.at(lane), [&](size_t row, V(&a)[4][group]) SINEW_INLINE_LAMBDA { blend.template sum<3>(row, a); });
        }
    });
}

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace sinew
HWY_AFTER_NAMESPACE();

#endif
