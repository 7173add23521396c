// Loose vertices: each blends matrices of its own, in memory order; two of them, which neighbours share, stay in registers.
// Data flow: included by skin/kernel_linear.cpp only.
#if defined(SINEW_SKIN_KERNEL_LOOSE_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef SINEW_SKIN_KERNEL_LOOSE_INL_H_
#undef SINEW_SKIN_KERNEL_LOOSE_INL_H_
#else
#define SINEW_SKIN_KERNEL_LOOSE_INL_H_
#endif

#include <sinew/skin/kernel-inl.h>

HWY_BEFORE_NAMESPACE();
namespace sinew {
namespace HWY_NAMESPACE {

constexpr size_t padded_entries = 16;  // four columns of four: the palette as loose vertices read it
constexpr size_t matrix_vectors = padded_entries / hn::MaxLanes(D());

// A whole matrix in as few registers as it takes.
struct PaddedMatrix {
    V v[matrix_vectors];
};

HWY_INLINE PaddedMatrix load_padded(const KernelJob& job, uint32_t joint) {
    const D d;
    PaddedMatrix m;
    SINEW_UNROLL for (size_t i = 0; i < matrix_vectors; ++i)
        m.v[i] = hn::Load(d, job.padded + padded_entries * joint + i * hn::MaxLanes(d));
    return m;
}

// Walks the records of loose vertices in their order.
class LooseCursor {
public:
    HWY_INLINE LooseCursor(const KernelJob& job, uint32_t first_run) : job_(job), next_(first_run) {
        enter_run();
    }

    // The blended matrix of the next vertex.
    HWY_INLINE PaddedMatrix next() {
        if (left_ == 0) enter_run();
        --left_;
        const D d;
        PaddedMatrix m;
        const V wa = hn::Set(d, weights_[0]), wb = hn::Set(d, weights_[1]);
        SINEW_UNROLL for (size_t i = 0; i < matrix_vectors; ++i)
            m.v[i] = hn::MulAdd(wb, b_.v[i], hn::Mul(wa, a_.v[i]));
        for (uint32_t e = 0; e < extras_; ++e) {
            const V w = hn::Set(d, weights_[2 + e]);
            const float* other = job_.padded + padded_entries * joints_[e];
            SINEW_UNROLL for (size_t i = 0; i < matrix_vectors; ++i)
                m.v[i] = hn::MulAdd(w, hn::Load(d, other + i * hn::MaxLanes(d)), m.v[i]);
        }
        weights_ += 2 + extras_;
        joints_ += extras_;
        return m;
    }

private:
    HWY_INLINE void enter_run() {
        const LooseRun& run = job_.skin->loose[next_++];
        left_ = run.places;
        extras_ = run.extras;
        weights_ = job_.skin->loose_weights.data() + run.first_weight;
        joints_ = job_.skin->loose_joints.data() + run.first_extra;
        a_ = load_padded(job_, run.pair[0]);
        b_ = load_padded(job_, run.pair[1]);
    }

