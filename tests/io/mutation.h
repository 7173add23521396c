// What every reader must survive: its input cut off at each byte, and any one byte changed.
#pragma once

#include <doctest/doctest.h>

#include <sinew/core/random.h>
#include <sinew/io/read.h>
#include <functional>
#include <string>

namespace sinew::test {

using Reader = std::function<Result<Character>(SharedBytes)>;

struct MutationCounts {
    size_t read = 0;
    size_t refused = 0;
};

// A clear error, or a character that keeps every promise.
inline void read_damaged(const Reader& reader, std::string_view text, MutationCounts& counts) {
    const ByteSpan span = as_byte_span(text);
    const auto character = reader(SharedBytes::own(Bytes(span.begin(), span.end())));
    if (!character) {
        ++counts.refused;
        if (character.error().message.empty()) FAIL("an error without a message");
        return;
    }
    ++counts.read;
    if (const auto valid = validate(*character); !valid)
        FAIL("not valid: " << to_string(valid.error()) << "\n" << std::string(text));
}

inline MutationCounts read_prefixes(const Reader& reader, std::string_view sample) {
    MutationCounts counts;
    for (size_t size = 0; size <= sample.size(); ++size) read_damaged(reader, sample.substr(0, size), counts);
    return counts;
}

// Half of the changes put in any byte at all, half one that such a file is made of: those get further.
inline MutationCounts read_changed(const Reader& reader, std::string_view sample, uint64_t seed,
                                   size_t times = 10'000) {
    MutationCounts counts;
    Random random(seed);
    for (size_t i = 0; i < times; ++i) {
        std::string changed(sample);
        const char from_sample = sample[random.below(sample.size())];
        const char any = static_cast<char>(random.below(256));
        changed[random.below(changed.size())] = i % 2 == 0 ? any : from_sample;
        read_damaged(reader, changed, counts);
    }
    return counts;
}

// Both, and proof that the samples are worth something: the whole one is read, and damage is noticed and survived.
inline void check_survives(const Reader& reader, std::string_view sample, uint64_t seed) {
    MutationCounts whole;
    read_damaged(reader, sample, whole);
    CHECK(whole.read == 1);
    const MutationCounts prefixes = read_prefixes(reader, sample);
    CHECK(prefixes.refused > 0);
    CHECK(prefixes.read > 0);
    const MutationCounts changed = read_changed(reader, sample, seed);
    CHECK(changed.refused > 100);
    CHECK(changed.read > 100);
}

}  // namespace sinew::test
