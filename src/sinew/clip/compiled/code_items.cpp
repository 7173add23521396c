#include <sinew/clip/compiled/code_items.h>

#include <sinew/clip/compiled/range_coder.h>
#include <algorithm>
#include <bit>
#include <cmath>

namespace sinew {
namespace {

using Code = std::array<int64_t, item_components>;

constexpr int raw_mode = 3, no_mode = 4;  // beside the kinds of spline

// What is known of an item from the segment before.
struct History {
    int mode = no_mode;
    int intervals = 0, chart = 3;
    int step = 0;                               // 0: none yet
    bool known = false;                         // `end` is a guess at what comes next
    std::array<double, item_components> end{};  // where the item was
};

constexpr int most_size = 44;  // bits of a number: more than any sound clip has
constexpr int64_t farthest = int64_t{1} << most_size;
constexpr int sizes_modelled = 20;  // larger numbers share the models of the largest
// There is a model for each size of a number's neighbours, and for each level of coarseness.
constexpr int sizes_apart = 14, levels_apart = 5;

int size_of(int64_t value) {
    return static_cast<int>(std::bit_width(static_cast<uint64_t>(std::abs(value))));
}

// A number's models: whether it has more bits than so many, and the bit below the highest.
struct NumberModels {
    std::array<BitModel, sizes_modelled + 1> larger;
    std::array<BitModel, sizes_modelled + 1> second;
};

template <class Coder>
class ItemStream {
public:
    ItemStream(Coder& coder, std::span<const Transform> rest) : coder_(coder), rest_(rest) {}

    void code_parts(std::span<JointPart> parts) {
        for (size_t i = 0; i < parts.size(); ++i) {
            auto& models = part_[i % 3][i < 3 ? 0 : static_cast<size_t>(parts[i - 3])];
            const bool moved = coder_.bit(models[0], parts[i] != JointPart::at_rest);
            const bool moves = moved && coder_.bit(models[1], parts[i] == JointPart::moving);
            parts[i] = moves ? JointPart::moving : moved ? JointPart::constant : JointPart::at_rest;
        }
    }

    // From here on, segments have these slots.
    void begin(std::span<const ItemSlot> slots) {
        history_.clear();
        for (const ItemSlot& slot : slots) history_.push_back(history_at_rest(slot));
    }

    // False if no encoder could have written this.
    bool code_segment(std::span<const ItemSlot> slots, SegmentItems& items) {
        for (size_t i = 0; i < slots.size(); ++i)
            if (!code_item(slots[i], i > 0 ? &history_[i - 1] : nullptr, history_[i], items[i]) || coder_.failed())
                return false;
        return true;
    }

private:
    History history_at_rest(const ItemSlot& slot) const {
        History history;
        if (slot.kind == ItemKind::floats) return history;
        const Transform& rest = rest_[slot.id];
        history.known = true;
        if (slot.kind == ItemKind::rotation) {
            ItemTarget target;
            target.rotations = {rest.rotation.cast<double>().normalized()};
            to_chart(target);
            history.chart = target.chart, history.end = target.values[0];
            return history;
        }
        const Vec3& v = slot.kind == ItemKind::translation ? rest.translation : rest.scale;
        history.end = {v.x(), v.y(), v.z()};
        return history;
    }

    bool code_item(const ItemSlot& slot, const History* neighbour, History& history, std::optional<EncodedItem>& item) {
        auto& modes = mode_[static_cast<size_t>(slot.kind)][static_cast<size_t>(history.mode)];
        history.mode = tree(modes, 2, item ? static_cast<int>(item->spline) : raw_mode);
        if (history.mode == raw_mode) return item.reset(), history.known = false, true;
        EncodedItem made = item ? std::move(*item) : EncodedItem();
        made.kind = slot.kind, made.id = slot.id, made.spline = static_cast<SplineKind>(history.mode);
        if (made.spline != SplineKind::constant) {
            auto& same = same_intervals_[static_cast<size_t>(history.mode)];
            if (!coder_.bit(same, made.intervals == history.intervals))
                history.intervals = tree(intervals_[static_cast<size_t>(history.mode)], 8, made.intervals);
            made.intervals = history.intervals;
            if (made.intervals == 0) return false;
        }
        if (slot.kind == ItemKind::rotation) {
            const bool same = coder_.bit(same_chart_[history.known], made.chart == history.chart);
            const int chart = same ? history.chart : tree(chart_, 2, made.chart);
            if (chart != history.chart) history.known = false;
            made.chart = history.chart = chart;
        }
        if (!code_step(neighbour, history, made) || !code_points(history, made)) return false;
        history.known = true;
        item = std::move(made);
        return true;
    }

