// Skinning about optimised centres of rotation, of compiled skins.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "sinew/skin/kernel_centres.cpp"
#include <hwy/foreach_target.h>

#include <sinew/skin/kernel_motion-inl.h>

HWY_BEFORE_NAMESPACE();
namespace sinew {
namespace HWY_NAMESPACE {
namespace {

// Where linear blending takes the centres of a vector of lanes: row by row, as for positions.
HWY_INLINE V3 blended_centres(const float* HWY_RESTRICT m, const float* HWY_RESTRICT w, uint32_t influences,
                              const float* HWY_RESTRICT centres) {
    const D d;
    V out[3];
    SINEW_UNROLL for (size_t row = 0; row < 3; ++row) {
        V a[4];
        SINEW_UNROLL for (size_t c = 0; c < 4; ++c) a[c] = hn::Set(d, m[3 * c + row]);
        for (uint32_t k = 1; k < influences; ++k) {
            const V weight = hn::Load(d, w + (k - 1) * block_size);
            SINEW_UNROLL for (size_t c = 0; c < 4; ++c) a[c] =
                hn::MulAdd(weight, hn::Set(d, m[k * entries + 3 * c + row]), a[c]);
        }
        out[row] = row_times(a[0], a[1], a[2], a[3], centres);
    }
    return {out[0], out[1], out[2]};
}

struct CentresMover {
    template <class Make>
    static HWY_INLINE void run(const KernelJob& job, const SkinRun& run, const RunMotions& motions,
                               uint32_t first_place, uint32_t end_place) {
        const D d;
        const float* weights = job.skin->weights.data() + run.first_weight;
        const float* centres = job.skin->centres.data() + size_t{run.first_block} * 3 * block_size;
        RunMatrices matrices;
        prepare(job, run, matrices);
        each_block(job, run, first_place, end_place, [&](uint32_t block, const LaneStreams& whole) SINEW_INLINE_LAMBDA {
            const float* q = opaque(motions.q);
            const float* m = opaque(matrices.m);
            for (size_t lane = 0; lane < block_size; lane += hn::MaxLanes(d)) {
                const float* w = weights + size_t{block} * (run.influences - 1) * block_size + lane;
                const float* centre = centres + size_t{block} * 3 * block_size + lane;
                V sum[4];
                SINEW_UNROLL for (size_t i = 0; i < 4; ++i) sum[i] = hn::Set(d, q[i]);
                for (uint32_t k = 1; k < run.influences; ++k) {
                    const V weight = hn::Load(d, w + (k - 1) * block_size);
                    SINEW_UNROLL for (size_t i = 0; i < 4; ++i) sum[i] =
                        hn::MulAdd(weight, hn::Set(d, q[k * motion_entries + i]), sum[i]);
                }
                const LaneStreams s = whole.at(lane);
                const Rotation r = rotation_of(sum[0], sum[1], sum[2], sum[3]);
                const V3 p = load3(s.positions), c = load3(centre);
                const V3 arm = r.turn({hn::Sub(p.x, c.x), hn::Sub(p.y, c.y), hn::Sub(p.z, c.z)});
                const V3 to = blended_centres(m, w, run.influences, centre);
                store_xyz(hn::Add(arm.x, to.x), hn::Add(arm.y, to.y), hn::Add(arm.z, to.z), s.positions_out);
                turn_directions<Make>(r, s);
            }
        });
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
