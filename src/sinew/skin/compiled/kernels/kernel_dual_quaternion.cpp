// Dual quaternion skinning of compiled skins.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "sinew/skin/compiled/kernels/kernel_dual_quaternion.cpp"
#include <hwy/foreach_target.h>

#include <sinew/skin/compiled/kernels/kernel_motion_all-inl.h>

HWY_BEFORE_NAMESPACE();
namespace sinew {
namespace HWY_NAMESPACE {
namespace {

// p' = p + s (r × (r × p + w p + d) + w d − d_w r): the rotation, and the translation 2 d q* / |q|².
struct DualQuaternionMover {
    using Need = Needs<true, false>;

    template <class Make, Stretch stretch, class V>
    static HWY_INLINE void move(const LaneMotion<V>& motion, const float*, const LaneStreams& s) {
        const Rotation<V> q = rotation_of(motion.real);
        const V3<V> p = load3<V>(s.positions), dual{motion.dual[0], motion.dual[1], motion.dual[2]};
        const V3<V> inner = add_cross(add_scaled(dual, q.w, p), q.r, p);
        const V3<V> shift = add_scaled(scaled(q.w, dual), hn::Neg(motion.dual[3]), q.r);
        store_xyz(add_scaled(p, q.s, add_cross(shift, q.r, inner)), s.positions_out);
        turn_directions<Make, stretch>(q, motion, s);
    }
};

}  // namespace

void dual_quaternion(const KernelJob& job) {
    motion_kernel<DualQuaternionMover>(job);
}

}  // namespace HWY_NAMESPACE
}  // namespace sinew
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace sinew {
HWY_EXPORT(dual_quaternion);
void dual_quaternion_kernel(const KernelJob& job) {
    HWY_DYNAMIC_DISPATCH(dual_quaternion)(job);
}
}  // namespace sinew
#endif
