// StateMachine: which clips a character plays, as data: states, blends of clips by a parameter, and transitions.
// Data flow: JSON → parse_state_machine() → *here*: advance() → layers() → Crowd, or sample() and blend_poses().
//
//   {"parameters": {"speed": 0},
//    "start": "stand",
//    "states": {"stand": {"clip": "idle"},
//               "go": {"by": "speed", "clips": [{"clip": "walk", "at": 1.4}, {"clip": "run", "at": 4}]},
//               "wave": {"clip": "wave", "loop": false}},
//    "transitions": [{"from": "stand", "to": "go", "parameter": "speed", "above": 0.2, "fade": 0.3},
//                    {"from": "go", "to": "stand", "parameter": "speed", "below": 0.1},
//                    {"from": "wave", "to": "stand", "at_end": true}]}
#pragma once

#include <sinew/clip/runtime/crowd.h>
#include <string>
#include <string_view>

namespace sinew {

struct StateMachine {
    struct Entry {
        uint32_t clip = 0;  // number among the clips
        float at = 0.0f;    // of the parameter
    };
    struct State {
        std::string name;
        std::vector<Entry> clips;  // one, or several by increasing `at`
        int32_t parameter = -1;    // what blends them; −1 for one clip
        bool loop = true;
    };
    struct Transition {
        int32_t from = 0, to = 0;
        int32_t parameter = -1;  // −1: at the end of the clip
        bool above = true;       // or below
        float limit = 0.0f;
        float fade = 0.2f;  // seconds
    };
    std::vector<std::string> parameters;
    std::vector<float> defaults;  // their values to begin with
    std::vector<State> states;
    std::vector<Transition> transitions;
    int32_t start = 0;
};

// Reads and proves: names that exist, at least one clip per state, increasing places, fades that are not negative.
// Errors name the JSON path. Clips are those that advance() and layers() will be given.
Result<StateMachine> parse_state_machine(std::string_view json, std::span<const std::string> clip_names);

// One line per state and transition, for people.
std::string describe(const StateMachine& machine, std::span<const std::string> clip_names);

// Where one character is in it.
struct MachineInstance {
    int32_t state = 0, before = -1;           // `before` fades out while it is not −1
    float phase = 0.0f, phase_before = 0.0f;  // 0 to 1 is one cycle; clips of one state keep step
    float faded = 0.0f, fade = 0.0f;          // seconds
};

// Plays on by some seconds: takes the first transition whose condition holds, with phases as long as the blended clips.
void advance(const StateMachine& machine, std::span<const CompiledClip* const> clips, std::span<const float> parameters,
             float seconds, MachineInstance& instance);

// What to sample now: two layers of the state, and two of the one before. Weights sum to 1; those not needed are 0.
constexpr size_t machine_layers = 4;
void layers(const StateMachine& machine, std::span<const CompiledClip* const> clips, std::span<const float> parameters,
            const MachineInstance& instance, std::span<CrowdLayer, machine_layers> out);

}  // namespace sinew