    bool code_step(const History* neighbour, const History& history, EncodedItem& item) {
        const int guess = history.step > 0 ? history.step : neighbour ? neighbour->step : 64;
        const int64_t missed = plain_number(step_[history.step > 0], item.step - guess);
        const int64_t step = guess + missed;
        if (step < 0 || step > 255) return false;
        item.step = static_cast<uint8_t>(step);
        return true;
    }

    bool code_points(History& history, EncodedItem& item) {
        const auto count = static_cast<size_t>(control_points(item.spline, item.intervals));
        const double size = static_cast<double>(step_of(item.step));
        codes_.assign(count, {}), missed_.assign(count, {});
        if (item.codes.size() == count)  // in a decoder there are none yet
            for (size_t k = 0; k < count; ++k)
                for (size_t c = 0; c < item_components; ++c) codes_[k][c] = item.lowest[c] + item.codes[k][c];
        order_points(static_cast<int>(count), order_);
        for (const PointPlace& at : order_) {
            int64_t others = 0;
            for (size_t c = 0; c < item_components; ++c) {
                int64_t guess = 0;
                if (at.stride > 0)
                    guess = guess_point(codes_, at, c);
                else if (at.index > 0)
                    guess = codes_[0][c];
                else if (history.known)
                    guess = static_cast<int64_t>(std::round(std::clamp(history.end[c] / size, -1e12, 1e12)));
                int64_t& code = codes_[static_cast<size_t>(at.index)][c];
                const int64_t missed = point_number(history, item.kind, at, c, others, code - guess);
                missed_[static_cast<size_t>(at.index)][c] = missed;
                others += 2 * std::abs(missed);
                code = guess + missed;
                if (std::abs(code) >= farthest) return false;
            }
        }
        history.step = item.step;
        const size_t end = item.spline == SplineKind::cubic ? count - 2 : count - 1;
        for (size_t c = 0; c < item_components; ++c) history.end[c] = size * static_cast<double>(codes_[end][c]);
        return set_codes(item, codes_);
    }

    // What a guess missed by: likely about as much as those of its neighbours did, and those of the other components.
    int64_t point_number(const History& history, ItemKind kind, const PointPlace& at, size_t c, int64_t others,
                         int64_t value) {
        const auto missed = [&](int i) {
            return i >= 0 && i < static_cast<int>(missed_.size()) ? std::abs(missed_[static_cast<size_t>(i)][c]) : 0;
        };
        const int s = at.stride;
        const int level =
            s > 0 ? std::min(static_cast<int>(std::bit_width(static_cast<unsigned>(s))), levels_apart - 1) : 0;
        size_t first = 0, around = 0;
        if (s == 0) {
            first = at.index > 0 ? 1 : history.known ? 2 : 3;
            around = first;
        } else {
            const int64_t beside = missed(at.index - s) + missed(at.index + s);
            const int64_t near = beside + (at.index > 2 * s ? 2 * missed(at.index - 2 * s) : beside);
            around = static_cast<size_t>(std::min(size_of(near), sizes_apart - 1));
        }
        const auto l = static_cast<size_t>(level), k = static_cast<size_t>(kind);
        const auto other = static_cast<size_t>(std::min(size_of(others), sizes_apart - 1));
        NumberModels& by_neighbours = near_[l][around];
        NumberModels& by_others = other_[c][std::min<size_t>(around, 9)][other];
        NumberModels& by_kind = kind_[k][c][l][first];
        return mixed_number({&by_neighbours, &by_others, &by_kind}, level, value);
    }

