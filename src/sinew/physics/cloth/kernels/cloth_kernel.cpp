// Eight constraints or points side by side: points are loaded whole and turned into lanes of x, y, z and inverse mass.
// No multiply-add is fused, so that every instruction set gives the bits of the twins.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "sinew/physics/cloth/kernels/cloth_kernel.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include <sinew/physics/cloth/kernels/cloth_kernel.h>
#include <sinew/physics/cloth/kernels/cloth_limits.h>

#ifndef SINEW_CLOTH_KERNEL_ONCE
#define SINEW_CLOTH_KERNEL_ONCE
#define SINEW_CLOTH_UNROLL _Pragma("GCC unroll 8")
#endif

HWY_BEFORE_NAMESPACE();
namespace sinew {
namespace HWY_NAMESPACE {
namespace {
namespace hn = hwy::HWY_NAMESPACE;

#if HWY_TARGET == HWY_SCALAR

void move_all(const ClothMove& how, std::span<Float4> x, std::span<Float4> previous, std::span<Float4> v) {
    move_points_scalar(how, x, previous, v);
}
void set_all(float seconds, float most, std::span<const Float4> x, std::span<const Float4> previous,
             std::span<Float4> v) {
    set_velocities_scalar(seconds, most, x, previous, v);
}
void solve_all(std::span<const DistanceBlock> blocks, float soft, float* pulls, Float4* x) {
    solve_distances_scalar(blocks, soft, pulls, x);
}
void bend_all(std::span<const BendBlock> blocks, float soft, Float4* x) {
    solve_bends_scalar(blocks, soft, x);
}
size_t limit_all(std::span<const DistanceBlock> blocks, float times, Float4* x) {
    return limit_distances_scalar(blocks, times, x);
}
void hold_all(const ClothTethers& tethers, std::span<Float4> x) {
    hold_tethers_scalar(tethers, x);
}
void leave_all(std::span<const OctetSolid> near, const ClothSolid* solids, float thickness, Float4* x,
               Float4* previous) {
    leave_solids_scalar(near, solids, thickness, x, previous);
}

#else

using D = hn::CappedTag<float, octet_size>;
using D2 = hn::Repartition<double, D>;
using D4 = hn::Full128<float>;
using V = hn::Vec<D>;
using M = hn::Mask<D>;
constexpr size_t lanes = hn::MaxLanes(D());
constexpr size_t parts = octet_size / lanes;

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

constexpr uint32_t in_a_row[octet_size] = {0, 1, 2, 3, 4, 5, 6, 7};

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

HWY_INLINE V set(float v) {
    return hn::Set(D(), v);
}
HWY_INLINE V dot(V ax, V ay, V az, V bx, V by, V bz) {
    return hn::Add(hn::Add(hn::Mul(ax, bx), hn::Mul(ay, by)), hn::Mul(az, bz));
}
HWY_INLINE V add(V to, V s, V by) {
    return hn::Add(to, hn::Mul(s, by));
}

void move_all(const ClothMove& how, std::span<Float4> x, std::span<Float4> previous, std::span<Float4> v) {
    const D4 d;
    const auto h = hn::Set(d, how.seconds), keep = hn::Set(d, how.keep), zero = hn::Zero(d);
    alignas(16) static constexpr float xyz[4] = {1, 1, 1, 0};
    const auto space = hn::Load(d, xyz);
    const auto fall = hn::Mul(hn::Mul(h, hn::Load(d, &how.gravity.x)), space);
    for (size_t i = 0; i < x.size(); ++i) {
        const auto at = hn::Load(d, &x[i].x);
        auto speed = hn::Load(d, &v[i].x);
        hn::Store(at, d, &previous[i].x);
        auto gain = fall;
        if (how.acceleration) gain = hn::Add(fall, hn::Mul(h, hn::Load(d, &how.acceleration[i].x)));
        speed = hn::Mul(hn::Mul(hn::Add(speed, gain), keep), space);
        const auto held = hn::Eq(hn::Broadcast<3>(at), zero);
        hn::Store(hn::IfThenElse(held, at, hn::Add(at, hn::Mul(h, speed))), d, &x[i].x);
        hn::Store(hn::IfThenZeroElse(held, speed), d, &v[i].x);
    }
}

void set_all(float seconds, float most, std::span<const Float4> x, std::span<const Float4> previous,
             std::span<Float4> v) {
    const V rate = set(1.0f / seconds), limit = set(most * most), fast = set(most), one = set(1.0f), zero = set(0.0f);
    for (size_t i = 0; i < x.size(); i += lanes) {
        const Points p = load_points(&x[i], in_a_row), q = load_points(&previous[i], in_a_row);
        const V vx = hn::Mul(hn::Sub(p.x, q.x), rate), vy = hn::Mul(hn::Sub(p.y, q.y), rate),
                vz = hn::Mul(hn::Sub(p.z, q.z), rate);
        const V squared = dot(vx, vy, vz, vx, vy, vz);
        const M over = hn::Gt(squared, limit);
        Points speed{vx, vy, vz, zero};
        if (HWY_UNLIKELY(!hn::AllFalse(D(), over))) {
            const V share = hn::IfThenElse(over, hn::Div(fast, hn::Sqrt(squared)), one);
            speed = {hn::Mul(vx, share), hn::Mul(vy, share), hn::Mul(vz, share), zero};
        }
        store_points(speed, &v[i], in_a_row);
    }
}

template <bool keep_pull>
HWY_INLINE void solve_part(const DistanceBlock& block, size_t first, V soft, V softened, float* pulls, Float4* x) {
    Points a = load_points(x, block.a + first), b = load_points(x, block.b + first);
    const V dx = hn::Sub(a.x, b.x), dy = hn::Sub(a.y, b.y), dz = hn::Sub(a.z, b.z);
    const V length = hn::Sqrt(dot(dx, dy, dz, dx, dy, dz));
    const V weight = hn::Add(hn::Add(a.w, b.w), softened);
    V off = hn::Sub(length, hn::Load(D(), block.rest + first));
    if constexpr (keep_pull) {
        const V pull = hn::LoadU(D(), pulls + first);
        off = hn::Add(off, hn::Mul(soft, pull));
        hn::StoreU(hn::Sub(pull, hn::Div(off, weight)), D(), pulls + first);
    }
    const V s = hn::Div(off, hn::Mul(weight, hn::Max(length, set(cloth_least_length))));
    const V sa = hn::Neg(hn::Mul(s, a.w)), sb = hn::Mul(s, b.w);
    a.x = add(a.x, sa, dx), a.y = add(a.y, sa, dy), a.z = add(a.z, sa, dz);
    b.x = add(b.x, sb, dx), b.y = add(b.y, sb, dy), b.z = add(b.z, sb, dz);
    store_points(a, x, block.a + first);
    store_points(b, x, block.b + first);
}

void solve_all(std::span<const DistanceBlock> blocks, float soft, float* pulls, Float4* x) {
    const V given = set(soft), softened = set(soft + cloth_least_weight);
    for (const DistanceBlock& block : blocks) {
        SINEW_CLOTH_UNROLL for (size_t part = 0; part < parts; ++part) {
            if (pulls)
                solve_part<true>(block, part * lanes, given, softened, pulls, x);
            else
                solve_part<false>(block, part * lanes, given, softened, nullptr, x);
        }
        if (pulls) pulls += octet_size;
    }
}

HWY_INLINE void add_to(Points& p, V s, V x, V y, V z) {
    p.x = add(p.x, s, x), p.y = add(p.y, s, y), p.z = add(p.z, s, z);
}

HWY_INLINE void bend_part(const BendBlock& block, size_t first, V soft, Float4* x) {
    Points a = load_points(x, block.a + first), b = load_points(x, block.b + first);
    Points c = load_points(x, block.c + first), d = load_points(x, block.d + first);
    const V sb = hn::Load(D(), block.share_b + first), sc = hn::Load(D(), block.share_c + first),
            sd = hn::Load(D(), block.share_d + first);
    const V sa = hn::Neg(hn::Add(hn::Add(sb, sc), sd));
    const V ex = hn::Sub(b.x, a.x), ey = hn::Sub(b.y, a.y), ez = hn::Sub(b.z, a.z);
    const V fx = hn::Sub(c.x, d.x), fy = hn::Sub(c.y, d.y), fz = hn::Sub(c.z, d.z);
    const V nx = hn::Sub(hn::Mul(ey, fz), hn::Mul(ez, fy)), ny = hn::Sub(hn::Mul(ez, fx), hn::Mul(ex, fz)),
            nz = hn::Sub(hn::Mul(ex, fy), hn::Mul(ey, fx));
    const V length = hn::Max(hn::Sqrt(dot(nx, ny, nz, nx, ny, nz)), set(cloth_least_length));
    const V back = hn::Neg(hn::Div(hn::Load(D(), block.rest + first), length));
    const V bx = add(add(add(hn::Mul(sb, ex), sc, hn::Sub(c.x, a.x)), sd, hn::Sub(d.x, a.x)), back, nx);
    const V by = add(add(add(hn::Mul(sb, ey), sc, hn::Sub(c.y, a.y)), sd, hn::Sub(d.y, a.y)), back, ny);
    const V bz = add(add(add(hn::Mul(sb, ez), sc, hn::Sub(c.z, a.z)), sd, hn::Sub(d.z, a.z)), back, nz);
    const V softened = hn::Add(hn::Mul(soft, hn::Load(D(), block.soft + first)), set(cloth_least_weight));
    V weight = hn::Add(hn::Mul(a.w, hn::Mul(sa, sa)), hn::Mul(b.w, hn::Mul(sb, sb)));
    weight = hn::Add(hn::Add(weight, hn::Mul(c.w, hn::Mul(sc, sc))), hn::Mul(d.w, hn::Mul(sd, sd)));
    const V size = hn::Max(hn::Sqrt(dot(bx, by, bz, bx, by, bz)), set(cloth_least_length));
    const V most = hn::Min(hn::Div(set(cloth_most_bent), size), set(1.0f));
    const V s = hn::Div(hn::Neg(most), hn::Add(weight, softened));
    add_to(a, hn::Mul(s, hn::Mul(sa, a.w)), bx, by, bz);
    add_to(b, hn::Mul(s, hn::Mul(sb, b.w)), bx, by, bz);
    add_to(c, hn::Mul(s, hn::Mul(sc, c.w)), bx, by, bz);
    add_to(d, hn::Mul(s, hn::Mul(sd, d.w)), bx, by, bz);
    store_points(a, x, block.a + first), store_points(b, x, block.b + first);
    store_points(c, x, block.c + first), store_points(d, x, block.d + first);
}

void bend_all(std::span<const BendBlock> blocks, float soft, Float4* x) {
    const V given = set(soft);
    for (const BendBlock& block : blocks)
        SINEW_CLOTH_UNROLL for (size_t part = 0; part < parts; ++part) bend_part(block, part * lanes, given, x);
}

size_t limit_all(std::span<const DistanceBlock> blocks, float times, Float4* x) {
    const V most_times = set(times), zero = set(0.0f), one = set(1.0f);
    size_t changed = 0;
    for (const DistanceBlock& block : blocks) {
        bool any = false;
        SINEW_CLOTH_UNROLL for (size_t part = 0; part < parts; ++part) {
            const size_t first = part * lanes;
            Points a = load_points(x, block.a + first), b = load_points(x, block.b + first);
            const V dx = hn::Sub(a.x, b.x), dy = hn::Sub(a.y, b.y), dz = hn::Sub(a.z, b.z);
            const V squared = dot(dx, dy, dz, dx, dy, dz), weight = hn::Add(a.w, b.w);
            const V most = hn::Mul(most_times, hn::Load(D(), block.rest + first));
            const M over = hn::And(hn::Gt(squared, hn::Mul(most, most)), hn::Gt(weight, zero));
            if (HWY_LIKELY(hn::AllFalse(D(), over))) continue;
            any = true;
            const V s = hn::IfThenElseZero(over, hn::Div(hn::Sub(one, hn::Div(most, hn::Sqrt(squared))), weight));
            const V sa = hn::Neg(hn::Mul(s, a.w)), sb = hn::Mul(s, b.w);
            a.x = add(a.x, sa, dx), a.y = add(a.y, sa, dy), a.z = add(a.z, sa, dz);
            b.x = add(b.x, sb, dx), b.y = add(b.y, sb, dy), b.z = add(b.z, sb, dz);
            store_points(a, x, block.a + first);
            store_points(b, x, block.b + first);
        }
        changed += any ? 1 : 0;
    }
    return changed;
}

HWY_INLINE bool hold(Points& p, const Points& q, V length) {
    const V dx = hn::Sub(p.x, q.x), dy = hn::Sub(p.y, q.y), dz = hn::Sub(p.z, q.z);
    const V squared = dot(dx, dy, dz, dx, dy, dz);
    const M over = hn::Gt(squared, hn::Mul(length, length));
    if (HWY_LIKELY(hn::AllFalse(D(), over))) return false;
    const V share = hn::Div(length, hn::Sqrt(squared));
    p.x = hn::IfThenElse(over, hn::Add(q.x, hn::Mul(share, dx)), p.x);
    p.y = hn::IfThenElse(over, hn::Add(q.y, hn::Mul(share, dy)), p.y);
    p.z = hn::IfThenElse(over, hn::Add(q.z, hn::Mul(share, dz)), p.z);
    return true;
}

void hold_all(const ClothTethers& tethers, std::span<Float4> x) {
    for (size_t i = 0; i < x.size(); i += lanes) {
        Points p = load_points(&x[i], in_a_row);
        bool changed = false;
        for (size_t k = 0; k < tethers.anchors.size(); ++k) {
            const Float4& q = x[tethers.anchors[k]];
            const Points anchor{set(q.x), set(q.y), set(q.z), set(0.0f)};
            changed |= hold(p, anchor, hn::LoadU(D(), tethers.lengths + k * x.size() + i));
        }
        if (tethers.own)
            changed |= hold(p, load_points(x.data(), tethers.own + i), hn::LoadU(D(), tethers.own_lengths + i));
        if (changed) store_points(p, &x[i], in_a_row);
    }
}

// Where lanes touch a solid: how deep, the way out, and how the solid goes there.
struct Touch {
    M inside;
    V depth, nx, ny, nz, cx, cy, cz;
};

HWY_INLINE bool touch_plane(const ClothSolid& s, V thickness, const Points& p, M free, Touch& t) {
    t.nx = set(s.normal.x), t.ny = set(s.normal.y), t.nz = set(s.normal.z);
    const V fx = hn::Sub(p.x, set(s.a.x)), fy = hn::Sub(p.y, set(s.a.y)), fz = hn::Sub(p.z, set(s.a.z));
    t.depth = hn::Sub(thickness, dot(t.nx, t.ny, t.nz, fx, fy, fz));
    t.inside = hn::And(free, hn::Gt(t.depth, set(0.0f)));
    t.cx = set(s.carried_a.x), t.cy = set(s.carried_a.y), t.cz = set(s.carried_a.z);
    return !hn::AllFalse(D(), t.inside);
}

HWY_INLINE bool touch_capsule(const ClothSolid& s, float thickness, const Points& p, M free, Touch& t) {
    const V zero = set(0.0f), one = set(1.0f);
    const V lx = set(s.along.x), ly = set(s.along.y), lz = set(s.along.z);
    const V fx = hn::Sub(p.x, set(s.a.x)), fy = hn::Sub(p.y, set(s.a.y)), fz = hn::Sub(p.z, set(s.a.z));
    const V share = hn::Min(hn::Max(hn::Mul(dot(fx, fy, fz, lx, ly, lz), set(s.along.w)), zero), one);
    const V back = hn::Neg(share);
    const V ax = add(fx, back, lx), ay = add(fy, back, ly), az = add(fz, back, lz);
    const V squared = dot(ax, ay, az, ax, ay, az);
    const float rim = s.hollow ? s.radius - thickness : s.radius + thickness;
    if (s.hollow)
        t.inside = rim < 0.0f ? free : hn::And(free, hn::Gt(squared, set(rim * rim)));
    else
        t.inside = hn::And(free, hn::Lt(squared, set(rim * rim)));
    if (HWY_LIKELY(hn::AllFalse(D(), t.inside))) return false;
    const V length = hn::Sqrt(squared), sign = set(s.hollow ? -1.0f : 1.0f), least = set(cloth_least_length);
    t.depth = hn::Mul(sign, hn::Sub(set(rim), length));
    const V inverse = hn::Div(sign, hn::Max(length, least));
    const M any_way = hn::Gt(length, least);
    t.nx = hn::IfThenElseZero(any_way, hn::Mul(inverse, ax));
    t.ny = hn::IfThenElse(any_way, hn::Mul(inverse, ay), one);
    t.nz = hn::IfThenElseZero(any_way, hn::Mul(inverse, az));
    t.cx = add(set(s.carried_a.x), share, set(s.carried_along.x));
    t.cy = add(set(s.carried_a.y), share, set(s.carried_along.y));
    t.cz = add(set(s.carried_a.z), share, set(s.carried_along.z));
    return true;
}

HWY_INLINE void push(const Touch& t, float friction, Points& p, Points& q) {
    const V px = add(p.x, t.depth, t.nx), py = add(p.y, t.depth, t.ny), pz = add(p.z, t.depth, t.nz);
    const V wx = hn::Sub(hn::Sub(px, q.x), t.cx), wy = hn::Sub(hn::Sub(py, q.y), t.cy),
            wz = hn::Sub(hn::Sub(pz, q.z), t.cz);
    const V out = dot(wx, wy, wz, t.nx, t.ny, t.nz), in = hn::Neg(out);
    const V sx = add(wx, in, t.nx), sy = add(wy, in, t.ny), sz = add(wz, in, t.nz);
    const V length = hn::Max(hn::Sqrt(dot(sx, sy, sz, sx, sy, sz)), set(cloth_least_length));
    const V back = hn::Neg(hn::Min(hn::Div(hn::Mul(set(friction), t.depth), length), set(1.0f)));
    p.x = hn::IfThenElse(t.inside, add(px, back, sx), p.x);
    p.y = hn::IfThenElse(t.inside, add(py, back, sy), p.y);
    p.z = hn::IfThenElse(t.inside, add(pz, back, sz), p.z);
    const V leaves = hn::IfThenElseZero(t.inside, hn::Max(out, set(0.0f)));
    q.x = add(q.x, leaves, t.nx), q.y = add(q.y, leaves, t.ny), q.z = add(q.z, leaves, t.nz);
}

void leave_all(std::span<const OctetSolid> near, const ClothSolid* solids, float thickness, Float4* x,
               Float4* previous) {
    const V thick = set(thickness);
    for (size_t begin = 0, end = 0; begin < near.size(); begin = end) {
        while (end < near.size() && near[end].octet == near[begin].octet) ++end;
        for (size_t part = 0; part < parts; ++part) {
            Float4 *at = x + near[begin].octet * octet_size + part * lanes,
                   *before = previous + near[begin].octet * octet_size + part * lanes;
            Points p = load_points(at, in_a_row), q = p;
            const M free = hn::Gt(p.w, set(0.0f));
            bool touched = false;
            for (size_t i = begin; i < end; ++i) {
                const ClothSolid& s = solids[near[i].solid];
                Touch t;
                if (!(s.plane ? touch_plane(s, thick, p, free, t) : touch_capsule(s, thickness, p, free, t))) continue;
                if (!touched) q = load_points(before, in_a_row), touched = true;
                push(t, s.friction, p, q);
            }
            if (!touched) continue;
            store_points(p, at, in_a_row);
            store_points(q, before, in_a_row);
        }
    }
}

#endif

}  // namespace

void move_kernel(const ClothMove& how, std::span<Float4> x, std::span<Float4> previous, std::span<Float4> v) {
    move_all(how, x, previous, v);
}
void set_kernel(float seconds, float most, std::span<const Float4> x, std::span<const Float4> previous,
                std::span<Float4> v) {
    set_all(seconds, most, x, previous, v);
}
void solve_kernel(std::span<const DistanceBlock> blocks, float soft, float* pulls, Float4* x) {
    solve_all(blocks, soft, pulls, x);
}
void bend_kernel(std::span<const BendBlock> blocks, float soft, Float4* x) {
    bend_all(blocks, soft, x);
}
size_t limit_kernel(std::span<const DistanceBlock> blocks, float times, Float4* x) {
    return limit_all(blocks, times, x);
}
void hold_kernel(const ClothTethers& tethers, std::span<Float4> x) {
    hold_all(tethers, x);
}
void leave_kernel(std::span<const OctetSolid> near, const ClothSolid* solids, float thickness, Float4* x,
                  Float4* previous) {
    leave_all(near, solids, thickness, x, previous);
}

}  // namespace HWY_NAMESPACE
}  // namespace sinew
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace sinew {

HWY_EXPORT(move_kernel);
HWY_EXPORT(set_kernel);
HWY_EXPORT(solve_kernel);
HWY_EXPORT(bend_kernel);
HWY_EXPORT(limit_kernel);
HWY_EXPORT(hold_kernel);
HWY_EXPORT(leave_kernel);

void move_points(const ClothMove& how, std::span<Float4> x, std::span<Float4> previous, std::span<Float4> v) {
    HWY_DYNAMIC_DISPATCH(move_kernel)(how, x, previous, v);
}
void set_velocities(float seconds, float most, std::span<const Float4> x, std::span<const Float4> previous,
                    std::span<Float4> v) {
    HWY_DYNAMIC_DISPATCH(set_kernel)(seconds, most, x, previous, v);
}
void solve_distances(std::span<const DistanceBlock> blocks, float soft, float* pulls, Float4* x) {
    HWY_DYNAMIC_DISPATCH(solve_kernel)(blocks, soft, pulls, x);
}
void solve_bends(std::span<const BendBlock> blocks, float soft, Float4* x) {
    HWY_DYNAMIC_DISPATCH(bend_kernel)(blocks, soft, x);
}
size_t limit_distances(std::span<const DistanceBlock> blocks, float times, Float4* x) {
    return HWY_DYNAMIC_DISPATCH(limit_kernel)(blocks, times, x);
}
void hold_tethers(const ClothTethers& tethers, std::span<Float4> x) {
    HWY_DYNAMIC_DISPATCH(hold_kernel)(tethers, x);
}
void leave_solids(std::span<const OctetSolid> near, const ClothSolid* solids, float thickness, Float4* x,
                  Float4* previous) {
    HWY_DYNAMIC_DISPATCH(leave_kernel)(near, solids, thickness, x, previous);
}

}  // namespace sinew
#endif
