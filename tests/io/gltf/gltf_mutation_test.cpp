// Damaged files: a clear error or a valid character, never anything else. Run under the asan-ubsan preset too.
#include <sinew/core/file.h>
#include <sinew/core/random.h>

#include <doctest/doctest.h>
#include <functional>

#include "io/gltf/builder.h"
#include "support/seeds.h"

using namespace sinew;
using namespace sinew::test;

namespace {

// Small limits, so that a count that is damaged but allowed costs little.
const ReadOptions options{.limits = {.max_vertices = 100'000,
                                     .max_triangles = 100'000,
                                     .max_joints = 1000,
                                     .max_keys = 100'000,
                                     .max_decoded_bytes = 64 << 20}};

// Reads; when that works, the character is valid, can be written, and reads again.
bool survives(const SharedBytes& bytes) {
    const auto character = read_gltf(bytes, options);
    if (!character) {
        CHECK(!character.error().message.empty());
        return false;
    }
    const auto valid = validate(*character);
    if (!valid) FAIL_CHECK(to_string(valid.error()));
    const auto files = encode_gltf(*character, "out.glb");
    if (!files) FAIL_CHECK(to_string(files.error()));
    if (!valid || !files) return false;
    const auto again = read_gltf(SharedBytes::own(files->back().bytes), options);
    if (!again) FAIL_CHECK(to_string(again.error()));
    return again.has_value();
}

void check_prefixes(ByteSpan file) {
    size_t read = 0;
    for (size_t length = 0; length < file.size(); ++length) {
        // Exactly sized, so that a byte read too far is seen.
        read += survives(SharedBytes::own(Bytes(file.begin(), file.begin() + static_cast<ptrdiff_t>(length))));
    }
    CHECK(read == 0);
    CHECK(survives(SharedBytes::own(Bytes(file.begin(), file.end()))));
}

void check_changes(ByteSpan file, uint64_t seed) {
    Random random(seed);
    size_t read = 0;
    for (int i = 0; i < 10'000; ++i) {
        Bytes bytes(file.begin(), file.end());
        bytes[random.below(bytes.size())] = static_cast<std::byte>(random.below(256));
        read += survives(SharedBytes::own(std::move(bytes)));
    }
    // Many changes hit a coordinate or a name and do no harm; many hit structure.
    CHECK(read > 1000);
    CHECK(read < 9900);
}

}  // namespace

TEST_CASE("gltf: every prefix of a .glb and a .gltf is refused") {
    check_prefixes(small_character().glb().view);
    check_prefixes(small_character().gltf().view);
}

TEST_CASE("gltf: 10,000 single-byte changes of a .glb") {
    check_changes(small_character().glb().view, 1);
}
TEST_CASE("gltf: 10,000 single-byte changes of a .gltf") {
    check_changes(small_character().gltf().view, 2);
}

// Every value of the JSON, containers too, replaced by each of these or taken away.
TEST_CASE("gltf: any value of the JSON may be anything") {
    const std::vector<Json> odd = {nullptr,
                                   true,
                                   "x",
                                   "",
                                   Json::array(),
                                   Json::object(),
                                   -1,
                                   0,
                                   1,
                                   2,
                                   7,
                                   1.5,
                                   1e9,
                                   1e308,
                                   uint64_t{1} << 53,
                                   ~uint64_t{0},
                                   Json::array({1, 0}),
                                   Json::array({Json::object()})};
    const GltfBuilder whole = small_character();
    std::vector<Json::json_pointer> places;
    const std::function<void(const Json&, const Json::json_pointer&)> walk = [&](const Json& value, const auto& at) {
        if (!at.empty()) places.push_back(at);
        if (value.is_array()) {
            for (size_t i = 0; i < value.size(); ++i) walk(value[i], at / i);
        } else if (value.is_object()) {
            for (const auto& [key, item] : value.items()) walk(item, at / key);
        }
    };
    walk(whole.json, Json::json_pointer());
    CHECK(places.size() > 150);
    size_t read = 0;
    for (const auto& place : places) {
        CAPTURE(place.to_string());
        for (const Json& value : odd) {
            GltfBuilder b = whole;
            b.json[place] = value;
            read += survives(b.glb());
        }
        GltfBuilder b = whole;
        Json& parent = b.json[place.parent_pointer()];
        if (parent.is_object()) parent.erase(place.back());
        read += survives(b.glb());
    }
    CHECK(read > 100);
}

TEST_CASE("gltf: damaged files that are read can be written and read again") {
    size_t read = 0;
    for (const auto& path : seed_files("crashes", "gltf")) {
        CAPTURE(path.string());
        read += survives(SharedBytes::own(read_file(path).value()));
    }
    CHECK(read > 5);
    for (const auto& path : seed_files("seeds", "gltf")) {
        CAPTURE(path.string());
        CHECK(survives(SharedBytes::own(read_file(path).value())));
    }
}