    // Size first, then the sign, then the bits below the highest, of which only one is worth a model.
    int64_t mixed_number(const std::array<NumberModels*, 3>& models, int level, int64_t value) {
        const int wanted = size_of(value);
        int size = 0;
        const auto guess = [&](auto member, int i) {
            Guesses g;
            for (size_t m = 0; m < models.size(); ++m)
                g[m] = &(models[m]->*member)[static_cast<size_t>(std::min(i, sizes_modelled))];
            return g;
        };
        auto& mixers = mixers_[static_cast<size_t>(level)];
        while (size < most_size &&
               coder_.bit(guess(&NumberModels::larger, size),
                          mixers[static_cast<size_t>(std::min(size, sizes_modelled))], wanted > size))
            ++size;
        if (size == 0) return 0;
        const bool negative = coder_.even(value < 0);
        uint64_t found = 1;
        const auto whole = static_cast<uint64_t>(std::abs(value));
        for (int b = size - 2; b >= 0; --b) {
            const bool wants = (whole >> b & 1) != 0;
            const bool is = b == size - 2
                                ? coder_.bit(guess(&NumberModels::second, size),
                                             second_mixers_[static_cast<size_t>(std::min(size, sizes_modelled))], wants)
                                : coder_.even(wants);
            found = found << 1 | (is ? 1 : 0);
        }
        return negative ? -static_cast<int64_t>(found) : static_cast<int64_t>(found);
    }

    int64_t plain_number(NumberModels& models, int64_t value) {
        const int wanted = size_of(value);
        int size = 0;
        while (size < 9 && coder_.bit(models.larger[static_cast<size_t>(size)], wanted > size)) ++size;
        if (size == 0) return 0;
        const bool negative = coder_.bit(models.second[0], value < 0);
        int64_t found = 1;
        for (int b = size - 2; b >= 0; --b) found = found << 1 | (coder_.even((std::abs(value) >> b & 1) != 0) ? 1 : 0);
        return negative ? -found : found;
    }

    // A number of a few bits, the highest first, each with a model of its own for those before it.
    int tree(std::span<BitModel> models, int bits, int value) {
        int at = 1;
        for (int b = bits - 1; b >= 0; --b)
            at = 2 * at + (coder_.bit(models[static_cast<size_t>(at)], (value >> b & 1) != 0) ? 1 : 0);
        return at - (1 << bits);
    }

