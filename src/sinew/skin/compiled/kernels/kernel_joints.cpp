// Joints taken apart into rotation, stretch and translation, as many at a time as there are lanes.
// The scalar twin is take_apart (skin/deformers/joint_motion.h), by singular values; here the rotation is found by
// Newton's iteration for the polar decomposition [Higham1986], which for a joint that only turns is done after one
// step.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "sinew/skin/compiled/kernels/kernel_joints.cpp"
#include <hwy/foreach_target.h>

#include <sinew/skin/compiled/kernels/kernel-inl.h>

HWY_BEFORE_NAMESPACE();
namespace sinew {
namespace HWY_NAMESPACE {
namespace {
constexpr size_t rigid_floats = 8, all_floats = sizeof(MotionEntry) / sizeof(float);

// What a rigid joint has besides its dual quaternion.
constexpr MotionEntry rigid_motion{.stretch = {1, 0, 0, 0, 1, 0, 0, 0, 1}};

HWY_INLINE V determinant(const LaneMatrix<V>& a) {
    return hn::MulAdd(a.m[0], cofactor(a, 0, 0),
                      hn::MulAdd(a.m[1], cofactor(a, 0, 1), hn::Mul(a.m[2], cofactor(a, 0, 2))));
}

// The rotation nearest to each lane's matrix, whose determinant is positive. Lanes where that does not converge, being
// nearly singular, come out false in the mask.
HWY_INLINE hn::Mask<D> nearest_rotation(LaneMatrix<V>& x) {
    const D d;
    constexpr int most_steps = 12;
    const auto square = [&](int i) SINEW_INLINE_LAMBDA {
        return hn::MulAdd(x.m[i], x.m[i], hn::MulAdd(x.m[i + 1], x.m[i + 1], hn::Mul(x.m[i + 2], x.m[i + 2])));
    };
    const V mean_square = hn::Mul(hn::Add(hn::Add(square(0), square(3)), square(6)), hn::Set(d, 1.0f / 3.0f));
    // An even scale is taken away at once; one that is 1 but for rounding is left alone.
    const auto scaled = hn::Gt(hn::Abs(hn::Sub(mean_square, hn::Set(d, 1.0f))), hn::Set(d, 2e-3f));
    if (!hn::AllFalse(d, scaled)) {
        const V inverse = hn::Div(hn::Set(d, 1.0f), hn::Sqrt(mean_square));
        const V factor = hn::IfThenElse(scaled, inverse, hn::Set(d, 1.0f));
        SINEW_UNROLL for (int i = 0; i < 9; ++i) x.m[i] = hn::Mul(x.m[i], factor);
    }
    auto converged = hn::FirstN(d, 0);
    for (int step = 0; step < most_steps && !hn::AllTrue(d, converged); ++step) {
        const V half_inverse = hn::Div(hn::Set(d, 0.5f), determinant(x));
        LaneMatrix<V> next;
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
HWY_INLINE void quaternion_of(const LaneMatrix<V>& r, V (&q)[4]) {
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
HWY_INLINE void translation_part(const V3<V>& t, const V (&q)[4], V (&dual)[4]) {
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
    V matrix[matrix_entries];
    HWY_ALIGN float entry[all_floats][lanes_of<V>];
    HWY_ALIGN float kind[lanes_of<V>];
    HWY_ALIGN float is_near[lanes_of<V>];
};

// What is left of the matrices besides their rotations.
HWY_INLINE void take_residue(const LaneMatrix<V>& a, const LaneMatrix<V>& rotation, const V (&q)[4],
                             JointLanes& lanes) {
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

// Turns quaternions to the side of a pivot. Those within 45° of it (joints turned by up to 90° against it) are within
// 90° of each other, so that blends of them need no look at signs.
HWY_INLINE void face(const float (&pivot)[4], V (&q)[4], JointLanes& lanes) {
    const D d;
    constexpr float least = 0.7072f;
    V towards = hn::Mul(hn::Set(d, pivot[0]), q[0]);
    SINEW_UNROLL for (int i = 1; i < 4; ++i) towards = hn::MulAdd(hn::Set(d, pivot[i]), q[i], towards);
    const V side = hn::And(towards, hn::Set(d, -0.0f));
    SINEW_UNROLL for (int i = 0; i < 4; ++i) q[i] = hn::Xor(q[i], side);
    const auto near = hn::Gt(hn::Abs(towards), hn::Set(d, least));
    hn::Store(hn::IfThenElse(near, hn::Set(d, 1.0f), hn::Zero(d)), d, lanes.is_near);
}

// The pivot is the first joint: it is chosen when there is none yet.
HWY_INLINE void take_apart_lanes(JointLanes& lanes, bool has_pivot, float (&pivot)[4]) {
    const D d;
    constexpr float rounding = 2e-6f;
    LaneMatrix<V> a;
    SINEW_UNROLL for (size_t i = 0; i < 9; ++i) a.m[i] = lanes.matrix[i];
    // A mirroring matrix is minus a rotation times a stretch.
    const V side = hn::And(determinant(a), hn::Set(d, -0.0f));
    LaneMatrix<V> rotation;
    SINEW_UNROLL for (int i = 0; i < 9; ++i) rotation.m[i] = hn::Xor(a.m[i], side);
    const auto found = nearest_rotation(rotation);
    V off = hn::Zero(d);
    SINEW_UNROLL for (int i = 0; i < 9; ++i) off = hn::Max(off, hn::Abs(hn::Sub(a.m[i], rotation.m[i])));
    const auto rigid = hn::Le(off, hn::Set(d, rounding));
    V q[4], dual[4];
    quaternion_of(rotation, q);
    SINEW_UNROLL for (int i = 0; i < 4; ++i) pivot[i] = has_pivot ? pivot[i] : hn::GetLane(q[i]);
    face(pivot, q, lanes);
    translation_part({lanes.matrix[9], lanes.matrix[10], lanes.matrix[11]}, q, dual);
    SINEW_UNROLL for (size_t i = 0; i < 4; ++i) {
        hn::Store(q[i], d, lanes.entry[i]);
        hn::Store(dual[i], d, lanes.entry[4 + i]);
    }
    if (!hn::AllTrue(d, rigid)) take_residue(a, rotation, q, lanes);
    const V kind = hn::IfThenElse(rigid, hn::Set(d, 1.0f), hn::Zero(d));
    hn::Store(hn::IfThenElse(found, kind, hn::Set(d, float{undone})), d, lanes.kind);
}

// Four floats of each of four joints, turned over; wider registers hold several such fours side by side.
using D4 = hn::CappedTag<float, 4>;
using V4 = hn::Vec<D4>;
constexpr size_t quad = lanes_of<V4>;  // or one of one

template <class V>
HWY_INLINE void transpose([[maybe_unused]] V (&v)[quad]) {
#if HWY_TARGET != HWY_SCALAR
    const hn::DFromV<V> d;
    const V a = hn::InterleaveLower(d, v[0], v[2]), b = hn::InterleaveLower(d, v[1], v[3]);
    const V e = hn::InterleaveUpper(d, v[0], v[2]), f = hn::InterleaveUpper(d, v[1], v[3]);
    v[0] = hn::InterleaveLower(d, a, b), v[1] = hn::InterleaveUpper(d, a, b);
    v[2] = hn::InterleaveLower(d, e, f), v[3] = hn::InterleaveUpper(d, e, f);
#endif
}

// One register of as many fours as it holds: from(0), from(4), …
template <class D, class From>
HWY_INLINE hn::Vec<D> load_fours(D d, size_t first, const From& from) {
#if HWY_TARGET != HWY_SCALAR
    if constexpr (hn::MaxLanes(d) > 4) {
        const hn::Half<D> half;
        return hn::Combine(d, load_fours(half, first + hn::MaxLanes(half), from), load_fours(half, first, from));
    } else
#endif
        return hn::LoadU(d, from(first));
}

// Entries of joints `first` and following, of which the last is repeated.
HWY_INLINE void load_matrices(std::span<const Affine> palette, size_t first, JointLanes& lanes) {
    SINEW_UNROLL for (size_t k = 0; k < matrix_entries; k += quad) {
        V v[quad];
        SINEW_UNROLL for (size_t i = 0; i < quad; ++i) v[i] = load_fours(D(), i, [&](size_t lane) SINEW_INLINE_LAMBDA {
            return palette[std::min(first + lane, palette.size() - 1)].data() + k;
        });
        transpose(v);
        SINEW_UNROLL for (size_t i = 0; i < quad; ++i) lanes.matrix[k + i] = v[i];
    }
}

// A quad's entries [begin, end) from lanes to those of its joints that are of a kind.
template <class Wanted>
HWY_INLINE void store_entries(const JointLanes& lanes, size_t lane, size_t begin, size_t end, MotionEntry* motions,
                              const Wanted& wanted) {
    const D4 d;
    for (size_t k = begin; k < end; k += quad) {
        V4 v[quad];
        for (size_t i = 0; i < quad; ++i) v[i] = hn::Load(d, lanes.entry[k + i] + lane);
        transpose(v);
        for (size_t i = 0; i < quad; ++i)
            if (wanted(i)) hn::Store(v[i], d, reinterpret_cast<float*>(motions + i) + k);
    }
}

// By registers: the compiler would call for a string instruction, which takes longer than all the rest.
HWY_INLINE void fill_rigid(MotionEntry& motion) {
    const D4 d;
    const auto* from = reinterpret_cast<const float*>(&rigid_motion);
    auto* to = reinterpret_cast<float*>(&motion);
    SINEW_UNROLL for (size_t k = rigid_floats; k < all_floats; k += quad) hn::Store(hn::Load(d, from + k), d, to + k);
}

}  // namespace

void joint_motions(std::span<const Affine> palette, MotionEntry* motions, uint8_t* is_rigid, uint8_t* is_near) {
    JointLanes lanes;
    std::memset(lanes.entry, 0, sizeof(lanes.entry));
    float pivot[4];
    bool simple = true;  // all are rigid, and on one side of each other
    for (size_t first = 0; first < palette.size(); first += lanes_of<V>) {
        const size_t here = std::min(lanes_of<V>, palette.size() - first);
        load_matrices(palette, first, lanes);
        take_apart_lanes(lanes, first > 0, pivot);
        bool all_rigid = true;
        for (size_t i = 0; i < here; ++i) {
            is_rigid[first + i] = static_cast<uint8_t>(lanes.kind[i]);
            is_near[first + i] = lanes.is_near[i] != 0.0f;
            all_rigid = all_rigid && lanes.kind[i] == 1.0f;
            simple = simple && lanes.kind[i] == 1.0f && lanes.is_near[i] != 0.0f;
        }
        for (size_t lane = 0; lane < here; lane += quad) {
            const auto is_there = [&](size_t i) { return lane + i < here; };
            store_entries(lanes, lane, 0, rigid_floats, motions + first + lane, is_there);
            if (!all_rigid)
                store_entries(lanes, lane, rigid_floats, all_floats, motions + first + lane,
                              [&](size_t i) { return is_there(i) && lanes.kind[lane + i] != 1.0f; });
        }
    }
    // Otherwise nobody reads the other entries of rigid joints.
    if (simple) return;
    for (size_t i = 0; i < palette.size(); ++i)
        if (is_rigid[i] == 1) fill_rigid(motions[i]);
}

}  // namespace HWY_NAMESPACE
}  // namespace sinew
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace sinew {
HWY_EXPORT(joint_motions);
void joint_motions_kernel(std::span<const Affine> palette, MotionEntry* motions, uint8_t* is_rigid, uint8_t* is_near) {
    HWY_DYNAMIC_DISPATCH(joint_motions)(palette, motions, is_rigid, is_near);
}
}  // namespace sinew
#endif
