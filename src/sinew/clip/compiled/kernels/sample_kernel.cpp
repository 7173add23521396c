// Sampling eight items of a compiled clip side by side: codes are brought into lanes by byte shuffles and masks, and
// splines are sums over four of them. Codes are not shifted down: a float holds them exactly wherever they begin, and
// the step undoes it. The layout is that of clip_format.h, and so is the scalar twin, decode_item().
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "sinew/clip/compiled/kernels/sample_kernel.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include <sinew/clip/compiled/clip_format.h>
#include <sinew/clip/compiled/kernels/clip_kernel.h>

#ifndef SINEW_CLIP_SAMPLE_KERNEL_ONCE
#define SINEW_CLIP_SAMPLE_KERNEL_ONCE
// Arrays of vectors live in registers only when the loops over them are gone.
#define SINEW_CLIP_UNROLL _Pragma("GCC unroll 8")
namespace sinew {
namespace {

// From v0 v1 v2 s to x y z w, by chart: s is the chart's component, the others follow it in turn.
alignas(16) constexpr uint8_t chart_bytes[4][16] = {{12, 13, 14, 15, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11},
                                                    {8, 9, 10, 11, 12, 13, 14, 15, 0, 1, 2, 3, 4, 5, 6, 7},
                                                    {4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 0, 1, 2, 3},
                                                    {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15}};

using Group = CompiledClip::Group;

// What is no rotation.
void put_numbers(const SampleJob& job, ItemKind kind, uint32_t id, const float* values) {
    if (kind != ItemKind::floats) {
        const JointStream& to = kind == ItemKind::translation ? job.translations : job.scales;
        std::memcpy(to.data + id * to.stride, values, 3 * sizeof(float));
        return;
    }
    const auto moving = job.clip->moving_floats();
    for (size_t c = 0; c < 3 && 3 * id + c < moving.size(); ++c) job.floats[moving[3 * id + c]] = values[c];
}

}  // namespace
}  // namespace sinew
#endif

