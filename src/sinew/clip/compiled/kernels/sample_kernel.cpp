// Sampling eight items of a compiled clip side by side: codes are brought into lanes by byte shuffles and shifts,
// splines are sums over four of them. The layout is that of clip_format.h, and so is the scalar twin, decode_item().
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

// Two width codes in a byte → two widths in two bytes.
constexpr std::array<uint16_t, 256> pair_widths = [] {
    std::array<uint16_t, 256> table{};
    for (size_t i = 0; i < 256; ++i) table[i] = static_cast<uint16_t>(lane_widths[i & 15] | lane_widths[i >> 4] << 8);
    return table;
}();

// From v0 v1 v2 s to x y z w, by chart: s is the chart's component, the others follow it in turn.
alignas(16) constexpr uint8_t chart_bytes[4][16] = {{12, 13, 14, 15, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11},
                                                    {8, 9, 10, 11, 12, 13, 14, 15, 0, 1, 2, 3, 4, 5, 6, 7},
                                                    {4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 0, 1, 2, 3},
                                                    {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15}};

void put_three(const JointStream& to, uint32_t id, const float* values) {
    std::memcpy(to.data + id * to.stride, values, 3 * sizeof(float));
}

void put_floats(const SampleJob& job, uint32_t id, const float* values) {
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

void decode_group(const SampleJob& job, const GroupView& g, const SplineWeights& s) {
    for (int item = 0; item < g.count; ++item) {
        float v[3];
        const uint32_t id = g.id(item, job.clip->id_bytes());
        decode_item(g, item, s, v);
        if (g.kind == ItemKind::rotation)
            from_chart(g.chart(item), v, job.rotations.data + id * job.rotations.stride);
        else if (g.kind == ItemKind::floats)
            put_floats(job, id, v);
        else
            put_three(g.kind == ItemKind::translation ? job.translations : job.scales, id, v);
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

// The first byte of each lane four times.
HWY_INLINE hn::Vec<DB> spread_bytes(hn::Vec<DU> v) {
    alignas(16) static constexpr uint8_t first[16] = {0, 0, 0, 0, 4, 4, 4, 4, 8, 8, 8, 8, 12, 12, 12, 12};
    return hn::TableLookupBytes(hn::BitCast(DB(), v), hn::LoadDup128(DB(), first));
}
HWY_INLINE hn::Vec<DB> next_bytes() {
    alignas(16) static constexpr uint8_t next[16] = {0, 1, 2, 3, 0, 1, 2, 3, 0, 1, 2, 3, 0, 1, 2, 3};
    return hn::LoadDup128(DB(), next);
}
HWY_INLINE hn::Vec<DU> load_bytes(const void* at) {
    const hn::Rebind<uint8_t, D> bytes;
    return hn::PromoteTo(DU(), hn::LoadU(bytes, static_cast<const uint8_t*>(at)));
}

// Steps of a vector of items: quarter octaves, as step_of().
HWY_INLINE V load_steps(const std::byte* at) {
    const auto quarters = hn::Sub(hn::Set(DI(), 64), hn::BitCast(DI(), load_bytes(at)));
    const auto octave = hn::BitCast(D(), hn::ShiftLeft<23>(hn::Add(hn::ShiftRight<2>(quarters), hn::Set(DI(), 127))));
    const auto part = hn::ShiftLeft<2>(hn::And(hn::BitCast(DU(), quarters), hn::Set(DU(), 3u)));
    alignas(16) static constexpr float table[4] = {quarter_octaves[0], quarter_octaves[1], quarter_octaves[2],
                                                   quarter_octaves[3]};
    const auto bytes = hn::Add(spread_bytes(part), next_bytes());
    const auto mantissa = hn::TableLookupBytes(hn::BitCast(DB(), hn::LoadDup128(D(), table)), bytes);
    return hn::Mul(octave, hn::BitCast(D(), mantissa));
}

HWY_INLINE V load_bases(const GroupView& g, int component, size_t first) {
    const size_t at = static_cast<size_t>(component * g.count) + first;
    if (g.kind != ItemKind::rotation) return hn::LoadU(D(), reinterpret_cast<const float*>(g.bases) + at);
    const hn::Rebind<int16_t, D> halves;
    const auto codes = hn::PromoteTo(DI(), hn::LoadU(halves, reinterpret_cast<const int16_t*>(g.bases) + at));
    return hn::Mul(hn::ConvertTo(D(), codes), hn::Set(D(), rotation_base_unit));
}

// Σ weight · code of one component of all items. `bit` is where its codes begin in a record, and then end.
template <int points>
HWY_INLINE void sum_codes(const GroupView& g, int component, const SplineWeights& s, int& bit, V* sums) {
    const uint32_t codes = g.width_codes(component);
    const uint64_t widths = pair_widths[codes & 255] | static_cast<uint64_t>(pair_widths[codes >> 8 & 255]) << 16 |
                            static_cast<uint64_t>(pair_widths[codes >> 16 & 255]) << 32 |
                            static_cast<uint64_t>(pair_widths[codes >> 24]) << 48;
    constexpr uint64_t ones = 0x0101010101010101u;
    // Bytes of this product are the sums of the widths before.
    const uint64_t offsets = widths * (ones << 8) + ones * static_cast<uint64_t>(bit & 7);
    const std::byte* from = g.records + g.stride * s.first + (bit >> 3);
    bit += static_cast<int>(widths * ones >> 56);
    SINEW_CLIP_UNROLL for (size_t part = 0; part < parts; ++part) {
        const auto offset = load_bytes(reinterpret_cast<const uint8_t*>(&offsets) + part * lanes);
        const auto width = load_bytes(reinterpret_cast<const uint8_t*>(&widths) + part * lanes);
        const auto shift = hn::And(offset, hn::Set(DU(), 7u));
        const auto mask = hn::Sub(hn::Shl(hn::Set(DU(), 1u), width), hn::Set(DU(), 1u));
        const auto bytes =
            hn::And(hn::Add(spread_bytes(hn::ShiftRight<3>(offset)), next_bytes()), hn::Set(DB(), uint8_t{15}));
        V sum = hn::Zero(D());
        SINEW_CLIP_UNROLL for (int k = 0; k < points; ++k) {
            const auto window = hn::LoadDup128(DB(), reinterpret_cast<const uint8_t*>(from + k * g.stride));
            const auto word = hn::BitCast(DU(), hn::TableLookupBytes(window, bytes));
            const auto code = hn::And(hn::Shr(word, shift), mask);
            sum = hn::MulAdd(hn::Set(D(), s.w[k]), hn::ConvertTo(D(), hn::BitCast(DI(), code)), sum);
        }
        sums[part] = sum;
    }
}

template <int points>
HWY_INLINE void decode_group(const SampleJob& job, const GroupView& g, const SplineWeights& s) {
    V sums[item_components][parts];
    int bit = 0;
    SINEW_CLIP_UNROLL for (int c = 0; c < item_components; ++c) sum_codes<points>(g, c, s, bit, sums[c]);
    HWY_ALIGN float quads[4 * group_items];
    SINEW_CLIP_UNROLL for (size_t part = 0; part < parts; ++part) {
        const V step = load_steps(g.steps + part * lanes);
        V v[item_components];
        SINEW_CLIP_UNROLL for (int c = 0; c < item_components; ++c) v[c] =
            hn::MulAdd(step, sums[c][part], load_bases(g, c, part * lanes));
        V last = hn::Zero(D());
        if (g.kind == ItemKind::rotation) {
            const V one = hn::Set(D(), 1.0f);
            const V n = hn::MulAdd(v[0], v[0], hn::MulAdd(v[1], v[1], hn::MulAdd(v[2], v[2], one)));
            const V r = hn::Div(hn::Set(D(), 2.0f), n);
            SINEW_CLIP_UNROLL for (int c = 0; c < item_components; ++c) v[c] = hn::Mul(r, v[c]);
            last = hn::Sub(r, one);
        }
        hn::StoreInterleaved4(v[0], v[1], v[2], last, D(), quads + 4 * lanes * part);
    }
    const int id_bytes = job.clip->id_bytes();
    if (g.kind == ItemKind::rotation) {
        uint32_t charts = load_value<uint16_t>(g.charts);
        for (int item = 0; item < g.count; ++item, charts >>= 2) {
            const auto turn = hn::Load(DB4(), chart_bytes[charts & 3]);
            const auto quad = hn::BitCast(DB4(), hn::Load(D4(), quads + 4 * item));
            hn::StoreU(hn::BitCast(D4(), hn::TableLookupBytes(quad, turn)), D4(),
                       job.rotations.data + g.id(item, id_bytes) * job.rotations.stride);
        }
        return;
    }
    for (int item = 0; item < g.count; ++item) {
        const uint32_t id = g.id(item, id_bytes);
        if (g.kind == ItemKind::floats)
            put_floats(job, id, quads + 4 * item);
        else
            put_three(g.kind == ItemKind::translation ? job.translations : job.scales, id, quads + 4 * item);
    }
}

void decode_group(const SampleJob& job, const GroupView& g, const SplineWeights& s) {
    if (g.spline == SplineKind::cubic)
        decode_group<4>(job, g, s);
    else if (g.spline == SplineKind::linear)
        decode_group<2>(job, g, s);
    else
        decode_group<1>(job, g, s);
}

#endif

}  // namespace

void sample_groups(const SampleJob& job) {
    const std::byte* at = job.clip->data() + job.segment->offset;
    const int id_bytes = job.clip->id_bytes();
    SplineWeights weights;
    SplineKind spline = SplineKind::constant;
    int intervals = 0;
    for (uint32_t k = 0; k < job.segment->groups; ++k) {
        const GroupView g = group_at(at, id_bytes);
        if (g.intervals != intervals || g.spline != spline) {
            spline = g.spline, intervals = g.intervals;
            weights = spline_weights(spline, intervals, job.place);
        }
        decode_group(job, g, weights);
        at = g.end;
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
