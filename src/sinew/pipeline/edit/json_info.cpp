#include <sinew/pipeline/edit/json_info.h>

#include <sinew/clip/runtime/state_machine.h>
#include <sinew/core/file.h>
#include <sinew/edit/controls/controls.h>
#include <sinew/pipeline/job/file_job.h>
#include <algorithm>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace sinew {
namespace {

using FileJson = nlohmann::ordered_json;

// The clips that states name: without a character, these are all there are.
void collect_clips(const FileJson& json, std::vector<std::string>& clips, int depth = 4) {
    if (json.is_object() && json.contains("clip") && json["clip"].is_string()) {
        const std::string name = json["clip"].get<std::string>();
        if (std::ranges::find(clips, name) == clips.end()) clips.push_back(name);
    }
    if (json.is_structured() && depth > 0)
        for (const auto& [key, value] : json.items()) collect_clips(value, clips, depth - 1);
}

Result<JsonFileInfo> describe_machine(const FileJson& json, std::string_view text) {
    JsonFileInfo info{.file = {}, .format = "state machine", .parameters = {}, .states = {}, .clips = {}};
    collect_clips(json["states"], info.clips);
    SINEW_TRY(const StateMachine machine, parse_state_machine(text, info.clips));
    info.parameters = machine.parameters;
    for (const StateMachine::State& state : machine.states) info.states.push_back(state.name);
    info.transitions = machine.transitions.size();
    info.text = describe(machine, info.clips);
    return info;
}

Result<JsonFileInfo> describe_controls(std::string_view text) {
    JsonFileInfo info{.file = {}, .format = "controls", .parameters = {}, .states = {}, .clips = {}};
    SINEW_TRY(const ControlSet set, parse_controls(text));
    for (const Control& control : set.controls) {
        info.controls.push_back(control.name);
        info.text += fmt::format("control {:<20} {:g} to {:g}, {} drives\n", control.name, control.low, control.high,
                                 control.drives.size());
    }
    for (const DrivenKey& key : set.driven)
        info.text += fmt::format("driven by {:<18} {}\n", key.joint, fmt::join(key.drive.targets, ", "));
    for (const LibraryPose& pose : set.poses) {
        info.poses.push_back(pose.name);
        info.text +=
            fmt::format("pose {:<23} {} joints, {} morphs\n", pose.name, pose.joints.size(), pose.morphs.size());
    }
    info.driven = set.driven.size();
    return info;
}

}  // namespace

Result<JsonFileInfo> describe_json_file(const std::filesystem::path& file) {
    SINEW_TRY(const Bytes bytes, in_file(read_file(file), file));
    const FileJson json = FileJson::parse(as_text(bytes), nullptr, false);
    const bool machine = json.is_object() && json.contains("states");
    SINEW_TRY(JsonFileInfo info,
              in_file(machine ? describe_machine(json, as_text(bytes)) : describe_controls(as_text(bytes)), file));
    info.file = file.string();
    return info;
}

std::string encode_json(const JsonFileInfo& info) {
    FileJson json = {{"file", info.file}, {"format", info.format}};
    if (info.format == "controls")
        json.update({{"controls", info.controls}, {"driven", info.driven}, {"poses", info.poses}});
    else
        json.update({{"parameters", info.parameters},
                     {"states", info.states},
                     {"clips", info.clips},
                     {"transitions", info.transitions}});
    return json.dump(2, ' ', false, FileJson::error_handler_t::replace);
}

}  // namespace sinew
