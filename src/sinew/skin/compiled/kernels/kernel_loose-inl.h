// Loose vertices: each blends matrices of its own, in memory order; two of them, which neighbours share, stay in
// registers. Eight lanes at most: wider registers gain nothing here. Data flow: included by
// skin/compiled/kernels/kernel_linear.cpp and by the kernels that blend rotations.
#if defined(SINEW_SKIN_KERNEL_LOOSE_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef SINEW_SKIN_KERNEL_LOOSE_INL_H_
#undef SINEW_SKIN_KERNEL_LOOSE_INL_H_
#else
#define SINEW_SKIN_KERNEL_LOOSE_INL_H_
#endif

#include <sinew/skin/compiled/kernels/kernel-inl.h>

HWY_BEFORE_NAMESPACE();
namespace sinew {
namespace HWY_NAMESPACE {

constexpr size_t padded_entries = 16;  // four columns of four: the palette as loose vertices read it

// So many floats that lie side by side, in as few registers as it takes.
template <size_t floats>
struct Packed {
    static constexpr size_t vectors = std::max<size_t>(1, floats / lanes_of<OctetV>);
    OctetV v[vectors];
};
using PaddedMatrix = Packed<padded_entries>;

// What joints have, `floats` of it that lie `stride` floats from joint to joint, aligned to registers; and the weights
// to blend it by.
template <size_t floats, class Weight>
struct JointEntries {
    const float* of_first;
    size_t stride;
    const Weight* weights;

    HWY_INLINE Packed<floats> load(uint32_t joint) const {
        Packed<floats> m;
        const float* from = opaque(of_first + stride * joint);  // one address, not one for each register
        SINEW_UNROLL for (size_t i = 0; i < m.vectors; ++i) m.v[i] = hn::Load(OctetD(), from + i * lanes_of<OctetV>);
        return m;
    }
};

// Where the records of loose vertices have been read to.
struct LooseCursor {
    const LooseRun* run;
    uint32_t done;  // vertices of the run
};

// The weights of one record, each in all lanes of a register. Four of sixteen bits are turned into floats at once.
template <uint32_t known_extras>
HWY_INLINE auto spread_weights(const float* HWY_RESTRICT record) {
    return [record](uint32_t i) SINEW_INLINE_LAMBDA { return hn::Set(OctetD(), record[i]); };
}
template <uint32_t known_extras>
HWY_INLINE auto spread_weights(const uint16_t* HWY_RESTRICT record) {
#if HWY_TARGET != HWY_SCALAR
    if constexpr (known_extras == 2) {
        const OctetD d;
        const hn::Rebind<uint16_t, OctetD> d16;
        uint64_t bits;
        std::memcpy(&bits, record, sizeof(bits));
        const auto fours = hn::BitCast(d16, hn::Set(hn::Repartition<uint64_t, decltype(d16)>(), bits));
        const OctetV four = hn::ConvertTo(d, hn::PromoteTo(hn::Rebind<int32_t, OctetD>(), fours));
        return [four](uint32_t i) SINEW_INLINE_LAMBDA {
            return i == 0   ? hn::Broadcast<0>(four)
                   : i == 1 ? hn::Broadcast<1>(four)
                   : i == 2 ? hn::Broadcast<2>(four)
                            : hn::Broadcast<3>(four);
        };
    } else
#endif
    {
        return [record](uint32_t i) SINEW_INLINE_LAMBDA { return hn::Set(OctetD(), static_cast<float>(record[i])); };
    }
}

// Blends one kind of entries, vertex after vertex of a run.
template <size_t floats, class Weight>
struct RecordBlend {
    JointEntries<floats, Weight> from;
    Packed<floats> a, b;  // of the run's pair
    const Weight* record;

    HWY_INLINE RecordBlend(const JointEntries<floats, Weight>& entries, const LooseRun& run, size_t done)
        : from(entries),
          a(entries.load(run.pair[0])),
          b(entries.load(run.pair[1])),
          record(entries.weights + run.first_weight + done) {}

