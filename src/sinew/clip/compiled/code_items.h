// The file form of what moves: the items of all segments as one stream of coded bits.
// Data flow: encode_segment.cpp → *here* ⇄ bytes; pack_groups.cpp makes the run-time form of what was read.
//
// Control points are whole multiples of their item's step. Each is guessed from those around it that are known already,
// coarse to fine (the first, the last, the one between, those between these, …), and only what the guess misses is
// written. Knots, steps and first points are guessed from the segment before. So a file holds what is new, and its size
// hardly grows with the number of segments.
#pragma once

#include <sinew/clip/compiled/encode_item.h>
#include <sinew/core/bytes.h>
#include <sinew/math/transform.h>
#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace sinew {

// What may move, in the order in which it is written. Floats go three by three: their id counts threes.
struct ItemSlot {
    ItemKind kind = ItemKind::rotation;
    uint32_t id = 0;
};

// How each joint's rotation, translation and scale are kept, three a joint.
enum class JointPart : uint8_t { at_rest, constant, moving };

// The slots of the parts that move, by joint, and of so many floats that do.
std::vector<ItemSlot> slots_of(std::span<const JointPart> parts, size_t moving_floats);

// Those of the parts that are constant.
std::vector<ItemSlot> constant_slots(std::span<const JointPart> parts);

// One item per slot and segment; an empty one is kept as raw keys instead.
using SegmentItems = std::vector<std::optional<EncodedItem>>;

struct WrittenItems {
    std::vector<JointPart> parts;
    size_t moving_floats = 0;
    SegmentItems constants;  // by constant_slots(), one point each
    std::vector<SegmentItems> segments;
};

// Where joints rest is the first guess at where they are.
Bytes write_items(WrittenItems items, std::span<const Transform> rest);

// Reads them back: the parts first, the constants, then one segment after another. What is read is sound: pack_groups()
// takes it.
class ItemReader {
public:
    ItemReader(ByteSpan bytes, std::span<const Transform> rest);
    ~ItemReader();
    // False if the bytes are not what write_items() wrote.
    bool read_parts(std::span<JointPart> parts);
    void begin(std::span<const ItemSlot> slots);  // of the constants, then of what moves
    bool read_segment(std::span<const ItemSlot> slots, SegmentItems& items);

private:
    struct State;
    std::unique_ptr<State> state_;
};

// About how many bits an item's codes take in a file: what encoders compare.
double code_bits(const EncodedItem& item);

}  // namespace sinew
