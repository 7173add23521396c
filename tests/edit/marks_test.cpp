// Events and the user's numbers: they go where the moments go that they belong to.
#include <doctest/doctest.h>

#include <sinew/edit/join.h>
#include <sinew/edit/layers.h>
#include <sinew/edit/marks.h>
#include <sinew/edit/principles.h>
#include <sinew/edit/timing.h>
#include <sinew/io/gltf/gltf.h>
#include <sinew/pipeline/edit/edit_clips.h>
#include <sinew/pipeline/edit/step_events.h>
#include <sinew/pipeline/info.h>
#include <sinew/pipeline/retarget_character.h>
#include <sinew/sample/sample.h>
#include <cmath>

using namespace sinew;

namespace {

// One joint that moves along x at 1 m/s for two seconds: what a number says at an event is where the joint is.
struct Marked {
    ClipBody body;
    Clip clip;
};
Marked marked() {
    Marked made{make_clip_body(*Skeleton::create({"j"}, {-1}, {Transform{}})), {}};
    made.clip = {"c", {{0, TrackPath::translation, Interpolation::linear, 3, {0, 2}, {0, 0, 0, 2, 0, 0}}}, -1};
    made.clip.events = {{0.25f, "step_left"}, {1.0f, "hit"}, {1.75f, "step_right"}};
    made.clip.floats = {{"x", {0.0f, 2.0f}, {0.0f, 2.0f}}};
    return made;
}

// Every event is where it was in the motion, and the number follows the joint.
void check_in_step(const Clip& clip, const ClipBody& body, double slack = 1e-5) {
    REQUIRE(validate(clip, 1, 0));
    for (const ClipEvent& event : clip.events) {
        Pose pose = body.rest;
        sample(clip, event.time, pose);
        const double at = event.name == "step_left" ? 0.25 : event.name == "hit" ? 1.0 : 1.75;
        CHECK(pose.local[0].translation.x() == doctest::Approx(at).epsilon(slack));
        CHECK(sample_float(clip.floats[0], event.time) == doctest::Approx(at).epsilon(slack));
    }
}

std::vector<std::string> names(const Clip& clip) {
    std::vector<std::string> made;
    for (const ClipEvent& event : clip.events) made.push_back(event.name);
    return made;
}

}  // namespace

TEST_CASE("marks: stay at their moments through trim, speed, reverse, resampling and slow in and out") {
    const Marked m = marked();
    const auto cut = trim(m.clip, 0.5f, 1.5f);
    REQUIRE(cut);
    CHECK(names(*cut) == std::vector<std::string>{"hit"});
    CHECK(cut->events[0].time == doctest::Approx(0.5));
    check_in_step(*cut, m.body);
    const Clip fast = change_speed(m.clip, 4.0f), back = reverse(m.clip);
    CHECK(fast.events.size() == 3);
    check_in_step(fast, m.body);
    CHECK(names(back) == std::vector<std::string>{"step_right", "hit", "step_left"});
    check_in_step(back, m.body);
    check_in_step(resample(m.clip, m.body, 24.0), m.body);
    const Clip slow = slow_in_and_out(resample(m.clip, m.body, 120.0), m.body, 0.8);
    CHECK(slow.events.size() == 3);
    CHECK(slow.events[0].time > 0.3f);
    for (const ClipEvent& event : slow.events) {
        Pose pose = m.body.rest;
        sample(slow, event.time, pose);
        const double at = event.name == "step_left" ? 0.25 : event.name == "hit" ? 1.0 : 1.75;
        CHECK(pose.local[0].translation.x() == doctest::Approx(at).epsilon(1e-3));
    }
}

TEST_CASE("marks: of joined, looped and blended clips") {
    const Marked m = marked();
    const Clip both = concatenate(m.clip, m.clip, m.body, 0.2f);
    REQUIRE(validate(both, 1, 0));
    CHECK(both.events.size() == 6);
    CHECK(both.events[3].time == doctest::Approx(2.05));
    CHECK(both.floats.size() == 1);
    CHECK(sample_float(both.floats[0], 3.0f) == doctest::Approx(1.2f));
    // The tail's step lands on the beginning: 1.75 − 1.5.
    const Clip cycle = loop_clip(m.clip, m.body, 0.5f);
    CHECK(duration(cycle) == doctest::Approx(1.5));
    CHECK(names(cycle) == std::vector<std::string>{"step_left", "step_right", "hit"});
    CHECK(cycle.events[1].time == doctest::Approx(0.25));
    const Clip other{
        "o", {{0, TrackPath::translation, Interpolation::linear, 3, {0, 1}, {0, 0, 0, 9, 0, 0}}}, -1, {{0.5f, "far"}}};
    CHECK(names(blend_clips(m.clip, other, m.body, 0.3)) == names(m.clip));
    const Clip mostly = blend_clips(m.clip, other, m.body, 0.7);
    REQUIRE(names(mostly) == std::vector<std::string>{"far"});
    CHECK(mostly.events[0].time == doctest::Approx(1.0));  // stretched with the clip
    CHECK(names(blend_clips(m.clip, other, m.body, 0.7, {1.0f})) == names(m.clip));
}

