#include <sinew/clip/runtime/state_machine.h>

#include <sinew/core/check.h>
#include <sinew/math/interpolate.h>
#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace sinew {
namespace {

using MachineJson = nlohmann::ordered_json;

tl::unexpected<Error> bad(const std::string& path, std::string message) {
    return fail(ErrorCode::invalid_data, std::move(message), path);
}

// The number of a name, or −1.
int32_t number_of(std::span<const std::string> names, const std::string& name) {
    const auto at = std::ranges::find(names, name);
    return at == names.end() ? -1 : static_cast<int32_t>(at - names.begin());
}

Result<std::string> text_at(const MachineJson& object, const char* key, const std::string& path) {
    if (!object.is_object() || !object.contains(key) || !object[key].is_string())
        return bad(path, fmt::format("has no \"{}\"; give it as text", key));
    return object[key].get<std::string>();
}

Result<float> number_at(const MachineJson& object, const char* key, const std::string& path) {
    if (!object.contains(key) || !object[key].is_number() || !std::isfinite(object[key].get<float>()))
        return bad(path, fmt::format("has no \"{}\"; give it as a number", key));
    return object[key].get<float>();
}

Result<int32_t> name_at(const MachineJson& object, const char* key, const std::string& path,
                        std::span<const std::string> names, const char* what) {
    SINEW_TRY(const std::string name, text_at(object, key, path));
    const int32_t number = number_of(names, name);
    if (number < 0)
        return bad(path + "/" + key,
                   fmt::format("there is no {} \"{}\"; there is {}", what, name, fmt::join(names, ", ")));
    return number;
}

Result<StateMachine::State> parse_state(const MachineJson& json, const std::string& name, const std::string& path,
                                        const StateMachine& machine, std::span<const std::string> clip_names) {
    StateMachine::State state{.name = name, .clips = {}};
    if (!json.is_object()) return bad(path, "a state is an object");
    if (json.contains("loop")) {
        if (!json["loop"].is_boolean()) return bad(path + "/loop", "is true or false");
        state.loop = json["loop"].get<bool>();
    }
    if (!json.contains("clips")) {
        SINEW_TRY(const int32_t clip, name_at(json, "clip", path, clip_names, "clip"));
        state.clips.push_back({.clip = static_cast<uint32_t>(clip)});
        return state;
    }
    if (!json["clips"].is_array() || json["clips"].empty())
        return bad(path + "/clips", "is a list of at least one clip");
    SINEW_TRY(state.parameter, name_at(json, "by", path, machine.parameters, "parameter"));
    for (size_t i = 0; i < json["clips"].size(); ++i) {
        const MachineJson& entry = json["clips"][i];
        const std::string at = fmt::format("{}/clips/{}", path, i);
        SINEW_TRY(const int32_t clip, name_at(entry, "clip", at, clip_names, "clip"));
        SINEW_TRY(const float place, number_at(entry, "at", at));
        if (i > 0 && !(place > state.clips.back().at))
            return bad(at + "/at", "is not more than the one before; sort the clips");
        state.clips.push_back({.clip = static_cast<uint32_t>(clip), .at = place});
    }
    return state;
}

Result<StateMachine::Transition> parse_transition(const MachineJson& json, const std::string& path,
                                                  const StateMachine& machine,
                                                  std::span<const std::string> state_names) {
    StateMachine::Transition t;
    SINEW_TRY(t.from, name_at(json, "from", path, state_names, "state"));
    SINEW_TRY(t.to, name_at(json, "to", path, state_names, "state"));
    if (json.contains("fade")) {
        SINEW_TRY(t.fade, number_at(json, "fade", path));
        if (t.fade < 0.0f) return bad(path + "/fade", "is negative; give seconds");
    }
    if (json.contains("at_end")) {
        if (json.contains("parameter"))
            return bad(path, "has both \"at_end\" and \"parameter\"; make it two transitions");
        return t;
    }
    SINEW_TRY(t.parameter, name_at(json, "parameter", path, machine.parameters, "parameter"));
    if (json.contains("above") == json.contains("below"))
        return bad(path, "needs \"above\" or \"below\", and one of them");
    t.above = json.contains("above");
    SINEW_TRY(t.limit, number_at(json, t.above ? "above" : "below", path));
    return t;
}

// The two clips around the parameter, and how much of the second.
struct Mix {
    const StateMachine::Entry *first, *second;
    float share;
};
Mix mix_of(const StateMachine::State& state, std::span<const float> parameters) {
    const auto& clips = state.clips;
    if (state.parameter < 0 || clips.size() == 1) return {&clips[0], &clips[0], 0.0f};
    const float value = parameters[static_cast<size_t>(state.parameter)];
    for (size_t i = 1; i < clips.size(); ++i)
        if (value < clips[i].at || i + 1 == clips.size()) {
            const float share = (value - clips[i - 1].at) / (clips[i].at - clips[i - 1].at);
            return {&clips[i - 1], &clips[i], std::isfinite(share) ? std::clamp(share, 0.0f, 1.0f) : 0.0f};
        }
    return {&clips[0], &clips[0], 0.0f};
}

float length_of(const CompiledClip& clip) {
    return clip.end() - clip.start();
}

// How long a cycle of the state lasts now.
float cycle_of(const StateMachine::State& state, std::span<const CompiledClip* const> clips,
               std::span<const float> parameters) {
    const Mix mix = mix_of(state, parameters);
    return (1.0f - mix.share) * length_of(*clips[mix.first->clip]) + mix.share * length_of(*clips[mix.second->clip]);
}

void play_on(const StateMachine::State& state, std::span<const CompiledClip* const> clips,
             std::span<const float> parameters, float seconds, float& phase) {
    const float cycle = cycle_of(state, clips, parameters);
    phase += cycle > 0.0f ? seconds / cycle : 1.0f;
    phase = state.loop ? phase - std::floor(phase) : std::min(phase, 1.0f);
}

void put_state(const StateMachine::State& state, std::span<const CompiledClip* const> clips,
               std::span<const float> parameters, float phase, float weight, CrowdLayer* out) {
    const Mix mix = mix_of(state, parameters);
    const auto put = [&](const StateMachine::Entry& entry, float share, CrowdLayer& layer) {
        const CompiledClip& clip = *clips[entry.clip];
        layer = {.clip = entry.clip, .time = clip.start() + phase * length_of(clip), .weight = weight * share};
    };
    put(*mix.first, 1.0f - mix.share, out[0]);
    put(*mix.second, mix.share, out[1]);
}

}  // namespace

