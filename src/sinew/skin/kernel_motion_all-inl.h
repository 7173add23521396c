// A whole job of a deformer that blends rotations: runs, octets, loose vertices.
// Data flow: included by skin/kernel_dual_quaternion.cpp and skin/kernel_centres.cpp.
#if defined(SINEW_SKIN_KERNEL_MOTION_ALL_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef SINEW_SKIN_KERNEL_MOTION_ALL_INL_H_
#undef SINEW_SKIN_KERNEL_MOTION_ALL_INL_H_
#else
#define SINEW_SKIN_KERNEL_MOTION_ALL_INL_H_
#endif

#include <sinew/skin/kernel_motion_octets-inl.h>
#include <sinew/skin/kernel_motion_runs-inl.h>

HWY_BEFORE_NAMESPACE();
namespace sinew {
namespace HWY_NAMESPACE {
namespace {

// The whole job. Normals are exact whatever is asked for: a rotation is its own inverse transpose.
template <class Mover>
HWY_INLINE void motion_kernel(const KernelJob& job) {
    const auto with_parts = [&]<Parts parts>() SINEW_INLINE_LAMBDA {
        const auto go = [&](auto make) SINEW_INLINE_LAMBDA {
            all_motion_runs<Mover, decltype(make)>(job);
            all_motion_octets<Mover, decltype(make)>(job);
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
