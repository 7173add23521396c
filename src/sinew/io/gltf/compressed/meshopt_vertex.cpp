// The stream is a header byte, then blocks of at most 256 elements (and 8 KiB), then a tail that holds the values
// before the first element (and, in version 1, one mode per 4-byte channel). A block stores its bytes transposed: for
// each byte of the element, the differences of all elements, in groups of 16 that each choose how many bits one takes.
#include <sinew/io/gltf/compressed/meshopt_vertex.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>

namespace sinew::gltf {
namespace {

constexpr size_t group_size = 16;
constexpr size_t max_block_elements = 256;
constexpr size_t max_stride = 256;

// A cursor that refuses to leave the data.
struct Input {
    const uint8_t* next;
    const uint8_t* end;

    const uint8_t* take(size_t count) {
        if (static_cast<size_t>(end - next) < count) return nullptr;
        const uint8_t* start = next;
        next += count;
        return start;
    }
};

// 16 values of `bits` bits; one with all bits set is an escape: its byte follows after the group's bits. One-bit values
// run from a byte's lowest bit upwards, wider ones from its highest bits downwards.
bool decode_group(Input& in, int bits, uint8_t* out) {
    if (bits == 0) {
        std::fill_n(out, group_size, uint8_t{0});
        return true;
    }
    const uint8_t* packed = in.take(group_size * static_cast<size_t>(bits) / 8);
    if (!packed) return false;
    if (bits == 8) {
        std::copy_n(packed, group_size, out);
        return true;
    }
    const size_t per_byte = 8 / static_cast<size_t>(bits);
    const auto escape = static_cast<uint8_t>((1 << bits) - 1);
    for (size_t i = 0; i < group_size; ++i) {
        const size_t slot = i % per_byte;
        const size_t shift = static_cast<size_t>(bits) * (bits == 1 ? slot : per_byte - 1 - slot);
        out[i] = static_cast<uint8_t>(packed[i / per_byte] >> shift) & escape;
        if (out[i] != escape) continue;
        const uint8_t* value = in.take(1);
        if (!value) return false;
        out[i] = *value;
    }
    return true;
}

// The differences of one byte of all elements of a block. `widths` is the four bit counts that a group chooses from.
bool decode_byte_column(Input& in, size_t elements, const std::array<int, 4>& widths, uint8_t* out) {
    const size_t groups = (elements + group_size - 1) / group_size;
    const uint8_t* header = in.take((groups + 3) / 4);
    if (!header) return false;
    for (size_t g = 0; g < groups; ++g) {
        const int mode = header[g / 4] >> (g % 4 * 2) & 3;
        if (!decode_group(in, widths[static_cast<size_t>(mode)], out + g * group_size)) return false;
    }
    return true;
}

using Columns = std::array<std::array<uint8_t, max_block_elements>, max_stride>;

bool decode_columns(Input& in, int version, size_t elements, size_t stride, Columns& columns) {
    constexpr std::array<int, 4> v0 = {0, 2, 4, 8}, v1_low = {0, 1, 2, 4}, v1_high = {1, 2, 4, 8};
    const uint8_t* control = version == 0 ? nullptr : in.take(stride / 4);
    if (version != 0 && !control) return false;
    for (size_t byte = 0; byte < stride; ++byte) {
        uint8_t* column = columns[byte].data();
        const int mode = control ? control[byte / 4] >> (byte % 4 * 2) & 3 : 0;
        if (mode == 2) {
            std::fill_n(column, elements, uint8_t{0});
        } else if (mode == 3) {
            const uint8_t* raw = in.take(elements);
            if (!raw) return false;
            std::copy_n(raw, elements, column);
        } else if (!decode_byte_column(in, elements, !control ? v0 : mode == 0 ? v1_low : v1_high, column)) {
            return false;
        }
    }
    return true;
}

template <class UInt>
UInt unzigzag(UInt value) {
    return static_cast<UInt>((value >> 1) ^ (value & 1 ? ~UInt{0} : UInt{0}));
}

// Adds up one 4-byte channel's differences: as bytes, as 16-bit numbers, or by exclusive or after a rotation.
void integrate_channel(const Columns& columns, size_t first_byte, size_t elements, size_t stride, uint8_t mode,
                       uint8_t* last, uint8_t* out) {
    for (size_t e = 0; e < elements; ++e) {
        std::array<uint8_t, 4> d{};
        for (size_t i = 0; i < 4; ++i) d[i] = columns[first_byte + i][e];
        if ((mode & 3) == 0) {
            for (size_t i = 0; i < 4; ++i) last[i] = static_cast<uint8_t>(last[i] + unzigzag(d[i]));
        } else if ((mode & 3) == 1) {
            for (size_t i = 0; i < 4; i += 2) {
                const auto delta = unzigzag(static_cast<uint16_t>(d[i] | d[i + 1] << 8));
                const auto value = static_cast<uint16_t>((last[i] | last[i + 1] << 8) + delta);
                last[i] = static_cast<uint8_t>(value);
                last[i + 1] = static_cast<uint8_t>(value >> 8);
            }
        } else {
            uint32_t delta, value;
            std::memcpy(&delta, d.data(), 4);
            std::memcpy(&value, last, 4);
            value ^= std::rotr(delta, mode >> 4);
            std::memcpy(last, &value, 4);
        }
        std::memcpy(out + e * stride + first_byte, last, 4);
    }
}

template <class Int>
void decode_colors(std::span<std::byte> data) {
    using UInt = std::make_unsigned_t<Int>;
    constexpr double largest = std::numeric_limits<UInt>::max();
    for (size_t offset = 0; offset + 4 * sizeof(Int) <= data.size(); offset += 4 * sizeof(Int)) {
        std::array<UInt, 4> in, out;
        std::memcpy(in.data(), data.data() + offset, sizeof(in));
        const int y = in[0], co = static_cast<Int>(in[1]), cg = static_cast<Int>(in[2]), alpha = in[3];
        const int scale = (1 << std::bit_width(static_cast<unsigned>(alpha))) - 1;
        const int low = alpha & (scale >> 1);
        const std::array<int, 4> rgba = {y + co - cg, y + cg, y - co - cg, low << 1 | (low & 1)};
        for (size_t c = 0; c < 4; ++c) {
            const double value = scale == 0 ? 0.0 : std::floor(rgba[c] * largest / scale + 0.5);
            out[c] = static_cast<UInt>(std::clamp(value, 0.0, largest));
        }
        std::memcpy(data.data() + offset, out.data(), sizeof(out));
    }
}

}  // namespace

bool decode_meshopt_vertices(ByteSpan data, size_t stride, std::span<std::byte> out) {
    if (data.empty() || stride == 0 || stride % 4 != 0 || stride > max_stride || out.size() % stride != 0) return false;
    const auto* bytes = reinterpret_cast<const uint8_t*>(data.data());
    const int version = bytes[0] & 0x0f;
    if ((bytes[0] & 0xf0) != 0xa0 || version > 1) return false;
    const size_t tail = version == 0 ? stride : stride + stride / 4;
    const size_t padded_tail = std::max<size_t>(tail, version == 0 ? 32 : 24);
    if (data.size() < 1 + padded_tail) return false;

    const uint8_t* tail_start = bytes + data.size() - tail;
    std::array<uint8_t, max_stride> last{};
    std::copy_n(tail_start, stride, last.begin());
    std::array<uint8_t, max_stride / 4> modes{};
    if (version == 1) std::copy_n(tail_start + stride, stride / 4, modes.begin());
    if (std::any_of(modes.begin(), modes.end(), [](uint8_t mode) { return (mode & 3) == 3; })) return false;

    Input in{bytes + 1, bytes + data.size() - padded_tail};
    const size_t block = std::min((8192 / stride) & ~(group_size - 1), max_block_elements);
    const size_t count = out.size() / stride;
    auto columns = std::make_unique<Columns>();
    for (size_t start = 0; start < count; start += block) {
        const size_t elements = std::min(block, count - start);
        if (!decode_columns(in, version, elements, stride, *columns)) return false;
        auto* target = reinterpret_cast<uint8_t*>(out.data()) + start * stride;
        for (size_t byte = 0; byte < stride; byte += 4) {
            integrate_channel(*columns, byte, elements, stride, modes[byte / 4], last.data() + byte, target);
        }
    }
    return in.next == in.end;
}

void decode_meshopt_colors(std::span<std::byte> data, size_t stride) {
    if (stride == 4) decode_colors<int8_t>(data);
    if (stride == 8) decode_colors<int16_t>(data);
}

}  // namespace sinew::gltf
