// The coded form of compiled clips: what goes in comes out, in few bytes, and damaged bytes end in a refusal.
#include <doctest/doctest.h>

#include <sinew/clip/compiled/code_items.h>
#include <sinew/clip/compiled/range_coder.h>
#include <sinew/core/random.h>
#include <cmath>

using namespace sinew;

namespace {

double entropy(double p) {
    return -p * std::log2(p) - (1.0 - p) * std::log2(1.0 - p);
}

// Control points of a wave with some noise, in steps.
EncodedItem wavy_item(Random& random, const ItemSlot& slot, SplineKind spline, int intervals, double noise) {
    EncodedItem item;
    item.kind = slot.kind, item.id = slot.id, item.spline = spline, item.intervals = intervals;
    item.chart = slot.kind == ItemKind::rotation ? static_cast<int>(random.below(4)) : 3;
    item.step = static_cast<uint8_t>(60 + random.below(60));
    std::vector<std::array<int64_t, 3>> codes(static_cast<size_t>(control_points(spline, intervals)));
    const double phase = random.uniform(0, 6), size = random.uniform(0, 2000);
    for (size_t k = 0; k < codes.size(); ++k)
        for (size_t c = 0; c < 3; ++c)
            codes[k][c] = std::llround(size * std::sin(phase + 0.1 * static_cast<double>(k * (c + 1))) +
                                       noise * random.uniform(-1, 1));
    REQUIRE(set_codes(item, codes));
    return item;
}

// Some joints, most of whose rotations move and some of whose translations do; segments of all kinds of splines.
WrittenItems wavy_clip(Random& random, size_t joints, size_t segments, size_t floats) {
    WrittenItems items;
    items.moving_floats = floats;
    for (size_t j = 0; j < joints; ++j)
        for (const double moves : {0.8, 0.2, 0.05}) {
            const double chance = random.uniform(0, 1);
            items.parts.push_back(chance < moves                       ? JointPart::moving
                                  : chance < moves + 0.5 * (1 - moves) ? JointPart::constant
                                                                       : JointPart::at_rest);
        }
    for (const ItemSlot& slot : constant_slots(items.parts))
        items.constants.push_back(wavy_item(random, slot, SplineKind::constant, 0, 1e5));
    const std::vector<ItemSlot> slots = slots_of(items.parts, floats);
    for (size_t s = 0; s < segments; ++s) {
        SegmentItems segment;
        for (const ItemSlot& slot : slots) {
            const auto spline = static_cast<SplineKind>(random.below(3));
            const int intervals = spline == SplineKind::constant ? 0 : 1 + static_cast<int>(random.below(255));
            segment.push_back(random.below(10) == 0
                                  ? std::optional<EncodedItem>()
                                  : wavy_item(random, slot, spline, intervals, random.uniform(0, 30)));
        }
        items.segments.push_back(segment);
    }
    return items;
}

void check_same(const SegmentItems& wanted, const SegmentItems& got) {
    REQUIRE(wanted.size() == got.size());
    for (size_t i = 0; i < wanted.size(); ++i) {
        REQUIRE(wanted[i].has_value() == got[i].has_value());
        if (!wanted[i]) continue;
        const EncodedItem &a = *wanted[i], &b = *got[i];
        CHECK((a.kind == b.kind && a.id == b.id && a.spline == b.spline && a.intervals == b.intervals));
        CHECK((a.chart == b.chart && a.step == b.step && a.lowest == b.lowest && a.base == b.base));
        CHECK((a.widths == b.widths && a.codes == b.codes));
    }
}

}  // namespace

