// Animate: the main job — a character or a bare mesh, and motions; out comes a character that moves.
// Data flow: Character → rig_character.h (if it is bare) → retarget_character.h → *here* → Character with new first
// clips.
//
//   on files:    animate_file({.input = "statue.obj", .motions = {"walk"}, .output = "walking.glb"})
//   in memory:   auto moved = animate(*read_character("statue.obj"), {"walk"});
//                write_character(moved->character, "walking.glb", moved->write);
// Both write the same bytes, as does `sinew animate statue.obj --motion walk -o walking.glb`.
#pragma once

#include <sinew/character/character_deformer.h>
#include <sinew/core/progress.h>
#include <sinew/io/write.h>
#include <sinew/pipeline/retarget_character.h>
#include <sinew/pipeline/rig_character.h>
#include <sinew/pipeline/simulate/simulate.h>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace sinew {

struct AnimateOptions {
    MotionOptions motion = {};
    // For a bare mesh. It is made to stand upright: motions walk on y = 0. For the motion of a file it gets the rig of
    // a body in any case; a built-in motion moves any rig, so that one may be grown.
    RigCharacterOptions rig = {};
    bool secondary = true;  // hair, tails and the like swing: VRM's spring bones, or chains found by their names
    // A garment that is simulated on the body: the name of its node, mesh or material, or "auto": skirts, capes and the
    // like, by their names or as open pieces that hang. Empty: none.
    std::string cloth = {};
    Listener listener = {};
};

// What was done. Strings of files are empty where there was no file.
struct AnimateReport {
    std::string input, output;
    std::optional<RigCharacterReport> rig;  // where the input was a bare mesh
    std::vector<MotionReport> motions;      // in the order asked for
    size_t spring_bones = 0;                // that swing in the new clips
    std::vector<ClothReport> cloths;        // garments that were simulated
    StageSeconds seconds;
    std::vector<std::string> warnings;
};

struct AnimateResult {
    Character character;  // its first clips are the motions, in the order asked for
    WriteOptions write;   // for write_character(): states a new rig's joints as a VRM humanoid
    AnimateReport report;
};

// Something already moves its meshes: a skin, or the joints of a body that they hang on.
bool is_rigged(const Character& character);

// Rigs and binds the character if it is bare, then puts the motions on it. Fails when a motion does not fit. Built-in
// motions fit every kind of body (motion/builtin.h).
Result<AnimateResult> animate(Character character, std::span<const MotionSource> motions,
                              const AnimateOptions& options = {});

// The same with files or names of built-in motions, all of which are loaded before the work starts.
Result<AnimateResult> animate(Character character, const std::vector<std::string>& motions,
                              const AnimateOptions& options = {});

// The whole job on files. "-" is standard input or output; empty paths are not written.
struct AnimateJob {
    std::filesystem::path input = {};
    std::vector<std::string> motions = {};  // files, folders of files, or names of built-in motions
    std::filesystem::path output = {};      // .glb, .gltf, .vrm or .fbx
    std::filesystem::path preview = {};     // the first motion as .webp, .gif or .png
    std::filesystem::path report = {};      // encode_json() of the report
    bool replace_input = false;             // the output may be the input
    DeformOptions preview_skinning = {};
};
// Writes all of it or nothing. Errors name their file first in `where`.
Result<AnimateReport> animate_file(const AnimateJob& job, const AnimateOptions& options = {});

// The report as one JSON object, indented; fields are only ever added.
std::string encode_json(const AnimateReport& report);

}  // namespace sinew
