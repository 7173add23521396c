// Octets: eight vertices of a rare joint set. Their joints' entries are broadcast from where they lie, nothing is
// prepared, and all sums fit the registers of eight lanes. Data flow: included by the skinning kernels.
#if defined(SINEW_SKIN_KERNEL_OCTETS_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef SINEW_SKIN_KERNEL_OCTETS_INL_H_
#undef SINEW_SKIN_KERNEL_OCTETS_INL_H_
#else
#define SINEW_SKIN_KERNEL_OCTETS_INL_H_
#endif

#include <sinew/skin/compiled/kernels/kernel-inl.h>

HWY_BEFORE_NAMESPACE();
namespace sinew {
namespace HWY_NAMESPACE {
namespace {

// Sums an octet's entries, every joint's times its weights.
struct OctetBlend {
    const float* entries;  // of joint 0
    size_t stride;         // from joint to joint
    const uint32_t* joints;
    const float* weights;
    uint32_t influences;

    // Of each joint the entries first, first + step, …
    template <size_t step, size_t count>
    HWY_INLINE void sum(size_t first, OctetV (&to)[count][1]) const {
        const OctetD d;
        const float* m = opaque(entries + joints[0] * stride + first);
        const float* w = weights;
        const OctetV v = hn::Load(d, w);
        SINEW_UNROLL for (size_t i = 0; i < count; ++i) to[i][0] = hn::Mul(v, hn::Set(d, m[step * i]));
        for (const uint32_t *joint = joints + 1, *end = joints + influences; joint < end; ++joint) {
            m = opaque(entries + *joint * stride + first);
            w += octet_size;
            const OctetV u = hn::Load(d, w);
            SINEW_UNROLL for (size_t i = 0; i < count; ++i) to[i][0] = hn::MulAdd(u, hn::Set(d, m[step * i]), to[i][0]);
        }
    }
};

// An octet at work. What all have in common is kept here too, so that little is left to do between one and the next.
struct OctetAt {
    const uint32_t* all_joints;
    const float* all_weights;
    const SkinOctet* octet;
    LaneStreams streams;
    const float* centres;  // null when the skin has none

    HWY_INLINE const uint32_t* joints() const { return all_joints + octet->first_joint; }
    HWY_INLINE const float* weights() const { return all_weights + octet->first_weight; }
    HWY_INLINE OctetBlend blend(const float* entries, size_t stride, size_t lane) const {
        return {entries, stride, joints(), weights() + lane, octet->influences};
    }
};

// Linear blending of points alone: each joint moves them, and what comes out is summed. That takes nine multiplications
// a vertex less than to sum matrices first, which pays only where they serve directions too.
template <class Weight>
HWY_INLINE V3<OctetV> blended_points(const OctetAt& at, const float* palette, const Weight* all_weights, size_t lane,
                                     const float* points) {
    const V3<OctetV> p = load3<OctetV>(points + lane);
    const uint32_t *joint = at.joints(), *end = joint + at.octet->influences;
    const Weight* weights = all_weights + at.octet->first_weight + lane;
    V3<OctetV> sum = scaled(load_weights<OctetV>(weights), moved(palette + matrix_entries * *joint, p));
    for (++joint; joint < end; ++joint) {
        weights += octet_size;
        sum = add_scaled(sum, load_weights<OctetV>(weights), moved(palette + matrix_entries * *joint, p));
    }
    return sum;
}

// Linear blending.
template <class Make>
HWY_INLINE void move_octet(const OctetAt& at, const float* palette) {
    for (size_t lane = 0; lane < octet_size; lane += lanes_of<OctetV>) {
        if constexpr (!Make::normals) {
            store_xyz(blended_points(at, palette, at.all_weights, lane, at.streams.positions),
                      at.streams.at(lane).positions_out);
        } else {
            OctetV m[matrix_entries][1];
            at.blend(palette, matrix_entries, lane).template sum<1>(0, m);
            transform_group<Make, OctetV, 1>(
                at.streams.at(lane), [&](size_t row, OctetV(&a)[4][1]) SINEW_INLINE_LAMBDA {
                    SINEW_UNROLL for (size_t c = 0; c < 4; ++c) a[c][0] = m[3 * c + row][0];
                });
        }
    }
}

HWY_INLINE OctetAt first_octet(const KernelJob& job) {
    const CompiledSkin& skin = *job.skin;
    const uint32_t first = job.chunks.front().first_octet;
    const SkinOctet* octet = skin.octets.data() + first;
    const size_t row = (skin.octet_block + first / 2) * block_size, half = first % 2 * octet_size;
    const size_t place = octet->first_place - job.chunks.front().first_place;
    return {
        skin.run_joints.data(),
        skin.weights.data(),
        octet,
        {skin.positions.data() + 3 * row + half, job.normals ? skin.normals.data() + 3 * row + half : nullptr,
         job.tangents ? skin.tangents.data() + 4 * row + half : nullptr, job.positions + 3 * place,
         job.normals ? job.normals + 3 * place : nullptr, job.tangents ? job.tangents + 4 * place : nullptr, job.unit},
        skin.centres.empty() ? nullptr : skin.centres.data() + 3 * row + half};
}

// To the next: from the first half of a block to its second, or to the next block.
template <class Make>
HWY_INLINE void advance(OctetAt& at, bool second_half) {
    const size_t places = at.octet->places, step3 = octet_size + (second_half ? 2 * block_size : 0);
    LaneStreams& s = at.streams;
    s.positions += step3, s.positions_out += 3 * places;
    if constexpr (Make::normals) s.normals += step3, s.normals_out += 3 * places;
    if constexpr (Make::tangents) s.tangents += step3 + (second_half ? block_size : 0), s.tangents_out += 4 * places;
    if (at.centres) at.centres += step3;
    ++at.octet;
}

// Walks a job's octets: move(octet), through a scratch block for those that would write past the job's last place.
// Shorter octets write past their own end; the next overwrites that.
template <class Make, class Move>
HWY_INLINE void each_octet(const KernelJob& job, const Move& move) {
    const SkinChunk &front = job.chunks.front(), &back = job.chunks.back();
    if (front.first_octet == back.end_octet) return;
    const SkinOctet *end = job.skin->octets.data() + back.end_octet, *whole = end;
    OctetAt at = first_octet(job);
    while (whole > at.octet && whole[-1].first_place + octet_size > back.end_place) --whole;
    for (bool second_half = front.first_octet % 2; at.octet < end; second_half = !second_half) {
        BlockScratch scratch;
        const LaneStreams to = at.streams;
        LaneStreams& s = at.streams;
        if (HWY_UNLIKELY(at.octet >= whole))
            s.positions_out = scratch.positions, s.normals_out = scratch.normals, s.tangents_out = scratch.tangents;
        move(at);
        if (HWY_UNLIKELY(at.octet >= whole)) {
            copy_out<Make>(scratch, at.octet->places, to);
            s = to;
        }
        advance<Make>(at, second_half);
    }
}

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace sinew
HWY_AFTER_NAMESPACE();

#endif
