// Damaged FBX: an error that says where, or a valid character; never a crash or a hang.
#include <sinew/core/file.h>
#include <sinew/io/fbx/fbx.h>
#include <cstdlib>

#include "io/mutation.h"
#include "support/seeds.h"

using namespace sinew;

namespace {

// Ten thousand take minutes: SINEW_MUTATIONS asks for as many as one likes.
size_t changes_per_file() {
    constexpr size_t otherwise = 500;
    const char* asked = std::getenv("SINEW_MUTATIONS");
    return asked != nullptr ? size_t(std::strtoull(asked, nullptr, 10)) : otherwise;
}

// Small limits keep a file that promises much from taking long.
Result<Character> read_small(SharedBytes file) {
    ReadOptions options;
    options.limits.max_vertices = options.limits.max_triangles = 1'000'000;
    options.limits.max_keys =
        20'000;  // a time with a byte changed may be a year, and curves that oscillate fill it with keys
    options.limits.max_decoded_bytes = 64 << 20;
    return read_fbx(std::move(file), options);
}

}  // namespace

TEST_CASE("fbx: cut off at every byte, and with any byte changed, a file is refused or gives a valid character") {
    uint64_t seed = 1;
    for (const auto& path : test::seed_files("seeds", "fbx")) {
        INFO(path.string());
        const auto bytes = read_file(path);
        REQUIRE(bytes.has_value());
        const std::string_view sample = as_text(*bytes);
        const test::MutationCounts prefixes = test::read_prefixes(read_small, sample);
        CHECK(prefixes.refused > 0);
        CHECK(prefixes.read > 0);
        const test::MutationCounts changed = test::read_changed(read_small, sample, seed++, changes_per_file());
        CHECK(changed.refused > 10);
        CHECK(changed.read > 100);
    }
}

TEST_CASE("fbx: errors have a place in the file") {
    const auto where = [](std::string_view text) {
        const ByteSpan span = as_byte_span(text);
        const auto result = read_small(SharedBytes::own(Bytes(span.begin(), span.end())));
        REQUIRE_FALSE(result.has_value());
        return result.error().where;
    };
    CHECK(where("; FBX 7.4.0 project file\nObjects: {\n  a: \"b\n") == "line 3");
    CHECK(where("; FBX 7.4.0 project file\nObjects: {\n") == "line 3");
    CHECK(where("Kaydara FBX Binary  ") == "byte 0");
    std::string binary("Kaydara FBX Binary  \0\x1a\0\xe8\x1c\0\0", 27);
    binary += std::string("\xff\xff\0\0\0\0\0\0\0\0\0\0\1a", 14) + std::string(20, '\0');
    CHECK(where(binary).starts_with("byte "));
}

TEST_CASE("fbx: records nested a hundred thousand deep are refused") {
    std::string text = "; FBX 7.4.0 project file\n";
    const size_t depth = 100'000;
    for (size_t i = 0; i < depth; ++i) text += "a: {\n";
    for (size_t i = 0; i < depth; ++i) text += "}\n";
    std::string binary("Kaydara FBX Binary  \0\x1a\0\xe8\x1c\0\0", 27);
    for (size_t i = 0; i < depth; ++i) {
        const auto end = static_cast<uint32_t>(27 + depth * 27 - 13 * i);
        binary.append(reinterpret_cast<const char*>(&end), 4);
        binary.append("\0\0\0\0\0\0\0\0\1a", 10);
    }
    binary.append(13 * (depth + 1), '\0');
    for (const std::string& file : {text, binary}) {
        const ByteSpan span = as_byte_span(file);
        const auto result = read_small(SharedBytes::own(Bytes(span.begin(), span.end())));
        REQUIRE_FALSE(result.has_value());
        CHECK(result.error().message.find("deep") != std::string::npos);
    }
}
