// Scenes with bodies that fall and walk: the same bytes each time, on one thread and on many.
#include <doctest/doctest.h>

#include <sinew/core/parallel.h>
#include <sinew/io/write.h>
#include <sinew/pipeline/simulate/simulate.h>
#include <algorithm>
#include <cmath>
#include <string>
#include <string_view>

#include <fmt/format.h>

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

// How high the highest joint of a body is at a time of its only clip.
double highest_joint(const Character& character, float time) {
    Pose pose = rest_pose(character);
    sample(character.clips.front(), time, pose);
    std::vector<AffineD> joints(character.skeleton.size());
    local_to_world(character.skeleton.parents(), pose.local, joints);
    double highest = -INFINITY;
    for (const AffineD& joint : joints) highest = std::max(highest, joint.translation().y());
    return highest;
}

}  // namespace

TEST_CASE("simulate: a body gets up on what it has fallen to, not where it began") {
    const auto height_at_end = [](double floor, double above) {
        const std::string scene =
            fmt::format(R"({{"seconds": 7, "fps": 30, "character": {{"sample": "humanoid-rigged", "motion": "idle"}},
                "colliders": [{{"shape": "plane", "at": [0, {}, 0]}}],
                "ragdolls": [{{"at": [0, {}, 0], "pose": 3, "get_up": 2}}]}})",
                        floor, floor + above);
        const auto made = simulate(std::as_bytes(std::span(scene)), {});
        REQUIRE_MESSAGE(made, (made ? "" : made.error().message));
        CHECK(highest_joint(made->character, 2.0f) < floor + 0.7);  // it lies
        return highest_joint(made->character, 7.0f) - floor;
    };
    const double stands = height_at_end(0.0, 1.0);
    CHECK(stands > 1.5);
    CHECK(stands < 1.6);
    CHECK(std::abs(height_at_end(0.0, 1.5) - stands) < 0.01);
    CHECK(std::abs(height_at_end(-0.4, 1.2) - stands) < 0.01);
}

TEST_CASE("simulate: says so where a walker falls that nothing pushed, and not where something did") {
    const auto warnings_of = [](std::string_view walker) {
        const std::string scene = fmt::format(R"({{"seconds": 3, "fps": 30, "gravity": [0, -9.81, 0],
            "character": {{"sample": "humanoid-rigged", "motion": "idle"}}, "walkers": [{}]}})",
                                              walker);
        const auto made = simulate(std::as_bytes(std::span(scene)), {});
        REQUIRE_MESSAGE(made, (made ? "" : made.error().message));
        return made->report.warnings;
    };
    CHECK(warnings_of(R"({"at": [0, 0, 0]})").empty());
    CHECK(warnings_of(R"({"at": [0, 0, 0], "pushes": [{"at": 1, "force": [2000, 0, 0]}]})").empty());
    // Thrown down from so high, it does not land on its feet.
    const auto dropped = warnings_of(R"({"at": [0, 3, 0], "pushes": [{"at": 2.9, "force": [10, 0, 0]}]})");
    REQUIRE(dropped.size() == 1);
    CHECK(dropped[0].find("body 1 falls after") != std::string::npos);
}

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
