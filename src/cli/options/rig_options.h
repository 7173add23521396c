// The options of rigging, shared by `rig` and `animate`.
#pragma once

#include <sinew/pipeline/rig_character.h>

#include "cli.h"

namespace sinew::cli {

// As they were typed.
struct RigWords {
    std::string rig_template = "auto", names = "vrm", up, facing, method = "auto";
    std::vector<std::string> joints;
    int fingers = 5, twist = 0, influences = 4;
    float min_confidence = 0.0f;
    bool root = true;
};

void add_rig_options(Verb& verb, RigWords& words);

// What the words mean. Fails on unknown templates, names and directions, naming the option in `where`; or because of
// the template's file.
Result<RigCharacterOptions> parse_rig_options(const RigWords& words);

}  // namespace sinew::cli
