// A whole job of a deformer that blends rotations: runs, octets, loose vertices.
// Data flow: included by skin/compiled/kernels/kernel_dual_quaternion.cpp and skin/compiled/kernels/kernel_centres.cpp.
#if defined(SINEW_SKIN_KERNEL_MOTION_ALL_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef SINEW_SKIN_KERNEL_MOTION_ALL_INL_H_
#undef SINEW_SKIN_KERNEL_MOTION_ALL_INL_H_
#else
#define SINEW_SKIN_KERNEL_MOTION_ALL_INL_H_
#endif

#include <sinew/skin/compiled/kernels/kernel_motion_loose-inl.h>
#include <sinew/skin/compiled/kernels/kernel_motion_octets-inl.h>
#include <sinew/skin/compiled/kernels/kernel_motion_runs-inl.h>

HWY_BEFORE_NAMESPACE();
namespace sinew {
namespace HWY_NAMESPACE {
namespace {

// The whole job. Normals are exact and of length 1 whatever is asked for: rotations are their own inverse transposes,
// and to spare the length is to spare next to nothing.
template <class Mover>
HWY_INLINE void motion_kernel(KernelJob job) {
    job.unit = true;
    const auto go = [&](auto make) SINEW_INLINE_LAMBDA {
        all_motion_runs<Mover, decltype(make)>(job);
        all_motion_octets<Mover, decltype(make)>(job);
        job.all_rigid&& job.all_near ? loose_facing<Mover, decltype(make)>(job)
                                     : loose_alone<Mover, decltype(make)>(job);
    };
    if (job.tangents) {
        go(Makes<Parts::tangents, true>());
    } else if (job.normals) {
        go(Makes<Parts::normals, true>());
    } else {
        go(Makes<Parts::positions, true>());
    }
}

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace sinew
HWY_AFTER_NAMESPACE();

#endif
