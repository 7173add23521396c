// Scenes with bodies that fall and walk: the same bytes each time, on one thread and on many.
#include <doctest/doctest.h>

#include <sinew/core/parallel.h>
#include <sinew/io/write.h>
#include <sinew/pipeline/simulate/simulate.h>
#include <algorithm>
#include <string_view>

using namespace sinew;

namespace {

Bytes run_bodies_scene(std::string_view scene, int threads) {
    set_thread_count(threads);
    auto made = simulate(std::as_bytes(std::span(scene)), {});
    set_thread_count(0);
    REQUIRE_MESSAGE(made, (made ? "" : made.error().message));
    auto files = encode_character(made->character, "bodies.glb");
    REQUIRE(files);
    return std::move(files->back().bytes);
}

}  // namespace

TEST_CASE("simulate: bodies that fall and walk give the same bytes on every run, on one thread or many") {
    constexpr std::string_view scene = R"({"seconds": 1.5, "fps": 30,
        "character": {"sample": "humanoid-rigged", "motion": "idle"},
        "ragdolls": [{"at": [2, 0, 0], "limp": 0.3, "pushes": [{"at": 0.4, "seconds": 0.2, "force": [200, 0, 300]}]},
                     {"at": [4, 1, 0], "pose": 7}],
        "walkers": [{"at": [-1, 0, 0], "pushes": [{"at": 0.7, "seconds": 0.2, "force": [100, 0, 0]}]}]})";
    const Bytes first = run_bodies_scene(scene, 1);
    CHECK(first.size() > 1000);
    CHECK(run_bodies_scene(scene, 1) == first);
    CHECK(run_bodies_scene(scene, 8) == first);
}
