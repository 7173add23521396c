// Shared by the skinning kernels, compiled once per instruction set: a block of vertices by a matrix of its own each.
// Data flow: included by skin/kernel_*.cpp only.
#if defined(SINEW_SKIN_KERNEL_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef SINEW_SKIN_KERNEL_INL_H_
#undef SINEW_SKIN_KERNEL_INL_H_
#else
#define SINEW_SKIN_KERNEL_INL_H_
#endif

#include <sinew/skin/compiled/kernels/kernel.h>
#include <sinew/skin/compiled/kernels/kernel_lanes-inl.h>
#include <algorithm>
#include <cstring>

HWY_BEFORE_NAMESPACE();
namespace sinew {
namespace HWY_NAMESPACE {

constexpr size_t matrix_entries = 12;  // of an affine matrix, column after column

using D = BlockD;
using V = BlockV;

// A pointer of which the compiler knows nothing: it keeps it in a register, and loads nothing through it beforehand.
HWY_INLINE const float* opaque(const float* p) {
#if HWY_COMPILER_GCC || HWY_COMPILER_CLANG
    asm volatile("" : "+r"(p));
#endif
    return p;
}

// Which attributes a kernel is compiled for. Others (tangents without normals, say) go to a scratch output.
enum class Parts { positions, normals, tangents };  // each includes those before it

// What a kernel makes. Whether directions get length 1 is asked while it runs: LaneStreams::unit.
template <Parts parts_, bool exact_>
struct Makes {
    static constexpr bool normals = parts_ != Parts::positions, tangents = parts_ == Parts::tangents;
    static constexpr bool exact = exact_;  // normals by the inverse transpose
};

// Vectors that are worked on together: enough independent sums to keep the multipliers busy, few enough for the
// registers.
constexpr size_t group = lanes_of<V> >= block_size ? 1 : 2;

// Whether there are 32 registers, so that what is used again can stay in them, and not only 16.
constexpr bool many_registers = !HWY_ARCH_X86 || lanes_of<V> >= block_size;

// Whether code is compiled apart for each usual number of joints. The fallback for ancient processors does without.
constexpr bool specialised = HWY_TARGET != HWY_SCALAR;

// Rest attributes of a group of lanes (within a block, 16 floats from row to row), and where their results go.
struct LaneStreams {
    const float* HWY_RESTRICT positions;
    const float* HWY_RESTRICT normals;
    const float* HWY_RESTRICT tangents;
    float* HWY_RESTRICT positions_out;
    float* HWY_RESTRICT normals_out;
    float* HWY_RESTRICT tangents_out;
    bool unit = true;  // directions of length 1

