// Blending, forward kinematics and palettes with a character in each lane. No shuffles but where characters come in and
// go out.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "sinew/clip/runtime/kernels/crowd_kernel.cpp"
#include <hwy/cache_control.h>
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include <sinew/clip/runtime/kernels/crowd_kernel.h>

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
#if HWY_TARGET == HWY_SCALAR
HWY_INLINE Quad load_quad(const float* at) {
    return {hn::Load(D(), at), hn::Load(D(), at + 1), hn::Load(D(), at + 2), hn::Load(D(), at + 3)};
}
HWY_INLINE void store_quads(V x, V y, V z, V w, float* to, size_t) {
    hn::Store(x, D(), to), hn::Store(y, D(), to + 1), hn::Store(z, D(), to + 2), hn::Store(w, D(), to + 3);
}
#else
using Pairs = hn::Repartition<double, D>;
HWY_INLINE hn::Vec<Pairs> as_pairs(V v) {
    return hn::BitCast(Pairs(), v);
}
// The four numbers of each character into lanes: place_of() says where they are.
HWY_INLINE Quad load_quad(const float* at) {
    const V a = hn::Load(D(), at), b = hn::Load(D(), at + 8), c = hn::Load(D(), at + 16), d = hn::Load(D(), at + 24);
    const V ab_low = hn::InterleaveLower(D(), a, b), ab_high = hn::InterleaveUpper(D(), a, b);  // x x y y, z z w w
    const V cd_low = hn::InterleaveLower(D(), c, d), cd_high = hn::InterleaveUpper(D(), c, d);
    return {hn::BitCast(D(), hn::InterleaveLower(Pairs(), as_pairs(ab_low), as_pairs(cd_low))),
            hn::BitCast(D(), hn::InterleaveUpper(Pairs(), as_pairs(ab_low), as_pairs(cd_low))),
            hn::BitCast(D(), hn::InterleaveLower(Pairs(), as_pairs(ab_high), as_pairs(cd_high))),
            hn::BitCast(D(), hn::InterleaveUpper(Pairs(), as_pairs(ab_high), as_pairs(cd_high)))};
}
// And back: four numbers of each lane, `apart` floats from one character to the next.
HWY_INLINE void store_quads(V x, V y, V z, V w, float* to, size_t apart) {
    const V low_xy = hn::InterleaveLower(D(), x, y), high_xy = hn::InterleaveUpper(D(), x, y);
    const V low_zw = hn::InterleaveLower(D(), z, w), high_zw = hn::InterleaveUpper(D(), z, w);
    const auto put = [&](size_t character, auto pairs) HWY_ATTR {
        const auto quads = hn::BitCast(D(), pairs);
        if constexpr (lanes == 8) {
            const hn::Half<D> half;
            hn::StoreU(hn::LowerHalf(half, quads), half, to + character * apart);
            hn::StoreU(hn::UpperHalf(half, quads), half, to + (character + 4) * apart);
        } else {
            hn::StoreU(quads, D(), to + character * apart);
        }
    };
    put(0, hn::InterleaveLower(Pairs(), as_pairs(low_xy), as_pairs(low_zw)));
    put(1, hn::InterleaveUpper(Pairs(), as_pairs(low_xy), as_pairs(low_zw)));
    put(2, hn::InterleaveLower(Pairs(), as_pairs(high_xy), as_pairs(high_zw)));
    put(3, hn::InterleaveUpper(Pairs(), as_pairs(high_xy), as_pairs(high_zw)));
}
#endif
HWY_INLINE V set(float value) {
    return hn::Set(D(), value);
}
HWY_INLINE V dot(const Quad& a, const Quad& b) {
    return hn::MulAdd(a.x, b.x, hn::MulAdd(a.y, b.y, hn::MulAdd(a.z, b.z, hn::Mul(a.w, b.w))));
}

