// Vectors and matrices by lanes: a vertex's numbers in one lane of as many registers.
// Data flow: included by the skinning kernels, compiled once per instruction set.
#if defined(SINEW_SKIN_KERNEL_LANES_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef SINEW_SKIN_KERNEL_LANES_INL_H_
#undef SINEW_SKIN_KERNEL_LANES_INL_H_
#else
#define SINEW_SKIN_KERNEL_LANES_INL_H_
#endif

#include <hwy/highway.h>
#include <sinew/skin/compiled/joint_sets.h>

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
using BlockD = hn::CappedTag<float, block_size>;
using BlockV = hn::Vec<BlockD>;
// And no more than an octet.
using OctetD = hn::CappedTag<float, octet_size>;
using OctetV = hn::Vec<OctetD>;

template <class V>
constexpr size_t lanes_of = hn::MaxLanes(hn::DFromV<V>());

// A matrix per lane, entry by entry: m[3 * column + row].
template <class V>
struct LaneMatrix {
    V m[9];
};

template <class V>
struct V3 {
    V x, y, z;
};

// x y z of lanes → xyz xyz … in memory.
template <class V>
HWY_INLINE void store_xyz(const V3<V>& v, float* HWY_RESTRICT to) {
    hn::StoreInterleaved3(v.x, v.y, v.z, hn::DFromV<V>(), to);
}

#if HWY_TARGET <= HWY_AVX2 && HWY_ARCH_X86
// Nine shuffles where the general interleaving store takes fourteen.
HWY_INLINE void store_xyz(const V3<OctetV>& v, float* HWY_RESTRICT to) {
    const __m256 x = v.x.raw, y = v.y.raw, z = v.z.raw;
    const __m256 xy = _mm256_shuffle_ps(x, y, _MM_SHUFFLE(2, 0, 2, 0));        // x0 x2 y0 y2 | x4 …
    const __m256 yz = _mm256_shuffle_ps(y, z, _MM_SHUFFLE(3, 1, 3, 1));        // y1 y3 z1 z3
    const __m256 zx = _mm256_shuffle_ps(z, x, _MM_SHUFFLE(3, 1, 2, 0));        // z0 z2 x1 x3
    const __m256 first = _mm256_shuffle_ps(xy, zx, _MM_SHUFFLE(2, 0, 2, 0));   // x0 y0 z0 x1 | x4 …
    const __m256 second = _mm256_shuffle_ps(yz, xy, _MM_SHUFFLE(3, 1, 2, 0));  // y1 z1 x2 y2
    const __m256 third = _mm256_shuffle_ps(zx, yz, _MM_SHUFFLE(3, 1, 3, 1));   // z2 x3 y3 z3
    _mm256_storeu_ps(to, _mm256_permute2f128_ps(first, second, 0x20));
    _mm256_storeu_ps(to + 8, _mm256_blend_ps(third, first, 0xf0));
    _mm256_storeu_ps(to + 16, _mm256_permute2f128_ps(second, third, 0x31));
}
#endif

#if HWY_TARGET <= HWY_AVX3 && HWY_ARCH_X86
// Entry i of the output is lane i / 3 of one of the three: x and y are looked up together, z is put between them. Six
// shuffles where the general interleaving store takes a good many more.
HWY_INLINE void store_xyz(const V3<BlockV>& v, float* HWY_RESTRICT to) {
    constexpr int y = 16;  // lanes of y are numbered after those of x
    alignas(64) static constexpr int32_t xy[3][16] = {
        {0, y, 0, 1, y + 1, 0, 2, y + 2, 0, 3, y + 3, 0, 4, y + 4, 0, 5},
        {y + 5, 0, 6, y + 6, 0, 7, y + 7, 0, 8, y + 8, 0, 9, y + 9, 0, 10, y + 10},
        {0, 11, y + 11, 0, 12, y + 12, 0, 13, y + 13, 0, 14, y + 14, 0, 15, y + 15, 0}};
    alignas(64) static constexpr int32_t z[3][16] = {{0, 0, 0, 0, 0, 1, 0, 0, 2, 0, 0, 3, 0, 0, 4, 0},
                                                     {0, 5, 0, 0, 6, 0, 0, 7, 0, 0, 8, 0, 0, 9, 0, 0},
                                                     {10, 0, 0, 11, 0, 0, 12, 0, 0, 13, 0, 0, 14, 0, 0, 15}};
    constexpr __mmask16 is_z[3] = {0x4924, 0x2492, 0x9249};
    SINEW_UNROLL for (int k = 0; k < 3; ++k) {
        const __m512 both = _mm512_permutex2var_ps(v.x.raw, _mm512_load_si512(xy[k]), v.y.raw);
        _mm512_storeu_ps(to + 16 * k, _mm512_mask_permutexvar_ps(both, is_z[k], _mm512_load_si512(z[k]), v.z.raw));
    }
}
#endif

