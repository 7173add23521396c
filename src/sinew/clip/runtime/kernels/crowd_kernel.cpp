// Blending, forward kinematics and palettes with a character in each lane. No shuffles but where characters come in and
// go out.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "sinew/clip/runtime/kernels/crowd_kernel.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include <sinew/clip/runtime/kernels/crowd_kernel.h>
#include <cstring>

#ifndef SINEW_CROWD_UNROLL
// Arrays of vectors live in registers only when the loops over them are gone.
#define SINEW_CROWD_UNROLL _Pragma("GCC unroll 16")
#endif

HWY_BEFORE_NAMESPACE();
namespace sinew {
namespace HWY_NAMESPACE {
namespace {
namespace hn = hwy::HWY_NAMESPACE;

using D = hn::CappedTag<float, crowd_lanes>;
using V = hn::Vec<D>;
constexpr size_t lanes = hn::MaxLanes(D());

struct Quad {
    V x, y, z, w;
};
HWY_INLINE Quad load_quad(const float* at) {
    Quad q;
    hn::LoadInterleaved4(D(), at, q.x, q.y, q.z, q.w);
    return q;
}
HWY_INLINE V set(float value) {
    return hn::Set(D(), value);
}
HWY_INLINE V dot(const Quad& a, const Quad& b) {
    return hn::MulAdd(a.x, b.x, hn::MulAdd(a.y, b.y, hn::MulAdd(a.z, b.z, hn::Mul(a.w, b.w))));
}

// The sum of the layers' rotations, each on the side of the first, made unit. A layer that has all the weight comes out
// as it went in.
HWY_INLINE Quad blend_rotation(const CrowdJob& job, size_t j, size_t lane) {
    const size_t at = j * joint_floats + 4 * lane;
    const Quad first = load_quad(job.rotations[0] + at);
    if (job.layers == 1) return first;
    const V w0 = hn::Load(D(), job.weights[0] + lane);
    Quad sum{hn::Mul(w0, first.x), hn::Mul(w0, first.y), hn::Mul(w0, first.z), hn::Mul(w0, first.w)};
    auto whole = hn::Eq(w0, set(1.0f));
    for (size_t l = 1; l < job.layers; ++l) {
        const Quad q = load_quad(job.rotations[l] + at);
        const V weight = hn::Load(D(), job.weights[l] + lane);
        const V w = hn::CopySign(weight, dot(first, q));
        whole = hn::Or(whole, hn::Eq(weight, set(1.0f)));
        sum = {hn::MulAdd(w, q.x, sum.x), hn::MulAdd(w, q.y, sum.y), hn::MulAdd(w, q.z, sum.z),
               hn::MulAdd(w, q.w, sum.w)};
    }
    const V length = hn::Sqrt(hn::Max(dot(sum, sum), set(1e-30f)));
    const V scale = hn::IfThenElse(whole, set(1.0f), hn::Div(set(1.0f), length));
    return {hn::Mul(scale, sum.x), hn::Mul(scale, sum.y), hn::Mul(scale, sum.z), hn::Mul(scale, sum.w)};
}

HWY_INLINE Quad blend_vector(const CrowdJob& job, const float* const* layers, size_t j, size_t lane) {
    const size_t at = j * joint_floats + 4 * lane;
    Quad sum{hn::Zero(D()), hn::Zero(D()), hn::Zero(D()), hn::Zero(D())};
    for (size_t l = 0; l < job.layers; ++l) {
        const Quad q = load_quad(layers[l] + at);
        const V w = hn::Load(D(), job.weights[l] + lane);
        sum = {hn::MulAdd(w, q.x, sum.x), hn::MulAdd(w, q.y, sum.y), hn::MulAdd(w, q.z, sum.z), sum.w};
    }
    return sum;
}

struct Matrix {
    V m[12];  // column after column
};

HWY_INLINE Matrix local_matrix(const CrowdJob& job, size_t j, size_t lane) {
    const Quad q = blend_rotation(job, j, lane);
    const V two = set(2.0f), one = set(1.0f);
    const V x2 = hn::Mul(two, q.x), y2 = hn::Mul(two, q.y), z2 = hn::Mul(two, q.z);
    const V xx = hn::Mul(q.x, x2), yy = hn::Mul(q.y, y2), zz = hn::Mul(q.z, z2);
    const V xy = hn::Mul(q.x, y2), xz = hn::Mul(q.x, z2), yz = hn::Mul(q.y, z2);
    const V wx = hn::Mul(q.w, x2), wy = hn::Mul(q.w, y2), wz = hn::Mul(q.w, z2);
    Matrix a{{hn::Sub(one, hn::Add(yy, zz)), hn::Add(xy, wz), hn::Sub(xz, wy), hn::Sub(xy, wz),
              hn::Sub(one, hn::Add(xx, zz)), hn::Add(yz, wx), hn::Add(xz, wy), hn::Sub(yz, wx),
              hn::Sub(one, hn::Add(xx, yy)), hn::Zero(D()), hn::Zero(D()), hn::Zero(D())}};
    const Transform& rest = job.rest[j];
    Quad t{set(rest.translation.x()), set(rest.translation.y()), set(rest.translation.z()), one};
    Quad s{set(rest.scale.x()), set(rest.scale.y()), set(rest.scale.z()), one};
    if (job.placed[j]) {
        t = blend_vector(job, job.translations, j, lane);
        if (job.scaled) s = blend_vector(job, job.scales, j, lane);
    }
    a.m[9] = t.x, a.m[10] = t.y, a.m[11] = t.z;
    if (job.scaled) {
        SINEW_CROWD_UNROLL for (int r = 0; r < 3; ++r) {
            a.m[r] = hn::Mul(a.m[r], s.x), a.m[3 + r] = hn::Mul(a.m[3 + r], s.y), a.m[6 + r] = hn::Mul(a.m[6 + r], s.z);
        }
    }
    return a;
}

// out = a · b, column by column; `b(entry)` gives b's.
template <class B>
HWY_INLINE void times(const Matrix& a, const B& b, Matrix& out) {
    SINEW_CROWD_UNROLL for (int c = 0; c < 4; ++c) {
        const V x = b(3 * c), y = b(3 * c + 1), z = b(3 * c + 2);
        SINEW_CROWD_UNROLL for (int r = 0; r < 3; ++r) {
            const V first = c == 3 ? hn::MulAdd(a.m[r], x, a.m[9 + r]) : hn::Mul(a.m[r], x);
            out.m[3 * c + r] = hn::MulAdd(a.m[6 + r], z, hn::MulAdd(a.m[3 + r], y, first));
        }
    }
}

HWY_INLINE Matrix load_model(const float* at) {
    Matrix a;
    SINEW_CROWD_UNROLL for (size_t i = 0; i < 12; ++i) a.m[i] = hn::Load(D(), at + i * crowd_lanes);
    return a;
}

}  // namespace

void crowd_model(const CrowdJob& job) {
    for (size_t j = 0; j < job.parents.size(); ++j)
        for (size_t lane = 0; lane < crowd_lanes; lane += lanes) {
            Matrix local = local_matrix(job, j, lane), model = local;
            if (job.parents[j] >= 0) {
                const Matrix parent = load_model(job.model + static_cast<size_t>(job.parents[j]) * model_floats + lane);
                times(
                    parent, [&](int i) HWY_ATTR { return local.m[i]; }, model);
            }
            float* to = job.model + j * model_floats + lane;
            SINEW_CROWD_UNROLL for (size_t i = 0; i < 12; ++i) hn::Store(model.m[i], D(), to + i * crowd_lanes);
        }
}

void crowd_palette(const CrowdJob& job) {
    HWY_ALIGN float columns[3][4 * crowd_lanes];
    for (size_t s = 0; s < job.skin_joints.size(); ++s) {
        const float* bind = job.inverse_bind[s].data();
        for (size_t lane = 0; lane < crowd_lanes; lane += lanes) {
            const Matrix model = load_model(job.model + static_cast<size_t>(job.skin_joints[s]) * model_floats + lane);
            Matrix m;
            times(
                model, [&](int i) HWY_ATTR { return set(bind[i]); }, m);
            SINEW_CROWD_UNROLL for (size_t k = 0; k < 3; ++k) hn::StoreInterleaved4(
                m.m[4 * k], m.m[4 * k + 1], m.m[4 * k + 2], m.m[4 * k + 3], D(), columns[k] + 4 * lane);
        }
        for (size_t c = 0; c < crowd_lanes; ++c) {
            if (!job.palettes[c]) continue;
            float* to = job.palettes[c][s].data();
            SINEW_CROWD_UNROLL for (size_t k = 0; k < 3; ++k)
                std::memcpy(to + 4 * k, columns[k] + 4 * c, 4 * sizeof(float));
        }
    }
}

}  // namespace HWY_NAMESPACE
}  // namespace sinew
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace sinew {
HWY_EXPORT(crowd_model);
HWY_EXPORT(crowd_palette);
void crowd_model_kernel(const CrowdJob& job) {
    HWY_DYNAMIC_DISPATCH(crowd_model)(job);
}
void crowd_palette_kernel(const CrowdJob& job) {
    HWY_DYNAMIC_DISPATCH(crowd_palette)(job);
}
}  // namespace sinew
#endif
