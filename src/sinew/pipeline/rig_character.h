// Rig: from a bare mesh to a bound character, as one call.
// Data flow: Character without a skin → rig/fit_skeleton.h (skeleton) → pipeline/bind_character.h (weights) → Character
// with a skin.
#pragma once

#include <sinew/pipeline/bind_character.h>
#include <sinew/rig/fit_skeleton.h>
#include <sinew/skeleton/humanoid.h>
#include <optional>

namespace sinew {

struct RigCharacterOptions {
    RigOptions rig;
    WeightOptions weights;
    bool upright = false;  // also turn the character to stand on y = 0, facing +Z; its vertices stay as they are
};

// A template from a .json file, or the joints of any file with a skeleton: those that its skins use with what they hang
// on, or all when it has no skin.
Result<RigTemplate> load_template(const std::string& path);

struct RigCharacterReport {
    RigResult rig;
    WeightReport weights;
    std::vector<int32_t> joints;          // the character's joint of each of the rig's
    std::optional<HumanoidMap> humanoid;  // of a biped, in the character's joints: for WriteOptions::humanoid
    double rig_seconds = 0.0, bind_seconds = 0.0;
};

// Fits a skeleton to everything that is shown, as it stands at rest, and binds it; what skins and clips there were go.
// On failure the character is as it was.
Result<RigCharacterReport> rig_character(Character& character, const RigCharacterOptions& options = {});

}  // namespace sinew
