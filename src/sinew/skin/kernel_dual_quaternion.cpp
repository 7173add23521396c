// Dual quaternion skinning of compiled skins.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "sinew/skin/kernel_dual_quaternion.cpp"
#include <hwy/foreach_target.h>

#include <sinew/skin/kernel_motion-inl.h>

HWY_BEFORE_NAMESPACE();
namespace sinew {
namespace HWY_NAMESPACE {
namespace {

struct DualQuaternionMover {
    template <class Make>
    static HWY_INLINE void run(const KernelJob& job, const SkinRun& run, const RunMotions& motions,
                               uint32_t first_place, uint32_t end_place) {
        const D d;
        const float* weights = job.skin->weights.data() + run.first_weight;
        each_block(job, run, first_place, end_place, [&](uint32_t block, const LaneStreams& whole) SINEW_INLINE_LAMBDA {
            const float* q = opaque(motions.q);
            for (size_t lane = 0; lane < block_size; lane += hn::MaxLanes(d)) {
                const float* w = weights + size_t{block} * (run.influences - 1) * block_size + lane;
                V sum[motion_entries];
                SINEW_UNROLL for (size_t i = 0; i < motion_entries; ++i) sum[i] = hn::Set(d, q[i]);
                for (uint32_t k = 1; k < run.influences; ++k, w += block_size) {
                    const V weight = hn::Load(d, w);
                    SINEW_UNROLL for (size_t i = 0; i < motion_entries; ++i) sum[i] =
                        hn::MulAdd(weight, hn::Set(d, q[k * motion_entries + i]), sum[i]);
                }
                const LaneStreams s = whole.at(lane);
                const Rotation r = rotation_of(sum[0], sum[1], sum[2], sum[3]);
                // p' = p + s (r × (r × p + w p + d) + w d − d_w r): the rotation, and the translation 2 d q* / |q|².
                const V3 p = load3(s.positions), dual{sum[4], sum[5], sum[6]};
                const V3 inner = add_cross(add_scaled(dual, r.w, p), r.r, p);
                const V3 shift = add_scaled(scaled(r.w, dual), hn::Neg(sum[7]), r.r);
                const V3 moved = add_scaled(p, r.s, add_cross(shift, r.r, inner));
                store_xyz(moved.x, moved.y, moved.z, s.positions_out);
                turn_directions<Make>(r, s);
            }
        });
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
