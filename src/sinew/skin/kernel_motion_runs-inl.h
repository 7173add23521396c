// Blending rotations run by run: signs are chosen once for a run, and its joints' entries broadcast, never gathered.
// Data flow: included by the kernels that blend rotations.
#if defined(SINEW_SKIN_KERNEL_MOTION_RUNS_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef SINEW_SKIN_KERNEL_MOTION_RUNS_INL_H_
#undef SINEW_SKIN_KERNEL_MOTION_RUNS_INL_H_
#else
#define SINEW_SKIN_KERNEL_MOTION_RUNS_INL_H_
#endif

#include <sinew/skin/kernel_linear-inl.h>
#include <sinew/skin/kernel_motion_alone-inl.h>

HWY_BEFORE_NAMESPACE();
namespace sinew {
namespace HWY_NAMESPACE {
namespace {

constexpr size_t motion_floats = sizeof(MotionEntry) / sizeof(float);

// The first joint's motion, then the others, on its side, less it.
struct RunMotions {
    HWY_ALIGN float m[largest_run * motion_floats];
    bool one_sided = false;
    Stretch stretch = Stretch::none;
};

HWY_INLINE float dot4(const float* a, const float* b) {
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3];
}

// One-sided when every two joints lie on one side: then it does not matter which is the pivot, and signs are set once
// for the run. That fails only where joints of one vertex are turned by some 180° against each other.
HWY_INLINE void prepare_motions(const KernelJob& job, const SkinRun& run, RunMotions& to) {
    constexpr size_t rigid = offsetof(MotionEntry, strain) / sizeof(float);
    constexpr size_t sided = offsetof(MotionEntry, stretch) / sizeof(float), all = motion_floats;
    const uint32_t* joints = job.skin->run_joints.data() + run.first_joint;
    bool all_rigid = true;
    for (uint32_t k = 0; k < run.influences; ++k) all_rigid = all_rigid && job.is_rigid[joints[k]];
    to.stretch = all_rigid ? Stretch::none : Stretch::some;
    to.one_sided = false;
    for (uint32_t k = 0; k < run.influences; ++k) {
        const auto* from = reinterpret_cast<const float*>(job.motions + joints[k]);
        float* out = to.m + k * motion_floats;
        const float side = k > 0 && dot4(to.m, from) < 0.0f ? -1.0f : 1.0f;
        for (size_t i = 0; i < rigid; ++i) out[i] = side * from[i];
        for (uint32_t other = 1; other < k; ++other)
            if (dot4(to.m + other * motion_floats, out) < 0.0f) return;
        if (all_rigid) continue;
        for (size_t i = rigid; i < sided; ++i) out[i] = side * from[i];
        for (size_t i = sided; i < all; ++i) out[i] = from[i];
    }
    for (uint32_t k = 1; k < run.influences; ++k)
        for (size_t i = 0; i < (all_rigid ? rigid : all); ++i) to.m[k * motion_floats + i] -= to.m[i];
    to.one_sided = true;
}

// Σ of `count` entries that lie side by side, for a group of vectors: those of the first joint, and those of the others
// times their weights.
template <size_t count>
HWY_INLINE void blend_entries(const float* HWY_RESTRICT m, size_t stride, const float* HWY_RESTRICT w,
                              uint32_t influences, V (&sum)[count][group]) {
    const D d;
    constexpr size_t n = hn::MaxLanes(D());
    SINEW_UNROLL for (size_t i = 0; i < count; ++i) SINEW_UNROLL for (size_t g = 0; g < group; ++g) sum[i][g] =
        hn::Set(d, m[i]);
    for (uint32_t k = 1; k < influences; ++k) {
        SINEW_UNROLL for (size_t i = 0; i < count; ++i) {
            const V entry = hn::Set(d, m[k * stride + i]);
            SINEW_UNROLL for (size_t g = 0; g < group; ++g) sum[i][g] =
                hn::MulAdd(hn::Load(d, w + (k - 1) * block_size + g * n), entry, sum[i][g]);
        }
    }
}

// The same into a place that each motion of the group has.
template <size_t count, class Place>
HWY_INLINE void blend_into(const float* HWY_RESTRICT m, const float* HWY_RESTRICT w, uint32_t influences,
                           LaneMotion (&motion)[group], const Place& place) {
    V sum[count][group];
    blend_entries(m, motion_floats, w, influences, sum);
    SINEW_UNROLL for (size_t g = 0; g < group; ++g) SINEW_UNROLL for (size_t i = 0; i < count; ++i)
        place(motion[g])[i] = sum[i][g];
}

template <class Need, Stretch stretch>
HWY_INLINE void blend_motions(const float* HWY_RESTRICT m, const float* HWY_RESTRICT w, uint32_t influences,
                              const float* HWY_RESTRICT points, bool directions, LaneMotion (&motion)[group]) {
    constexpr size_t n = hn::MaxLanes(D());
    blend_into<4>(m, w, influences, motion, [](LaneMotion& to) SINEW_INLINE_LAMBDA { return to.real; });
    if constexpr (Need::dual)
        blend_into<4>(m + 4, w, influences, motion, [](LaneMotion& to) SINEW_INLINE_LAMBDA { return to.dual; });
    if constexpr (stretch == Stretch::some) {
        SINEW_UNROLL for (size_t i = 0; i < (Need::dual ? 4 : 0); ++i) {
            V row[3][group];
            blend_entries(m + 8 + 3 * i, motion_floats, w, influences, row);
            SINEW_UNROLL for (size_t g = 0; g < group; ++g) motion[g].dual[i] =
                row_times(row[0][g], row[1][g], row[2][g], motion[g].dual[i], points + g * n);
        }
        if (Need::centre || directions)
            blend_into<9>(m + 20, w, influences, motion,
                          [](LaneMotion& to) SINEW_INLINE_LAMBDA { return to.stretch.m; });
    }
}

// Where linear blending takes the centres: row by row, as for positions.
HWY_INLINE void blend_centres(const float* HWY_RESTRICT m, const float* HWY_RESTRICT w, uint32_t influences,
                              const float* HWY_RESTRICT centres, LaneMotion (&motion)[group]) {
    const D d;
    constexpr size_t n = hn::MaxLanes(D());
    V out[3][group];
    SINEW_UNROLL for (size_t row = 0; row < 3; ++row) {
        V a[4][group];
        SINEW_UNROLL for (size_t c = 0; c < 4; ++c) SINEW_UNROLL for (size_t g = 0; g < group; ++g) a[c][g] =
            hn::Set(d, m[3 * c + row]);
        for (uint32_t k = 1; k < influences; ++k) {
            SINEW_UNROLL for (size_t c = 0; c < 4; ++c) {
                const V entry = hn::Set(d, m[k * entries + 3 * c + row]);
                SINEW_UNROLL for (size_t g = 0; g < group; ++g) a[c][g] =
                    hn::MulAdd(hn::Load(d, w + (k - 1) * block_size + g * n), entry, a[c][g]);
            }
        }
        SINEW_UNROLL for (size_t g = 0; g < group; ++g) out[row][g] =
            row_times(a[0][g], a[1][g], a[2][g], a[3][g], centres + g * n);
    }
    SINEW_UNROLL for (size_t g = 0; g < group; ++g) motion[g].centre = {out[0][g], out[1][g], out[2][g]};
}

// What the blocks of a one-sided run have in common.
struct MotionRun {
    const KernelJob& job;
    const SkinRun& run;
    const float* motions;
    const float* matrices;  // when the deformer needs centres
};

// K as in run_blocks.
template <uint32_t K, class Mover, class Make, Stretch stretch>
HWY_INLINE void move_motion_block(const MotionRun& r, uint32_t block, const LaneStreams& whole) {
    using Need = typename Mover::Need;
    constexpr size_t n = hn::MaxLanes(D());
    const uint32_t influences = K == 0 ? r.run.influences : K;
    const float* m = opaque(r.motions);
    const float* centres = centres_of(r.job, r.run.first_block + block);
    const float* weights =
        r.job.skin->weights.data() + r.run.first_weight + size_t{block} * (influences - 1) * block_size;
    for (size_t lane = 0; lane < block_size; lane += group * n) {
        const LaneStreams s = whole.at(lane);
        LaneMotion motion[group];
        blend_motions<Need, stretch>(m, weights + lane, influences, s.positions, Make::normals, motion);
        if constexpr (Need::centre)
            blend_centres(opaque(r.matrices), weights + lane, influences, centres + lane, motion);
        SINEW_UNROLL for (size_t g = 0; g < group; ++g)
            Mover::template move<Make, stretch>(motion[g], centres + lane + g * n, s.at(g * n));
    }
}

// A run whose joints lie on one side of each other.
template <uint32_t K, class Mover, class Make, Stretch stretch>
HWY_INLINE void one_sided_run(const KernelJob& job, const SkinRun& run, const RunMotions& motions, uint32_t first_place,
                              uint32_t end_place) {
    RunMatrices matrices;
    if constexpr (Mover::Need::centre) prepare(job, run, matrices);
    const MotionRun r{job, run, motions.m, matrices.m};
    each_block(job, run, first_place, end_place,
               [&](uint32_t block, const LaneStreams& s, uint32_t)
                   SINEW_INLINE_LAMBDA { move_motion_block<K, Mover, Make, stretch>(r, block, s); });
}

// Walks the runs of a job: those of one joint by its matrix, the others by their blended motions, vertex by vertex
// where these cannot be blended with one set of signs.
template <class Mover, class Make>
HWY_INLINE void all_motion_runs(const KernelJob& job) {
    const CompiledSkin& skin = *job.skin;
    const uint32_t first_place = job.chunks.front().first_place, end_place = job.chunks.back().end_place;
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
            run_blocks<1, Make>(job, run, matrices, first_place, end_place);
        } else if (!m.one_sided) {
            run_alone<Mover, Make>(job, run, first_place, end_place);
        } else if (m.stretch == Stretch::some) {
            one_sided_run<0, Mover, Make, Stretch::some>(job, run, m, first_place, end_place);
        } else if (run.influences == 2) {
            one_sided_run<2, Mover, Make, Stretch::none>(job, run, m, first_place, end_place);
        } else {
            one_sided_run<0, Mover, Make, Stretch::none>(job, run, m, first_place, end_place);
        }
    }
}

// The whole job. Normals are exact whatever is asked for: a rotation is its own inverse transpose.
template <class Mover>
HWY_INLINE void motion_kernel(const KernelJob& job) {
    const auto with_parts = [&]<Parts parts>() SINEW_INLINE_LAMBDA {
        const auto go = [&](auto make) SINEW_INLINE_LAMBDA {
            all_motion_runs<Mover, decltype(make)>(job);
            job.all_rigid ? loose_alone<Mover, decltype(make), Stretch::none>(job)
                          : loose_alone<Mover, decltype(make), Stretch::some>(job);
        };
        job.unit ? go(Makes<parts, true, true>()) : go(Makes<parts, true, false>());
    };
    if (job.tangents) {
        with_parts.template operator()<Parts::tangents>();
    } else if (job.normals) {
        with_parts.template operator()<Parts::normals>();
    } else {
        with_parts.template operator()<Parts::positions>();
    }
}

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace sinew
HWY_AFTER_NAMESPACE();

#endif
