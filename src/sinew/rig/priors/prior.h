// Priors: what is known of bodies before one is looked at, as rows of a table: a name, a number or a range, what it
// means and where it comes from. Data flow: people.h, animals.h, stances.h, cues.h hold the rows → the fitters read
// them by name; table.h lists them; bench/rig_priors_bench.cpp measures them again on rigged files.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string_view>

namespace sinew {

// Where a number comes from.
enum class PriorOrigin : uint8_t {
    anthropometry,  // from tables of people's measures
    measured,       // on rigged files: the artists' own joints
    chosen          // by us: the source says why
};
std::string_view to_string(PriorOrigin origin);

// What artists' rigs showed when the row was last measured; empty (low > high) where a rigged file cannot show it.
struct SeenRange {
    double low = 1.0, high = 0.0;

    constexpr bool known() const { return low <= high; }
};

// One number about bodies. Converts to it, so that formulas read `people::hip_rise * torso`.
struct Proportion {
    std::string_view name;
    double value;
    std::string_view unit;  // what it is a share of, or what it counts
    std::string_view meaning;
    PriorOrigin origin;
    std::string_view source;
    SeenRange seen = {};

    constexpr operator double() const { return value; }
};

// One reason to trust or to doubt a fit: a measure of it, and the range that the measure has in good fits.
struct Cue {
    std::string_view name;
    double low, high;  // in between, all is well
    double slack;      // how far outside the doubt is complete, in the same unit
    double floor;      // what is left of the confidence then
    std::string_view unit;
    std::string_view meaning;
    std::string_view too_low, too_high;  // what a user is told; empty where it cannot happen
    PriorOrigin origin;
    std::string_view source;
    SeenRange seen = {};
};

// 1 within [low, high], falling to `floor` over `slack` on either side.
constexpr double plausible(const Cue& cue, double value) {
    const double off = std::max({cue.low - value, value - cue.high, 0.0}) / cue.slack;
    return std::max(cue.floor, 1.0 - (1.0 - cue.floor) * off);
}

}  // namespace sinew