Result<StateMachine> parse_state_machine(std::string_view text, std::span<const std::string> clip_names) {
    const MachineJson json = MachineJson::parse(text, nullptr, false);
    if (!json.is_object())
        return fail(ErrorCode::invalid_data, "a state machine is a JSON object with states and transitions");
    StateMachine machine;
    if (json.contains("parameters")) {
        if (!json["parameters"].is_object()) return bad("/parameters", "is an object of names and numbers");
        for (const auto& [name, value] : json["parameters"].items()) {
            SINEW_TRY(const float number, number_at(json["parameters"], name.c_str(), "/parameters"));
            machine.parameters.push_back(name), machine.defaults.push_back(number);
        }
    }
    if (!json.contains("states") || !json["states"].is_object() || json["states"].empty())
        return bad("/states", "is an object of at least one state");
    std::vector<std::string> names;
    for (const auto& [name, value] : json["states"].items()) {
        SINEW_TRY(auto state, parse_state(value, name, "/states/" + name, machine, clip_names));
        machine.states.push_back(std::move(state)), names.push_back(name);
    }
    SINEW_TRY(machine.start, name_at(json, "start", "", names, "state"));
    if (!json.contains("transitions")) return machine;
    if (!json["transitions"].is_array()) return bad("/transitions", "is a list");
    for (size_t i = 0; i < json["transitions"].size(); ++i) {
        const std::string path = fmt::format("/transitions/{}", i);
        if (!json["transitions"][i].is_object()) return bad(path, "a transition is an object");
        SINEW_TRY(const auto transition, parse_transition(json["transitions"][i], path, machine, names));
        machine.transitions.push_back(transition);
    }
    return machine;
}

