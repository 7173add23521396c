// What the kernels that blend rotations share: a run's dual quaternions on one side, and turning vectors by them.
// Data flow: included by skin/kernel_dual_quaternion.cpp and skin/kernel_centres.cpp.
#if defined(SINEW_SKIN_KERNEL_MOTION_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef SINEW_SKIN_KERNEL_MOTION_INL_H_
#undef SINEW_SKIN_KERNEL_MOTION_INL_H_
#else
#define SINEW_SKIN_KERNEL_MOTION_INL_H_
#endif

#include <sinew/skin/kernel_linear-inl.h>

HWY_BEFORE_NAMESPACE();
namespace sinew {
namespace HWY_NAMESPACE {
namespace {

constexpr size_t motion_entries = 8;

// The first joint's dual quaternion, then the others, on its side, less it.
struct RunMotions {
    HWY_ALIGN float q[largest_run * motion_entries];
    bool usable = false;
};

HWY_INLINE float dot4(const float* a, const float* b) {
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3];
}

// Usable when all joints are rigid and every two of them lie on one side: then it does not matter which is the pivot,
// and signs are set once for the run. That fails only where joints of one vertex are turned by some 180° against each
// other.
HWY_INLINE void prepare_motions(const KernelJob& job, const SkinRun& run, RunMotions& to) {
    const uint32_t* joints = job.skin->run_joints.data() + run.first_joint;
    to.usable = false;
    for (uint32_t k = 0; k < run.influences; ++k)
        if (joints[k] == no_joint || !job.is_rigid[joints[k]]) return;
    for (uint32_t k = 0; k < run.influences; ++k) {
        const float* q = job.motions[joints[k]].q;
        float* out = to.q + k * motion_entries;
        const float side = dot4(to.q, q) < 0.0f && k > 0 ? -1.0f : 1.0f;
        for (size_t i = 0; i < motion_entries; ++i) out[i] = side * q[i];
        for (uint32_t other = 1; other < k; ++other)
            if (dot4(to.q + other * motion_entries, out) < 0.0f) return;
    }
    for (uint32_t k = 1; k < run.influences; ++k)
        for (size_t i = 0; i < motion_entries; ++i) to.q[k * motion_entries + i] -= to.q[i];
    to.usable = true;
}

struct V3 {
    V x, y, z;
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
HWY_INLINE V3 scaled(V s, const V3& a) {
    return {hn::Mul(s, a.x), hn::Mul(s, a.y), hn::Mul(s, a.z)};
}
// a + s b.
HWY_INLINE V3 add_scaled(const V3& a, V s, const V3& b) {
    return {hn::MulAdd(s, b.x, a.x), hn::MulAdd(s, b.y, a.y), hn::MulAdd(s, b.z, a.z)};
}

// A rotation by a quaternion of any length: v' = v + s r × (r × v + w v) with s = 2 / |q|².
struct Rotation {
    V3 r;
    V w, s;

    HWY_INLINE V3 turn(const V3& v) const {
        return add_scaled(v, s, add_cross(zero(), r, add_cross(scaled(w, v), r, v)));
    }
    static HWY_INLINE V3 zero() {
        const D d;
        return {hn::Zero(d), hn::Zero(d), hn::Zero(d)};
    }
};

HWY_INLINE Rotation rotation_of(V x, V y, V z, V w) {
    const D d;
    const V squared = hn::MulAdd(x, x, hn::MulAdd(y, y, hn::MulAdd(z, z, hn::Mul(w, w))));
    return {{x, y, z}, w, hn::Div(hn::Set(d, 2.0f), squared)};
}

template <class Make>
HWY_INLINE void turn_directions(const Rotation& q, const LaneStreams& s) {
    if constexpr (Make::normals) {
        const V3 n = q.turn(load3(s.normals));
        finish_normal<Make>(n.x, n.y, n.z, s.normals, s.normals_out);
    }
    if constexpr (Make::tangents) {
        const D d;
        const V3 t = q.turn(load3(s.tangents));
        finish_tangent<Make>(t.x, t.y, t.z, hn::Zero(d), s.tangents, s.tangents_out);
    }
}

// Walks the runs of a job: those of one joint by its matrix, the others by move(run, motions), and by the slow path
// where a run's rotations cannot be blended with one set of signs.
template <class Make, class Move>
HWY_INLINE void all_motion_runs(const KernelJob& job, const Move& move) {
    const CompiledSkin& skin = *job.skin;
    const uint32_t first_place = job.chunks.front().first_place, end_place = job.chunks.back().end_place;
    const uint32_t first = job.chunks.front().first_run, end = job.chunks.back().end_run;
    RunMotions motions[2];
    const auto make_ready = [&](uint32_t r) SINEW_INLINE_LAMBDA {
        if (r < end && skin.runs[r].influences > 1) prepare_motions(job, skin.runs[r], motions[r & 1]);
    };
    make_ready(first);
    for (uint32_t r = first; r < end; ++r) {
        make_ready(r + 1);
        const SkinRun& run = skin.runs[r];
        if (run.influences == 1) {
            RunMatrices matrices;
            prepare(job, run, matrices);
            run_blocks<1, Make>(job, run, matrices, first_place, end_place);
        } else if (motions[r & 1].usable) {
            move(run, motions[r & 1], first_place, end_place);
        } else {
            job.slow->run(job, run);
        }
    }
    for (const SkinChunk& chunk : job.chunks)
        if (chunk.first_loose < chunk.end_loose) job.slow->loose(job, chunk);
}

// The whole job; Mover::run<Make> moves one run.
template <class Mover>
HWY_INLINE void motion_kernel(const KernelJob& job) {
    choose_kernel(job, [&](auto make) SINEW_INLINE_LAMBDA {
        using Make = decltype(make);
        all_motion_runs<Make>(job,
                              [&](const SkinRun& run, const RunMotions& motions, uint32_t first, uint32_t end)
                                  SINEW_INLINE_LAMBDA { Mover::template run<Make>(job, run, motions, first, end); });
    });
}

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace sinew
HWY_AFTER_NAMESPACE();

#endif
