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

// After the head: the name; the ids of the floats that move; joints, as code_items.h writes them; the floats that stand
// still (count, ids, values); the table of segments; the raw keys of all segments; events (time, length of the name,
// name); the user's numbers (length of the name, name, count, times, values).
struct ClipHead {
    char magic[4] = {'S', 'N', 'W', 'C'};
    uint32_t checksum = 0;  // of all that follows
    uint16_t version = 2;
    uint16_t joints = 0, floats = 0, moving_floats = 0;
    uint32_t skeleton = 0;  // skeleton_mark()
    float start = 0, end = 0;
    float bound = 0, shell = 0, worst_error = 0;
    uint32_t segments = 0;
    uint32_t coded_bytes = 0;
    uint16_t name_length = 0;
    uint16_t events = 0, numbers = 0;
    uint16_t unused = 0;
};
static_assert(sizeof(ClipHead) == 56);
constexpr size_t checked_from = 8;  // the checksum covers the bytes from here

struct SegmentEntry {
    float start = 0;
    uint32_t raw_tracks = 0;
};
static_assert(sizeof(SegmentEntry) == 8);

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

// FNV-1a, folded to half its length.
inline uint32_t mark_bytes(ByteSpan bytes, uint64_t mark = 0xcbf29ce484222325u) {
    for (std::byte b : bytes) mark = (mark ^ static_cast<uint64_t>(b)) * 0x100000001b3u;
    return static_cast<uint32_t>(mark ^ mark >> 32);
}

// Tells skeletons apart: names, parents and what rests where.
inline uint32_t skeleton_mark(const Skeleton& skeleton) {
    uint32_t mark = mark_bytes(std::as_bytes(std::span(skeleton.parents())));
    for (const std::string& name : skeleton.names()) mark = mark_bytes(as_byte_span(name), mark);
    return mark_bytes(std::as_bytes(std::span(skeleton.rest())), mark);
}

template <class T>
void append(Bytes& to, const T& value) {
    const auto* at = reinterpret_cast<const std::byte*>(&value);
    to.insert(to.end(), at, at + sizeof(T));
}

}  // namespace sinew
