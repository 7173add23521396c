// Retarget: motions on a character. Data flow: a motion file or a built-in name → MotionSource + Character → *here*
// (motion/retarget.h) → Clip of the character.
//
//   I have a motion and a character:   add_motion(hero, *load_motion("walk.bvh"))
//   I only want the clip:              retarget(*load_motion("walk"), hero)->clip
#pragma once

#include <sinew/character/character.h>
#include <sinew/core/progress.h>
#include <sinew/motion/retarget.h>
#include <filesystem>
#include <optional>
#include <string>

namespace sinew {

struct MotionSource {
    Skeleton skeleton;
    Clip clip;
    std::vector<Transform> stance;         // how its body stands, where that is known and differs from its rest pose
    std::vector<SkinPoint> skin;           // of its body, where the file has one
    std::vector<std::string> warnings;     // of the reader
    std::string name;                      // as it was asked for
    bool builtin = false;                  // made by Sinew, for each body as its kind moves: only the name counts then.
                                           // `skeleton` and `clip` are a person's where people have such a motion
    std::vector<std::string> morphs = {};  // names of its file's morph targets, in the order of Pose::morphs
};

// A motion file, or the name of a built-in motion (motion/builtin.h). What has no extension and does not exist as a
// file is a name. `clip`: which clip of the file, by number or name; empty: the first.
Result<MotionSource> load_motion(const std::string& file_or_name, const std::string& clip = {},
                                 const Progress& progress = {});

// Several at once. Each is a file, a built-in name, or a folder, which stands for all motion files in it, by name;
// those in it that have no animation are left out. `clip` may be "all": every clip of every file. Clips get names of
// their own: where names repeat, that of the file is put in front.
Result<std::vector<MotionSource>> load_motions(const std::vector<std::string>& files_or_names,
                                               const std::string& clip = {}, const Progress& progress = {});

// The motion as a clip of this character. Knows how the body stands where the file rests in mid-movement, and takes
// along what hangs beside the body. Fails when the character has no rig, or one that does not match.
Result<RetargetResult> retarget(const MotionSource& motion, const Character& character,
                                const RetargetOptions& options = {});

// The same, and puts the clip in front of the character's clips, so that a viewer that plays the first one shows it. A
// clip of that name that the character already has is replaced.
Result<RetargetResult> add_motion(Character& character, const MotionSource& motion,
                                  const RetargetOptions& options = {});

// How motions are put on a character, in words that suit any motion and any character.
struct MotionOptions {
    std::string clip = {};       // which clip of a motion file, by number or name, or "all"; empty: the first
    std::string character = {};  // which of several characters in the file; empty: the first, with a warning
    // A JSON file {"motion's joint": "character's joint"}; empty: by role, then name, then structure
    std::filesystem::path joint_map = {};
    float fps = 30.0f;           // keys per second of the new clip
    bool in_place_root = false;  // keep the character over its starting point
    bool lock_feet = true;       // planted feet stand still
    bool mirror = false;         // left and right swapped
    bool onto_animal = false;    // allow a person's motion on a body with four legs
    std::string only = {};       // "upper", "lower", or joints with commas between them; empty: the whole body
};

// One joint of the character and what moves it.
struct MatchReport {
    std::string source, target, by;  // by: role, name, structure, map, same rig
};

// What became of one motion.
struct MotionReport {
    std::string motion;  // the file or the name
    std::string clip;    // the new clip's name
    int32_t mapped_joints = 0;
    float scale = 1.0f;                // the character's legs to the motion's
    float foot_skate_cm_per_s = 0.0f;  // where feet_measured
    float ground_error_cm = 0.0f;
    std::vector<MatchReport> map;
    std::vector<std::string> warnings;
    std::optional<float> reference_time = {};  // as in RetargetResult
    bool feet_measured = true;                 // false for motions that are made on an animal's own joints
};

// Puts the motions on the character; the first one becomes its first clip. On failure the character may have some.
Result<std::vector<MotionReport>> add_motions(Character& character, std::span<const MotionSource> motions,
                                              const MotionOptions& options = {}, const Listener& listener = {});

// The whole job on files, as `sinew retarget` does it. "-" is standard input or output.
struct RetargetJob {
    std::string motion = {};  // a file, a folder of files, or a built-in motion
    std::filesystem::path character = {};
    // .glb, .gltf, .fbx: the character with the motions as its first clips; .bvh: the first motion alone
    std::filesystem::path output = {};
    bool replace_input = false;  // the output may be one of the inputs
    MotionOptions options = {};
    Listener listener = {};
};
struct RetargetReport {
    std::string input, onto, output;
    MotionReport motion;             // the first
    std::vector<MotionReport> more;  // the others, of a folder or with the clip "all"
};
// All or nothing is written. Errors name their file first in `where`.
Result<RetargetReport> retarget_file(const RetargetJob& job);

// The report as one JSON object, indented; fields are only ever added.
std::string encode_json(const RetargetReport& report);

}  // namespace sinew