TEST_CASE("events: a player that goes on meets each once; wrong ones are refused") {
    Marked m = marked();
    size_t met = 0;
    for (int f = 0; f < 120; ++f)
        met += events_between(m.clip, static_cast<float>(f) / 60, static_cast<float>(f + 1) / 60).size();
    CHECK(met == 3);
    CHECK(events_between(m.clip, 1.0f, 1.0f).empty());
    CHECK(events_between(m.clip, 1.0f, 1.01f).size() == 1);
    CHECK(events_between(m.clip, 3.0f, 2.0f).empty());
    m.clip.events.push_back({0.1f, "late"});
    CHECK(!validate(m.clip, 1, 0));
    m.clip.events.back().time = NAN;
    CHECK(!validate(m.clip, 1, 0));
    m.clip.events.clear();
    m.clip.floats[0].times[1] = 0.0f;
    CHECK(!validate(m.clip, 1, 0));
}

TEST_CASE("events: names change sides in mirrored clips") {
    CHECK(mirrored_event_name("step_left") == "step_right");
    CHECK(mirrored_event_name("RightFoot") == "LeftFoot");
    CHECK(mirrored_event_name("foot_L") == "foot_R");
    CHECK(mirrored_event_name("LEFT hand") == "RIGHT hand");
    CHECK(mirrored_event_name("cleft bright") == "cleft bright");
    CHECK(mirrored_event_name("") == "");
}

TEST_CASE("events: are written to glTF as extras beside what others keep there, and read back") {
    Character character = make_rigged_humanoid();
    character.clips.clear();
    REQUIRE(add_motion(character, *load_motion("walk")));
    character.clips[0].events = {{0.125f, "a"}, {0.5f, "b \"quoted\""}};
    character.clips[0].floats = {{"wind", {0.0f, 0.3f}, {1.0f, -2.0f}}};
    const auto files = encode_gltf(character, "x.glb");
    REQUIRE(files);
    const auto again = read_character(SharedBytes::own(files->back().bytes), "glb", {});
    REQUIRE(again);
    CHECK(again->clips[0].events == character.clips[0].events);
    CHECK(again->clips[0].floats == character.clips[0].floats);
    const CharacterInfo info = describe(*again);
    CHECK(info.clips[0].events.size() == 2);
    CHECK(info.clips[0].floats == std::vector<std::string>{"wind"});
    // Dropped events leave the file.
    Character without = *again;
    without.clips[0].events.clear();
    without.clips[0].floats.clear();
    const auto plain = encode_gltf(without, "x.glb");
    REQUIRE(plain);
    const std::string text(reinterpret_cast<const char*>(plain->back().bytes.data()), plain->back().bytes.size());
    CHECK(text.find("\"events\"") == std::string::npos);
}

TEST_CASE("steps: a walk's landings alternate, also on the spot") {
    for (const bool in_place : {false, true}) {
        Character character = make_rigged_humanoid();
        character.clips.clear();
        REQUIRE(add_motion(character, *load_motion("walk"), {.in_place_root = in_place}));
        const auto report = edit_clips(character, {.then = {}, .mark = "steps", .events = {{0.2f, "sound"}}});
        REQUIRE_MESSAGE(report, (report ? "" : report.error().message));
        std::vector<ClipEvent> steps = character.clips[0].events;
        CHECK(std::ranges::any_of(steps, [](const ClipEvent& e) { return e.name == "sound"; }));
        std::erase_if(steps, [](const ClipEvent& e) { return e.name == "sound"; });
        REQUIRE(steps.size() >= 2);
        for (size_t i = 1; i < steps.size(); ++i) CHECK(steps[i].name != steps[i - 1].name);
    }
}