HWY_BEFORE_NAMESPACE();
namespace sinew {
namespace HWY_NAMESPACE {
namespace {
namespace hn = hwy::HWY_NAMESPACE;

#if HWY_TARGET == HWY_SCALAR

void decode_group(const SampleJob& job, const Group& g, const std::byte* records, const SplineWeights& s) {
    for (int item = 0; item < g.count; ++item) {
        float v[3];
        for (int c = 0; c < item_components; ++c) {
            float sum = 0.0f;
            for (int k = 0; k < s.count; ++k) {
                const std::byte* window = records + k * g.stride + g.windows[c];
                uint32_t word = 0;
                for (int b = 0; b < 4; ++b) word |= static_cast<uint32_t>(window[g.bytes[c][4 * item + b]]) << (8 * b);
                sum += s.w[k] * static_cast<float>(word & g.masks[c][item]);
            }
            v[c] = g.bases[c][item] + g.steps[c][item] * sum;
        }
        const uint32_t id = g.ids[item];
        if (static_cast<ItemKind>(g.kind) == ItemKind::rotation)
            from_chart(g.charts[item], v, job.rotations.data + id * job.rotations.stride);
        else
            put_numbers(job, static_cast<ItemKind>(g.kind), id, v);
    }
}

#else

using D = hn::CappedTag<float, group_items>;
using DU = hn::Rebind<uint32_t, D>;
using DI = hn::Rebind<int32_t, D>;
using DB = hn::Repartition<uint8_t, D>;
using D4 = hn::Full128<float>;
using DB4 = hn::Full128<uint8_t>;
using V = hn::Vec<D>;
constexpr size_t lanes = hn::MaxLanes(D());
constexpr size_t parts = group_items / lanes;  // vectors of a group

// One component of a vector of items: base + step · Σ weight · code.
template <int points>
HWY_INLINE V decode_component(const Group& g, const std::byte* records, const SplineWeights& s, int c, size_t first) {
    const auto bytes = hn::Load(DB(), g.bytes[c] + 4 * first);
    const auto mask = hn::Load(DU(), g.masks[c] + first);
    const auto* window = reinterpret_cast<const uint8_t*>(records) + g.windows[c];
    V sum = hn::Zero(D());
    SINEW_CLIP_UNROLL for (int k = 0; k < points; ++k) {
        const auto word = hn::TableLookupBytes(hn::LoadDup128(DB(), window + k * g.stride), bytes);
        const auto code = hn::ConvertTo(D(), hn::BitCast(DI(), hn::And(hn::BitCast(DU(), word), mask)));
        sum = k == 0 ? hn::Mul(hn::Set(D(), s.w[k]), code) : hn::MulAdd(hn::Set(D(), s.w[k]), code, sum);
    }
    return hn::MulAdd(hn::Load(D(), g.steps[c] + first), sum, hn::Load(D(), g.bases[c] + first));
}

// Four numbers of an item to where its joint has them.
template <bool turned, class Quad>
HWY_INLINE void put_rotation(const JointStream& to, const Group& g, size_t item, Quad quad) {
    if constexpr (turned) {
        const auto turn = hn::Load(DB4(), chart_bytes[g.charts[item]]);
        quad = hn::BitCast(D4(), hn::TableLookupBytes(hn::BitCast(DB4(), quad), turn));
    }
    hn::StoreU(quad, D4(), to.data + g.ids[item] * to.stride);
}

// From x of all items, y, z and w to the four numbers of each, by blocks of four.
template <bool turned>
HWY_INLINE void put_rotations(const JointStream& to, const Group& g, size_t first, V x, V y, V z, V w) {
    const hn::Repartition<double, D> pairs;
    const V low_xy = hn::InterleaveLower(D(), x, y), high_xy = hn::InterleaveUpper(D(), x, y);
    const V low_zw = hn::InterleaveLower(D(), z, w), high_zw = hn::InterleaveUpper(D(), z, w);
    const auto put = [&](size_t item, auto pair) HWY_ATTR {
        const auto quads = hn::BitCast(D(), pair);
        if constexpr (lanes == 8) {
            put_rotation<turned>(to, g, first + item, hn::LowerHalf(D4(), quads));
            put_rotation<turned>(to, g, first + item + 4, hn::UpperHalf(D4(), quads));
        } else {
            put_rotation<turned>(to, g, first + item, quads);
        }
    };
    const auto as_pairs = [&](V v) HWY_ATTR { return hn::BitCast(pairs, v); };
    put(0, hn::InterleaveLower(pairs, as_pairs(low_xy), as_pairs(low_zw)));
    put(1, hn::InterleaveUpper(pairs, as_pairs(low_xy), as_pairs(low_zw)));
    put(2, hn::InterleaveLower(pairs, as_pairs(high_xy), as_pairs(high_zw)));
    put(3, hn::InterleaveUpper(pairs, as_pairs(high_xy), as_pairs(high_zw)));
}

template <int points>
HWY_INLINE void decode_group(const SampleJob& job, const Group& g, const std::byte* records, const SplineWeights& s) {
    const bool rotation = static_cast<ItemKind>(g.kind) == ItemKind::rotation;
    HWY_ALIGN float numbers[4 * group_items];
    SINEW_CLIP_UNROLL for (size_t part = 0; part < parts; ++part) {
        const size_t first = part * lanes;
        V x = decode_component<points>(g, records, s, 0, first);
        V y = decode_component<points>(g, records, s, 1, first);
        V z = decode_component<points>(g, records, s, 2, first);
        const V one = hn::Set(D(), 1.0f);
        if (!rotation) {
            hn::StoreInterleaved4(x, y, z, one, D(), numbers + 4 * first);
            continue;
        }
        const V n = hn::MulAdd(x, x, hn::MulAdd(y, y, hn::MulAdd(z, z, one)));
        const V r = hn::Div(hn::Set(D(), 2.0f), n), w = hn::Sub(r, one);
        x = hn::Mul(r, x), y = hn::Mul(r, y), z = hn::Mul(r, z);
        if (g.turned)
            put_rotations<true>(job.rotations, g, first, x, y, z, w);
        else
            put_rotations<false>(job.rotations, g, first, x, y, z, w);
    }
    if (!rotation)
        for (int item = 0; item < g.count; ++item)
            put_numbers(job, static_cast<ItemKind>(g.kind), g.ids[item], numbers + 4 * item);
}

HWY_INLINE void decode_group(const SampleJob& job, const Group& g, const std::byte* records, const SplineWeights& s) {
    if (s.count == 4)
        decode_group<4>(job, g, records, s);
    else
        decode_group<2>(job, g, records, s);
}

#endif

}  // namespace

void sample_groups(const SampleJob& job) {
    for (const CompiledClip::Still& still :
         job.clip->stills().subspan(job.segment->first_still, job.segment->still_count)) {
        if (static_cast<ItemKind>(still.kind) == ItemKind::rotation)
            std::memcpy(job.rotations.data + still.id * job.rotations.stride, still.values, sizeof(still.values));
        else
            put_numbers(job, static_cast<ItemKind>(still.kind), still.id, still.values);
    }
    SplineWeights weights;
    int spline = -1, intervals = 0;
    for (const Group& g : job.clip->groups().subspan(job.segment->first_group, job.segment->group_count)) {
        if (g.intervals != intervals || g.spline != spline) {
            spline = g.spline, intervals = g.intervals;
            weights = spline_weights(static_cast<SplineKind>(spline), intervals, job.place);
        }
        decode_group(job, g, job.clip->data() + g.records + g.stride * weights.first, weights);
    }
}

}  // namespace HWY_NAMESPACE
}  // namespace sinew
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace sinew {
HWY_EXPORT(sample_groups);
void sample_groups_kernel(const SampleJob& job) {
    HWY_DYNAMIC_DISPATCH(sample_groups)(job);
}
}  // namespace sinew
#endif
