// Blending rotations of loose vertices whose joints are rigid and face one way: records are blended in memory order, as
// matrices are, then turned over and applied to as many vertices as there are lanes.
// Data flow: included by skin/kernel_motion_all-inl.h.
#if defined(SINEW_SKIN_KERNEL_MOTION_LOOSE_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef SINEW_SKIN_KERNEL_MOTION_LOOSE_INL_H_
#undef SINEW_SKIN_KERNEL_MOTION_LOOSE_INL_H_
#else
#define SINEW_SKIN_KERNEL_MOTION_LOOSE_INL_H_
#endif

#include <sinew/skin/kernel_loose-inl.h>
#include <sinew/skin/kernel_motion-inl.h>

HWY_BEFORE_NAMESPACE();
namespace sinew {
namespace HWY_NAMESPACE {
namespace {

template <class Mover, class Make>
HWY_NOINLINE void loose_facing(const KernelJob& job) {
    using Need = typename Mover::Need;
    constexpr size_t rigid_floats = offsetof(MotionEntry, strain) / sizeof(float);
    const LooseStretch all = loose_stretch(job);
    if (all.places == 0) return;
    const JointEntries motions{job.motions->real, motion_floats};
    LooseCursor cursor{job.skin->loose.data() + all.first_run, 0};
    LooseBatch quaternions{};
    HWY_ALIGN float moved_centres[4 * loose_batch] = {};
    uint32_t blocks = all.first_block;  // that have been moved
    const auto blend = [&](uint32_t count) SINEW_INLINE_LAMBDA {
        LooseCursor again = cursor;
        each_loose<rigid_floats>(job, motions, cursor, count, [&](uint32_t i, const auto& m) SINEW_INLINE_LAMBDA {
            put_columns(m, i, quaternions);
        });
        if constexpr (Need::centre) {
            const float* centres = centres_of(job, blocks);
            each_loose<padded_entries>(job, padded_palette(job), again, count,
                                       [&](uint32_t i, const PaddedMatrix& m) SINEW_INLINE_LAMBDA {
                                           move_point(m, point_at(centres, i), moved_centres + 4 * slot_of(i));
                                       });
        }
    };
    const auto move = [&](uint32_t block, const LaneStreams& s, uint32_t places) SINEW_INLINE_LAMBDA {
        const float* centres = centres_of(job, blocks++);
        for (size_t lane = 0; lane < places; lane += lanes_of<OctetV>) {
            const size_t from = 4 * (block * block_size + lane);
            LaneMotion<OctetV> motion;
            transposed_column(quaternions.column[0] + from, motion.real);
            if constexpr (Need::dual) transposed_column(quaternions.column[1] + from, motion.dual);
            if constexpr (Need::centre) {
                OctetV moved[3];
                transposed_column(moved_centres + from, moved);
                motion.centre = {moved[0], moved[1], moved[2]};
            }
            Mover::template move<Make, Stretch::none>(motion, centres + lane, s.at(lane));
        }
    };
    each_loose_batch<Make>(job, all, blend, move);
}

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace sinew
HWY_AFTER_NAMESPACE();

#endif
