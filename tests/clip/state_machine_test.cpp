#include <doctest/doctest.h>

#include <sinew/clip/runtime/state_machine.h>
#include <numeric>

using namespace sinew;

namespace {

const std::vector<std::string> names = {"idle", "walk", "run", "wave"};

constexpr const char* text = R"({"parameters": {"speed": 0}, "start": "stand",
  "states": {"stand": {"clip": "idle"},
             "go": {"by": "speed", "clips": [{"clip": "walk", "at": 1}, {"clip": "run", "at": 3}]},
             "wave": {"clip": "wave", "loop": false}},
  "transitions": [{"from": "stand", "to": "go", "parameter": "speed", "above": 0.2, "fade": 0.5},
                  {"from": "go", "to": "stand", "parameter": "speed", "below": 0.1, "fade": 0},
                  {"from": "wave", "to": "stand", "at_end": true}]})";

// Clips of these lengths, of one joint.
std::vector<CompiledClip> clips_of(std::span<const float> lengths, const Skeleton& skeleton) {
    std::vector<CompiledClip> clips;
    for (const float length : lengths) {
        Track track{.target = 0,
                    .path = TrackPath::translation,
                    .interpolation = Interpolation::linear,
                    .width = 3,
                    .times = {0, length},
                    .values = {0, 0, 0, 1, 0, 0}};
        clips.push_back(*compile_clip({.name = "c", .tracks = {track}}, skeleton));
    }
    return clips;
}

}  // namespace

TEST_CASE("state machine: walks through its states, fades, blends by a parameter and keeps step") {
    const auto machine = parse_state_machine(text, names);
    REQUIRE(machine);
    CHECK(machine->defaults == std::vector<float>{0.0f});
    CHECK(describe(*machine, names).find("go: walk at 1, run at 3 by speed") != std::string::npos);
    const Skeleton skeleton = *Skeleton::create({"root"}, {-1}, {Transform()});
    const std::vector<float> lengths = {2.0f, 1.0f, 0.5f, 0.8f};
    const std::vector<CompiledClip> clips = clips_of(lengths, skeleton);
    std::vector<const CompiledClip*> pointers;
    for (const CompiledClip& clip : clips) pointers.push_back(&clip);
    MachineInstance at{.state = machine->start};
    std::array<CrowdLayer, machine_layers> out;
    const auto weight_sum = [&] {
        return std::accumulate(out.begin(), out.end(), 0.0f, [](float s, const CrowdLayer& l) { return s + l.weight; });
    };

    std::vector<float> parameters = {0.0f};
    advance(*machine, pointers, parameters, 0.5f, at);
    CHECK(at.state == 0);
    layers(*machine, pointers, parameters, at, out);
    CHECK(out[0].time == doctest::Approx(0.5));
    CHECK(out[0].weight == 1.0f);
    CHECK(weight_sum() == 1.0f);

    parameters = {2.0f};  // halfway between walk and run
    advance(*machine, pointers, parameters, 0.1f, at);
    CHECK(at.state == 1);
    CHECK(at.before == 0);
    advance(*machine, pointers, parameters, 0.25f, at);
    layers(*machine, pointers, parameters, at, out);
    CHECK(weight_sum() == doctest::Approx(1.0));
    CHECK(out[0].weight == doctest::Approx(0.25));  // half a fade, half of walk
    CHECK(out[1].weight == doctest::Approx(0.25));
    CHECK(out[2].clip == 0);
    CHECK(out[2].weight == doctest::Approx(0.5));
    // A cycle lasts as long as the mean of one second and a half: both clips are at a third.
    CHECK(out[0].time == doctest::Approx(1.0 / 3));
    CHECK(out[1].time == doctest::Approx(0.5 / 3));
    advance(*machine, pointers, parameters, 0.3f, at);
    CHECK(at.before == -1);

    parameters = {0.0f};
    advance(*machine, pointers, parameters, 0.01f, at);
    CHECK(at.state == 0);
    CHECK(at.before == -1);  // a fade of 0 switches

    at = {.state = 2};
    advance(*machine, pointers, parameters, 0.7f, at);
    CHECK(at.state == 2);
    advance(*machine, pointers, parameters, 0.2f, at);
    CHECK(at.state == 0);
    CHECK(at.before == 2);
    CHECK(sizeof(MachineInstance) <= 32);
}

TEST_CASE("state machine: errors name the place and what there is") {
    const auto error_of = [](std::string from, std::string to) {
        std::string changed = text;
        changed.replace(changed.find(from), from.size(), to);
        const auto machine = parse_state_machine(changed, names);
        return machine ? std::string() : to_string(machine.error());
    };
    CHECK(error_of("\"idle\"", "\"idel\"").find("/states/stand/clip: there is no clip \"idel\"; there is idle, walk") ==
          0);
    CHECK(error_of("\"at\": 3", "\"at\": 1").find("/states/go/clips/1/at") == 0);
    CHECK(error_of("\"by\": \"speed\"", "\"by\": \"sped\"").find("/states/go/by") == 0);
    CHECK(error_of("\"above\": 0.2", "\"over\": 0.2").find("/transitions/0") == 0);
    CHECK(error_of("\"fade\": 0.5", "\"fade\": -1").find("/transitions/0/fade") == 0);
    CHECK(error_of("\"to\": \"go\"", "\"to\": \"gone\"").find("/transitions/0/to") == 0);
    CHECK(error_of("\"start\": \"stand\"", "\"start\": 3").find("start") != std::string::npos);
    CHECK(error_of("{\"parameters\"", "[\"parameters\"").find("JSON object") != std::string::npos);
    for (size_t size = 0; size + 1 < std::string_view(text).size(); ++size)
        CHECK_FALSE(parse_state_machine(std::string_view(text).substr(0, size), names));
}