    const KernelJob& job_;
    uint32_t next_;
    uint32_t left_ = 0, extras_ = 0;
    const float* weights_ = nullptr;
    const uint32_t* joints_ = nullptr;
    PaddedMatrix a_, b_;
};

#if HWY_TARGET != HWY_SCALAR
// [x x x x y y y y z z z z 1 1 1 1], as many of these at a time as there are lanes.
HWY_INLINE V spread(const float* HWY_RESTRICT p, size_t part) {
    const D d;
    if constexpr (hn::MaxLanes(D()) == 16) {
        const V xy = hn::IfThenElse(hn::FirstN(d, 4), hn::Set(d, p[0]), hn::Set(d, p[16]));
        const V z1 = hn::IfThenElse(hn::FirstN(d, 12), hn::Set(d, p[32]), hn::Set(d, 1.0f));
        return hn::IfThenElse(hn::FirstN(d, 8), xy, z1);
    } else if constexpr (hn::MaxLanes(D()) == 8) {
        return part == 0 ? hn::ConcatUpperLower(d, hn::Set(d, p[16]), hn::Set(d, p[0]))
                         : hn::ConcatUpperLower(d, hn::Set(d, 1.0f), hn::Set(d, p[32]));
    } else {
        const size_t column = part * hn::MaxLanes(d) / 4;
        return column == 3 ? hn::Set(d, 1.0f) : hn::Set(d, p[16 * column]);
    }
}

// Adds up the columns of four that a register holds.
HWY_INLINE auto add_columns(V sum) {
    if constexpr (hn::MaxLanes(D()) == 16) {
        const hn::Half<D> half;
        const auto s = hn::Add(hn::LowerHalf(half, sum), hn::UpperHalf(half, sum));
        const hn::Half<decltype(half)> quarter;
        return hn::Add(hn::LowerHalf(quarter, s), hn::UpperHalf(quarter, s));
    } else if constexpr (hn::MaxLanes(D()) == 8) {
        const hn::Half<D> half;
        return hn::Add(hn::LowerHalf(half, sum), hn::UpperHalf(half, sum));
    } else {
        return sum;
    }
}

// Positions alone: the matrix is used where it lies. Stores four floats a vertex; the fourth is the next one's first.
HWY_INLINE void loose_positions(LooseCursor& cursor, uint32_t count, const LaneStreams& s) {
    const hn::CappedTag<float, 4> d4;
    HWY_ALIGN float last[4];
    for (uint32_t i = 0; i < count; ++i) {
        const PaddedMatrix m = cursor.next();
        V sum = hn::Mul(m.v[0], spread(s.positions + i, 0));
        SINEW_UNROLL for (size_t k = 1; k < matrix_vectors; ++k)
            sum = hn::MulAdd(m.v[k], spread(s.positions + i, k), sum);
        const auto p = add_columns(sum);
        if (i + 1 < count) {
            hn::StoreU(p, d4, s.positions_out + 3 * i);
        } else {
            hn::Store(p, d4, last);
            std::memcpy(s.positions_out + 3 * i, last, 3 * sizeof(float));
        }
    }
}

#endif

// The matrices of a block, one 4 × block of columns after another, in the order in which transposing wants them: within
// as many vertices as there are lanes, every fourth lies side by side.
struct LooseBlock {
    HWY_ALIGN float column[4][4 * block_size];
};

HWY_INLINE void put_matrix(const PaddedMatrix& m, uint32_t i, LooseBlock& to) {
    const D d;
    constexpr uint32_t n = hn::MaxLanes(D()), quarter = n < 4 ? 1 : n / 4;
    const uint32_t slot = n < 4 ? i : i / n * n + i % 4 * quarter + i % n / 4;
    HWY_ALIGN float entries[padded_entries];
    SINEW_UNROLL for (size_t k = 0; k < matrix_vectors; ++k) hn::Store(m.v[k], d, entries + k * n);
    for (size_t c = 0; c < 4; ++c) std::memcpy(to.column[c] + 4 * slot, entries + 4 * c, 4 * sizeof(float));
}

// One column of the matrices of as many vertices as there are lanes, row by row.
HWY_INLINE void transposed_column(const float* HWY_RESTRICT from, V (&row)[3]) {
    const D d;
#if HWY_TARGET != HWY_SCALAR
    const V v0 = hn::Load(d, from), v1 = hn::Load(d, from + hn::MaxLanes(d));
    const V v2 = hn::Load(d, from + 2 * hn::MaxLanes(d)), v3 = hn::Load(d, from + 3 * hn::MaxLanes(d));
    const V low = hn::InterleaveLower(d, v0, v2), low1 = hn::InterleaveLower(d, v1, v3);
    row[0] = hn::InterleaveLower(d, low, low1);
    row[1] = hn::InterleaveUpper(d, low, low1);
    row[2] = hn::InterleaveLower(d, hn::InterleaveUpper(d, v0, v2), hn::InterleaveUpper(d, v1, v3));
#else
    for (int r = 0; r < 3; ++r) row[r] = hn::Set(d, from[r]);
#endif
}

template <class Make>
HWY_INLINE void loose_block(LooseCursor& cursor, uint32_t count, const LaneStreams& s, LooseBlock& block) {
#if HWY_TARGET != HWY_SCALAR
    if constexpr (!Make::normals) return loose_positions(cursor, count, s);
#endif
    constexpr size_t n = hn::MaxLanes(D());
    for (uint32_t i = 0; i < count; ++i) put_matrix(cursor.next(), i, block);
    for (size_t lane = 0; lane < block_size; lane += group * n) {
        V m[group][4][3];
        SINEW_UNROLL for (size_t g = 0; g < group; ++g)
            SINEW_UNROLL for (size_t c = 0; c < 4; ++c) transposed_column(block.column[c] + 4 * (lane + g * n), m[g][c]);
        transform_group<Make>(s.at(lane), [&](int row, V(&a)[4][group]) SINEW_INLINE_LAMBDA {
            SINEW_UNROLL for (size_t g = 0; g < group; ++g)
                SINEW_UNROLL for (int c = 0; c < 4; ++c) a[c][g] = m[g][c][row];
        });
    }
}

// All loose vertices of a job.
template <class Make>
void all_loose(const KernelJob& job) {
    const CompiledSkin& skin = *job.skin;
    const uint32_t first = job.chunks.front().first_place, end = job.chunks.back().end_place;
    const auto chunk = std::find_if(job.chunks.begin(), job.chunks.end(),
                                    [](const SkinChunk& c) { return c.first_loose < c.end_loose; });
    if (chunk == job.chunks.end()) return;
    struct {
        uint32_t first_place, places, first_block;
    } const all{chunk->first_place, end - chunk->first_place,
                skin.loose_block + (chunk->first_place - skin.loose_place) / block_size};
    LooseCursor cursor(job, chunk->first_loose);
    LooseBlock block{};
    each_block(job, all, first, end, [&](uint32_t b, const LaneStreams& s) SINEW_INLINE_LAMBDA {
        loose_block<Make>(cursor, std::min(block_size, all.places - b * block_size), s, block);
    });
}

}  // namespace HWY_NAMESPACE
}  // namespace sinew
HWY_AFTER_NAMESPACE();

#endif