    HWY_INLINE LaneStreams at(size_t lane) const {
        return {positions + lane,
                normals + lane,
                tangents + lane,
                positions_out + 3 * lane,
                normals_out + 3 * lane,
                tangents_out + 4 * lane,
                unit};
    }
};

template <class V>
HWY_INLINE void finish_normal(V3<V> n, const LaneStreams& s) {
    if (HWY_LIKELY(s.unit)) make_unit(n, s.normals);
    store_xyz(n, s.normals_out);
}

template <class V>
HWY_INLINE void finish_tangent(V3<V> t, V sign, const LaneStreams& s) {
    const hn::DFromV<V> d;
    if (HWY_LIKELY(s.unit)) make_unit(t, s.tangents);
    hn::StoreInterleaved4(t.x, t.y, t.z, hn::Xor(hn::Load(d, s.tangents + 3 * block_size), sign), d, s.tangents_out);
}

// Directions of one vector of lanes.
template <class Make, class V>
HWY_INLINE void transform_directions(const LaneMatrix<V>& a, const LaneStreams& s) {
    V sign = hn::Zero(hn::DFromV<V>());
    const V3<V> n = Make::exact ? exact_normal(a, s.normals, sign) : times(a, s.normals);
    finish_normal(n, s);
    if constexpr (Make::tangents) finish_tangent(times(a, s.tangents), sign, s);
}

// A few vectors of lanes by matrices that come a row at a time: rows(row, out) gives its four entries for each vector.
// Row by row, because three rows of several vectors would not fit the registers. `keep`: whether points do.
template <class Make, class V, size_t vectors, bool keep = many_registers, class Rows>
HWY_INLINE void transform_group(const LaneStreams& s, const Rows& rows) {
    constexpr size_t n = lanes_of<V>;
    V p[3][vectors];
    V3<V> rest[vectors];
    LaneMatrix<V> linear[vectors];
    if constexpr (keep) SINEW_UNROLL for (size_t g = 0; g < vectors; ++g) rest[g] = load3<V>(s.positions + g * n);
    SINEW_UNROLL for (size_t r = 0; r < 3; ++r) {
        V m[4][vectors];
        rows(r, m);
        SINEW_UNROLL for (size_t g = 0; g < vectors; ++g) {
            if constexpr (keep)
                p[r][g] = row_times(m[0][g], m[1][g], m[2][g], m[3][g], rest[g]);
            else
                p[r][g] = row_times(m[0][g], m[1][g], m[2][g], m[3][g], s.positions + g * n);
            if constexpr (Make::normals)
                linear[g].m[r] = m[0][g], linear[g].m[3 + r] = m[1][g], linear[g].m[6 + r] = m[2][g];
        }
    }
    SINEW_UNROLL for (size_t g = 0; g < vectors; ++g) {
        const LaneStreams q = s.at(g * n);
        store_xyz(V3<V>{p[0][g], p[1][g], p[2][g]}, q.positions_out);
        if constexpr (Make::normals) transform_directions<Make>(linear[g], q);
    }
}

// Calls with the Makes that a job asks for.
template <class Call>
HWY_INLINE void choose_kernel(const KernelJob& job, const Call& call) {
    const auto with_parts = [&]<Parts parts>() SINEW_INLINE_LAMBDA {
        if (job.exact_normals) {
            call(Makes<parts, true>());
        } else {
            call(Makes<parts, false>());
        }
    };
    if (job.tangents) {
        with_parts.template operator()<Parts::tangents>();
    } else if (job.normals) {
        with_parts.template operator()<Parts::normals>();
    } else {
        call(Makes<Parts::positions, true>());
    }
}

// A block's results when they must not reach past the end of the buffers.
struct BlockScratch {
    HWY_ALIGN float positions[3 * block_size + 4];
    HWY_ALIGN float normals[3 * block_size];
    HWY_ALIGN float tangents[4 * block_size];
};

template <class Make>
HWY_INLINE void copy_out(const BlockScratch& from, uint32_t places, const LaneStreams& to) {
    std::memcpy(to.positions_out, from.positions, places * 3 * sizeof(float));
    if constexpr (Make::normals) std::memcpy(to.normals_out, from.normals, places * 3 * sizeof(float));
    if constexpr (Make::tangents) std::memcpy(to.tangents_out, from.tangents, places * 4 * sizeof(float));
}

// The streams of a job's block, whose results begin at a place of the job.
template <class Make>
HWY_INLINE LaneStreams streams_at(const KernelJob& job, size_t block, size_t place) {
    const CompiledSkin& skin = *job.skin;
    LaneStreams s{skin.positions.data() + 3 * block * block_size,
                  nullptr,
                  nullptr,
                  job.positions + 3 * place,
                  nullptr,
                  nullptr,
                  job.unit};
    if constexpr (Make::normals)
        s.normals = skin.normals.data() + 3 * block * block_size, s.normals_out = job.normals + 3 * place;
    if constexpr (Make::tangents)
        s.tangents = skin.tangents.data() + 4 * block * block_size, s.tangents_out = job.tangents + 4 * place;
    return s;
}

// Walks the blocks of a run: move(block, streams, places), through a scratch block for those whose sixteen results
// would reach past the job's end. Shorter blocks write past their own end; the next run overwrites that.
template <class Make, class Run, class Move>
HWY_INLINE void each_block(const KernelJob& job, const Run& run, const Move& move) {
    const uint32_t first_place = job.chunks.front().first_place, end_place = job.chunks.back().end_place;
    const uint32_t blocks = (run.places + block_size - 1) / block_size;
    // A block needs a float of room after its results, too.
    const uint32_t whole = (end_place - run.first_place - 1) / block_size;
    for (uint32_t b = 0; b < blocks; ++b) {
        BlockScratch scratch;
        const LaneStreams to =
            streams_at<Make>(job, run.first_block + b, run.first_place - first_place + size_t{b} * block_size);
        LaneStreams s = to;
        if (b >= whole)
            s.positions_out = scratch.positions, s.normals_out = scratch.normals, s.tangents_out = scratch.tangents;
        const uint32_t valid = std::min(block_size, run.places - b * block_size);
        move(b, s, valid);
        if (HWY_LIKELY(b < whole)) continue;
        copy_out<Make>(scratch, valid, to);
    }
}

}  // namespace HWY_NAMESPACE
}  // namespace sinew
HWY_AFTER_NAMESPACE();

#endif
