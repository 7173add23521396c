// Eight constraints side by side: points are loaded whole and turned into lanes of x, y, z and inverse mass.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "sinew/physics/cloth/kernels/cloth_kernel.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include <sinew/physics/cloth/kernels/cloth_kernel.h>
#include <algorithm>
#include <cmath>

#ifndef SINEW_CLOTH_KERNEL_ONCE
#define SINEW_CLOTH_KERNEL_ONCE
#define SINEW_CLOTH_UNROLL _Pragma("GCC unroll 8")
namespace sinew {
namespace {
// Keeps divisions by 0 out of places that hold no constraint, and out of constraints of no length.
constexpr float cloth_least_length = 1e-12f, cloth_least_weight = 1e-12f;
}  // namespace
}  // namespace sinew
#endif

HWY_BEFORE_NAMESPACE();
namespace sinew {
namespace HWY_NAMESPACE {
namespace {
namespace hn = hwy::HWY_NAMESPACE;

#if HWY_TARGET == HWY_SCALAR

void solve_all(std::span<DistanceBlock> blocks, float seconds, bool keep_pull, Float4* x) {
    solve_distances_scalar(blocks, seconds, keep_pull, x);
}
void move_all(const ClothMove& how, std::span<Float4> x, std::span<Float4> previous, std::span<Float4> v) {
    move_points_scalar(how, x, previous, v);
}
void set_all(float seconds, float most, std::span<const Float4> x, std::span<const Float4> previous,
             std::span<Float4> v) {
    set_velocities_scalar(seconds, most, x, previous, v);
}

#else

using D = hn::CappedTag<float, block_constraints>;
using D2 = hn::Repartition<double, D>;
using D4 = hn::Full128<float>;
using V = hn::Vec<D>;
constexpr size_t lanes = hn::MaxLanes(D());
constexpr size_t parts = block_constraints / lanes;

// The points of `lanes` vertices as x, y, z, w; and back.
struct Points {
    V x, y, z, w;
};

HWY_INLINE void transpose(V r0, V r1, V r2, V r3, V& x, V& y, V& z, V& w) {
    const auto lo01 = hn::BitCast(D2(), hn::InterleaveLower(D(), r0, r1)),
               lo23 = hn::BitCast(D2(), hn::InterleaveLower(D(), r2, r3));
    const auto hi01 = hn::BitCast(D2(), hn::InterleaveUpper(D(), r0, r1)),
               hi23 = hn::BitCast(D2(), hn::InterleaveUpper(D(), r2, r3));
    x = hn::BitCast(D(), hn::InterleaveLower(D2(), lo01, lo23));
    y = hn::BitCast(D(), hn::InterleaveUpper(D2(), lo01, lo23));
    z = hn::BitCast(D(), hn::InterleaveLower(D2(), hi01, hi23));
    w = hn::BitCast(D(), hn::InterleaveUpper(D2(), hi01, hi23));
}

#if HWY_MAX_BYTES == 16
HWY_INLINE V load_two(const Float4* x, const uint32_t* ids, size_t k) {
    return hn::Load(D(), &x[ids[k]].x);
}
HWY_INLINE void store_two(V row, Float4* x, const uint32_t* ids, size_t k) {
    hn::Store(row, D(), &x[ids[k]].x);
}
#else
// Vertices k and k + 4, one behind the other.
HWY_INLINE V load_two(const Float4* x, const uint32_t* ids, size_t k) {
    return hn::Combine(D(), hn::Load(D4(), &x[ids[k + 4]].x), hn::Load(D4(), &x[ids[k]].x));
}
HWY_INLINE void store_two(V row, Float4* x, const uint32_t* ids, size_t k) {
    hn::Store(hn::LowerHalf(row), D4(), &x[ids[k]].x);
    hn::Store(hn::UpperHalf(D4(), row), D4(), &x[ids[k + 4]].x);
}
#endif

HWY_INLINE Points load_points(const Float4* x, const uint32_t* ids) {
    Points p;
    transpose(load_two(x, ids, 0), load_two(x, ids, 1), load_two(x, ids, 2), load_two(x, ids, 3), p.x, p.y, p.z, p.w);
    return p;
}

HWY_INLINE void store_points(const Points& p, Float4* x, const uint32_t* ids) {
    V r0, r1, r2, r3;
    transpose(p.x, p.y, p.z, p.w, r0, r1, r2, r3);
    store_two(r0, x, ids, 0), store_two(r1, x, ids, 1), store_two(r2, x, ids, 2), store_two(r3, x, ids, 3);
}

template <bool keep_pull>
HWY_INLINE void solve_part(DistanceBlock& block, size_t first, V per_second2, Float4* x) {
    Points a = load_points(x, block.a + first), b = load_points(x, block.b + first);
    const V dx = hn::Sub(a.x, b.x), dy = hn::Sub(a.y, b.y), dz = hn::Sub(a.z, b.z);
    const V length = hn::Sqrt(hn::MulAdd(dx, dx, hn::MulAdd(dy, dy, hn::Mul(dz, dz))));
    const V soft = hn::Mul(hn::Load(D(), block.compliance + first), per_second2);
    const V weight = hn::Add(hn::Add(a.w, b.w), hn::Add(soft, hn::Set(D(), cloth_least_weight)));
    V off = hn::Sub(length, hn::Load(D(), block.rest + first));
    if constexpr (keep_pull) {
        const V pull = hn::Load(D(), block.pull + first);
        off = hn::MulAdd(soft, pull, off);
        hn::Store(hn::Sub(pull, hn::Div(off, weight)), D(), block.pull + first);
    }
    const V s = hn::Div(off, hn::Mul(weight, hn::Max(length, hn::Set(D(), cloth_least_length))));
    const V sa = hn::Mul(s, a.w), sb = hn::Mul(s, b.w);
    a.x = hn::NegMulAdd(sa, dx, a.x), a.y = hn::NegMulAdd(sa, dy, a.y), a.z = hn::NegMulAdd(sa, dz, a.z);
    b.x = hn::MulAdd(sb, dx, b.x), b.y = hn::MulAdd(sb, dy, b.y), b.z = hn::MulAdd(sb, dz, b.z);
    store_points(a, x, block.a + first);
    store_points(b, x, block.b + first);
}

void solve_all(std::span<DistanceBlock> blocks, float seconds, bool keep_pull, Float4* x) {
    const V per_second2 = hn::Set(D(), 1.0f / (seconds * seconds));
    for (DistanceBlock& block : blocks) {
        SINEW_CLOTH_UNROLL for (size_t part = 0; part < parts; ++part) {
            if (keep_pull)
                solve_part<true>(block, part * lanes, per_second2, x);
            else
                solve_part<false>(block, part * lanes, per_second2, x);
        }
    }
}

void move_all(const ClothMove& how, std::span<Float4> x, std::span<Float4> previous, std::span<Float4> v) {
    const D4 d;
    const auto h = hn::Set(d, how.seconds), keep = hn::Set(d, how.keep), zero = hn::Zero(d);
    const auto fall = hn::Mul(h, hn::Load(d, &how.gravity.x));
    alignas(16) static constexpr float xyz[4] = {1, 1, 1, 0};
    const auto space = hn::Load(d, xyz);
    for (size_t i = 0; i < x.size(); ++i) {
        const auto at = hn::Load(d, &x[i].x);
        auto speed = hn::Load(d, &v[i].x);
        hn::Store(at, d, &previous[i].x);
        auto gain = fall;
        if (how.acceleration) gain = hn::MulAdd(h, hn::Load(d, &how.acceleration[i].x), fall);
        speed = hn::Mul(hn::Add(speed, gain), hn::Mul(keep, space));
        const auto held = hn::Eq(hn::Broadcast<3>(at), zero);
        hn::Store(hn::IfThenElse(held, at, hn::MulAdd(h, speed, at)), d, &x[i].x);
        hn::Store(hn::IfThenZeroElse(held, speed), d, &v[i].x);
    }
}

void set_all(float seconds, float most, std::span<const Float4> x, std::span<const Float4> previous,
             std::span<Float4> v) {
    const D4 d;
    const auto rate = hn::Set(d, 1.0f / seconds), limit = hn::Set(d, most * most), fast = hn::Set(d, most);
    for (size_t i = 0; i < x.size(); ++i) {
        const auto speed = hn::Mul(hn::Sub(hn::Load(d, &x[i].x), hn::Load(d, &previous[i].x)), rate);
        const auto squared = hn::SumOfLanes(d, hn::Mul(speed, speed));  // the inverse masses cancelled
        if (HWY_LIKELY(!(hn::GetLane(squared) > hn::GetLane(limit)))) {
            hn::Store(speed, d, &v[i].x);
        } else {
            hn::Store(hn::Mul(speed, hn::Div(fast, hn::Sqrt(squared))), d, &v[i].x);
        }
    }
}

#endif

}  // namespace

void solve_kernel(std::span<DistanceBlock> blocks, float seconds, bool keep_pull, Float4* x) {
    solve_all(blocks, seconds, keep_pull, x);
}
void move_kernel(const ClothMove& how, std::span<Float4> x, std::span<Float4> previous, std::span<Float4> v) {
    move_all(how, x, previous, v);
}
void set_kernel(float seconds, float most, std::span<const Float4> x, std::span<const Float4> previous,
                std::span<Float4> v) {
    set_all(seconds, most, x, previous, v);
}

}  // namespace HWY_NAMESPACE
}  // namespace sinew
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace sinew {

HWY_EXPORT(solve_kernel);
HWY_EXPORT(move_kernel);
HWY_EXPORT(set_kernel);

void solve_distances(std::span<DistanceBlock> blocks, float seconds, bool keep_pull, Float4* x) {
    HWY_DYNAMIC_DISPATCH(solve_kernel)(blocks, seconds, keep_pull, x);
}
void move_points(const ClothMove& how, std::span<Float4> x, std::span<Float4> previous, std::span<Float4> v) {
    HWY_DYNAMIC_DISPATCH(move_kernel)(how, x, previous, v);
}
void set_velocities(float seconds, float most, std::span<const Float4> x, std::span<const Float4> previous,
                    std::span<Float4> v) {
    HWY_DYNAMIC_DISPATCH(set_kernel)(seconds, most, x, previous, v);
}

void solve_distances_scalar(std::span<DistanceBlock> blocks, float seconds, bool keep_pull, Float4* x) {
    const float per_second2 = 1.0f / (seconds * seconds);
    for (DistanceBlock& block : blocks)
        for (size_t k = 0; k < block_constraints; ++k) {
            Float4 &a = x[block.a[k]], &b = x[block.b[k]];
            const float dx = a.x - b.x, dy = a.y - b.y, dz = a.z - b.z, length = std::sqrt(dx * dx + dy * dy + dz * dz);
            const float soft = block.compliance[k] * per_second2, weight = a.w + b.w + soft + cloth_least_weight;
            float off = length - block.rest[k];
            if (keep_pull) {
                off += soft * block.pull[k];
                block.pull[k] -= off / weight;
            }
            const float s = off / (weight * std::max(length, cloth_least_length)), sa = s * a.w, sb = s * b.w;
            a.x -= sa * dx, a.y -= sa * dy, a.z -= sa * dz;
            b.x += sb * dx, b.y += sb * dy, b.z += sb * dz;
        }
}

void move_points_scalar(const ClothMove& how, std::span<Float4> x, std::span<Float4> previous, std::span<Float4> v) {
    const float h = how.seconds;
    for (size_t i = 0; i < x.size(); ++i) {
        previous[i] = x[i];
        if (x[i].w == 0.0f) {
            v[i] = {};
            continue;
        }
        const Float4 push = how.acceleration ? how.acceleration[i] : Float4{};
        v[i].x = (v[i].x + h * (how.gravity.x + push.x)) * how.keep;
        v[i].y = (v[i].y + h * (how.gravity.y + push.y)) * how.keep;
        v[i].z = (v[i].z + h * (how.gravity.z + push.z)) * how.keep;
        x[i].x += h * v[i].x, x[i].y += h * v[i].y, x[i].z += h * v[i].z;
    }
}

void set_velocities_scalar(float seconds, float most, std::span<const Float4> x, std::span<const Float4> previous,
                           std::span<Float4> v) {
    for (size_t i = 0; i < x.size(); ++i) {
        Float4 speed{(x[i].x - previous[i].x) / seconds, (x[i].y - previous[i].y) / seconds,
                     (x[i].z - previous[i].z) / seconds, 0};
        const float squared = speed.x * speed.x + speed.y * speed.y + speed.z * speed.z;
        if (squared > most * most) {
            const float share = most / std::sqrt(squared);
            speed.x *= share, speed.y *= share, speed.z *= share;
        }
        v[i] = speed;
    }
}

}  // namespace sinew
#endif
