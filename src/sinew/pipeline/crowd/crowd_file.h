// Crowd: many of one character at once, in one file: people who walk about, flocks of birds, schools of fish.
// Data flow: a Character and a motion → flock/ (ways) → gait (poses) → *here* → a Character of many, a picture.
//
//   on files:   crowd_file({.input = "hero.glb", .output = "crowd.glb", .preview = "crowd.webp"}, {.count = 500})
#pragma once

#include <sinew/character/character.h>
#include <sinew/core/progress.h>
#include <sinew/core/result.h>
#include <filesystem>
#include <string>
#include <vector>

namespace sinew {

enum class CrowdKind : uint8_t { walkers, flock };

struct CrowdOptions {
    int32_t count = 100;
    CrowdKind kind = CrowdKind::walkers;
    std::string motion = "walk";  // a motion file or a built-in motion; a bird that is asked to walk flies in a flock
    float seconds = 4.0f;         // how long the clip is
    float fps = 30.0f;            // of the simulation, and of the keys of legs
    uint64_t seed = 1;            // another one: other places, ways and steps
    std::filesystem::path scene = {};  // JSON: goals, obstacles, groups; empty: an open place
    Listener listener = {};
};

struct CrowdReport {
    std::string input, output;
    int32_t count = 0;
    std::string kind, motion;
    int32_t joints_each = 0;
    float walk_speed = 0.0f;     // metres a second at which the motion goes
    float foot_drift_mm = 0.0f;  // the most that a planted foot moved; 0 without feet
    float mean_foot_drift_mm = 0.0f;
    int32_t steps = 0;  // contacts that were measured
    std::vector<std::string> warnings;
    StageSeconds seconds;
};

struct CrowdResult {
    // One skeleton below one joint per body, one skin each, all with the meshes of the one that was given. Its only
    // clip moves all. Obstacles are meshes of their own.
    Character character;
    CrowdReport report;
};

// Rigs a bare mesh first. Fails where the motion does not fit, the scene is wrong, or its groups have no room for so
// many. The same bytes for the same seed and any number of threads.
Result<CrowdResult> make_crowd(Character character, const CrowdOptions& options);

struct CrowdFileJob {
    std::filesystem::path input = {};
    std::filesystem::path output = {};   // .glb, .gltf or .fbx
    std::filesystem::path preview = {};  // .webp, .gif or .png
    std::filesystem::path report = {};
    int32_t width = 960, height = 540;  // of the preview
};
// The whole job on files, as `sinew crowd` does it; all or nothing is written.
Result<CrowdReport> crowd_file(const CrowdFileJob& job, const CrowdOptions& options = {});

// The report as one JSON object, indented; fields are only ever added.
std::string encode_json(const CrowdReport& report);

}  // namespace sinew
