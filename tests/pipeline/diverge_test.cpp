// A simulation that flies apart is told, with the moment, and gives nothing.
#include <doctest/doctest.h>

#include <sinew/io/resources.h>
#include <sinew/pipeline/simulate/simulate.h>
#include <string_view>

using namespace sinew;

namespace {

void check_flies_apart(std::string_view scene, std::string_view name) {
    INFO(scene);
    const auto made = simulate(as_byte_span(scene), no_resources());
    REQUIRE_FALSE(made.has_value());
    CHECK(made.error().code == ErrorCode::invalid_data);
    CHECK(made.error().message.find(name) != std::string::npos);
    CHECK(made.error().message.find("flew apart after") != std::string::npos);
    CHECK(made.error().message.find('\n') == std::string::npos);
}

}  // namespace

TEST_CASE("simulate: spheres, cloth, particles and bodies that fly apart are told, each by name") {
    check_flies_apart(R"({"seconds": 12, "spheres": [{"velocity": [1e4, 0, 0]}]})", "spheres");
    check_flies_apart(
        R"({"seconds": 16, "gravity": [0, -1000, 0], "cloths": [{"name": "sail", "solver": "implicit", "edge": 0.5}]})",
        "sail");
    check_flies_apart(R"({"seconds": 20, "gravity": [0, -1000, 0],
                          "emitters": [{"name": "sparks", "life": 20, "speed": 1000, "rate": 10}]})",
                      "sparks");
    check_flies_apart(R"({"seconds": 16, "character": {"sample": "humanoid-rigged"},
                          "ragdolls": [{"pushes": [{"at": 0, "seconds": 16, "force": [1e5, 1e5, 0]}]}]})",
                      "body 1");
}