// The sum of the layers' rotations, each on the side of the first, and 2 / its length²: what a matrix needs of it. A
// layer that has all the weight comes out as it went in.
struct Rotation {
    Quad q;
    V two;
};
HWY_INLINE Rotation blend_rotation(const CrowdJob& job, size_t j, size_t lane) {
    const size_t at = j * joint_floats + 4 * place_of(lane);
    const Quad first = load_quad(job.rotations[0] + at);
    if (job.layers == 1) return {first, set(2.0f)};
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
    const V two = hn::Div(set(2.0f), hn::Max(dot(sum, sum), set(1e-30f)));
    return {sum, hn::IfThenElse(whole, set(2.0f), two)};
}

HWY_INLINE Quad blend_vector(const CrowdJob& job, const float* const* layers, size_t j, size_t lane) {
    const size_t at = j * joint_floats + 4 * place_of(lane);
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

HWY_INLINE Matrix local_matrix(const CrowdJob& job, const Rotation& blended, size_t j, size_t lane) {
    const auto [q, two] = blended;
    const V one = set(1.0f);
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

// model · inverse bind of one place of the palettes.
HWY_INLINE void put_palettes(const Matrix& model, const float* bind, float* to, size_t apart) {
    Matrix m;
    times(
        model, [&](int i) HWY_ATTR { return set(bind[i]); }, m);
    SINEW_CROWD_UNROLL for (size_t k = 0; k < 3; ++k)
        store_quads(m.m[4 * k], m.m[4 * k + 1], m.m[4 * k + 2], m.m[4 * k + 3], to + 4 * k, apart);
}

}  // namespace

void crowd(const CrowdJob& given) {
    const CrowdJob job = given;  // what is stored cannot change it
    const size_t apart = 12 * job.inverse_bind.size();
    const size_t joints = job.parents.size();
    if (joints == 0) return;
    for (size_t lane = 0; lane < crowd_lanes; lane += lanes) {
        // A joint ahead: its quotient is there when it is needed.
        Rotation ahead = blend_rotation(job, 0, lane);
        for (size_t j = 0; j < joints; ++j) {
            const Rotation blended = ahead;
            ahead = blend_rotation(job, j + 1 < joints ? j + 1 : j, lane);
            Matrix local = local_matrix(job, blended, j, lane), model = local;
            if (job.parents[j] >= 0) {
                const Matrix parent = load_model(job.model + static_cast<size_t>(job.parents[j]) * model_floats + lane);
                times(
                    parent, [&](int i) HWY_ATTR { return local.m[i]; }, model);
            }
            float* to = job.model + j * model_floats + lane;
            SINEW_CROWD_UNROLL for (size_t i = 0; i < 12; ++i) hn::Store(model.m[i], D(), to + i * crowd_lanes);
            if (job.slots.empty()) continue;
            for (uint32_t s = job.first_slot[j]; s < job.first_slot[j + 1]; ++s) {
                const uint32_t slot = job.slots[s];
                put_palettes(model, job.inverse_bind[slot].data(), job.palettes[slot].data() + lane * apart, apart);
            }
        }
    }
}

void stream(const float* from, size_t count, float* to) {
    const hn::ScalableTag<float> d;
    const size_t n = hn::Lanes(d);
    size_t i = 0;
    while (i < count && reinterpret_cast<uintptr_t>(to + i) % (n * sizeof(float)) != 0) to[i] = from[i], ++i;
    for (; i + n <= count; i += n) hn::Stream(hn::LoadU(d, from + i), d, to + i);
    for (; i < count; ++i) to[i] = from[i];
}

}  // namespace HWY_NAMESPACE
}  // namespace sinew
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace sinew {
HWY_EXPORT(crowd);
HWY_EXPORT(stream);
void crowd_kernel(const CrowdJob& job) {
    HWY_DYNAMIC_DISPATCH(crowd)(job);
}
void stream_out(const float* from, size_t count, float* to) {
    HWY_DYNAMIC_DISPATCH(stream)(from, count, to);
}
void finish_streaming() {
    hwy::FlushStream();
}
}  // namespace sinew
#endif
