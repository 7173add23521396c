// Crowds as characters: one mesh for all, feet that stay, scenes that are checked, the same bytes for the same seed.
#include <doctest/doctest.h>

#include <sinew/core/parallel.h>
#include <sinew/io/write.h>
#include <sinew/pipeline/crowd/crowd_file.h>
#include <sinew/pipeline/crowd/crowd_scene.h>
#include <sinew/sample/sample.h>
#include <algorithm>
#include <cmath>
#include <fstream>

using namespace sinew;

namespace {

CrowdOptions small_crowd() {
    return {.count = 12, .seconds = 2.0f};
}

std::string scene_error(const char* json) {
    const auto scene = parse_crowd_scene(json);
    return scene ? "" : to_string(scene.error());
}

Bytes bytes_of(const CrowdResult& crowd) {
    auto files = encode_character(crowd.character, "crowd.glb");
    REQUIRE(files);
    return std::move(files->back().bytes);
}

}  // namespace

TEST_CASE("crowd: bodies share one mesh, each has its own skin, and one clip moves all") {
    const Character one = make_rigged_humanoid();
    const auto made = make_crowd(one, small_crowd());
    REQUIRE(made);
    const Character& crowd = made->character;
    CHECK(validate(crowd));
    CHECK(crowd.meshes.size() == one.meshes.size());
    CHECK(crowd.skins.size() == 12 * one.skins.size());
    CHECK(crowd.instances.size() == 12 * one.instances.size());
    REQUIRE(crowd.clips.size() == 1);
    CHECK(duration(crowd.clips[0]) == doctest::Approx(2.0));
    // Everyone gets ahead.
    const Pose first = pose_at(crowd, &crowd.clips[0], 0.0f), last = pose_at(crowd, &crowd.clips[0], 2.0f);
    const size_t each = one.skeleton.size() + 1;
    for (size_t i = 0; i < 12; ++i)
        CHECK((first.local[i * each].translation - last.local[i * each].translation).norm() > 0.5f);
    CHECK(made->report.steps > 20);
    CHECK(made->report.foot_drift_mm < 10.0f);
}

// A second opinion on sliding feet, from nothing but the clip: while a toe is down, as its height says, it stays.
TEST_CASE("crowd: in the finished clip, toes that are down stay where they are") {
    constexpr float rate = 60.0f, most = 0.01f;  // per second; metres over one contact
    constexpr float down = 0.01f;                // metres above the lowest that this toe gets
    constexpr size_t shortest = 12, ends = 4;    // samples of a contact; those at its ends, which roll
    const Character one = make_rigged_humanoid();
    const auto made = make_crowd(one, {.count = 30, .seconds = 3.0f});
    REQUIRE(made);
    const Character& crowd = made->character;
    const auto samples = static_cast<size_t>(3.0f * rate);
    std::vector<std::vector<Vec3d>> places(samples);  // [sample][joint]
    std::vector<AffineD> world(crowd.skeleton.size());
    for (size_t f = 0; f < samples; ++f) {
        const Pose pose = pose_at(crowd, &crowd.clips[0], static_cast<float>(f) / rate);
        local_to_world(crowd.skeleton.parents(), pose.local, world);
        for (const AffineD& w : world) places[f].push_back(w.translation());
    }
    size_t contacts = 0;
    for (size_t j = 0; j < crowd.skeleton.size(); ++j) {
        const std::string& name = crowd.skeleton.names()[j];
        if (name != "leftToes" && name != "rightToes") continue;
        double lowest = INFINITY;
        for (size_t f = 0; f < samples; ++f) lowest = std::min(lowest, places[f][j].y());
        for (size_t begin = 0, end = 0; begin < samples; begin = end + 1) {
            end = begin;
            while (end < samples && places[end][j].y() < lowest + down) ++end;
            if (end - begin < shortest) continue;
            ++contacts;
            double moved = 0.0;
            for (size_t f = begin + ends; f + ends < end; ++f) {
                Vec3d by = places[f][j] - places[begin + ends][j];
                by.y() = 0.0;
                moved = std::max(moved, by.norm());
            }
            CHECK(moved < most);
        }
    }
    CHECK(contacts > 60);
}