std::string describe(const StateMachine& machine, std::span<const std::string> clip_names) {
    std::string text;
    for (const StateMachine::State& state : machine.states) {
        std::vector<std::string> clips;
        for (const StateMachine::Entry& entry : state.clips)
            clips.push_back(state.parameter < 0 ? clip_names[entry.clip]
                                                : fmt::format("{} at {}", clip_names[entry.clip], entry.at));
        text +=
            fmt::format("{}: {}{}{}\n", state.name, fmt::join(clips, ", "),
                        state.parameter < 0 ? "" : " by " + machine.parameters[static_cast<size_t>(state.parameter)],
                        state.loop ? "" : ", once");
    }
    for (const StateMachine::Transition& t : machine.transitions)
        text +=
            fmt::format("{} → {}: {}, fade {} s\n", machine.states[static_cast<size_t>(t.from)].name,
                        machine.states[static_cast<size_t>(t.to)].name,
                        t.parameter < 0 ? "at the end"
                                        : fmt::format("{} {} {}", machine.parameters[static_cast<size_t>(t.parameter)],
                                                      t.above ? "above" : "below", t.limit),
                        t.fade);
    return text;
}

void advance(const StateMachine& machine, std::span<const CompiledClip* const> clips, std::span<const float> parameters,
             float seconds, MachineInstance& instance) {
    SINEW_CHECK(parameters.size() == machine.parameters.size());
    const StateMachine::State& state = machine.states[static_cast<size_t>(instance.state)];
    const float cycle = cycle_of(state, clips, parameters);
    const bool ends = instance.phase + (cycle > 0.0f ? seconds / cycle : 1.0f) >= 1.0f;
    play_on(state, clips, parameters, seconds, instance.phase);
    if (instance.before >= 0) {
        play_on(machine.states[static_cast<size_t>(instance.before)], clips, parameters, seconds,
                instance.phase_before);
        instance.faded += seconds;
        if (instance.faded >= instance.fade) instance.before = -1;
    }
    for (const StateMachine::Transition& t : machine.transitions) {
        if (t.from != instance.state) continue;
        const float value = t.parameter < 0 ? 0.0f : parameters[static_cast<size_t>(t.parameter)];
        const bool holds = t.parameter < 0 ? ends : t.above ? value > t.limit : value < t.limit;
        if (!holds) continue;
        instance = {
            .state = t.to,
            .before = t.fade > 0.0f ? t.from : -1,
            .phase = 0.0f,
            .phase_before = t.parameter < 0 && machine.states[static_cast<size_t>(t.from)].loop ? 1.0f : instance.phase,
            .faded = 0.0f,
            .fade = t.fade};
        return;
    }
}

void layers(const StateMachine& machine, std::span<const CompiledClip* const> clips, std::span<const float> parameters,
            const MachineInstance& instance, std::span<CrowdLayer, machine_layers> out) {
    SINEW_CHECK(parameters.size() == machine.parameters.size());
    const bool fading = instance.before >= 0 && instance.fade > 0.0f;
    const float share = fading ? smoothstep(instance.faded / instance.fade) : 1.0f;
    put_state(machine.states[static_cast<size_t>(instance.state)], clips, parameters, instance.phase, share, &out[0]);
    const int32_t before = fading ? instance.before : instance.state;
    put_state(machine.states[static_cast<size_t>(before)], clips, parameters,
              fading ? instance.phase_before : instance.phase, 1.0f - share, &out[2]);
}

}  // namespace sinew
