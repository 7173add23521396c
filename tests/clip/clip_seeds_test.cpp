// The small compiled clips that fuzzing starts from: they are what they were made from, and damaged ones are refused or
// sound. SINEW_WRITE_SEEDS=1 writes them anew, after a change of the format.
#include <doctest/doctest.h>

#include <sinew/clip/compiled/compiled_clip.h>
#include <sinew/core/file.h>
#include <support/places.h>
#include <support/seeds.h>
#include <cmath>
#include <cstdlib>

using namespace sinew;

namespace {

// fuzz/clip_fuzz.cpp has the same.
Skeleton seed_skeleton() {
    return *Skeleton::create({"root", "middle", "tip"}, {-1, 0, 1}, std::vector<Transform>(3));
}

constexpr size_t seed_floats = 2, seed_keys = 25;

Track seed_track(TrackPath path, int32_t target, int width, Interpolation interpolation = Interpolation::linear) {
    Track track{.target = target, .path = path, .interpolation = interpolation, .width = width};
    for (size_t k = 0; k < seed_keys; ++k) track.times.push_back(static_cast<float>(k) / 12.0f);
    for (size_t k = 0; k < seed_keys; ++k) {
        const float wave = std::sin(0.4f * static_cast<float>(k) + static_cast<float>(target));
        if (path == TrackPath::rotation) {
            const Quat q(Eigen::AngleAxisf(wave, Vec3(1, 2, 3).normalized()));
            track.values.insert(track.values.end(), {q.x(), q.y(), q.z(), q.w()});
        } else {
            for (int c = 0; c < width; ++c) track.values.push_back(1.0f + 0.1f * wave * static_cast<float>(c));
        }
    }
    return track;
}

// What moves, what jumps and what stands still are kept in different ways.
std::vector<Clip> seed_clips() {
    const Track still{.target = 2,
                      .path = TrackPath::scale,
                      .interpolation = Interpolation::linear,
                      .width = 3,
                      .times = {0, 1},
                      .values = {1, 2, 1, 1, 2, 1}};
    Clip moving{
        .name = "moving",
        .tracks = {seed_track(TrackPath::rotation, 0, 4), seed_track(TrackPath::rotation, 1, 4),
                   seed_track(TrackPath::translation, 1, 3), still, seed_track(TrackPath::morphs, 0, seed_floats)},
        .events = {{0.25f, "left foot"}, {1.0f, "hit"}},
        .floats = {{"glow", {0.0f, 0.4f, 1.0f}, {0.0f, 1.0f, 0.25f}}}};
    Clip jumping{.name = "jumping",
                 .tracks = {seed_track(TrackPath::rotation, 0, 4, Interpolation::step),
                            seed_track(TrackPath::translation, 2, 3, Interpolation::step),
                            seed_track(TrackPath::morphs, 0, seed_floats, Interpolation::step)}};
    return {moving, jumping, {.name = "still", .tracks = {still}}};
}

std::filesystem::path seed_path(const Clip& clip) {
    return test::source_dir() / "tests/io/seeds/clip" / (clip.name + ".clip");
}

}  // namespace

TEST_CASE("read_compiled_clip: the valid seeds are the clips that they were made from") {
    const Skeleton skeleton = seed_skeleton();
    for (const Clip& clip : seed_clips()) {
        CAPTURE(clip.name);
        if (std::getenv("SINEW_WRITE_SEEDS") != nullptr) {
            const auto made = compile_clip(clip, skeleton, seed_floats);
            REQUIRE(made);
            REQUIRE(write_file(seed_path(clip), made->bytes()));
        }
        const auto bytes = read_file(seed_path(clip));
        REQUIRE(bytes.has_value());
        CHECK(bytes->size() < 4096);  // fuzzing is quick on small files
        const auto compiled = read_compiled_clip(*bytes, skeleton);
        REQUIRE(compiled);
        CHECK(compiled->name() == clip.name);
        CHECK(std::ranges::equal(compiled->events(), clip.events));
        for (float time = 0.0f; time < duration(clip); time += 0.07f)
            CHECK(model_error(clip, *compiled, skeleton, time) <= compiled->bound());
    }
}

TEST_CASE("read_compiled_clip: files that fuzzing found are refused or can be sampled") {
    const std::filesystem::path folder = test::source_dir() / "tests/io/crashes/clip";
    if (!std::filesystem::is_directory(folder) || std::filesystem::is_empty(folder)) return;  // it found none yet
    const Skeleton skeleton = seed_skeleton();
    for (const auto& path : test::seed_files("crashes", "clip")) {
        CAPTURE(path.string());
        const auto bytes = read_file(path);
        REQUIRE(bytes.has_value());
        const auto clip = read_compiled_clip(*bytes, skeleton);
        if (!clip) continue;
        Pose pose{.local = skeleton.rest(), .morphs = std::vector<float>(clip->float_count())};
        sample(*clip, 0.5f * clip->end(), pose);
    }
}