    Coder& coder_;
    std::span<const Transform> rest_;
    std::vector<History> history_;
    std::vector<Code> codes_, missed_;
    std::vector<PointPlace> order_;
    std::array<std::array<std::array<BitModel, 2>, 3>, 3> part_;
    std::array<std::array<std::array<BitModel, 4>, 5>, 4> mode_;
    std::array<std::array<BitModel, 256>, 3> intervals_;
    std::array<BitModel, 3> same_intervals_;
    std::array<BitModel, 2> same_chart_;
    std::array<BitModel, 4> chart_;
    std::array<NumberModels, 2> step_;
    std::array<std::array<NumberModels, sizes_apart>, levels_apart> near_;
    std::array<std::array<std::array<NumberModels, sizes_apart>, 10>, item_components> other_;
    std::array<std::array<std::array<std::array<NumberModels, 4>, levels_apart>, item_components>, 4> kind_;
    std::array<std::array<BitMixer, sizes_modelled + 1>, levels_apart> mixers_;
    std::array<BitMixer, sizes_modelled + 1> second_mixers_;
};

// The mean number of bits of whole numbers of this mean size, if each is a constant factor rarer than the one before.
double bits_of_mean(double mean) {
    if (mean < 1e-4) return 12.0 * mean;
    const double fall = (std::sqrt(1.0 + mean * mean) - 1.0) / mean;
    return -std::log2((1.0 - fall) / (1.0 + fall)) - mean * std::log2(fall);
}

}  // namespace

void order_points(int count, std::vector<PointPlace>& order) {
    order.assign(1, {0, 0});
    if (count > 1) order.push_back({count - 1, 0});
    for (int stride = static_cast<int>(std::bit_floor(static_cast<unsigned>(std::max(count - 2, 0)))); stride > 0;
         stride /= 2)
        for (int i = stride; i < count - 1; i += 2 * stride) order.push_back({i, stride});
}

// Cubic, quadratic or straight, by what is known.
int64_t guess_point(std::span<const std::array<int64_t, 3>> codes, const PointPlace& at, size_t c) {
    const int last = static_cast<int>(codes.size()) - 1, s = at.stride;
    const auto code = [&](int i) { return codes[static_cast<size_t>(i)][c]; };
    const int64_t left = code(at.index - s);
    if (at.index + s > last) return left + (code(last) - left) * s / (last - at.index + s);
    const int64_t right = code(at.index + s);
    const bool more_left = at.index - 3 * s >= 0, more_right = at.index + 3 * s <= last;
    if (more_left && more_right) return (9 * (left + right) - code(at.index - 3 * s) - code(at.index + 3 * s) + 8) >> 4;
    if (more_left) return (3 * right + 6 * left - code(at.index - 3 * s) + 4) >> 3;
    if (more_right) return (3 * left + 6 * right - code(at.index + 3 * s) + 4) >> 3;
    return (left + right + 1) >> 1;
}

std::vector<ItemSlot> slots_of(std::span<const JointPart> parts, size_t moving_floats) {
    std::vector<ItemSlot> slots;
    for (size_t i = 0; i < parts.size(); ++i)
        if (parts[i] == JointPart::moving) slots.push_back({joint_kinds[i % 3], static_cast<uint32_t>(i / 3)});
    for (size_t f = 0; f < moving_floats; f += item_components)
        slots.push_back({ItemKind::floats, static_cast<uint32_t>(f / item_components)});
    return slots;
}

std::vector<ItemSlot> constant_slots(std::span<const JointPart> parts) {
    std::vector<ItemSlot> slots;
    for (size_t i = 0; i < parts.size(); ++i)
        if (parts[i] == JointPart::constant) slots.push_back({joint_kinds[i % 3], static_cast<uint32_t>(i / 3)});
    return slots;
}

Bytes write_items(WrittenItems items, std::span<const Transform> rest) {
    Bytes bytes;
    RangeEncoder coder(bytes);
    auto stream = std::make_unique<ItemStream<RangeEncoder>>(coder, rest);
    stream->code_parts(items.parts);
    const std::vector<ItemSlot> still = constant_slots(items.parts);
    stream->begin(still);
    stream->code_segment(still, items.constants);
    const std::vector<ItemSlot> slots = slots_of(items.parts, items.moving_floats);
    stream->begin(slots);
    for (SegmentItems& segment : items.segments) stream->code_segment(slots, segment);
    coder.finish();
    return bytes;
}

struct ItemReader::State {
    State(ByteSpan bytes, std::span<const Transform> rest) : coder(bytes), stream(coder, rest) {}
    RangeDecoder coder;
    ItemStream<RangeDecoder> stream;
};

ItemReader::ItemReader(ByteSpan bytes, std::span<const Transform> rest)
    : state_(std::make_unique<State>(bytes, rest)) {}
ItemReader::~ItemReader() = default;

bool ItemReader::read_parts(std::span<JointPart> parts) {
    state_->stream.code_parts(parts);
    return !state_->coder.failed();
}

void ItemReader::begin(std::span<const ItemSlot> slots) {
    state_->stream.begin(slots);
}

bool ItemReader::read_segment(std::span<const ItemSlot> slots, SegmentItems& items) {
    items.assign(slots.size(), std::nullopt);
    return state_->stream.code_segment(slots, items);
}

double code_bits(const EncodedItem& item) {
    thread_local std::vector<PointPlace> order;
    thread_local std::vector<Code> codes;
    order_points(static_cast<int>(item.codes.size()), order);
    codes.resize(item.codes.size());
    for (size_t k = 0; k < codes.size(); ++k)
        for (size_t c = 0; c < item_components; ++c) codes[k][c] = item.codes[k][c];
    std::array<std::array<double, item_components>, levels_apart> sums{};
    std::array<double, levels_apart> counts{};
    double bits = 0.0;
    for (const PointPlace& at : order)
        if (at.stride == 0) {
            for (size_t c = 0; c < item_components; ++c)
                bits += at.index == 0 ? 4.0 : 2.0 + 1.5 * size_of(codes.back()[c] - codes[0][c]);
        } else {
            const auto level = static_cast<size_t>(std::min(size_of(at.stride), levels_apart - 1));
            counts[level] += 1.0;
            for (size_t c = 0; c < item_components; ++c)
                sums[level][c] +=
                    static_cast<double>(std::abs(codes[static_cast<size_t>(at.index)][c] - guess_point(codes, at, c)));
        }
    for (size_t level = 0; level < levels_apart; ++level)
        for (size_t c = 0; c < item_components && counts[level] > 0.0; ++c)
            bits += counts[level] * bits_of_mean(sums[level][c] / counts[level]);
    return bits;
}

}  // namespace sinew
