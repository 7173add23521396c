// Info: what is in a character, as numbers and names.
// Data flow: Character → *here* → a person, or encode_json().
#pragma once

#include <sinew/character/character.h>
#include <sinew/core/progress.h>
#include <sinew/motion/builtin.h>
#include <sinew/skeleton/humanoid.h>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sinew {

struct MeshInfo {
    std::string name;
    size_t vertices = 0;
    size_t triangles = 0;
    size_t pieces = 0;
    bool watertight = false;
    bool skinned = false;
    size_t max_influences = 0;
    size_t unweighted_vertices = 0;
    size_t morphs = 0;
};

struct JointInfo {
    std::string name;
    int32_t parent = -1;
    Vec3 position = Vec3::Zero();  // world space
    Role role = Role::count;       // Role::count: none was recognised
};

struct ClipInfo {
    std::string name;
    float duration = 0.0f;  // seconds
    size_t tracks = 0;
    size_t keys = 0;     // of all tracks
    float rate = 0.0f;   // keys per second of its densest track
    std::string curves;  // "linear", "cubic", "step", or several with + between them
    std::vector<ClipEvent> events = {};
    std::vector<std::string> floats = {};  // names of the user's own numbers
};

struct CharacterInfo {
    std::string file;    // where it was read from one
    std::string format;  // "glb", "obj", …
    std::vector<MeshInfo> meshes;
    std::vector<JointInfo> joints;
    size_t skins = 0, materials = 0;
    Box bounds;  // of the visible vertices in world space; of the joints where there are no meshes
    std::vector<ClipInfo> clips;
    std::vector<std::string> warnings;  // of the reader
    // Of a person whose rest pose is no neutral stance: the moment of the clip (the one asked for, else the first) that
    // retargeting measures from, in seconds.
    std::optional<float> reference_time = {};
    std::vector<std::string> characters;  // their names, where the file holds several
    std::vector<std::string> controls;    // that edit_clips() (pipeline/edit/edit_clips.h) has for it: "fist", "smile"
};

// At rest, or at `time` of `clip`.
CharacterInfo describe(const Character& character, const Clip* clip = nullptr, float time = 0.0f);

// The same of a file; "-" is standard input. `clip` by number or name; with a time and no clip, the first one.
struct InfoJob {
    std::filesystem::path file = {};
    std::string clip = {};
    std::optional<float> time = {};  // seconds
    Listener listener = {};
};
Result<CharacterInfo> describe_file(const InfoJob& job);

// It as one JSON object, indented; fields are only ever added.
std::string encode_json(const CharacterInfo& info);

// Motions: those that are built in, by kind of body; of a file, its clips and what its body is.
struct MotionList {
    std::string file;                     // empty: none was given
    std::string kind;                     // of the file's body: "person", "quadruped", …; empty where it has no rig
    std::vector<ClipInfo> clips;          // of the file
    std::vector<BuiltinMotions> builtin;  // of that kind of body; of all kinds where there is no file
};
// `job.file` may be empty; `clip` and `time` do not matter.
Result<MotionList> list_motions(const InfoJob& job);
std::string encode_json(const MotionList& list);

// A clip by its number or name; an empty text is the first clip, or none (null) when there is none. An unknown name
// fails, listing the closest ones.
Result<const Clip*> find_clip(const Character& character, std::string_view number_or_name);

}  // namespace sinew
