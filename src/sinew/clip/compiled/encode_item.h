// One item of one segment as a quantised spline: the cheapest that stays within a tolerance.
// Data flow: encode_segment.cpp → *here* → code_items.cpp for files, pack_groups.cpp for sampling.
#pragma once

#include <sinew/clip/compiled/spline_fit.h>
#include <sinew/math/transform.h>
#include <sinew/math/types.h>

namespace sinew {

struct EncodedItem {
    ItemKind kind = ItemKind::rotation;
    SplineKind spline = SplineKind::constant;
    int intervals = 0;
    int chart = 3;
    uint32_t id = 0;
    uint8_t step = 0;
    std::array<uint8_t, 3> widths{};             // indices into lane_widths
    std::array<int64_t, 3> lowest{};             // of each component, in steps
    std::array<float, 3> base{};                 // the same as a value: code 0
    std::vector<std::array<uint32_t, 3>> codes;  // one per control point
    int rank = 0;                                // of its spline in the list that was searched

    // What the item takes, with its share of a group's head.
    double bytes() const;
};

// A control point, and how far away the known ones to its sides are, when points are written coarse to fine: the first,
// the last, then those in the middle of known ones. The first two know none, and have no stride.
struct PointPlace {
    int index = 0, stride = 0;
};
void order_points(int count, std::vector<PointPlace>& order);
// What a smooth curve through the known points around it has there.
int64_t guess_point(std::span<const std::array<int64_t, 3>> codes, const PointPlace& at, size_t component);

// The codes of all control points, in steps from zero, as an item has them; its step is set. False if they lie too far
// apart for its widths.
bool set_codes(EncodedItem& item, std::span<const std::array<int64_t, 3>> codes);

// What an item should be at each sample of the segment.
struct ItemTarget {
    ItemKind kind = ItemKind::rotation;
    std::vector<Quatd> rotations;  // for rotations
    Vec3Array values;              // for the rest; for rotations, filled by to_chart()
    int chart = 3;
};

// Rotations into the chart of their middle. False if one lies too near the chart's far side; split the segment.
bool to_chart(ItemTarget& target);

// What stands still, with the coarsest step that keeps the tolerance; `target` has one value. False if none does.
bool encode_constant(const ItemTarget& target, double tolerance, EncodedItem& item);
// The part of a joint that an item without knots is; the rest is the identity's.
Transform constant_part(const EncodedItem& item);

// Finds the cheapest of `fits` (ordered by control points) whose decoded values are within `tolerance`: an angle for
// rotations, a distance for translations and scales, the largest difference for floats. False if there is none.
// `item.rank` says where to begin the search. `decoded` holds the item at each sample: numbers, or quaternions x y z w.
struct ItemEncoder {
    std::span<const SplineFit> fits;
    bool encode(const ItemTarget& target, double tolerance, EncodedItem& item);

    std::vector<std::array<float, 4>> decoded;

private:
    bool quantise(const SplineFit& fit, const ItemTarget& target, uint8_t step, EncodedItem& item);
    double error(const SplineFit& fit, const ItemTarget& target, const EncodedItem& item, double stop_at);
    bool fits_within(const SplineFit& fit, const ItemTarget& target, double tolerance) const;
    bool find_step(const SplineFit& fit, const ItemTarget& target, double tolerance, EncodedItem& item);
    Vec3Array control_;
    std::vector<std::array<int64_t, 3>> steps_;
};

}  // namespace sinew
