// What the kernels that blend rotations share: vertices moved by a blended motion, as many as there are lanes.
// Data flow: kernel_motion_runs-inl.h and kernel_motion_alone-inl.h blend → *here* → the output streams.
#if defined(SINEW_SKIN_KERNEL_MOTION_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef SINEW_SKIN_KERNEL_MOTION_INL_H_
#undef SINEW_SKIN_KERNEL_MOTION_INL_H_
#else
#define SINEW_SKIN_KERNEL_MOTION_INL_H_
#endif

#include <sinew/skin/kernel-inl.h>

HWY_BEFORE_NAMESPACE();
namespace sinew {
namespace HWY_NAMESPACE {
namespace {

// Whether some of the joints that are blended have more than a rotation.
enum class Stretch { none, some };

// What blending gave a vector of lanes; which of these are set depends on the deformer.
struct LaneMotion {
    V real[4];
    V dual[4];           // what joints' stretches do to the point is in it
    LaneMatrix stretch;  // set when there is Stretch::some
    V3 centre;           // where the centre of rotation goes
};

// Which of a LaneMotion a deformer needs.
template <bool dual_, bool centre_>
struct Needs {
    static constexpr bool dual = dual_, centre = centre_;
};

HWY_INLINE V3 load3(const float* HWY_RESTRICT from) {
    const D d;
    return {hn::Load(d, from), hn::Load(d, from + 16), hn::Load(d, from + 32)};
}

// a + b × c.
HWY_INLINE V3 add_cross(const V3& a, const V3& b, const V3& c) {
    return {hn::NegMulAdd(b.z, c.y, hn::MulAdd(b.y, c.z, a.x)), hn::NegMulAdd(b.x, c.z, hn::MulAdd(b.z, c.x, a.y)),
            hn::NegMulAdd(b.y, c.x, hn::MulAdd(b.x, c.y, a.z))};
}
HWY_INLINE V3 cross(const V3& b, const V3& c) {
    return {hn::MulSub(b.y, c.z, hn::Mul(b.z, c.y)), hn::MulSub(b.z, c.x, hn::Mul(b.x, c.z)),
            hn::MulSub(b.x, c.y, hn::Mul(b.y, c.x))};
}
HWY_INLINE V3 scaled(V s, const V3& a) {
    return {hn::Mul(s, a.x), hn::Mul(s, a.y), hn::Mul(s, a.z)};
}
// a + s b.
HWY_INLINE V3 add_scaled(const V3& a, V s, const V3& b) {
    return {hn::MulAdd(s, b.x, a.x), hn::MulAdd(s, b.y, a.y), hn::MulAdd(s, b.z, a.z)};
}
HWY_INLINE V3 times(const LaneMatrix& a, const V3& v) {
    const auto row = [&](int r) SINEW_INLINE_LAMBDA {
        return hn::MulAdd(a.m[6 + r], v.z, hn::MulAdd(a.m[3 + r], v.y, hn::Mul(a.m[r], v.x)));
    };
    return {row(0), row(1), row(2)};
}

// A rotation by a quaternion of any length: v' = v + s r × (r × v + w v) with s = 2 / |q|².
struct Rotation {
    V3 r;
    V w, s;

    HWY_INLINE V3 turn(const V3& v) const { return add_scaled(v, s, cross(r, add_cross(scaled(w, v), r, v))); }
};

HWY_INLINE Rotation rotation_of(const V (&q)[4]) {
    const D d;
    const V squared = hn::MulAdd(q[0], q[0], hn::MulAdd(q[1], q[1], hn::MulAdd(q[2], q[2], hn::Mul(q[3], q[3]))));
    return {{q[0], q[1], q[2]}, q[3], hn::Div(hn::Set(d, 2.0f), squared)};
}

// Directions by the rotation; before it, where there is one, by the stretch. The rotation changes no cofactor.
template <class Make, Stretch stretch>
HWY_INLINE void turn_directions(const Rotation& q, const LaneMotion& motion, const LaneStreams& s) {
    if constexpr (Make::normals) {
        const D d;
        V sign = hn::Zero(d);
        const V3 n = stretch == Stretch::some ? exact_normal(motion.stretch, s.normals, sign) : load3(s.normals);
        finish_normal<Make>(q.turn(n), s.normals, s.normals_out);
        if constexpr (Make::tangents) {
            const V3 t = stretch == Stretch::some ? times(motion.stretch, s.tangents) : load3(s.tangents);
            finish_tangent<Make>(q.turn(t), sign, s.tangents, s.tangents_out);
        }
    }
}

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace sinew
HWY_AFTER_NAMESPACE();

#endif
