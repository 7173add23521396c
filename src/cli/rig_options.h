// The options of rigging, shared by `rig` and `animate`, and what they report.
#pragma once

#include <sinew/pipeline/rig_character.h>
#include <nlohmann/json_fwd.hpp>

#include "cli.h"

namespace sinew::cli {

struct RigCommand {
    std::string rig_template = "auto", names = "vrm", up, facing, method = "auto";
    std::vector<std::string> joints;
    int fingers = 5, twist = 0, influences = 4;
    bool root = true, upright = false;
};

void add_rig_options(CLI::App& verb, RigCommand& command);

// What the texts mean; fails on unknown templates, names and directions.
Result<RigCharacterOptions> parse_rig_options(const Common& common, const RigCommand& command);

// Adds "template", "confidence", "pose", "up", "facing", "joints", "cues", "hypotheses", "weights" to the report, and
// rig and bind to `seconds`.
void report_rig(const RigCharacterReport& result, const Skeleton& skeleton, nlohmann::ordered_json& report,
                nlohmann::ordered_json& seconds);

}  // namespace sinew::cli
