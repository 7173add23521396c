// Bind: skin weights for a character and a skeleton, as one call.
// Data flow: Character + a rig → weights/weights.h → *here* → Character with a skin.
#pragma once

#include <sinew/character/character.h>
#include <sinew/core/progress.h>
#include <sinew/weights/weights.h>
#include <filesystem>
#include <string>
#include <vector>

namespace sinew {

// Puts the joints of `rig` into the character's skeleton, where they stand at rest, and binds every mesh in the scene
// to them. The rig's joints are those of its skins with what they hang on, or all its nodes when it has no skin (a
// BVH). What its file says of them beyond that is heeded: where bones end, which move no skin. Skins that the character
// had go. Meshes are solved together, so that seams between materials and meshes hold; a mesh that is shown twice
// becomes two.
Result<WeightReport> bind_character(Character& character, const Character& rig, const WeightOptions& options = {});

// New weights for a character that is already bound: the same joints, the same bind pose. What hangs rigidly on a joint
// stays as it is.
Result<WeightReport> rebind_skin(Character& character, const WeightOptions& options = {});

// The whole job on files, as `sinew bind` does it. "-" is standard input or output; empty paths are not written.
struct BindJob {
    std::filesystem::path input = {};
    std::filesystem::path skeleton = {};  // empty: bind to the skeleton that the input has
    std::filesystem::path output = {};    // .glb, .gltf, .vrm or .fbx
    std::filesystem::path report = {};    // encode_json() of the report
    bool replace_input = false;           // the output may be one of the inputs
    WeightOptions options = {};
    Listener listener = {};
};
struct BindReport {
    std::string input, output;
    WeightReport weights;
    std::vector<std::string> joint_names;  // of the character: what the numbers in `weights` mean
    StageSeconds seconds;
    std::vector<std::string> warnings;
};
// All or nothing is written. Errors name their file first in `where`.
Result<BindReport> bind_file(const BindJob& job);

// The report as one JSON object, indented; fields are only ever added.
std::string encode_json(const BindReport& report);

}  // namespace sinew