TEST_CASE("range coder: bits come back, in little more than their entropy") {
    Random random(1);
    for (const double p : {0.5, 0.1, 0.01, 0.001}) {
        std::vector<bool> bits(20'000);
        for (size_t i = 0; i < bits.size(); ++i) bits[i] = random.uniform(0, 1) < p;
        Bytes bytes;
        RangeEncoder encoder(bytes);
        BitModel model;
        for (const bool bit : bits) encoder.bit(model, bit);
        encoder.finish();
        CHECK(8.0 * static_cast<double>(bytes.size()) < 20'000 * entropy(p) * 1.06 + 100);
        RangeDecoder decoder(bytes);
        BitModel again;
        size_t wrong = 0;
        for (const bool bit : bits) wrong += decoder.bit(again) != bit;
        CHECK(wrong == 0);
        CHECK_FALSE(decoder.failed());
    }
}

TEST_CASE("range coder: a mixer finds out which of three guesses is worth something") {
    Random random(2);
    std::vector<bool> bits;
    std::vector<size_t> hints;
    for (int i = 0; i < 20'000; ++i) {
        hints.push_back(random.below(2));
        bits.push_back((hints.back() == 1) != (random.uniform(0, 1) < 0.05));
    }
    const auto run = [&](auto& coder) {
        std::array<BitModel, 2> by_hint;
        BitModel blind, other;
        BitMixer mixer;
        size_t wrong = 0;
        for (size_t i = 0; i < bits.size(); ++i)
            wrong += coder.bit(Guesses{&by_hint[hints[i]], &blind, &other}, mixer, bits[i]) != bits[i];
        return wrong;
    };
    Bytes bytes;
    RangeEncoder encoder(bytes);
    run(encoder);
    encoder.finish();
    CHECK(8.0 * static_cast<double>(bytes.size()) < 20'000 * entropy(0.05) * 1.06 + 100);
    RangeDecoder decoder(bytes);
    CHECK(run(decoder) == 0);
}

TEST_CASE("code_items: parts, constants and items of all kinds come back as they were") {
    Random random(3);
    for (int trial = 0; trial < 20; ++trial) {
        const size_t joints = 1 + random.below(12);
        std::vector<Transform> rest(joints);
        for (Transform& t : rest) t.translation = Vec3(static_cast<float>(random.uniform(-1, 1)), 0.5f, 0.0f);
        const WrittenItems wanted = wavy_clip(random, joints, 1 + random.below(4), random.below(8));
        const Bytes bytes = write_items(wanted, rest);
        ItemReader reader(bytes, rest);
        std::vector<JointPart> parts(wanted.parts.size());
        SegmentItems items;
        REQUIRE(reader.read_parts(parts));
        CHECK(parts == wanted.parts);
        reader.begin(constant_slots(parts));
        REQUIRE(reader.read_segment(constant_slots(parts), items));
        check_same(wanted.constants, items);
        const std::vector<ItemSlot> slots = slots_of(parts, wanted.moving_floats);
        reader.begin(slots);
        for (const SegmentItems& segment : wanted.segments) {
            REQUIRE(reader.read_segment(slots, items));
            check_same(segment, items);
        }
    }
}

TEST_CASE("code_items: cut or changed bytes are refused, or are sound items") {
    Random random(4);
    const std::vector<Transform> rest(3);
    const WrittenItems wanted = wavy_clip(random, 3, 2, 2);
    const Bytes whole = write_items(wanted, rest);
    const auto read = [&](ByteSpan bytes) {
        ItemReader reader(bytes, rest);
        std::vector<JointPart> parts(9);
        SegmentItems items;
        if (!reader.read_parts(parts)) return false;
        reader.begin(constant_slots(parts));
        if (!reader.read_segment(constant_slots(parts), items)) return false;
        reader.begin(slots_of(parts, wanted.moving_floats));
        for (size_t s = 0; s < wanted.segments.size(); ++s) {
            if (!reader.read_segment(slots_of(parts, wanted.moving_floats), items)) return false;
            for (const auto& item : items) {
                if (!item) continue;
                CHECK(item->codes.size() == static_cast<size_t>(control_points(item->spline, item->intervals)));
                CHECK((item->intervals >= 0 && item->intervals < 256 && item->chart >= 0 && item->chart < 4));
                for (const auto& code : item->codes)
                    for (size_t c = 0; c < 3; ++c) CHECK(code[c] < 1u << lane_widths[item->widths[c]]);
                for (const float base : item->base) CHECK(std::isfinite(base));
            }
        }
        return true;
    };
    CHECK(read(whole));
    for (size_t size = 0; size + 8 < whole.size(); size += 7) CHECK_FALSE(read(ByteSpan(whole).first(size)));
    for (int trial = 0; trial < 300; ++trial) {
        Bytes changed = whole;
        changed[random.below(changed.size())] ^= static_cast<std::byte>(1 + random.below(255));
        read(changed);
    }
}

TEST_CASE("code_items: smooth curves cost little, and the same once more hardly anything") {
    Random random(5);
    WrittenItems items;
    const std::vector<Transform> rest(20);
    for (size_t j = 0; j < rest.size(); ++j)
        items.parts.insert(items.parts.end(), {JointPart::moving, JointPart::at_rest, JointPart::at_rest});
    SegmentItems segment;
    double widths = 0.0, guessed = 0.0;
    for (const ItemSlot& slot : slots_of(items.parts, 0)) {
        segment.push_back(wavy_item(random, slot, SplineKind::cubic, 90, 1.0));
        for (const uint8_t w : segment.back()->widths) widths += 93.0 * lane_widths[w] / 8.0;
        guessed += code_bits(*segment.back()) / 8.0;
    }
    items.segments = {segment};
    const auto once = static_cast<double>(write_items(items, rest).size());
    CHECK(once < 0.5 * widths);
    CHECK(std::abs(guessed - once) < 0.15 * once);  // what encoders compare is near what is written
    WrittenItems still = items;
    for (auto& item : still.segments[0]) item = wavy_item(random, {item->kind, item->id}, SplineKind::constant, 0, 1e4);
    const auto one_pose = static_cast<double>(write_items(still, rest).size());
    still.segments.assign(11, still.segments[0]);
    CHECK(static_cast<double>(write_items(still, rest).size()) < 1.3 * one_pose);
}