    template <uint32_t known_extras>
    HWY_INLINE Packed<floats> next(uint32_t extras, const uint32_t* joints) {
        const auto weight = spread_weights<known_extras>(record);
        const OctetV wa = weight(0), wb = weight(1);
        Packed<floats> m;
        SINEW_UNROLL for (size_t k = 0; k < m.vectors; ++k) m.v[k] = hn::MulAdd(wb, b.v[k], hn::Mul(wa, a.v[k]));
        const auto add = [&](uint32_t e) SINEW_INLINE_LAMBDA {
            const OctetV w = weight(2 + e);
            const Packed<floats> other = from.load(joints[e]);
            SINEW_UNROLL for (size_t k = 0; k < m.vectors; ++k) m.v[k] = hn::MulAdd(w, other.v[k], m.v[k]);
        };
        if constexpr (known_extras > 0) {
            SINEW_UNROLL for (uint32_t e = 0; e < known_extras; ++e) add(e);
        } else {
            for (uint32_t e = 0; e < extras; ++e) add(e);
        }
        record += 2 + extras;
        return m;
    }
};

// Blends `count` vertices of one run: visit(i, blended …), one for each kind of entries. The number of joints besides
// the pair is known to the compiler where it is the usual one.
template <uint32_t known_extras, class Visit, class... Entries>
HWY_INLINE void blend_records(const KernelJob& job, const LooseCursor& at, uint32_t first, uint32_t count,
                              const Visit& visit, const Entries&... entries) {
    const uint32_t extras = known_extras > 0 ? known_extras : at.run->extras;
    const uint32_t* joints = job.skin->loose_joints.data() + at.run->first_extra + size_t{at.done} * extras;
    const auto go = [&](auto... blend) SINEW_INLINE_LAMBDA {
        for (uint32_t i = first; i < first + count; ++i, joints += extras)
            visit(i, blend.template next<known_extras>(extras, joints)...);
    };
    go(RecordBlend(entries, *at.run, size_t{at.done} * (2 + extras))...);
}

// The next `count` loose vertices, of as many runs as they lie in.
template <class Visit, class... Entries>
HWY_INLINE void each_loose(const KernelJob& job, LooseCursor& cursor, uint32_t count, const Visit& visit,
                           const Entries&... entries) {
    for (uint32_t i = 0; i < count;) {
        if (cursor.done == cursor.run->places) ++cursor.run, cursor.done = 0;
        const uint32_t here = std::min(count - i, cursor.run->places - cursor.done);
        if (cursor.run->extras == 2) {
            blend_records<2>(job, cursor, i, here, visit, entries...);
        } else {
            blend_records<0>(job, cursor, i, here, visit, entries...);
        }
        i += here;
        cursor.done += here;
    }
}

HWY_INLINE JointEntries<padded_entries, float> padded_palette(const KernelJob& job) {
    return {job.padded, padded_entries, job.skin->loose_weights.data()};
}

#if HWY_TARGET != HWY_SCALAR
// [x x x x y y y y z z z z 1 1 1 1], as many of these at a time as there are lanes.
HWY_INLINE OctetV spread(const float* HWY_RESTRICT p, size_t part) {
    const OctetD d;
    if constexpr (lanes_of<OctetV> == 8) {
#if HWY_TARGET <= HWY_AVX3 && HWY_ARCH_X86
        // Loads can leave half a register as it is.
        const __m256 low = part == 0 ? _mm256_set1_ps(p[0]) : _mm256_set1_ps(1.0f);
        return OctetV{part == 0 ? _mm256_mask_broadcastss_ps(low, 0xf0, _mm_load_ss(p + block_size))
                                : _mm256_mask_broadcastss_ps(low, 0x0f, _mm_load_ss(p + 2 * block_size))};
#else
        const hn::Half<OctetD> half;
        return part == 0 ? hn::Combine(d, hn::Set(half, p[block_size]), hn::Set(half, p[0]))
                         : hn::Combine(d, hn::Set(half, 1.0f), hn::Set(half, p[2 * block_size]));
#endif
    } else {
        const size_t column = part * hn::MaxLanes(d) / 4;
        return column == 3 ? hn::Set(d, 1.0f) : hn::Set(d, p[block_size * column]);
    }
}

// Adds up the columns of four that a register holds.
HWY_INLINE auto add_columns(OctetV sum) {
    if constexpr (lanes_of<OctetV> == 8) {
        const hn::Half<OctetD> half;
        return hn::Add(hn::LowerHalf(half, sum), hn::UpperHalf(half, sum));
    } else {
        return sum;
    }
}

#endif

// A point, whose coordinates are a block apart, moved by a matrix where that lies. Four floats; the last means nothing.
HWY_INLINE void move_point(const PaddedMatrix& m, const float* HWY_RESTRICT p, float* HWY_RESTRICT to) {
#if HWY_TARGET == HWY_SCALAR
    for (size_t r = 0; r < 4; ++r)
        to[r] =
            m.v[r].raw * p[0] + m.v[4 + r].raw * p[block_size] + m.v[8 + r].raw * p[2 * block_size] + m.v[12 + r].raw;
#else
    OctetV sum = hn::Mul(m.v[0], spread(p, 0));
    SINEW_UNROLL for (size_t k = 1; k < m.vectors; ++k) sum = hn::MulAdd(m.v[k], spread(p, k), sum);
    hn::StoreU(add_columns(sum), hn::CappedTag<float, 4>(), to);
#endif
}

// Where point i lies in blocks of 48 floats: i / 16 of these, and i % 16.
HWY_INLINE const float* point_at(const float* first, uint32_t i) {
    return first + i + 2 * size_t{i & ~(block_size - 1)};
}

// Vertices that are blended before they are moved. Their runs are short, and where each ends the processor guesses
// wrong: blocks would end them oftener still.
constexpr uint32_t loose_batch = 64;

// What was blended for a batch, one column of all vertices after another, in the order in which transposing wants them:
// within as many vertices as there are lanes, every fourth lies side by side.
struct LooseBatch {
    HWY_ALIGN float column[4][4 * loose_batch];
};

HWY_INLINE uint32_t slot_of(uint32_t i) {
    constexpr uint32_t n = lanes_of<OctetV>, quarter = n < 4 ? 1 : n / 4;
    return n < 4 ? i : i / n * n + i % 4 * quarter + i % n / 4;
}

template <size_t floats>
HWY_INLINE void put_columns(const Packed<floats>& m, uint32_t i, LooseBatch& to) {
    const uint32_t slot = slot_of(i);
#if HWY_TARGET <= HWY_AVX2 && HWY_ARCH_X86
    for (size_t c = 0; c < floats / 4; c += 2) {
        _mm_store_ps(to.column[c] + 4 * slot, _mm256_castps256_ps128(m.v[c / 2].raw));
        _mm_store_ps(to.column[c + 1] + 4 * slot, _mm256_extractf128_ps(m.v[c / 2].raw, 1));
    }
#else
    HWY_ALIGN float entries[std::max(floats, lanes_of<OctetV>)];
    SINEW_UNROLL for (size_t k = 0; k < m.vectors; ++k) hn::Store(m.v[k], OctetD(), entries + k * lanes_of<OctetV>);
    for (size_t c = 0; c < floats / 4; ++c) std::memcpy(to.column[c] + 4 * slot, entries + 4 * c, 4 * sizeof(float));
#endif
}

// One column of as many vertices as there are lanes, row by row.
template <size_t rows>
HWY_INLINE void transposed_column(const float* HWY_RESTRICT from, OctetV (&row)[rows]) {
    const OctetD d;
#if HWY_TARGET != HWY_SCALAR
    const OctetV v0 = hn::Load(d, from), v1 = hn::Load(d, from + lanes_of<OctetV>);
    const OctetV v2 = hn::Load(d, from + 2 * lanes_of<OctetV>), v3 = hn::Load(d, from + 3 * lanes_of<OctetV>);
    const OctetV low = hn::InterleaveLower(d, v0, v2), low1 = hn::InterleaveLower(d, v1, v3);
    const OctetV high = hn::InterleaveUpper(d, v0, v2), high1 = hn::InterleaveUpper(d, v1, v3);
    row[0] = hn::InterleaveLower(d, low, low1);
    row[1] = hn::InterleaveUpper(d, low, low1);
    row[2] = hn::InterleaveLower(d, high, high1);
    if constexpr (rows == 4) row[3] = hn::InterleaveUpper(d, high, high1);
#else
    for (size_t r = 0; r < rows; ++r) row[r] = hn::Set(d, from[r]);
#endif
}

// The loose vertices of a job, as if they were one run.
struct LooseStretch {
    uint32_t first_place = 0, places = 0, first_block = 0, first_run = 0;
};

HWY_INLINE LooseStretch loose_stretch(const KernelJob& job) {
    const CompiledSkin& skin = *job.skin;
    const auto chunk = std::find_if(job.chunks.begin(), job.chunks.end(),
                                    [](const SkinChunk& c) { return c.first_loose < c.end_loose; });
    if (chunk == job.chunks.end()) return {};
    return {chunk->first_place, job.chunks.back().end_place - chunk->first_place,
            skin.loose_block + (chunk->first_place - skin.loose_place) / block_size, chunk->first_loose};
}

// Positions alone: run follows run. Each vertex writes a float into the next one, which overwrites it.
HWY_INLINE void loose_positions(const KernelJob& job, const LooseStretch& all) {
    const float* rest = job.skin->positions.data() + size_t{all.first_block} * 3 * block_size;
    float* out = job.positions + 3 * size_t{all.first_place - job.chunks.front().first_place};
    const LooseRun* run = job.skin->loose.data() + all.first_run;
    const auto move = [&](uint32_t i, const PaddedMatrix& m) SINEW_INLINE_LAMBDA {
        if (HWY_LIKELY(i + 1 < all.places)) return move_point(m, point_at(rest, i), out + 3 * i);
        float last[4];
        move_point(m, point_at(rest, i), last);
        std::memcpy(out + 3 * i, last, 3 * sizeof(float));
    };
    for (uint32_t i = 0; i < all.places; i += run->places, ++run) {
        if (run->extras == 2)
            blend_records<2>(job, {run, 0}, i, run->places, move, padded_palette(job));
        else
            blend_records<0>(job, {run, 0}, i, run->places, move, padded_palette(job));
    }
}

// Batch after batch: blend(count), then move(block of the batch, streams, places) for each of its blocks.
template <class Make, class Blend, class Move>
HWY_INLINE void each_loose_batch(const KernelJob& job, const LooseStretch& all, const Blend& blend, const Move& move) {
    for (uint32_t i = 0; i < all.places; i += loose_batch) {
        const LooseStretch batch{.first_place = all.first_place + i,
                                 .places = std::min(loose_batch, all.places - i),
                                 .first_block = all.first_block + i / block_size};
        blend(batch.places);
        each_block<Make>(job, batch, move);
    }
}

template <class Make>
void all_loose(const KernelJob& job) {
    const LooseStretch all = loose_stretch(job);
    if (all.places == 0) return;
    if constexpr (!Make::normals) return loose_positions(job, all);
    LooseCursor cursor{job.skin->loose.data() + all.first_run, 0};
    LooseBatch matrices{};
    const auto blend = [&](uint32_t count) SINEW_INLINE_LAMBDA {
        const auto put = [&](uint32_t i, const PaddedMatrix& m) SINEW_INLINE_LAMBDA { put_columns(m, i, matrices); };
        each_loose(job, cursor, count, put, padded_palette(job));
    };
    each_loose_batch<Make>(job, all, blend, [&](uint32_t block, const LaneStreams& s, uint32_t) SINEW_INLINE_LAMBDA {
        for (size_t lane = 0; lane < block_size; lane += lanes_of<OctetV>) {
            OctetV m[4][3];
            SINEW_UNROLL for (size_t c = 0; c < 4; ++c)
                transposed_column(matrices.column[c] + 4 * (block * block_size + lane), m[c]);
            transform_group<Make, OctetV, 1>(s.at(lane), [&](size_t row, OctetV(&a)[4][1]) SINEW_INLINE_LAMBDA {
                SINEW_UNROLL for (int c = 0; c < 4; ++c) a[c][0] = m[c][row];
            });
        }
    });
}

}  // namespace HWY_NAMESPACE
}  // namespace sinew
HWY_AFTER_NAMESPACE();

#endif
