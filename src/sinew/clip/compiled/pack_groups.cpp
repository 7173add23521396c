#include <sinew/clip/compiled/encode_segment.h>

#include <sinew/clip/compiled/clip_bytes.h>
#include <algorithm>
#include <tuple>

namespace sinew {
namespace {

auto group_key(const EncodedItem& item) {
    return std::make_tuple(item.kind, item.spline, item.intervals);
}

// Appends numbers of a few bits each, lowest bit first.
class BitWriter {
public:
    explicit BitWriter(Bytes& to) : to_(to) {}
    void put(uint32_t value, int width) {
        word_ |= static_cast<uint64_t>(value) << filled_;
        for (filled_ += width; filled_ >= 8; filled_ -= 8, word_ >>= 8)
            to_.push_back(static_cast<std::byte>(word_ & 255));
    }
    void finish() {
        if (filled_ > 0) put(0, 8 - filled_);
    }

private:
    Bytes& to_;
    uint64_t word_ = 0;
    int filled_ = 0;
};

void write_group(std::span<const EncodedItem> items, int id_bytes, Bytes& to) {
    const EncodedItem& first = items[0];
    const bool rotation = first.kind == ItemKind::rotation;
    int bits = 0;
    for (const EncodedItem& item : items)
        for (uint8_t w : item.widths) bits += lane_widths[w];
    append(to, static_cast<uint8_t>(static_cast<unsigned>(first.kind) | static_cast<unsigned>(first.spline) << 2 |
                                    static_cast<unsigned>(items.size() - 1) << 4));
    append(to, static_cast<uint8_t>(first.intervals));
    append(to, static_cast<uint8_t>((bits + 7) / 8));
    for (size_t c = 0; c < item_components; ++c) {
        BitWriter widths(to);
        for (const EncodedItem& item : items) widths.put(item.widths[c], 4);
        widths.finish();
    }
    if (rotation) {
        BitWriter charts(to);
        for (int k = 0; k < group_items; ++k)
            charts.put(
                static_cast<size_t>(k) < items.size() ? static_cast<uint32_t>(items[static_cast<size_t>(k)].chart) : 3,
                2);
    }
    for (const EncodedItem& item : items) {
        if (id_bytes == 1)
            append(to, static_cast<uint8_t>(item.id));
        else
            append(to, static_cast<uint16_t>(item.id));
    }
    for (const EncodedItem& item : items) append(to, item.step);
    for (size_t c = 0; c < item_components; ++c)
        for (const EncodedItem& item : items) append(to, item.base[c]);
    for (size_t k = 0; k < first.codes.size(); ++k) {
        BitWriter record(to);
        for (size_t c = 0; c < item_components; ++c)
            for (const EncodedItem& item : items) record.put(item.codes[k][c], lane_widths[item.widths[c]]);
        record.finish();
    }
}

}  // namespace

uint32_t pack_groups(std::vector<EncodedItem> items, int id_bytes, Bytes& to) {
    std::ranges::stable_sort(items, {}, group_key);
    uint32_t groups = 0;
    for (size_t first = 0, last = 0; first < items.size(); first = last, ++groups) {
        std::array<int, 3> rows{};
        for (last = first; last < items.size() && last - first < group_items; ++last) {
            if (group_key(items[last]) != group_key(items[first])) break;
            bool fits = true;
            for (size_t c = 0; c < 3; ++c) fits &= rows[c] + lane_widths[items[last].widths[c]] <= most_row_bits;
            if (!fits) break;
            for (size_t c = 0; c < 3; ++c) rows[c] += lane_widths[items[last].widths[c]];
        }
        write_group(std::span(items).subspan(first, last - first), id_bytes, to);
    }
    return groups;
}

}  // namespace sinew
