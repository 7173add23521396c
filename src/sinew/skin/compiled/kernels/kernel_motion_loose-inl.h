// Blending rotations of loose vertices whose joints are rigid and face one way: records are blended in memory order, as
// matrices are, then turned over and applied to as many vertices as there are lanes.
// Data flow: included by skin/compiled/kernels/kernel_motion_all-inl.h.
#if defined(SINEW_SKIN_KERNEL_MOTION_LOOSE_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef SINEW_SKIN_KERNEL_MOTION_LOOSE_INL_H_
#undef SINEW_SKIN_KERNEL_MOTION_LOOSE_INL_H_
#else
#define SINEW_SKIN_KERNEL_MOTION_LOOSE_INL_H_
#endif

#include <hwy/cache_control.h>
#include <sinew/skin/compiled/kernels/kernel_loose-inl.h>
#include <sinew/skin/compiled/kernels/kernel_motion-inl.h>

HWY_BEFORE_NAMESPACE();
namespace sinew {
namespace HWY_NAMESPACE {
namespace {

// Asks for what the batch after the one at a cursor reads: so many streams are more than the processor foresees.
HWY_INLINE void fetch_ahead(const KernelJob& job, size_t block, const LooseCursor& at) {
    constexpr uint32_t most_influences = 8;
    constexpr size_t cache_line_bytes = 64;
    const CompiledSkin& skin = *job.skin;
    const auto fetch = [](const auto* from, size_t count) SINEW_INLINE_LAMBDA {
        for (size_t i = 0; i < count; i += cache_line_bytes / sizeof(*from)) hwy::Prefetch(from + i);
    };
    const uint32_t influences = std::min(2 + at.run->extras, most_influences);
    const size_t point = 3 * (block * block_size + loose_batch),
                 weight = at.run->first_weight + (at.done + loose_batch) * influences;
    fetch(skin.positions.data() + point, 3 * loose_batch);
    fetch(skin.centres.data() + point, 3 * loose_batch);
    fetch(skin.loose_weights.data() + weight, influences * loose_batch);
    fetch(skin.loose_centre_weights.data() + weight, influences * loose_batch);
}

template <class Mover, class Make>
HWY_NOINLINE void loose_facing(const KernelJob& job) {
    using Need = typename Mover::Need;
    constexpr size_t rigid_floats = offsetof(MotionEntry, strain) / sizeof(float);
    const LooseStretch all = loose_stretch(job);
    if (all.places == 0) return;
    const JointEntries<rigid_floats, float> motions{job.motions->real, motion_floats, job.skin->loose_weights.data()};
    const JointEntries<padded_entries, uint16_t> matrices{job.padded, padded_entries,
                                                          job.skin->loose_centre_weights.data()};
    LooseCursor cursor{job.skin->loose.data() + all.first_run, 0};
    LooseBatch quaternions{};
    HWY_ALIGN float moved_centres[4 * loose_batch] = {};
    uint32_t blocks = all.first_block;  // that have been moved
    const auto blend = [&](uint32_t count) SINEW_INLINE_LAMBDA {
        using Quaternion = Packed<rigid_floats>;
        if constexpr (Need::centre) {
            const float* centres = centres_of(job, blocks);
            fetch_ahead(job, blocks, cursor);
            const auto put = [&](uint32_t i, const Quaternion& q, const PaddedMatrix& m) SINEW_INLINE_LAMBDA {
                put_columns(q, i, quaternions);
                move_point(m, point_at(centres, i), moved_centres + 4 * slot_of(i));
            };
            each_loose(job, cursor, count, put, motions, matrices);
        } else {
            const auto put = [&](uint32_t i, const Quaternion& q)
                                 SINEW_INLINE_LAMBDA { put_columns(q, i, quaternions); };
            each_loose(job, cursor, count, put, motions);
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
