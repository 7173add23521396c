// Shared by the skinning kernels, compiled once per instruction set: a block of vertices by a matrix of its own each.
// Data flow: included by skin/kernel_*.cpp only.
#if defined(SINEW_SKIN_KERNEL_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef SINEW_SKIN_KERNEL_INL_H_
#undef SINEW_SKIN_KERNEL_INL_H_
#else
#define SINEW_SKIN_KERNEL_INL_H_
#endif

#include <hwy/highway.h>
#include <sinew/skin/kernel.h>
#include <algorithm>
#include <cstring>

// Arrays of vectors live in registers only when the loops over them are gone.
#ifndef SINEW_UNROLL
#define SINEW_UNROLL _Pragma("GCC unroll 16")
#define SINEW_INLINE_LAMBDA HWY_ATTR __attribute__((always_inline))
#endif

HWY_BEFORE_NAMESPACE();
namespace sinew {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// As many lanes as the machine has, but no more than a block.
using D = hn::CappedTag<float, block_size>;
using V = hn::Vec<D>;

// Which attributes a kernel is compiled for. Others (tangents without normals, say) go to a scratch output.
enum class Parts { positions, normals, tangents };  // each includes those before it

// What a kernel makes.
template <Parts parts_, bool exact_, bool unit_>
struct Makes {
    static constexpr bool normals = parts_ != Parts::positions, tangents = parts_ == Parts::tangents;
    static constexpr bool exact = exact_;  // normals by the inverse transpose
    static constexpr bool unit = unit_;    // directions of length 1
};

// Vectors that are worked on together: enough independent sums to keep the multipliers busy, few enough for the
// registers.
constexpr size_t group = hn::MaxLanes(D()) >= block_size ? 1 : 2;

// A matrix per lane, entry by entry: m[3 * column + row].
struct LaneMatrix {
    V m[9];
};

struct V3 {
    V x, y, z;
};

// x y z of lanes → xyz xyz … in memory.
HWY_INLINE void store_xyz(const V3& v, float* HWY_RESTRICT to) {
    const D d;
    const V x = v.x, y = v.y, z = v.z;
#if HWY_TARGET <= HWY_AVX3 && HWY_ARCH_X86
    // Entry i of the output is lane i / 3 of one of the three: one lookup serves all, then two blends. On this
    // instruction set that is faster than the general interleaving store.
    alignas(64) static constexpr int32_t lane[3][16] = {
        {0, 0, 0, 1, 1, 1, 2, 2, 2, 3, 3, 3, 4, 4, 4, 5},
        {5, 5, 6, 6, 6, 7, 7, 7, 8, 8, 8, 9, 9, 9, 10, 10},
        {10, 11, 11, 11, 12, 12, 12, 13, 13, 13, 14, 14, 14, 15, 15, 15}};
    const auto is_y = hwy::HWY_NAMESPACE::Mask512<float>{0x2492}, is_z = hwy::HWY_NAMESPACE::Mask512<float>{0x4924};
    const auto y1 = hwy::HWY_NAMESPACE::Mask512<float>{0x9249}, z1 = hwy::HWY_NAMESPACE::Mask512<float>{0x2492};
    const auto y2 = hwy::HWY_NAMESPACE::Mask512<float>{0x4924}, z2 = hwy::HWY_NAMESPACE::Mask512<float>{0x9249};
    const auto row = [&](int k, auto my, auto mz) SINEW_INLINE_LAMBDA {
        const auto idx = hn::SetTableIndices(d, lane[k]);
        V v = hn::TableLookupLanes(x, idx);
        v = hn::IfThenElse(my, hn::TableLookupLanes(y, idx), v);
        return hn::IfThenElse(mz, hn::TableLookupLanes(z, idx), v);
    };
    hn::StoreU(row(0, is_y, is_z), d, to);
    hn::StoreU(row(1, y1, z1), d, to + 16);
    hn::StoreU(row(2, y2, z2), d, to + 32);
#elif HWY_TARGET == HWY_AVX2
    // Nine shuffles where the general interleaving store takes fourteen.
    const __m256 xy = _mm256_shuffle_ps(x.raw, y.raw, _MM_SHUFFLE(2, 0, 2, 0));  // x0 x2 y0 y2 | x4 …
    const __m256 yz = _mm256_shuffle_ps(y.raw, z.raw, _MM_SHUFFLE(3, 1, 3, 1));  // y1 y3 z1 z3
    const __m256 zx = _mm256_shuffle_ps(z.raw, x.raw, _MM_SHUFFLE(3, 1, 2, 0));  // z0 z2 x1 x3
    const __m256 first = _mm256_shuffle_ps(xy, zx, _MM_SHUFFLE(2, 0, 2, 0));     // x0 y0 z0 x1 | x4 …
    const __m256 second = _mm256_shuffle_ps(yz, xy, _MM_SHUFFLE(3, 1, 2, 0));    // y1 z1 x2 y2
    const __m256 third = _mm256_shuffle_ps(zx, yz, _MM_SHUFFLE(3, 1, 3, 1));     // z2 x3 y3 z3
    _mm256_storeu_ps(to, _mm256_permute2f128_ps(first, second, 0x20));
    _mm256_storeu_ps(to + 8, _mm256_blend_ps(third, first, 0xf0));
    _mm256_storeu_ps(to + 16, _mm256_permute2f128_ps(second, third, 0x31));
#else
    hn::StoreInterleaved3(x, y, z, d, to);
#endif
}

// One over the length, to a few units in the last place: an estimate and Newton steps, as many as the estimate needs.
HWY_INLINE V inverse_length(V length_squared) {
    const D d;
#if HWY_TARGET == HWY_SCALAR
    return hn::Div(hn::Set(d, 1.0f), hn::Sqrt(length_squared));
#else
    V r = hn::ApproximateReciprocalSqrt(length_squared);
    const V half = hn::Mul(hn::Set(d, 0.5f), length_squared);
    constexpr int steps = HWY_ARCH_X86 ? 1 : 2;
    for (int i = 0; i < steps; ++i) r = hn::Mul(r, hn::NegMulAdd(hn::Mul(half, r), r, hn::Set(d, 1.5f)));
    return r;
#endif
}

// Unit (x y z), or as it was at rest where a singular matrix crushed it.
HWY_INLINE void make_unit(V3& v, const float* HWY_RESTRICT rest) {
    const D d;
    const V squared = hn::MulAdd(v.x, v.x, hn::MulAdd(v.y, v.y, hn::Mul(v.z, v.z)));
    const V r = inverse_length(squared);
    v = {hn::Mul(v.x, r), hn::Mul(v.y, r), hn::Mul(v.z, r)};
    const auto good = hn::Gt(squared, hn::Set(d, 1e-37f));
    if (HWY_UNLIKELY(!hn::AllTrue(d, good))) {
        v.x = hn::IfThenElse(good, v.x, hn::Load(d, rest));
        v.y = hn::IfThenElse(good, v.y, hn::Load(d, rest + 16));
        v.z = hn::IfThenElse(good, v.z, hn::Load(d, rest + 32));
    }
}

// Entry of the cofactor matrix [deform.cpp]: column c is the cross product of the other two columns.
HWY_INLINE V cofactor(const LaneMatrix& a, int column, int row) {
    const int c1 = 3 * ((column + 1) % 3), c2 = 3 * ((column + 2) % 3), r1 = (row + 1) % 3, r2 = (row + 2) % 3;
    return hn::MulSub(a.m[c1 + r1], a.m[c2 + r2], hn::Mul(a.m[c1 + r2], a.m[c2 + r1]));
}

// Rest attributes of a group of lanes (within a block, 16 floats from row to row), and where their results go.
struct LaneStreams {
    const float* HWY_RESTRICT positions;
    const float* HWY_RESTRICT normals;
    const float* HWY_RESTRICT tangents;
    float* HWY_RESTRICT positions_out;
    float* HWY_RESTRICT normals_out;
    float* HWY_RESTRICT tangents_out;

