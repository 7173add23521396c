// Blending rotations run by run: a run's entries are brought to one side and side by side, then block follows block.
// Data flow: included by skin/compiled/kernels/kernel_motion_all-inl.h.
#if defined(SINEW_SKIN_KERNEL_MOTION_RUNS_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef SINEW_SKIN_KERNEL_MOTION_RUNS_INL_H_
#undef SINEW_SKIN_KERNEL_MOTION_RUNS_INL_H_
#else
#define SINEW_SKIN_KERNEL_MOTION_RUNS_INL_H_
#endif

#include <sinew/skin/compiled/kernels/kernel_linear-inl.h>
#include <sinew/skin/compiled/kernels/kernel_motion_alone-inl.h>
#include <sinew/skin/compiled/kernels/kernel_motion_blend-inl.h>

HWY_BEFORE_NAMESPACE();
namespace sinew {
namespace HWY_NAMESPACE {
namespace {

// The first joint's motion, then the others, on its side, less it.
struct RunMotions {
    HWY_ALIGN float m[largest_run * motion_floats];
    bool one_sided = false;
    Stretch stretch = Stretch::none;
};

HWY_INLINE void prepare_motions(const KernelJob& job, const SkinRun& run, RunMotions& to) {
    const hn::CappedTag<float, 4> d;
    constexpr size_t rigid = offsetof(MotionEntry, strain) / sizeof(float);
    constexpr size_t sided = offsetof(MotionEntry, stretch) / sizeof(float);
    const uint32_t* joints = job.skin->run_joints.data() + run.first_joint;
    const JointsTogether together = look_at(job, joints, run.influences);
    float side[largest_run];
    to.stretch = together.rigid ? Stretch::none : Stretch::some;
    to.one_sided = together.near || choose_sides(job, joints, run.influences, side);
    if (!to.one_sided) return;
    const auto* first = reinterpret_cast<const float*>(job.motions + joints[0]);
    const size_t used = together.rigid ? rigid : motion_floats;
    for (size_t i = 0; i < used; i += hn::Lanes(d)) hn::Store(hn::Load(d, first + i), d, to.m + i);
    for (uint32_t k = 1; k < run.influences; ++k) {
        const auto* from = reinterpret_cast<const float*>(job.motions + joints[k]);
        float* out = to.m + k * motion_floats;
        const auto sign = hn::Set(d, together.near ? 1.0f : side[k]), plain = hn::Set(d, 1.0f);
        for (size_t i = 0; i < used; i += hn::Lanes(d))
            hn::Store(hn::MulSub(i < sided ? sign : plain, hn::Load(d, from + i), hn::Load(d, first + i)), d, out + i);
    }
}

// What the blocks of a one-sided run have in common.
struct MotionRun {
    const KernelJob& job;
    const SkinRun& run;
    const float* motions;
    const float* matrices;  // when the deformer needs centres
};

// As `prepare`, for weights that count in units.
HWY_INLINE void prepare_centres(const KernelJob& job, const SkinRun& run, RunMatrices& to) {
    const hn::CappedTag<float, 4> d;
    prepare(job, run, to);
    for (size_t i = matrix_entries; i < run.influences * matrix_entries; i += hn::Lanes(d))
        hn::Store(hn::Mul(hn::Set(d, centre_weight_unit), hn::Load(d, to.m + i)), d, to.m + i);
}

// Where linear blending takes the centres of a few vectors of lanes: each joint moves them, and what comes out is
// summed. A joint's entries are broadcast once for all vectors. K as in run_blocks.
template <uint32_t K>
HWY_INLINE void move_centres(const float* matrices, const uint16_t* weights, uint32_t influences, const float* centres,
                             LaneMotion<V> (&motion)[group]) {
    constexpr size_t n = lanes_of<V>;
    const float* m = opaque(matrices);
    V3<V> centre[group];
    V sum[3][group];
    SINEW_UNROLL for (size_t g = 0; g < group; ++g) centre[g] = load3<V>(centres + g * n);
    const auto move_row = [&](const float* from, size_t r, V(&to)[group]) SINEW_INLINE_LAMBDA {
        const V a = hn::Set(D(), from[r]), b = hn::Set(D(), from[3 + r]), c = hn::Set(D(), from[6 + r]),
                t = hn::Set(D(), from[9 + r]);
        SINEW_UNROLL for (size_t g = 0; g < group; ++g) to[g] = row_times(a, b, c, t, centre[g]);
    };
    const auto add = [&](uint32_t k) SINEW_INLINE_LAMBDA {
        V w[group], moved[group];
        SINEW_UNROLL for (size_t g = 0; g < group; ++g) w[g] = load_weights<V>(weights + (k - 1) * block_size + g * n);
        SINEW_UNROLL for (size_t r = 0; r < 3; ++r) {
            move_row(m + k * matrix_entries, r, moved);
            SINEW_UNROLL for (size_t g = 0; g < group; ++g) sum[r][g] = hn::MulAdd(w[g], moved[g], sum[r][g]);
        }
    };
    SINEW_UNROLL for (size_t r = 0; r < 3; ++r) move_row(m, r, sum[r]);
    if constexpr (K > 0) {
        SINEW_UNROLL for (uint32_t k = 1; k < K; ++k) add(k);
    } else {
        for (uint32_t k = 1; k < influences; ++k) add(k);
    }
    SINEW_UNROLL for (size_t g = 0; g < group; ++g) motion[g].centre = {sum[0][g], sum[1][g], sum[2][g]};
}

// K as in run_blocks.
template <uint32_t K, class Mover, class Make, Stretch stretch>
HWY_INLINE void move_motion_block(const MotionRun& r, uint32_t block, const LaneStreams& whole) {
    using Need = typename Mover::Need;
    constexpr size_t n = lanes_of<V>;
    const uint32_t influences = K == 0 ? r.run.influences : K;
    const float* m = opaque(r.motions);
    const float* centres = centres_of(r.job, r.run.first_block + block);
    const size_t first_weight = r.run.first_weight + size_t{block} * (influences - 1) * block_size;
    const float* weights = r.job.skin->weights.data() + first_weight;
    const uint16_t* centre_weights = centre_weights_from(r.job.skin->centre_weights, first_weight);
    for (size_t lane = 0; lane < block_size; lane += group * n) {
        const LaneStreams s = whole.at(lane);
        LaneMotion<V> motion[group];
        const RunBlend<K> blend{m, motion_floats, weights + lane, influences};
        blend_motions<Need, stretch>(blend, blend, s.positions, Make::normals, motion);
        if constexpr (Need::centre)
            move_centres<K>(r.matrices, centre_weights + lane, influences, centres + lane, motion);
        SINEW_UNROLL for (size_t g = 0; g < group; ++g)
            Mover::template move<Make, stretch>(motion[g], centres + lane + g * n, s.at(g * n));
    }
}

// A run whose joints lie on one side of each other.
template <uint32_t K, class Mover, class Make, Stretch stretch>
HWY_NOINLINE void one_sided_run(const KernelJob& job, const SkinRun& run, const RunMotions& motions) {
    RunMatrices matrices;
    if constexpr (Mover::Need::centre) prepare_centres(job, run, matrices);
    const MotionRun r{job, run, motions.m, matrices.m};
    each_block<Make>(job, run, [&](uint32_t block, const LaneStreams& s, uint32_t) SINEW_INLINE_LAMBDA {
        move_motion_block<K, Mover, Make, stretch>(r, block, s);
    });
}

// Walks the runs of a job: those of one joint by its matrix, the others by their blended motions, vertex by vertex
// where these cannot be blended with one set of signs.
template <class Mover, class Make>
HWY_INLINE void all_motion_runs(const KernelJob& job) {
    const CompiledSkin& skin = *job.skin;
    const uint32_t first = job.chunks.front().first_run, end = job.chunks.back().end_run;
    RunMotions motions[2];
    const auto make_ready = [&](uint32_t r) SINEW_INLINE_LAMBDA {
        if (r < end && skin.runs[r].influences > 1) prepare_motions(job, skin.runs[r], motions[r & 1]);
    };
    make_ready(first);
    for (uint32_t r = first; r < end; ++r) {
        make_ready(r + 1);
        const SkinRun& run = skin.runs[r];
        const RunMotions& m = motions[r & 1];
        if (run.influences == 1) {
            RunMatrices matrices;
            prepare(job, run, matrices);
            run_blocks<1, Make>(job, run, matrices);
        } else if (!m.one_sided) {
            run_alone<Mover, Make>(job, run);
        } else if (m.stretch == Stretch::some) {
            one_sided_run<0, Mover, Make, Stretch::some>(job, run, m);
        } else if (specialised && run.influences == 2) {
            one_sided_run<specialised ? 2 : 0, Mover, Make, Stretch::none>(job, run, m);
        } else if (specialised && run.influences == 4) {
            one_sided_run<specialised ? 4 : 0, Mover, Make, Stretch::none>(job, run, m);
        } else {
            one_sided_run<0, Mover, Make, Stretch::none>(job, run, m);
        }
    }
}

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace sinew
HWY_AFTER_NAMESPACE();

#endif
