#include <doctest/doctest.h>

#include <sinew/io/bone_hints.h>
#include <sinew/io/read.h>

#include "io/gltf/builder.h"

using namespace sinew;
using namespace sinew::test;

namespace {

Character read_nodes(const char* nodes) {
    const std::string text =
        std::string(R"({"asset": {"version": "2.0"}, "scene": 0, "scenes": [{"nodes": [0]}], "nodes": )") + nodes + "}";
    Bytes bytes(text.size());
    std::memcpy(bytes.data(), text.data(), text.size());
    return read_character(SharedBytes::own(std::move(bytes)), "gltf", {}).value();
}

}  // namespace

TEST_CASE("read_bone_hints: tails and deform flags from extras, and nothing from what is not that") {
    const Character c = read_nodes(R"([
        {"name": "a", "children": [1, 2, 3, 4], "extras": {"tail": [0, 0.5, 0.25]}},
        {"name": "b", "extras": {"length": 2, "deform": false}},
        {"name": "c", "extras": {"tail": "up", "use_deform": 0}},
        {"name": "d", "extras": {"tail": [1, 2], "length": -1, "deform": "no"}},
        {"name": "e", "extras": [1]}])");
    const BoneHints hints = read_bone_hints(c);
    const auto at = [&](const char* name) { return static_cast<size_t>(c.skeleton.find(name)); };
    REQUIRE(hints.tails.size() == c.skeleton.size());
    REQUIRE(hints.deform.size() == c.skeleton.size());
    CHECK(hints.tails[at("a")] == Vec3(0, 0.5f, 0.25f));
    CHECK(hints.tails[at("b")] == Vec3(0, 2, 0));
    CHECK(hints.deform[at("a")] == 1);
    CHECK(hints.deform[at("b")] == 0);
    CHECK(hints.deform[at("c")] == 0);
    for (const char* name : {"c", "d", "e"}) CHECK_FALSE(hints.tails[at(name)].has_value());
    for (const char* name : {"d", "e"}) CHECK(hints.deform[at(name)] == 1);
}

TEST_CASE("read_bone_hints: a file that says nothing has none") {
    const BoneHints hints = read_bone_hints(read_nodes(R"([{"name": "a"}])"));
    CHECK(hints.tails.empty());
    CHECK(hints.deform.empty());
}
