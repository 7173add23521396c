// Rig: from a bare mesh to a bound character, as one call.
// Data flow: Character without a skin → rig/fit_skeleton.h (skeleton) → weights/weights.h (weights) → *here* →
// Character with a skin.
#pragma once

#include <sinew/character/character.h>
#include <sinew/core/progress.h>
#include <sinew/rig/fit_skeleton.h>
#include <sinew/skeleton/humanoid.h>
#include <sinew/weights/weights.h>
#include <filesystem>
#include <optional>

namespace sinew {

struct RigCharacterOptions {
    RigOptions rig = {};
    WeightOptions weights = {};
    // A fit below this fails, and says why, before the seconds of binding; 0: every fit will do.
    double min_confidence = 0.0;
    bool upright = false;  // also turn the character to stand on y = 0, facing +Z; its vertices stay as they are
};

// A template from a .json file, or the joints of any file with a skeleton: those that its skins use with what they hang
// on, or all when it has no skin. Errors name the file first in `where`.
Result<RigTemplate> load_template(const std::string& path);

struct RigCharacterReport {
    RigResult rig;
    WeightReport weights;
    std::vector<std::string> joint_names;  // of the character: what the numbers in `weights` mean
    std::vector<int32_t> joints;           // the character's joint of each of the rig's
    std::optional<HumanoidMap> humanoid;   // of a biped, in the character's joints: for WriteOptions::humanoid
    double rig_seconds = 0.0, bind_seconds = 0.0;
};

// Fits a skeleton to everything that is shown, as it stands at rest, and binds it. The skins and clips that the
// character had go. On failure the character is as it was.
Result<RigCharacterReport> rig_character(Character& character, const RigCharacterOptions& options = {});

// The whole job on files, as `sinew rig` does it. "-" is standard input or output; empty paths are not written.
struct RigJob {
    std::filesystem::path input = {};
    std::filesystem::path output = {};  // .glb, .gltf, .vrm or .fbx
    std::filesystem::path report = {};  // encode_json() of the report
    bool replace_input = false;         // the output may be the input
    RigCharacterOptions options = {};
    Listener listener = {};
};
struct RigReport {
    std::string input, output;
    RigCharacterReport rig;
    StageSeconds seconds;
    std::vector<std::string> warnings;
};
// All or nothing is written. Errors name their file first in `where`.
Result<RigReport> rig_file(const RigJob& job);

// The report as one JSON object, indented; fields are only ever added.
std::string encode_json(const RigReport& report);

}  // namespace sinew
