// The options that say how a motion is put on a character, shared by animate and retarget, and the work behind them.
#pragma once

#include <sinew/pipeline/animate.h>
#include <nlohmann/json_fwd.hpp>
#include <optional>

#include "cli.h"

namespace sinew::cli {

struct MotionOptions {
    std::vector<std::string> motions;  // files or built-in names
    std::string clip;
    std::string map_file;
    std::string feet = "lock";
    float fps = 30.0f;
    bool in_place_root = false;
};

void add_motion_options(CLI::App& verb, MotionOptions& options);

// Puts every motion on the character, the first one as its first clip. On failure prints the error and returns nothing.
std::optional<std::vector<RetargetResult>> put_motions(const Common& common, const MotionOptions& options,
                                                       Character& character);

// The "retarget" part of a report: of the first motion.
nlohmann::ordered_json retarget_json(const std::vector<RetargetResult>& results);

}  // namespace sinew::cli
