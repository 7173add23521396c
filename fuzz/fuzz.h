// What every fuzz target does: read with limits that keep one run small, and insist that what comes out is valid.
#pragma once

#include <sinew/io/read.h>
#include <cstdint>
#include <cstdio>
#include <cstdlib>

namespace sinew::fuzz {

inline SharedBytes copy(ByteSpan bytes) {
    return SharedBytes::own(Bytes(bytes.begin(), bytes.end()));
}
inline ByteSpan span(const uint8_t* data, size_t size) {
    return std::as_bytes(std::span(data, size));
}

inline ReadOptions options() {
    ReadOptions options;
    options.limits.max_vertices = 1'000'000;
    options.limits.max_triangles = 1'000'000;
    options.limits.max_keys = 1'000'000;
    options.limits.max_decoded_bytes = 64 << 20;
    return options;
}

// A reader either says what is wrong or returns a character that keeps every promise.
inline void check(const Result<Character>& character) {
    if (!character) {
        if (character.error().message.empty()) std::abort();
        return;
    }
    if (const auto valid = validate(*character); !valid) {
        std::fprintf(stderr, "not valid: %s\n", to_string(valid.error()).c_str());
        std::abort();
    }
}

}  // namespace sinew::fuzz
