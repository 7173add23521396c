// Blending rotations vertex by vertex, with signs of its own each: loose vertices, and runs or octets whose joints are
// turned by some 180° against each other. What is blended is then applied to as many vertices as there are lanes.
// Data flow: included by skin/compiled/kernels/kernel_motion_runs-inl.h and
// skin/compiled/kernels/kernel_motion_octets-inl.h.
#if defined(SINEW_SKIN_KERNEL_MOTION_ALONE_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef SINEW_SKIN_KERNEL_MOTION_ALONE_INL_H_
#undef SINEW_SKIN_KERNEL_MOTION_ALONE_INL_H_
#else
#define SINEW_SKIN_KERNEL_MOTION_ALONE_INL_H_
#endif

#include <sinew/skin/compiled/kernels/kernel_loose-inl.h>
#include <sinew/skin/compiled/kernels/kernel_motion-inl.h>

HWY_BEFORE_NAMESPACE();
namespace sinew {
namespace HWY_NAMESPACE {
namespace {

// A LaneMotion for each vertex of a block, entry by entry.
struct MotionBlock {
    HWY_ALIGN float real[4][block_size];
    HWY_ALIGN float dual[4][block_size];
    HWY_ALIGN float stretch[9][block_size];
    HWY_ALIGN float centre[3][block_size];
};

// The joints of one vertex, as many as they are: joint(i), weight(i). Signs are those of the largest weight's side.
template <class Joint, class Weight>
HWY_INLINE uint32_t pivot_of(uint32_t count, const Joint& joint, const Weight& weight) {
    uint32_t pivot = joint(0);
    float largest = weight(0);
    for (uint32_t i = 1; i < count; ++i) {
        if (weight(i) < largest || (weight(i) == largest && joint(i) > pivot)) continue;
        largest = weight(i), pivot = joint(i);
    }
    return pivot;
}

// Σ of the joints' entries by weight(i), and of their matrices by centre_weight(i) where the centre needs them.
template <class Need, Stretch stretch>
struct AloneSum {
    static constexpr size_t floats =
        (stretch == Stretch::some ? sizeof(MotionEntry) : offsetof(MotionEntry, strain)) / sizeof(float);
    HWY_ALIGN float entry[floats];
    HWY_ALIGN float matrix[12];
};

template <class Need, Stretch stretch, class Joint, class Weight, class CentreWeight>
HWY_INLINE void sum_alone(const KernelJob& job, uint32_t count, const Joint& joint, const Weight& weight,
                          const CentreWeight& centre_weight, AloneSum<Need, stretch>& to) {
    const hn::CappedTag<float, 4> d;
    constexpr size_t n = hn::MaxLanes(d), vectors = sizeof(to.entry) / sizeof(float) / n;
    constexpr size_t sided = offsetof(MotionEntry, stretch) / sizeof(float) / n;
    const float* pivot = job.all_near ? nullptr : job.motions[pivot_of(count, joint, weight)].real;
    hn::Vec<decltype(d)> sum[vectors], matrix[12 / n];
    SINEW_UNROLL for (size_t k = 0; k < vectors; ++k) sum[k] = hn::Zero(d);
    SINEW_UNROLL for (size_t k = 0; k < 12 / n; ++k) matrix[k] = hn::Zero(d);
    for (uint32_t i = 0; i < count; ++i) {
        const float w = weight(i);
        if (w == 0.0f) continue;
        const auto* m = reinterpret_cast<const float*>(job.motions + joint(i));
        const auto plain = hn::Set(d, w), side = pivot && dot4(pivot, m) < 0.0f ? hn::Neg(plain) : plain;
        SINEW_UNROLL for (size_t k = 0; k < vectors; ++k) sum[k] =
            hn::MulAdd(k < sided ? side : plain, hn::Load(d, m + k * n), sum[k]);
        if constexpr (Need::centre) {
            const auto carrying = hn::Set(d, centre_weight(i));
            SINEW_UNROLL for (size_t k = 0; k < 12 / n; ++k) matrix[k] =
                hn::MulAdd(carrying, hn::LoadU(d, job.palette + 12 * size_t{joint(i)} + k * n), matrix[k]);
        }
    }
    SINEW_UNROLL for (size_t k = 0; k < vectors; ++k) hn::Store(sum[k], d, to.entry + k * n);
    SINEW_UNROLL for (size_t k = 0; k < 12 / n; ++k) hn::Store(matrix[k], d, to.matrix + k * n);
}

template <class Need, Stretch stretch, class Joint, class Weight, class CentreWeight>
HWY_INLINE void blend_alone(const KernelJob& job, uint32_t count, const Joint& joint, const Weight& weight,
                            const CentreWeight& centre_weight, const float* HWY_RESTRICT point,
                            const float* HWY_RESTRICT centre, uint32_t lane, MotionBlock& to) {
    AloneSum<Need, stretch> sum;
    sum_alone(job, count, joint, weight, centre_weight, sum);
    for (size_t k = 0; k < 4; ++k) {
        to.real[k][lane] = sum.entry[k];
        to.dual[k][lane] = sum.entry[4 + k];
    }
    if constexpr (stretch == Stretch::some) {
        for (size_t k = 0; k < 4; ++k) {
            const float* row = sum.entry + 8 + 3 * k;
            to.dual[k][lane] += row[0] * point[0] + row[1] * point[block_size] + row[2] * point[2 * block_size];
        }
        for (size_t k = 0; k < 9; ++k) to.stretch[k][lane] = sum.entry[20 + k];
    }
    if constexpr (Need::centre) {
        const float *m = sum.matrix, *c = centre + lane;
        for (size_t r = 0; r < 3; ++r)
            to.centre[r][lane] = m[r] * c[0] + m[3 + r] * c[block_size] + m[6 + r] * c[2 * block_size] + m[9 + r];
    }
}

// Moves the vertices of a block, or of an octet, by what has been blended for them.
template <class Mover, class Make, Stretch stretch, class V>
HWY_NOINLINE void move_block(const MotionBlock& block, uint32_t places, const float* centres,
                             const LaneStreams& whole) {
    const hn::DFromV<V> d;
    for (size_t lane = 0; lane < places; lane += lanes_of<V>) {
        LaneMotion<V> motion;
        SINEW_UNROLL for (int i = 0; i < 4; ++i) {
            motion.real[i] = hn::Load(d, block.real[i] + lane);
            motion.dual[i] = hn::Load(d, block.dual[i] + lane);
        }
        SINEW_UNROLL for (int i = 0; i < 9; ++i) motion.stretch.m[i] = hn::Load(d, block.stretch[i] + lane);
        motion.centre = load3<V>(block.centre[0] + lane);
        Mover::template move<Make, stretch>(motion, centres + lane, whole.at(lane));
    }
}

HWY_INLINE float plain_weight(float weight) {
    return weight;
}
HWY_INLINE float plain_weight(uint16_t weight) {
    return centre_weight_unit * static_cast<float>(weight);
}

// All weights of one vertex of a run, whose block has those of the first joint left out.
template <class Weight>
HWY_INLINE void run_weights(const Weight* lane, uint32_t influences, float (&to)[largest_run]) {
    to[0] = 1.0f;
    for (uint32_t k = 1; k < influences; ++k) {
        to[k] = plain_weight(lane[(k - 1) * block_size]);
        to[0] -= to[k];
    }
    // What rounding leaves of a weight that was 0 is not an influence.
    if (to[0] <= 1e-6f) to[0] = 0.0f;
}

template <class Mover, class Make>
HWY_NOINLINE void run_alone(const KernelJob& job, const SkinRun& run) {
    const uint32_t* joints = job.skin->run_joints.data() + run.first_joint;
    MotionBlock motions{};
    const auto move = [&](uint32_t b, const LaneStreams& s, uint32_t places) HWY_ATTR {
        const size_t first_weight = run.first_weight + size_t{b} * (run.influences - 1) * block_size;
        const float* centres = centres_of(job, run.first_block + b);
        for (uint32_t i = 0; i < places; ++i) {
            float weights[largest_run], centre_weights[largest_run];
            run_weights(job.skin->weights.data() + first_weight + i, run.influences, weights);
            if constexpr (Mover::Need::centre)
                run_weights(job.skin->centre_weights.data() + first_weight + i, run.influences, centre_weights);
            blend_alone<typename Mover::Need, Stretch::some>(
                job, run.influences, [&](uint32_t k) { return joints[k]; }, [&](uint32_t k) { return weights[k]; },
                [&](uint32_t k) { return centre_weights[k]; }, s.positions + i, centres, i, motions);
        }
        move_block<Mover, Make, Stretch::some, V>(motions, places, centres, s);
    };
    each_block<Make>(job, run, move);
}

template <class Mover, class Make>
HWY_NOINLINE void octet_alone(const KernelJob& job, const SkinOctet& octet, const float* centres,
                              const LaneStreams& s) {
    const uint32_t* joints = job.skin->run_joints.data() + octet.first_joint;
    const float* weights = job.skin->weights.data() + octet.first_weight;
    const uint16_t* centre_weights = centre_weights_from(job.skin->centre_weights, octet.first_weight);
    MotionBlock motions{};
    for (uint32_t i = 0; i < octet.places; ++i)
        blend_alone<typename Mover::Need, Stretch::some>(
            job, octet.influences, [&](uint32_t k) { return joints[k]; },
            [&](uint32_t k) { return weights[k * octet_size + i]; },
            [&](uint32_t k) { return plain_weight(centre_weights[k * octet_size + i]); }, s.positions + i, centres, i,
            motions);
    move_block<Mover, Make, Stretch::some, OctetV>(motions, octet.places, centres, s);
}

template <class Mover, class Make>
HWY_NOINLINE void loose_alone(const KernelJob& job) {
    const LooseStretch all = loose_stretch(job);
    if (all.places == 0) return;
    const CompiledSkin& skin = *job.skin;
    LooseCursor cursor{skin.loose.data() + all.first_run, 0};
    MotionBlock motions{};
    const auto move = [&](uint32_t b, const LaneStreams& s, uint32_t places) HWY_ATTR {
        const float* centres = centres_of(job, all.first_block + b);
        for (uint32_t i = 0; i < places; ++i, ++cursor.done) {
            if (cursor.done == cursor.run->places) ++cursor.run, cursor.done = 0;
            const LooseRun& run = *cursor.run;
            const size_t first_weight = run.first_weight + size_t{cursor.done} * (2 + run.extras);
            const float* w = skin.loose_weights.data() + first_weight;
            const uint16_t* centre_weights = centre_weights_from(skin.loose_centre_weights, first_weight);
            const uint32_t* extra = skin.loose_joints.data() + run.first_extra + size_t{cursor.done} * run.extras;
            blend_alone<typename Mover::Need, Stretch::some>(
                job, 2 + run.extras, [&](uint32_t k) { return k < 2 ? run.pair[k] : extra[k - 2]; },
                [&](uint32_t k) { return w[k]; }, [&](uint32_t k) { return plain_weight(centre_weights[k]); },
                s.positions + i, centres, i, motions);
        }
        move_block<Mover, Make, Stretch::some, V>(motions, places, centres, s);
    };
    each_block<Make>(job, all, move);
}

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace sinew
HWY_AFTER_NAMESPACE();

#endif
