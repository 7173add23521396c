// Curve: one number over time, as FBX animates it.
// Data flow: curve_read.cpp → *here* → animation.h.
#pragma once

#include <sinew/io/fbx/document/document.h>
#include <cstdint>
#include <vector>

namespace sinew::fbx {

enum class KeyMode : uint8_t { constant, constant_next, linear, cubic };  // until the next key

constexpr double default_weight = 1.0 / 3.0;  // of a tangent, as a share of the time to the neighbour

// Slopes are per second.
struct Key {
    double time = 0, value = 0;
    KeyMode mode = KeyMode::cubic;
    double left_slope = 0, left_weight = default_weight;
    double right_slope = 0, right_weight = default_weight;
};

struct Extrapolation {
    enum class Mode : uint8_t { constant, slope, repeat, repeat_onward, mirror };
    Mode mode = Mode::constant;
    int64_t times = -1;  // how often it repeats; −1: for ever
};

struct Curve {
    std::vector<Key> keys;  // times strictly increasing, all finite
    Extrapolation before, after;

    double at(double time) const;
    // Appends the times in [begin, end] where the curve may have a corner or a jump, `most` at most.
    void add_corners(double begin, double end, size_t most, std::vector<double>& times) const;

private:
    double inside(double time) const;
    double outside(double time) const;
};

// From an AnimationCurve of version 7000 and later, and from a channel of a take before.
Curve read_curve(const Node& node, double ticks_per_second);
Curve read_old_curve(const Node& channel, double ticks_per_second);

// How the slope at a key follows from its neighbours where the file leaves that to the reader.
struct AutoSlope {
    bool clamp = false;              // level where a neighbour has the same value
    bool clamp_progressive = false;  // never beyond a neighbour's value
    bool time_independent = false;   // simply from neighbour to neighbour
    double bias = 0;                 // percent towards the next key, or, below 0, the one before
};
double auto_slope(const std::vector<Key>& keys, size_t key, const AutoSlope& how);

}  // namespace sinew::fbx
