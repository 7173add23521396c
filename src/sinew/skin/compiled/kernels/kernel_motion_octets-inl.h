// Blending rotations of octets, straight from the joints' entries.
// Data flow: included by skin/compiled/kernels/kernel_motion_all-inl.h.
#if defined(SINEW_SKIN_KERNEL_MOTION_OCTETS_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef SINEW_SKIN_KERNEL_MOTION_OCTETS_INL_H_
#undef SINEW_SKIN_KERNEL_MOTION_OCTETS_INL_H_
#else
#define SINEW_SKIN_KERNEL_MOTION_OCTETS_INL_H_
#endif

#include <sinew/skin/compiled/kernels/kernel_motion_alone-inl.h>
#include <sinew/skin/compiled/kernels/kernel_motion_blend-inl.h>
#include <sinew/skin/compiled/kernels/kernel_octets-inl.h>

HWY_BEFORE_NAMESPACE();
namespace sinew {
namespace HWY_NAMESPACE {
namespace {

// An octet whose joints lie on one side of each other, with the weights that bring them there.
template <class Mover, class Make, Stretch stretch>
HWY_INLINE void one_sided_octet(const KernelJob& job, const OctetAt& at, const float* weights) {
    using Need = typename Mover::Need;
    for (size_t lane = 0; lane < octet_size; lane += lanes_of<OctetV>) {
        const LaneStreams s = at.streams.at(lane);
        LaneMotion<OctetV> motion[1];
        const OctetBlend plain = at.blend(job.motions->real, motion_floats, lane);
        OctetBlend sided = plain;
        sided.weights = weights + lane;
        blend_motions<Need, stretch>(sided, plain, s.positions, Make::normals, motion);
        if constexpr (Need::centre)
            motion[0].centre =
                scaled(hn::Set(OctetD(), centre_weight_unit),
                       blended_points(at, job.palette, job.skin->centre_weights.data(), lane, at.centres));
        Mover::template move<Make, stretch>(motion[0], at.centres + lane, s);
    }
}

// Its weights with the joints' signs. False when it is not one-sided.
HWY_INLINE bool sided_weights(const KernelJob& job, const OctetAt& at, float* to) {
    float side[largest_run];
    if (!choose_sides(job, at.joints(), at.octet->influences, side)) return false;
    const float* weights = at.weights();
    for (size_t i = 0; i < size_t{at.octet->influences} * octet_size; ++i) to[i] = side[i / octet_size] * weights[i];
    return true;
}

// Octets as runs: of one joint by its matrix, the others by their blended motions.
template <class Mover, class Make>
HWY_INLINE void all_motion_octets(const KernelJob& job) {
    HWY_ALIGN float with_sides[largest_run * octet_size];
    each_octet<Make>(job, [&](const OctetAt& at) SINEW_INLINE_LAMBDA {
        if (at.octet->influences == 1) return move_octet<Make>(at, job.palette);
        const JointsTogether together = look_at(job, at.joints(), at.octet->influences);
        const float* weights = at.weights();
        if (!together.near) {
            if (!sided_weights(job, at, with_sides))
                return octet_alone<Mover, Make>(job, *at.octet, at.centres, at.streams);
            weights = with_sides;
        }
        together.rigid ? one_sided_octet<Mover, Make, Stretch::none>(job, at, weights)
                       : one_sided_octet<Mover, Make, Stretch::some>(job, at, weights);
    });
}

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace sinew
HWY_AFTER_NAMESPACE();

#endif
