// One item of one segment as a quantised spline: the cheapest that stays within a tolerance.
// Data flow: encode_segment.cpp → *here* → pack_segment.cpp.
#pragma once

#include <sinew/clip/compiled/spline_fit.h>
#include <sinew/math/types.h>

namespace sinew {

struct EncodedItem {
    ItemKind kind = ItemKind::rotation;
    SplineKind spline = SplineKind::constant;
    int intervals = 0;
    int chart = 3;
    uint32_t id = 0;
    uint8_t step = 0;
    std::array<uint8_t, 3> widths{};  // indices into lane_widths
    std::array<float, 3> base{};
    std::vector<std::array<uint32_t, 3>> codes;  // one per control point
    int rank = 0;                                // of its spline in the list that was searched

    // What the item takes, with its share of a group's head.
    double bytes() const;
};

// What an item should be at each sample of the segment.
struct ItemTarget {
    ItemKind kind = ItemKind::rotation;
    std::vector<Quatd> rotations;  // for rotations
    Vec3Array values;              // for the rest; for rotations, filled by to_chart()
    int chart = 3;
};

// Rotations into the chart of their middle. False if one lies too near the chart's far side; split the segment.
bool to_chart(ItemTarget& target);

// Finds the cheapest of `fits` (ordered by control points) whose decoded values are within `tolerance`: an angle for
// rotations, a distance for translations and scales, the largest difference for floats. False if there is none.
// `item.rank` says where to begin the search. `decoded` holds the item at each sample: numbers, or quaternions x y z w.
struct ItemEncoder {
    std::span<const SplineFit> fits;
    bool encode(const ItemTarget& target, double tolerance, EncodedItem& item);

    std::vector<std::array<float, 4>> decoded;

private:
    bool quantise(const SplineFit& fit, const ItemTarget& target, uint8_t step, EncodedItem& item) const;
    double error(const SplineFit& fit, const ItemTarget& target, const EncodedItem& item, double stop_at);
    bool fits_within(const SplineFit& fit, const ItemTarget& target, double tolerance) const;
    bool find_step(const SplineFit& fit, const ItemTarget& target, double tolerance, EncodedItem& item);
    Vec3Array control_;
};

}  // namespace sinew