TEST_CASE("crowd: the same bytes for the same seed and any number of threads, others for another seed") {
    CrowdOptions options = small_crowd();
    std::vector<Bytes> all;
    for (const int threads : {1, 2, 8}) {
        set_thread_count(threads);
        const auto made = make_crowd(make_rigged_humanoid(), options);
        REQUIRE(made);
        all.push_back(bytes_of(*made));
    }
    set_thread_count(0);
    CHECK(all[0] == all[1]);
    CHECK(all[0] == all[2]);
    options.seed = 2;
    const auto other = make_crowd(make_rigged_humanoid(), options);
    REQUIRE(other);
    CHECK(bytes_of(*other) != all[0]);
}

TEST_CASE("crowd: a flock flies with the body's own motion") {
    const auto made =
        make_crowd(make_quadruped(), {.count = 20, .kind = CrowdKind::flock, .motion = "trot", .seconds = 1.0f});
    REQUIRE(made);
    CHECK(validate(made->character));
    CHECK(made->report.kind == "flock");
}

TEST_CASE("crowd: scenes say which field is wrong and what to give") {
    CHECK(scene_error("{}").empty());
    CHECK(scene_error(R"({"goals": [{"at": [1, 2], "next": 0}], "obstacles": [{"circle": [0, 0], "radius": 2},
        {"wall": [[0, 0], [1, 1]]}, {"box": [[0, 0], [1, 1]]}, {"polygon": [[0, 0], [1, 0], [0, 1]]}],
        "groups": [{"from": [0, 0], "to": [9, 9], "goals": [0], "speed": [0.5, 1]}]})")
              .empty());
    const std::pair<const char*, std::vector<const char*>> wrong[] = {
        {"nonsense", {"not JSON"}},
        {"[]", {"not an object"}},
        {R"({"goal": []})", {"/goal", "goals"}},
        {R"({"goals": [{"at": [1]}]})", {"/goals/0/at", "[x, z]"}},
        {R"({"goals": [{}]})", {"/goals/0", "at"}},
        {R"({"goals": [{"at": [1, 2], "next": 4}]})", {"/goals/0/next", "0 to 0"}},
        {R"({"goals": [{"at": [1, 1e30]}]})", {"/goals/0/at"}},
        {R"({"obstacles": [{"circle": [0, 0], "radius": -1}]})", {"/obstacles/0/radius"}},
        {R"({"obstacles": [{"radius": 1}]})", {"/obstacles/0", "circle"}},
        {R"({"obstacles": [{"polygon": [[0, 0], [4, 0], [1, 1], [0, 4]]}]})", {"/obstacles/0/polygon", "convex"}},
        {R"({"groups": [{"from": [0, 0]}]})", {"/groups/0", "to"}},
        {R"({"groups": [{"from": [0, 0], "to": [1, 1], "goals": [0]}]})", {"/groups/0/goals/0", "goal"}},
        {R"({"groups": [{"from": [0, 0], "to": [1, 1], "speed": [2, 1]}]})", {"/groups/0/speed"}},
        {R"({"groups": 3})", {"/groups", "list"}},
    };
    for (const auto& [json, words] : wrong)
        for (const char* word : words) {
            CAPTURE(json);
            CHECK(scene_error(json).find(word) != std::string::npos);
        }
}

TEST_CASE("crowd: more than the area holds, and options out of range, are told") {
    const auto folder = std::filesystem::temp_directory_path() / "sinew_crowd_test";
    std::filesystem::create_directories(folder);
    std::ofstream(folder / "small.json")
        << R"({"goals": [{"at": [9, 0]}], "groups": [{"from": [0, 0], "to": [2, 2]}]})";
    CrowdOptions options{.count = 100, .seconds = 1.0f, .scene = folder / "small.json"};
    const auto full = make_crowd(make_rigged_humanoid(), options);
    REQUIRE(!full);
    CHECK(full.error().message.find("room for") != std::string::npos);
    std::filesystem::remove_all(folder);
    CHECK(!make_crowd(make_rigged_humanoid(), {.count = 0}));
    CHECK(!make_crowd(make_rigged_humanoid(), {.seconds = -1.0f}));
    CHECK(!make_crowd(make_rigged_humanoid(), {.scene = "no such file.json"}));
}
