#include <doctest/doctest.h>

#include <sinew/core/closest.h>

using namespace sinew;

TEST_CASE("closest_names: the typo's origin first, strangers not at all") {
    const std::vector<std::string_view> known = {"walk", "run", "idle", "wave", "jump"};
    const auto near = closest_names("Wlak", known);
    REQUIRE_FALSE(near.empty());
    CHECK(near.front() == "walk");
    CHECK(closest_names("backstroke", known).empty());
    CHECK(unknown_name("motion", "wlk", known).find("did you mean walk") != std::string::npos);
    CHECK(unknown_name("motion", "backstroke", known) ==
          "unknown motion \"backstroke\"; there is walk, run, idle, wave and jump");
    CHECK(unknown_name("clip", "x", {}) == "unknown clip \"x\"; there is none");
    const std::vector<std::string_view> some = {"", "hips", ""}, nameless = {"", ""};
    CHECK(unknown_name("joint", "elbow", some) == "unknown joint \"elbow\"; there is hips");
    CHECK(unknown_name("joint", "elbow", nameless) == "unknown joint \"elbow\"; none has a name");
}
