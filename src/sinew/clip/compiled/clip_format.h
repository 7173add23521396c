// How compiled clips lie in memory: groups of up to eight items that share a spline's knots.
// Data flow: pack_groups.cpp makes it of what code_items.cpp read, sample_scalar.cpp and the kernels sample it.
//
// An item is what moves in three numbers: a rotation, a translation, a scale, or three floats. A group holds:
//   tag (kind, spline, count), intervals, bytes per record;
//   widths: for each of the three components, four bits an item: an index into lane_widths;
//   charts: two bits an item, rotations only;
//   ids: one or two bytes an item; steps: one byte an item; bases: three rows of floats;
//   records, one per control point: the codes of all first components, then of all second, then of all third.
// A component is base + step · Σ weight · code, the weights those of the spline at the time.
#pragma once

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace sinew {

enum class ItemKind : uint8_t { rotation, translation, scale, floats };
// What a joint has, in the order in which it is kept.
inline constexpr std::array joint_kinds = {ItemKind::rotation, ItemKind::translation, ItemKind::scale};
enum class SplineKind : uint8_t { constant, linear, cubic };

constexpr int group_items = 8;
constexpr int item_components = 3;
// Bits of a code. Small ones for small motions; 21 bits divide ten metres into steps of five micrometres.
constexpr std::array<uint8_t, 16> lane_widths = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 14, 17, 21};
// Eight codes of one component are read through a window of sixteen bytes that begins at any bit of its first byte.
constexpr int most_row_bits = 121;
constexpr size_t read_ahead = 64;  // bytes that kernels may read past what they use

// Steps are quarter octaves below 2^16.
constexpr std::array<float, 4> quarter_octaves = {1.0f, 1.1892071f, 1.4142135f, 1.6817929f};
inline float step_of(uint8_t code) {
    const int quarters = 64 - static_cast<int>(code);
    return std::ldexp(quarter_octaves[static_cast<size_t>(quarters & 3)], quarters >> 2);
}

template <class T>
inline T load_value(const std::byte* at) {
    T value;
    std::memcpy(&value, at, sizeof(T));
    return value;
}

// `count` control points of a spline with so many intervals.
constexpr int control_points(SplineKind spline, int intervals) {
    return spline == SplineKind::constant ? 1 : spline == SplineKind::linear ? intervals + 1 : intervals + 3;
}

struct GroupView {
    ItemKind kind;
    SplineKind spline;
    int count;
    int intervals;
    int stride;  // bytes per record
    const std::byte* widths;
    const std::byte* charts;
    const std::byte* ids;
    const std::byte* steps;
    const std::byte* bases;
    const std::byte* records;
    const std::byte* end;

    int width_bytes() const { return (count + 1) / 2; }
    uint32_t width_codes(int component) const {
        const uint32_t mask = count == group_items ? ~0u : (1u << (4 * count)) - 1;
        return load_value<uint32_t>(widths + component * width_bytes()) & mask;
    }
    uint32_t id(int item, int id_bytes) const {
        return id_bytes == 1 ? load_value<uint8_t>(ids + item) : load_value<uint16_t>(ids + 2 * item);
    }
    int chart(int item) const { return (load_value<uint16_t>(charts) >> (2 * item)) & 3; }
    float base(int component, int item) const { return load_value<float>(bases + 4 * (component * count + item)); }
};

constexpr size_t group_head = 3;  // tag, intervals, stride

// Where a group's parts are. Reads its first three bytes only.
inline GroupView group_at(const std::byte* at, int id_bytes) {
    const auto tag = load_value<uint8_t>(at);
    GroupView g{};
    g.kind = static_cast<ItemKind>(tag & 3);
    g.spline = static_cast<SplineKind>((tag >> 2) & 3);
    g.count = ((tag >> 4) & 7) + 1;
    g.intervals = load_value<uint8_t>(at + 1);
    g.stride = load_value<uint8_t>(at + 2);
    const bool rotation = g.kind == ItemKind::rotation;
    g.widths = at + group_head;
    g.charts = g.widths + item_components * g.width_bytes();
    g.ids = g.charts + (rotation ? 2 : 0);
    g.steps = g.ids + id_bytes * g.count;
    g.bases = g.steps + g.count;
    g.records = g.bases + item_components * g.count * static_cast<int>(sizeof(float));
    g.end = g.records + g.stride * control_points(g.spline, g.intervals);
    return g;
}

// Which control points a spline takes at `place`, 0 to 1 within its segment, and how much of each.
struct SplineWeights {
    int first = 0;
    int count = 1;
    float w[4] = {1, 0, 0, 0};
};
inline SplineWeights spline_weights(SplineKind spline, int intervals, float place) {
    SplineWeights s;
    if (spline == SplineKind::constant) return s;
    const float x = place * static_cast<float>(intervals);
    int i = static_cast<int>(x);
    if (i > intervals - 1) i = intervals - 1;
    const float f = x - static_cast<float>(i), g = 1.0f - f;
    s.first = i;
    if (spline == SplineKind::linear) {
        s.count = 2, s.w[0] = g, s.w[1] = f;
        return s;
    }
    constexpr float sixth = 1.0f / 6.0f;
    s.count = 4;
    s.w[0] = g * g * g * sixth;
    s.w[1] = (f * f * (3.0f * f - 6.0f) + 4.0f) * sixth;
    s.w[2] = (g * g * (3.0f * g - 6.0f) + 4.0f) * sixth;
    s.w[3] = f * f * f * sixth;
    return s;
}

// Rotations are three numbers by stereographic projection of unit quaternions, away from one of the four components,
// the chart: with w, these are the modified Rodrigues parameters. All but the opposite point has a place, and the
// middle of a segment is always near the centre of one of the four. `p` are the components after the chart's, in turn.
inline void from_chart(int chart, const float p[3], float xyzw[4]) {
    const float n = p[0] * p[0] + p[1] * p[1] + p[2] * p[2], r = 2.0f / (1.0f + n);
    xyzw[chart] = r - 1.0f;  // (1 − n) / (1 + n)
    for (int i = 0; i < 3; ++i) xyzw[(chart + 1 + i) & 3] = r * p[i];
}

// The three numbers of one item, one component after another.
inline void decode_item(const GroupView& g, int item, const SplineWeights& s, float out[3]) {
    const float step = step_of(load_value<uint8_t>(g.steps + item));
    int bit = 0;
    for (int c = 0; c < item_components; ++c) {
        const uint32_t codes = g.width_codes(c);
        int at = bit, width = 0;
        for (int k = 0; k < g.count; ++k) {
            const int w = lane_widths[(codes >> (4 * k)) & 15];
            if (k < item) at += w;
            if (k == item) width = w;
            bit += w;
        }
        float sum = 0.0f;
        for (int k = 0; k < s.count; ++k) {
            const std::byte* record = g.records + g.stride * (s.first + k);
            const uint32_t word = load_value<uint32_t>(record + (at >> 3)) >> (at & 7);
            sum += s.w[k] * static_cast<float>(word & ((1u << width) - 1));
        }
        out[c] = g.base(c, item) + step * sum;
    }
}

}  // namespace sinew
