// Edit: change the clips of a character. Data flow: Character, other motions → *here* (edit/) → Character.
//
//   edit_clips(hero, {.trim_from = 1, .trim_to = 3, .loop = true})
//   edit_clips(hero, {.add = {{"wave", 1.0f}}, .only = "upper"})
//   edit_clips(hero, {.controls = {"smile=0:0,0.5:1", "lean=0.3"}, .mark = "steps"})
#pragma once

#include <sinew/character/character.h>
#include <sinew/core/progress.h>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace sinew {

// Another motion, as a file or a built-in name, and how much of it.
struct MotionLayer {
    std::string motion;
    float weight = 1.0f;
};

// A pose of the library, and how much of it.
struct PoseLayer {
    std::string pose;
    float weight = 1.0f;
};

// Done in this order. What is left at its default changes nothing. Motions of another skeleton are retargeted first.
struct EditOptions {
    std::string clip = {};                // by number or name; empty: all clips
    std::optional<float> trim_from = {};  // seconds
    std::optional<float> trim_to = {};
    bool reverse = false;
    float speed = 1.0f;                   // 2: twice as fast
    bool mirror = false;                  // left and right swapped
    std::vector<MotionLayer> blend = {};  // mixed in, stretched to the same length; weight 1: only this one
    std::vector<MotionLayer> add = {};    // laid on top, as they differ from their own first frame
    std::string only = {};                // of blend, add and the principles: "upper", "lower" or joints; empty: all
    std::vector<std::string> then = {};   // come after it, beginning where it ends
    // The animator's principles, in this order; 0: nothing.
    float exaggerate = 0.0f, arcs = 0.0f, anticipate = 0.0f, follow = 0.0f, hold = 0.0f, secondary = 0.0f,
          squash = 0.0f, slow_in_out = 0.0f;
    // Controls (edit/controls/controls.h), each "NAME=VALUE": a number, keys "0:0,0.5:1" as time:value, or a formula of
    // t. Those that suit the character are built in; a JSON file adds others, driven keys, and poses.
    std::filesystem::path control_file = {};
    std::vector<PoseLayer> poses = {};
    std::vector<std::string> controls = {};
    bool loop = false;                   // the end fades into the beginning
    float fade = 0.2f;                   // seconds, of `then` and `loop`
    bool in_place_root = false;          // keep the body over its starting point, looking ahead
    float fps = 0.0f;                    // linear keys at this rate; 0: as they are
    float optimize_mm = 0.0f;            // fewer keys, nothing farther off than this; 0: as they are
    std::string name = {};               // a new name; empty: as it was
    std::string mark = {};               // events: "steps" adds one wherever a foot lands; "none" drops all
    std::vector<ClipEvent> events = {};  // further ones, at times of the finished clip
    // A file whose blend shapes the character takes, with its expression clips: a face made from the same mesh
    std::string shapes_from = {};
};

struct ClipEditReport {
    std::string clip;
    float seconds_before = 0.0f, seconds_after = 0.0f;
    size_t keys_before = 0, keys_after = 0;  // of all tracks
    float worst_error_mm = 0.0f;             // of optimize_mm
    size_t events = 0;                       // that the clip has now
};
struct EditReport {
    std::vector<ClipEditReport> clips;
    std::vector<std::string> warnings;
};
// Fails on a character without clips, on unknown names, and on motions that do not suit. With controls or poses a
// character needs no clip: it gets one, "controls", as long as their last key, or a second.
Result<EditReport> edit_clips(Character& character, const EditOptions& options, const Listener& listener = {});

// The whole job on files, as `sinew edit` does it. "-" is standard input or output.
struct EditJob {
    std::vector<std::string> inputs = {};  // a character or motion; further ones come after its clip
    // .glb, .gltf, .vrm, .fbx: the character with its clips; .bvh: one clip alone
    std::filesystem::path output = {};
    // .json: a library of the poses that keep_poses names, for control_file
    bool replace_input = false;  // the output may be one of the inputs
    EditOptions options = {};
    std::vector<ClipEvent> keep_poses = {};  // their names, and when they are seen in the clip

    Listener listener = {};
};
struct EditFileReport {
    std::string input, output;
    EditReport edit;
    StageSeconds seconds;
    std::vector<std::string> warnings;
};
// All or nothing is written. Errors name their file first in `where`.
Result<EditFileReport> edit_file(const EditJob& job);

// The report as one JSON object, indented; fields are only ever added.
std::string encode_json(const EditFileReport& report);

// Fewer keys in all clips, nothing farther off than `bound_mm`.
std::vector<ClipEditReport> optimize_clips(Character& character, float bound_mm, const Listener& listener = {});

}  // namespace sinew