// One over the length, to a few units in the last place: an estimate and Newton steps, as many as the estimate needs.
template <class V>
HWY_INLINE V inverse_length(V length_squared) {
    const hn::DFromV<V> d;
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

// Rows of rest vectors are a block apart.
template <class V>
HWY_INLINE V3<V> load3(const float* HWY_RESTRICT from) {
    const hn::DFromV<V> d;
    return {hn::Load(d, from), hn::Load(d, from + block_size), hn::Load(d, from + 2 * block_size)};
}

// As many weights as there are lanes; those of sixteen bits as the whole numbers they are.
template <class V>
HWY_INLINE V load_weights(const float* HWY_RESTRICT from) {
    return hn::Load(hn::DFromV<V>(), from);
}
template <class V>
HWY_INLINE V load_weights(const uint16_t* HWY_RESTRICT from) {
    const hn::DFromV<V> d;
    return hn::ConvertTo(
        d, hn::PromoteTo(hn::Rebind<int32_t, decltype(d)>(), hn::Load(hn::Rebind<uint16_t, decltype(d)>(), from)));
}

// Unit (x y z), or as it was at rest where a singular matrix crushed it.
template <class V>
HWY_INLINE void make_unit(V3<V>& v, const float* HWY_RESTRICT rest) {
    const hn::DFromV<V> d;
    const V squared = hn::MulAdd(v.x, v.x, hn::MulAdd(v.y, v.y, hn::Mul(v.z, v.z)));
    const V r = inverse_length(squared);
    v = {hn::Mul(v.x, r), hn::Mul(v.y, r), hn::Mul(v.z, r)};
    const auto good = hn::Gt(squared, hn::Set(d, 1e-37f));
    if (HWY_UNLIKELY(!hn::AllTrue(d, good))) {
        const V3<V> was = load3<V>(rest);
        v = {hn::IfThenElse(good, v.x, was.x), hn::IfThenElse(good, v.y, was.y), hn::IfThenElse(good, v.z, was.z)};
    }
}

// Entry of the cofactor matrix [deform.cpp]: column c is the cross product of the other two columns.
template <class V>
HWY_INLINE V cofactor(const LaneMatrix<V>& a, int column, int row) {
    const int c1 = 3 * ((column + 1) % 3), c2 = 3 * ((column + 2) % 3), r1 = (row + 1) % 3, r2 = (row + 2) % 3;
    return hn::MulSub(a.m[c1 + r1], a.m[c2 + r2], hn::Mul(a.m[c1 + r2], a.m[c2 + r1]));
}

// One row of a matrix times a rest vector, and the same of an affine matrix.
template <class V>
HWY_INLINE V row_times(V a, V b, V c, const float* HWY_RESTRICT v) {
    const hn::DFromV<V> d;
    return hn::MulAdd(c, hn::Load(d, v + 2 * block_size),
                      hn::MulAdd(b, hn::Load(d, v + block_size), hn::Mul(a, hn::Load(d, v))));
}
template <class V>
HWY_INLINE V row_times(V a, V b, V c, V t, const float* HWY_RESTRICT v) {
    const hn::DFromV<V> d;
    return hn::MulAdd(c, hn::Load(d, v + 2 * block_size),
                      hn::MulAdd(b, hn::Load(d, v + block_size), hn::MulAdd(a, hn::Load(d, v), t)));
}

template <class V>
HWY_INLINE V row_times(V a, V b, V c, V t, const V3<V>& v) {
    return hn::MulAdd(c, v.z, hn::MulAdd(b, v.y, hn::MulAdd(a, v.x, t)));
}

// A matrix times a rest vector, or times one in registers.
template <class V>
HWY_INLINE V3<V> times(const LaneMatrix<V>& a, const float* HWY_RESTRICT v) {
    return {row_times(a.m[0], a.m[3], a.m[6], v), row_times(a.m[1], a.m[4], a.m[7], v),
            row_times(a.m[2], a.m[5], a.m[8], v)};
}
template <class V>
HWY_INLINE V3<V> times(const LaneMatrix<V>& a, const V3<V>& v) {
    const auto row = [&](int r) SINEW_INLINE_LAMBDA {
        return hn::MulAdd(a.m[6 + r], v.z, hn::MulAdd(a.m[3 + r], v.y, hn::Mul(a.m[r], v.x)));
    };
    return {row(0), row(1), row(2)};
}

// Points moved by one affine matrix, column after column.
template <class V>
HWY_INLINE V3<V> moved(const float* HWY_RESTRICT m, const V3<V>& p) {
    const hn::DFromV<V> d;
    const auto row = [&](int r) SINEW_INLINE_LAMBDA {
        return row_times(hn::Set(d, m[r]), hn::Set(d, m[3 + r]), hn::Set(d, m[6 + r]), hn::Set(d, m[9 + r]), p);
    };
    return {row(0), row(1), row(2)};
}

// The rest normal by the cofactors, turned round where the matrix mirrors; `sign` is the determinant's sign bit.
template <class V>
HWY_INLINE V3<V> exact_normal(const LaneMatrix<V>& a, const float* HWY_RESTRICT rest, V& sign) {
    LaneMatrix<V> c;
    SINEW_UNROLL for (int i = 0; i < 9; ++i) c.m[i] = cofactor(a, i / 3, i % 3);
    const V det = hn::MulAdd(a.m[0], c.m[0], hn::MulAdd(a.m[1], c.m[1], hn::Mul(a.m[2], c.m[2])));
    sign = hn::And(det, hn::Set(hn::DFromV<V>(), -0.0f));
    const V3<V> n = times(c, rest);
    return {hn::Xor(n.x, sign), hn::Xor(n.y, sign), hn::Xor(n.z, sign)};
}

// a + b × c.
template <class V>
HWY_INLINE V3<V> add_cross(const V3<V>& a, const V3<V>& b, const V3<V>& c) {
    return {hn::NegMulAdd(b.z, c.y, hn::MulAdd(b.y, c.z, a.x)), hn::NegMulAdd(b.x, c.z, hn::MulAdd(b.z, c.x, a.y)),
            hn::NegMulAdd(b.y, c.x, hn::MulAdd(b.x, c.y, a.z))};
}
template <class V>
HWY_INLINE V3<V> cross(const V3<V>& b, const V3<V>& c) {
    return {hn::MulSub(b.y, c.z, hn::Mul(b.z, c.y)), hn::MulSub(b.z, c.x, hn::Mul(b.x, c.z)),
            hn::MulSub(b.x, c.y, hn::Mul(b.y, c.x))};
}
template <class V>
HWY_INLINE V3<V> scaled(V s, const V3<V>& a) {
    return {hn::Mul(s, a.x), hn::Mul(s, a.y), hn::Mul(s, a.z)};
}
// a + s b.
template <class V>
HWY_INLINE V3<V> add_scaled(const V3<V>& a, V s, const V3<V>& b) {
    return {hn::MulAdd(s, b.x, a.x), hn::MulAdd(s, b.y, a.y), hn::MulAdd(s, b.z, a.z)};
}

// A rotation by a quaternion of any length: v' = v + s r × (r × v + w v) with s = 2 / |q|².
template <class V>
struct Rotation {
    V3<V> r;
    V w, s;

    HWY_INLINE V3<V> turn(const V3<V>& v) const { return add_scaled(v, s, cross(r, add_cross(scaled(w, v), r, v))); }
};

template <class V>
HWY_INLINE Rotation<V> rotation_of(const V (&q)[4]) {
    const V squared = hn::MulAdd(q[0], q[0], hn::MulAdd(q[1], q[1], hn::MulAdd(q[2], q[2], hn::Mul(q[3], q[3]))));
    return {{q[0], q[1], q[2]}, q[3], hn::Div(hn::Set(hn::DFromV<V>(), 2.0f), squared)};
}

}  // namespace HWY_NAMESPACE
}  // namespace sinew
HWY_AFTER_NAMESPACE();

#endif
