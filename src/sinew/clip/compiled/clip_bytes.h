// The head of a compiled clip's bytes, and what writing and reading them share.
// Data flow: compile_clip.cpp writes, compiled_clip.cpp reads.
#pragma once

#include <sinew/core/bytes.h>
#include <sinew/math/transform.h>
#include <sinew/skeleton/skeleton.h>
#include <bit>
#include <cstring>

namespace sinew {

static_assert(std::endian::native == std::endian::little,
              "compiled clips are little-endian, and so are all machines we build for");

// After the head: the name, the constants of each kind (count, ids, values), the floats that
// move (count, ids), the table of segments, the segments; events (time, length of the name, name); the user's numbers
// (length of the name, name, count, times, values).
struct ClipHead {
    char magic[4] = {'S', 'N', 'W', 'C'};
    uint32_t version = 1;
    uint64_t checksum = 0;  // of all that follows
    uint64_t skeleton = 0;  // skeleton_mark()
    uint32_t joints = 0;
    uint32_t floats = 0;
    float start = 0, end = 0;
    float bound = 0, shell = 0, worst_error = 0;
    uint32_t segments = 0;
    uint16_t name_length = 0;
    uint16_t id_bytes = 1;
    uint16_t events = 0, numbers = 0;
};
static_assert(sizeof(ClipHead) == 64);
constexpr size_t checked_from = 16;  // the checksum covers the bytes from here

struct SegmentEntry {
    float start = 0;
    uint32_t offset = 0;
    uint16_t groups = 0;
    uint16_t raw_tracks = 0;
};
static_assert(sizeof(SegmentEntry) == 12);

struct RawTrackHead {
    uint8_t path = 0;
    uint8_t interpolation = 0;
    uint16_t width = 0;
    uint32_t target = 0;
    uint32_t keys = 0;
};
static_assert(sizeof(RawTrackHead) == 12);

constexpr size_t most_marks = 65535;    // events, numbers of the user's own, letters of a name
constexpr size_t most_targets = 65535;  // joints, and floats: ids have two bytes

// FNV-1a.
inline uint64_t mark_bytes(ByteSpan bytes, uint64_t mark = 0xcbf29ce484222325u) {
    for (std::byte b : bytes) mark = (mark ^ static_cast<uint64_t>(b)) * 0x100000001b3u;
    return mark;
}

// Tells skeletons apart: names, parents and what rests where.
inline uint64_t skeleton_mark(const Skeleton& skeleton) {
    uint64_t mark = mark_bytes(std::as_bytes(std::span(skeleton.parents())));
    for (const std::string& name : skeleton.names()) mark = mark_bytes(as_byte_span(name), mark);
    return mark_bytes(std::as_bytes(std::span(skeleton.rest())), mark);
}

// A constant rotation in eight bytes: its chart, and three numbers of twenty bits between −1 and 1.
uint64_t pack_rotation(const Quat& rotation);
Quat unpack_rotation(uint64_t packed);

template <class T>
void append(Bytes& to, const T& value) {
    const auto* at = reinterpret_cast<const std::byte*>(&value);
    to.insert(to.end(), at, at + sizeof(T));
}

}  // namespace sinew
