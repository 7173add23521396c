// Skinning about optimised centres of rotation, of compiled skins.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "sinew/skin/compiled/kernels/kernel_centres.cpp"
#include <hwy/foreach_target.h>

#include <sinew/skin/compiled/kernels/kernel_motion_all-inl.h>

HWY_BEFORE_NAMESPACE();
namespace sinew {
namespace HWY_NAMESPACE {
namespace {

// The centre goes where linear blending takes it, and the vertex turns about it.
struct CentresMover {
    using Need = Needs<false, true>;

    template <class Make, Stretch stretch, class V>
    static HWY_INLINE void move(const LaneMotion<V>& motion, const float* centre, const LaneStreams& s) {
        const Rotation<V> q = rotation_of(motion.real);
        const V3<V> p = load3<V>(s.positions), c = load3<V>(centre), to = motion.centre;
        V3<V> arm{hn::Sub(p.x, c.x), hn::Sub(p.y, c.y), hn::Sub(p.z, c.z)};
        if constexpr (stretch == Stretch::some) arm = times(motion.stretch, arm);
        arm = q.turn(arm);
        store_xyz(V3<V>{hn::Add(arm.x, to.x), hn::Add(arm.y, to.y), hn::Add(arm.z, to.z)}, s.positions_out);
        turn_directions<Make, stretch>(q, motion, s);
    }
};

}  // namespace

void centres_of_rotation(const KernelJob& job) {
    motion_kernel<CentresMover>(job);
}

}  // namespace HWY_NAMESPACE
}  // namespace sinew
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace sinew {
HWY_EXPORT(centres_of_rotation);
void centres_of_rotation_kernel(const KernelJob& job) {
    HWY_DYNAMIC_DISPATCH(centres_of_rotation)(job);
}
}  // namespace sinew
#endif