    HWY_INLINE LaneStreams at(size_t lane) const {
        return {positions + lane,         normals + lane,         tangents + lane,
                positions_out + 3 * lane, normals_out + 3 * lane, tangents_out + 4 * lane};
    }
};

// One row of a matrix times a rest vector, whose rows are 16 floats apart.
HWY_INLINE V row_times(V a, V b, V c, const float* HWY_RESTRICT v) {
    const D d;
    return hn::MulAdd(c, hn::Load(d, v + 32), hn::MulAdd(b, hn::Load(d, v + 16), hn::Mul(a, hn::Load(d, v))));
}
HWY_INLINE V row_times(V a, V b, V c, V t, const float* HWY_RESTRICT v) {
    const D d;
    return hn::MulAdd(c, hn::Load(d, v + 32), hn::MulAdd(b, hn::Load(d, v + 16), hn::MulAdd(a, hn::Load(d, v), t)));
}

template <class Make>
HWY_INLINE void finish_normal(V3 n, const float* HWY_RESTRICT rest, float* HWY_RESTRICT to) {
    if constexpr (Make::unit) make_unit(n, rest);
    store_xyz(n, to);
}

template <class Make>
HWY_INLINE void finish_tangent(V3 t, V sign, const float* HWY_RESTRICT rest, float* HWY_RESTRICT to) {
    const D d;
    if constexpr (Make::unit) make_unit(t, rest);
    hn::StoreInterleaved4(t.x, t.y, t.z, hn::Xor(hn::Load(d, rest + 48), sign), d, to);
}

// A matrix times a rest vector.
HWY_INLINE V3 times(const LaneMatrix& a, const float* HWY_RESTRICT v) {
    return {row_times(a.m[0], a.m[3], a.m[6], v), row_times(a.m[1], a.m[4], a.m[7], v),
            row_times(a.m[2], a.m[5], a.m[8], v)};
}

// The rest normal by the cofactors, turned round where the matrix mirrors; `sign` is the determinant's sign bit.
HWY_INLINE V3 exact_normal(const LaneMatrix& a, const float* HWY_RESTRICT rest, V& sign) {
    const D d;
    LaneMatrix c;
    SINEW_UNROLL for (int i = 0; i < 9; ++i) c.m[i] = cofactor(a, i / 3, i % 3);
    const V det = hn::MulAdd(a.m[0], c.m[0], hn::MulAdd(a.m[1], c.m[1], hn::Mul(a.m[2], c.m[2])));
    sign = hn::And(det, hn::Set(d, -0.0f));
    const V3 n = times(c, rest);
    return {hn::Xor(n.x, sign), hn::Xor(n.y, sign), hn::Xor(n.z, sign)};
}

// Directions of one vector of lanes.
template <class Make>
HWY_INLINE void transform_directions(const LaneMatrix& a, const LaneStreams& s) {
    const D d;
    V sign = hn::Zero(d);
    const V3 n = Make::exact ? exact_normal(a, s.normals, sign) : times(a, s.normals);
    finish_normal<Make>(n, s.normals, s.normals_out);
    if constexpr (Make::tangents) finish_tangent<Make>(times(a, s.tangents), sign, s.tangents, s.tangents_out);
}

// A group of lanes by matrices that come a row at a time: rows(row, out) gives its four entries for each vector of the
// group. Row by row, because three rows of several vectors would not fit the registers.
template <class Make, class Rows>
HWY_INLINE void transform_group(const LaneStreams& s, const Rows& rows) {
    constexpr size_t n = hn::MaxLanes(D());
    V p[3][group];
    LaneMatrix linear[group];
    SINEW_UNROLL for (int r = 0; r < 3; ++r) {
        V m[4][group];
        rows(r, m);
        SINEW_UNROLL for (size_t g = 0; g < group; ++g) {
            p[r][g] = row_times(m[0][g], m[1][g], m[2][g], m[3][g], s.positions + g * n);
            if constexpr (Make::normals)
                linear[g].m[r] = m[0][g], linear[g].m[3 + r] = m[1][g], linear[g].m[6 + r] = m[2][g];
        }
    }
    SINEW_UNROLL for (size_t g = 0; g < group; ++g) {
        const LaneStreams q = s.at(g * n);
        store_xyz({p[0][g], p[1][g], p[2][g]}, q.positions_out);
        if constexpr (Make::normals) transform_directions<Make>(linear[g], q);
    }
}

// Calls with the Makes that a job asks for.
template <class Call>
HWY_INLINE void choose_kernel(const KernelJob& job, const Call& call) {
    const auto with_parts = [&]<Parts parts>() SINEW_INLINE_LAMBDA {
        if (job.exact_normals) {
            job.unit ? call(Makes<parts, true, true>()) : call(Makes<parts, true, false>());
        } else {
            job.unit ? call(Makes<parts, false, true>()) : call(Makes<parts, false, false>());
        }
    };
    if (job.tangents) {
        with_parts.template operator()<Parts::tangents>();
    } else if (job.normals) {
        with_parts.template operator()<Parts::normals>();
    } else {
        call(Makes<Parts::positions, true, true>());
    }
}

// A block's results when they must not reach past the end of the buffers.
struct BlockScratch {
    HWY_ALIGN float positions[3 * block_size + 4];
    HWY_ALIGN float normals[3 * block_size];
    HWY_ALIGN float tangents[4 * block_size];
};

// The streams of a run's block b.
HWY_INLINE LaneStreams block_at(const LaneStreams& begin, uint32_t b) {
    LaneStreams s = begin;
    const size_t o = size_t{b} * block_size;
    s.positions += 3 * o, s.positions_out += 3 * o;
    if (s.normals) s.normals += 3 * o, s.normals_out += 3 * o;
    if (s.tangents) s.tangents += 4 * o, s.tangents_out += 4 * o;
    return s;
}

// Walks the blocks of a run: move(block, streams, places), through a scratch block for those whose sixteen results
// would reach past `end_place`. Shorter blocks write past their own end; the next run overwrites that.
template <class Run, class Move>
HWY_INLINE void each_block(const KernelJob& job, const Run& run, uint32_t first_place, uint32_t end_place,
                           const Move& move) {
    const CompiledSkin& skin = *job.skin;
    const uint32_t blocks = (run.places + block_size - 1) / block_size;
    const size_t place = run.first_place - first_place;
    const size_t first = size_t{run.first_block} * block_size;
    const LaneStreams begin{skin.positions.data() + 3 * first,
                            job.normals ? skin.normals.data() + 3 * first : nullptr,
                            job.tangents ? skin.tangents.data() + 4 * first : nullptr,
                            job.positions + 3 * place,
                            job.normals ? job.normals + 3 * place : nullptr,
                            job.tangents ? job.tangents + 4 * place : nullptr};
    // A block needs a float of room after its results, too.
    const uint32_t whole = (end_place - run.first_place - 1) / block_size;
    for (uint32_t b = 0; b < blocks; ++b) {
        BlockScratch scratch;
        const LaneStreams to = block_at(begin, b);
        LaneStreams s = to;
        if (b >= whole)
            s.positions_out = scratch.positions, s.normals_out = scratch.normals, s.tangents_out = scratch.tangents;
        const uint32_t valid = std::min(block_size, run.places - b * block_size);
        move(b, s, valid);
        if (HWY_LIKELY(b < whole)) continue;
        std::memcpy(to.positions_out, scratch.positions, valid * 3 * sizeof(float));
        if (job.normals) std::memcpy(to.normals_out, scratch.normals, valid * 3 * sizeof(float));
        if (job.tangents) std::memcpy(to.tangents_out, scratch.tangents, valid * 4 * sizeof(float));
    }
}

}  // namespace HWY_NAMESPACE
}  // namespace sinew
HWY_AFTER_NAMESPACE();

#endif
