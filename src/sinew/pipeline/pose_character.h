// Pose: turn joints, and put hands, feet or any other joints where you want them.
// Data flow: Character, names and numbers → *here* (ik/ik.h, ik/elastic/elastic_pose.h) → Character in that pose.
//
//   pose_character(hero, {.rotate = {{"leftLowerArm", {90, 0, 0}}}})
//   pose_character(hero, {.targets = {{"leftHand", {0.3, 1.5, 0.4}}}})
#pragma once

#include <sinew/character/character.h>
#include <sinew/core/progress.h>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sinew {

// A joint by its name, its humanoid role ("leftHand") or its number ("joint 7"), and three numbers.
struct NamedVector {
    std::string name;
    Vec3 value = Vec3::Zero();
};

// How the new pose is kept. nodes: the joints stand in it, and the skin stays bound as it was. clip: as a clip "pose"
// of one key, in front of the other clips; the joints stand where they stood.
enum class PoseAs : uint8_t { both, nodes, clip };

// First the joints are rotated, then targets are reached for. Places are in metres and in world space, as
// describe() (pipeline/info.h) tells them.
struct PoseOptions {
    std::string clip = {};           // start from this clip, by number or name; empty: from rest, or the first clip
    std::optional<float> time = {};  // at this time of the clip, in seconds
    std::vector<NamedVector> rotate = {};   // degrees about x, then y, then z; added to the rotation that is there
    bool world_axes = false;                // of the rotations; else each joint's own axes
    std::vector<NamedVector> targets = {};  // where joints shall be; with the elastic solver also "vertex 1203"
    std::vector<NamedVector> moves = {};    // the same, from where they are
    // The side to which a limb bends, as a direction: for the joint that bends, or for one that has a target
    std::vector<NamedVector> poles = {};
    // full-body and elastic: joints that stay where they are. Empty: the feet, or else the topmost joint
    std::vector<std::string> hold = {};
    std::string solver = "auto";  // one of pose_solver_names()
    bool anatomical = false;      // a person's joints stay within what a healthy adult's can do
    PoseAs as = PoseAs::both;
};

// "auto", those of ik/ik.h, and "elastic".
std::vector<std::string_view> pose_solver_names();

struct PoseGoalReport {
    std::string joint;  // as the character calls it
    Vec3 target = Vec3::Zero(), position = Vec3::Zero();
    float error = 0.0f;  // the distance between the two
    bool reached = false;
    std::string solver;
    int iterations = 0;
};
struct PoseReport {
    std::vector<PoseGoalReport> goals;
    bool reached = true;  // all of them
    int32_t turned = 0;   // joints that stand otherwise than before
    std::vector<std::string> warnings;
};

// auto solves each target by what suits it: two-bone for a hand or a foot, damped-least-squares for other chains, up to
// where they branch. Where several targets cannot be reached so, or one is for the hips, full-body solves all together.
// A target out of reach is approached; the report and a warning say so. Fails on unknown names and on solvers that do
// not suit.
Result<PoseReport> pose_character(Character& character, const PoseOptions& options);

// The whole job on files, as `sinew pose` does it. "-" is standard input or output; empty paths are not written.
struct PoseJob {
    std::filesystem::path input = {};
    std::filesystem::path output = {};  // .glb, .gltf, .vrm or .fbx; .bvh: the pose alone
    std::filesystem::path report = {};  // encode_json() of the report
    bool strict = false;                // a target that is not reached is an error, and nothing is written
    bool replace_input = false;         // the output may be the input
    PoseOptions options = {};
    Listener listener = {};
};
struct PoseFileReport {
    std::string input, output;
    PoseReport pose;
    StageSeconds seconds;
    std::vector<std::string> warnings;
};
// All or nothing is written. Errors name their file first in `where`.
Result<PoseFileReport> pose_file(const PoseJob& job);

// The report as one JSON object, indented; fields are only ever added.
std::string encode_json(const PoseFileReport& report);

}  // namespace sinew
