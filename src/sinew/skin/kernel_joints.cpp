// Joints taken apart into rotation, stretch and translation, as many at a time as there are lanes.
// The scalar twin is take_apart (skin/joint_motion.h), by singular values; here the rotation is found by Newton's
// iteration for the polar decomposition [Higham1986], which for a joint that only turns is done after one step.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "sinew/skin/kernel_joints.cpp"
#include <hwy/foreach_target.h>

#include <sinew/skin/kernel-inl.h>

HWY_BEFORE_NAMESPACE();
namespace sinew {
namespace HWY_NAMESPACE {
namespace {

constexpr size_t matrix_entries = 12, rigid_floats = 8, all_floats = sizeof(MotionEntry) / sizeof(float);

// What a rigid joint has besides its dual quaternion.
constexpr MotionEntry rigid_motion{.stretch = {1, 0, 0, 0, 1, 0, 0, 0, 1}};

HWY_INLINE V determinant(const LaneMatrix& a) {
    return hn::MulAdd(a.m[0], cofactor(a, 0, 0),
                      hn::MulAdd(a.m[1], cofactor(a, 0, 1), hn::Mul(a.m[2], cofactor(a, 0, 2))));
}

// The rotation nearest to each lane's matrix, whose determinant is positive. Lanes where that does not converge, being
// nearly singular, come out false in the mask.
HWY_INLINE hn::Mask<D> nearest_rotation(LaneMatrix& x) {
    const D d;
    constexpr int most_steps = 12;
    V squared = hn::Mul(x.m[0], x.m[0]);
    SINEW_UNROLL for (int i = 1; i < 9; ++i) squared = hn::MulAdd(x.m[i], x.m[i], squared);
    // An even scale is taken away at once; one that is 1 but for rounding is left alone.
    const V length = hn::Sqrt(hn::Mul(squared, hn::Set(d, 1.0f / 3.0f)));
    const auto scaled = hn::Gt(hn::Abs(hn::Sub(length, hn::Set(d, 1.0f))), hn::Set(d, 1e-3f));
    const V factor = hn::IfThenElse(scaled, hn::Div(hn::Set(d, 1.0f), length), hn::Set(d, 1.0f));
    SINEW_UNROLL for (int i = 0; i < 9; ++i) x.m[i] = hn::Mul(x.m[i], factor);
    auto converged = hn::FirstN(d, 0);
    for (int step = 0; step < most_steps && !hn::AllTrue(d, converged); ++step) {
        const V half_inverse = hn::Div(hn::Set(d, 0.5f), determinant(x));
        LaneMatrix next;
        V change = hn::Zero(d);
        SINEW_UNROLL for (int i = 0; i < 9; ++i) {
            next.m[i] = hn::MulAdd(half_inverse, cofactor(x, i / 3, i % 3), hn::Mul(hn::Set(d, 0.5f), x.m[i]));
            change = hn::Max(change, hn::Abs(hn::Sub(next.m[i], x.m[i])));
        }
        // Convergence is quadratic: after a step this small, the next one is below rounding.
        converged = hn::Lt(change, hn::Set(d, 2e-4f));
        x = next;
    }
    return converged;
}

// The unit quaternion of a rotation: of the four ways to read it off, the one whose divisor is largest.
HWY_INLINE void quaternion_of(const LaneMatrix& r, V (&q)[4]) {
    const D d;
    const V one = hn::Set(d, 1.0f), xx = r.m[0], yy = r.m[4], zz = r.m[8];
    const V yz = hn::Add(r.m[5], r.m[7]), zx = hn::Add(r.m[6], r.m[2]), xy = hn::Add(r.m[1], r.m[3]);
    const V wx = hn::Sub(r.m[5], r.m[7]), wy = hn::Sub(r.m[6], r.m[2]), wz = hn::Sub(r.m[1], r.m[3]);
    const V ways[4][4] = {{hn::Sub(hn::Sub(hn::Add(one, xx), yy), zz), xy, zx, wx},
                          {xy, hn::Sub(hn::Sub(hn::Add(one, yy), xx), zz), yz, wy},
                          {zx, yz, hn::Sub(hn::Sub(hn::Add(one, zz), xx), yy), wz},
                          {wx, wy, wz, hn::Add(hn::Add(hn::Add(one, xx), yy), zz)}};
    V largest = ways[3][3];
    SINEW_UNROLL for (int i = 0; i < 4; ++i) q[i] = ways[3][i];
    SINEW_UNROLL for (int way = 0; way < 3; ++way) {
        const auto better = hn::Gt(ways[way][way], largest);
        largest = hn::Max(largest, ways[way][way]);
        SINEW_UNROLL for (int i = 0; i < 4; ++i) q[i] = hn::IfThenElse(better, ways[way][i], q[i]);
    }
    const V squared = hn::MulAdd(q[0], q[0], hn::MulAdd(q[1], q[1], hn::MulAdd(q[2], q[2], hn::Mul(q[3], q[3]))));
    const V scale = hn::Div(one, hn::Sqrt(squared));
    SINEW_UNROLL for (int i = 0; i < 4; ++i) q[i] = hn::Mul(q[i], scale);
}

// ½ (0, t) q: what a translation behind a rotation is as a dual part.
HWY_INLINE void translation_part(const V3& t, const V (&q)[4], V (&dual)[4]) {
    const D d;
    const V half = hn::Set(d, 0.5f);
    const V x = hn::NegMulAdd(t.z, q[1], hn::MulAdd(t.y, q[2], hn::Mul(t.x, q[3])));
    const V y = hn::NegMulAdd(t.x, q[2], hn::MulAdd(t.z, q[0], hn::Mul(t.y, q[3])));
    const V z = hn::NegMulAdd(t.y, q[0], hn::MulAdd(t.x, q[1], hn::Mul(t.z, q[3])));
    const V w = hn::MulAdd(t.x, q[0], hn::MulAdd(t.y, q[1], hn::Mul(t.z, q[2])));
    dual[0] = hn::Mul(half, x), dual[1] = hn::Mul(half, y), dual[2] = hn::Mul(half, z);
    dual[3] = hn::Mul(hn::Set(d, -0.5f), w);
}

// As many joints as there are lanes, entry by entry.
struct JointLanes {
    HWY_ALIGN float matrix[matrix_entries][hn::MaxLanes(D())];
    HWY_ALIGN float entry[all_floats][hn::MaxLanes(D())];
    HWY_ALIGN float kind[hn::MaxLanes(D())];
};

// What is left of the matrices besides their rotations.
HWY_INLINE void take_residue(const LaneMatrix& a, const LaneMatrix& rotation, const V (&q)[4], JointLanes& lanes) {
    const D d;
    constexpr size_t strain = 8, stretch = 20;
    SINEW_UNROLL for (size_t c = 0; c < 3; ++c) {
        V column[4];
        const auto left = [&](size_t r) SINEW_INLINE_LAMBDA { return hn::Sub(a.m[3 * c + r], rotation.m[3 * c + r]); };
        translation_part({left(0), left(1), left(2)}, q, column);
        SINEW_UNROLL for (size_t r = 0; r < 4; ++r) hn::Store(column[r], d, lanes.entry[strain + 3 * r + c]);
        SINEW_UNROLL for (size_t r = 0; r < 3; ++r) {
            const V* u = rotation.m + 3 * r;
            const V* v = a.m + 3 * c;
            const V s = hn::MulAdd(u[0], v[0], hn::MulAdd(u[1], v[1], hn::Mul(u[2], v[2])));
            hn::Store(s, d, lanes.entry[stretch + 3 * c + r]);
        }
    }
}

HWY_INLINE void take_apart_lanes(JointLanes& lanes) {
    const D d;
    constexpr float rounding = 2e-6f;
    LaneMatrix a;
    SINEW_UNROLL for (size_t i = 0; i < 9; ++i) a.m[i] = hn::Load(d, lanes.matrix[i]);
    // A mirroring matrix is minus a rotation times a stretch.
    const V side = hn::And(determinant(a), hn::Set(d, -0.0f));
    LaneMatrix rotation;
    SINEW_UNROLL for (int i = 0; i < 9; ++i) rotation.m[i] = hn::Xor(a.m[i], side);
    const auto found = nearest_rotation(rotation);
    V off = hn::Zero(d);
    SINEW_UNROLL for (int i = 0; i < 9; ++i) off = hn::Max(off, hn::Abs(hn::Sub(a.m[i], rotation.m[i])));
    const auto rigid = hn::Le(off, hn::Set(d, rounding));
    V q[4], dual[4];
    quaternion_of(rotation, q);
    translation_part({hn::Load(d, lanes.matrix[9]), hn::Load(d, lanes.matrix[10]), hn::Load(d, lanes.matrix[11])}, q,
                     dual);
    SINEW_UNROLL for (size_t i = 0; i < 4; ++i) {
        hn::Store(q[i], d, lanes.entry[i]);
        hn::Store(dual[i], d, lanes.entry[4 + i]);
    }
    if (!hn::AllTrue(d, rigid)) take_residue(a, rotation, q, lanes);
    const V kind = hn::IfThenElse(rigid, hn::Set(d, 1.0f), hn::Zero(d));
    hn::Store(hn::IfThenElse(found, kind, hn::Set(d, float{undone})), d, lanes.kind);
}

}  // namespace

void joint_motions(std::span<const Affine> palette, MotionEntry* motions, uint8_t* is_rigid) {
    constexpr size_t n = hn::MaxLanes(D());
    JointLanes lanes;
    for (size_t first = 0; first < palette.size(); first += n) {
        const size_t here = std::min(n, palette.size() - first);
        for (size_t i = 0; i < n; ++i) {
            const float* m = palette[first + std::min(i, here - 1)].data();
            for (size_t k = 0; k < matrix_entries; ++k) lanes.matrix[k][i] = m[k];
        }
        take_apart_lanes(lanes);
        for (size_t i = 0; i < here; ++i) {
            const auto kind = static_cast<uint8_t>(lanes.kind[i]);
            auto* to = reinterpret_cast<float*>(motions + first + i);
            if (kind == 1) std::memcpy(to, &rigid_motion, sizeof(MotionEntry));
            for (size_t k = 0; k < (kind == 1 ? rigid_floats : all_floats); ++k) to[k] = lanes.entry[k][i];
            is_rigid[first + i] = kind;
        }
    }
}

}  // namespace HWY_NAMESPACE
}  // namespace sinew
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace sinew {
HWY_EXPORT(joint_motions);
void joint_motions_kernel(std::span<const Affine> palette, MotionEntry* motions, uint8_t* is_rigid) {
    HWY_DYNAMIC_DISPATCH(joint_motions)(palette, motions, is_rigid);
}
}  // namespace sinew
#endif
