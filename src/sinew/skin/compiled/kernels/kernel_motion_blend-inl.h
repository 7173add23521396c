// Blending rotations of joints that lie on one side of each other: signs are chosen once for many vertices, and entries
// broadcast, never gathered. Data flow: included by the kernels for runs and for octets.
#if defined(SINEW_SKIN_KERNEL_MOTION_BLEND_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef SINEW_SKIN_KERNEL_MOTION_BLEND_INL_H_
#undef SINEW_SKIN_KERNEL_MOTION_BLEND_INL_H_
#else
#define SINEW_SKIN_KERNEL_MOTION_BLEND_INL_H_
#endif

#include <sinew/skin/compiled/kernels/kernel_motion-inl.h>

HWY_BEFORE_NAMESPACE();
namespace sinew {
namespace HWY_NAMESPACE {
namespace {

// What the joints of a run or an octet have in common.
struct JointsTogether {
    bool rigid = true;
    bool near = true;  // all on one side of each other as they are
};

HWY_INLINE JointsTogether look_at(const KernelJob& job, const uint32_t* joints, uint32_t count) {
    JointsTogether all;
    if (job.all_rigid && job.all_near) return all;
    for (uint32_t k = 0; k < count; ++k) {
        all.rigid = all.rigid && job.is_rigid[joints[k]];
        all.near = all.near && job.is_near[joints[k]];
    }
    return all;
}

// Chooses signs that bring the joints to the first one's side. False when then two of them still face away from each
// other: it matters which is the pivot, and a vertex must choose its own signs. That happens only where joints of one
// vertex are turned by some 180° against each other.
HWY_INLINE bool choose_sides(const KernelJob& job, const uint32_t* joints, uint32_t count, float (&side)[largest_run]) {
    for (uint32_t k = 0; k < count; ++k) {
        const float* q = job.motions[joints[k]].real;
        side[k] = dot4(job.motions[joints[0]].real, q) < 0.0f ? -1.0f : 1.0f;
        for (uint32_t other = 1; other < k; ++other)
            if (side[k] * side[other] * dot4(job.motions[joints[other]].real, q) < 0.0f) return false;
    }
    return true;
}

// The entries of MotionEntry, blended by a RunBlend or an OctetBlend for as many vectors as that makes at once. Those
// that change sides with the joints are summed by `sided`, the others by `plain`.
template <class Need, Stretch stretch, class Blend, class V, size_t vectors>
HWY_INLINE void blend_motions(const Blend& sided, const Blend& plain, const float* HWY_RESTRICT points, bool directions,
                              LaneMotion<V> (&motion)[vectors]) {
    const auto into = [&]<size_t count>(const Blend& blend, size_t first, const auto& place) SINEW_INLINE_LAMBDA {
        V sum[count][vectors];
        blend.template sum<1>(first, sum);
        SINEW_UNROLL for (size_t g = 0; g < vectors; ++g) SINEW_UNROLL for (size_t i = 0; i < count; ++i)
            place(motion[g])[i] = sum[i][g];
    };
    into.template operator()<4>(sided, 0, [](LaneMotion<V>& to) SINEW_INLINE_LAMBDA { return to.real; });
    if constexpr (Need::dual)
        into.template operator()<4>(sided, 4, [](LaneMotion<V>& to) SINEW_INLINE_LAMBDA { return to.dual; });
    if constexpr (stretch == Stretch::some) {
        SINEW_UNROLL for (size_t i = 0; i < (Need::dual ? 4 : 0); ++i) {
            V row[3][vectors];
            sided.template sum<1>(8 + 3 * i, row);
            SINEW_UNROLL for (size_t g = 0; g < vectors; ++g) motion[g].dual[i] =
                row_times(row[0][g], row[1][g], row[2][g], motion[g].dual[i], points + g * lanes_of<V>);
        }
        if (Need::centre || directions)
            into.template operator()<9>(plain, 20, [](LaneMotion<V>& to) SINEW_INLINE_LAMBDA { return to.stretch.m; });
    }
}

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace sinew
HWY_AFTER_NAMESPACE();

#endif
