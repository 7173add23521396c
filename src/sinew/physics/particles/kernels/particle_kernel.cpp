#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "sinew/physics/particles/kernels/particle_kernel.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include <sinew/core/parallel.h>
#include <sinew/physics/particles/kernels/particle_kernel.h>
#include <cmath>

#ifndef SINEW_PARTICLE_KERNEL_ONCE
#define SINEW_PARTICLE_KERNEL_ONCE
namespace sinew {
namespace {
constexpr size_t particle_grain = 16384;  // particles that one thread takes at a time
}
}  // namespace sinew
#endif

HWY_BEFORE_NAMESPACE();
namespace sinew {
namespace HWY_NAMESPACE {
namespace {
namespace hn = hwy::HWY_NAMESPACE;
using D = hn::ScalableTag<float>;
using V = hn::Vec<D>;

// sin(x) for |x| below some 10⁴, to 1e-5: whole turns are taken off, then an odd polynomial on [−π/2, π/2].
HWY_INLINE V sine(V x) {
    const D d;
    const V turns = hn::Round(hn::Mul(x, hn::Set(d, 0.15915494309189535f)));
    V r = hn::NegMulAdd(turns, hn::Set(d, 6.28125f), x);  // 2π in two parts
    r = hn::NegMulAdd(turns, hn::Set(d, 1.9353071795864769e-3f), r);
    const V half = hn::Set(d, 1.5707963267948966f), whole = hn::Set(d, 3.14159265358979f);
    r = hn::IfThenElse(hn::Gt(r, half), hn::Sub(whole, r), r);
    r = hn::IfThenElse(hn::Lt(r, hn::Neg(half)), hn::Sub(hn::Neg(whole), r), r);
    const V s = hn::Mul(r, r);
    V p = hn::MulAdd(s, hn::Set(d, 2.7557319e-6f), hn::Set(d, -1.9841270e-4f));
    p = hn::MulAdd(s, p, hn::Set(d, 8.3333333e-3f));
    p = hn::MulAdd(s, p, hn::Set(d, -1.6666667e-1f));
    return hn::MulAdd(hn::Mul(s, r), p, r);
}

template <bool eddies>
HWY_INLINE void advance_range(const ParticleStep& step, const ParticleArrays& a, size_t begin, size_t end) {
    const D d;
    const V h = hn::Set(d, step.seconds), take = hn::Set(d, 1.0f - std::exp(-step.drag * step.seconds));
    const V gx = hn::Set(d, step.seconds * step.gravity.x()), gy = hn::Set(d, step.seconds * step.gravity.y()),
            gz = hn::Set(d, step.seconds * step.gravity.z());
    const V low = hn::Set(d, step.floor ? step.floor_height : -INFINITY);
    const V back = hn::Set(d, -step.bounce), slide = hn::Set(d, 1.0f - step.friction);
    const auto part = [&](size_t i, auto load, auto store) HWY_ATTR {
        V x = load(a.x + i), y = load(a.y + i), z = load(a.z + i), vx = load(a.vx + i), vy = load(a.vy + i),
          vz = load(a.vz + i);
        V ax = hn::Set(d, step.air.x()), ay = hn::Set(d, step.air.y()), az = hn::Set(d, step.air.z());
        if constexpr (eddies) {
            const Turbulence& f = *step.eddies;
            for (size_t k = 0; k < turbulence_waves; ++k) {
                const V phase = hn::Set(d, f.rate[k] * step.time + f.phase[k]);
                const V s = sine(hn::MulAdd(
                    x, hn::Set(d, f.wave[k].x()),
                    hn::MulAdd(y, hn::Set(d, f.wave[k].y()), hn::MulAdd(z, hn::Set(d, f.wave[k].z()), phase))));
                ax = hn::MulAdd(s, hn::Set(d, f.push[k].x()), ax);
                ay = hn::MulAdd(s, hn::Set(d, f.push[k].y()), ay);
                az = hn::MulAdd(s, hn::Set(d, f.push[k].z()), az);
            }
        }
        vx = hn::Add(vx, gx), vy = hn::Add(vy, gy), vz = hn::Add(vz, gz);
        vx = hn::MulAdd(take, hn::Sub(ax, vx), vx), vy = hn::MulAdd(take, hn::Sub(ay, vy), vy),
        vz = hn::MulAdd(take, hn::Sub(az, vz), vz);
        x = hn::MulAdd(h, vx, x), y = hn::MulAdd(h, vy, y), z = hn::MulAdd(h, vz, z);
        const auto below = hn::Lt(y, low);
        const auto falling = hn::And(below, hn::Lt(vy, hn::Zero(d)));
        y = hn::IfThenElse(below, low, y);
        vx = hn::IfThenElse(below, hn::Mul(vx, slide), vx), vz = hn::IfThenElse(below, hn::Mul(vz, slide), vz);
        vy = hn::IfThenElse(falling, hn::Mul(vy, back), vy);
        store(x, a.x + i), store(y, a.y + i), store(z, a.z + i), store(vx, a.vx + i), store(vy, a.vy + i),
            store(vz, a.vz + i);
    };
    size_t i = begin;
    for (; i + hn::Lanes(d) <= end; i += hn::Lanes(d))
        part(
            i, [&](const float* p) HWY_ATTR { return hn::LoadU(d, p); },
            [&](V v, float* p) HWY_ATTR { hn::StoreU(v, d, p); });
    for (; i < end; ++i) {  // one lane at a time
        part(
            i, [&](const float* p) HWY_ATTR { return hn::Set(d, *p); },
            [&](V v, float* p) HWY_ATTR { *p = hn::GetLane(v); });
    }
}

}  // namespace

void advance_kernel(const ParticleStep& step, const ParticleArrays& a, size_t begin, size_t end) {
    if (step.eddies)
        advance_range<true>(step, a, begin, end);
    else
        advance_range<false>(step, a, begin, end);
}

}  // namespace HWY_NAMESPACE
}  // namespace sinew
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace sinew {

HWY_EXPORT(advance_kernel);

void advance_particles(const ParticleStep& step, const ParticleArrays& particles) {
    parallel_for(particles.count, particle_grain, [&](size_t begin, size_t end) {
        HWY_DYNAMIC_DISPATCH(advance_kernel)(step, particles, begin, end);
    });
}

void advance_particles_scalar(const ParticleStep& step, const ParticleArrays& a) {
    const float take = 1.0f - std::exp(-step.drag * step.seconds);
    for (size_t i = 0; i < a.count; ++i) {
        Vec3 x(a.x[i], a.y[i], a.z[i]), v(a.vx[i], a.vy[i], a.vz[i]), air = step.air;
        if (step.eddies) air += turbulence_at(*step.eddies, x, step.time);
        v += step.seconds * step.gravity;
        v += take * (air - v);
        x += step.seconds * v;
        if (step.floor && x.y() < step.floor_height) {
            x.y() = step.floor_height;
            v.x() *= 1.0f - step.friction, v.z() *= 1.0f - step.friction;
            if (v.y() < 0.0f) v.y() *= -step.bounce;
        }
        a.x[i] = x.x(), a.y[i] = x.y(), a.z[i] = x.z(), a.vx[i] = v.x(), a.vy[i] = v.y(), a.vz[i] = v.z();
    }
}

}  // namespace sinew
#endif
