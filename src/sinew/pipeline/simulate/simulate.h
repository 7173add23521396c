// Simulate: a scene file → a character whose clip shows what moved by itself, as ordinary glTF animation.
// Data flow: SCENE.json → physics → *here* → Character → io/write.h.
//
//   on files:    simulate_file({.scene = "pour.json", .output = "pour.glb"})
//   in memory:   auto moved = simulate(text, files_beside_the_scene);
// docs/simulate.md says what stands in a scene.
#pragma once

#include <sinew/character/character.h>
#include <sinew/core/bytes.h>
#include <sinew/core/progress.h>
#include <sinew/io/read.h>
#include <filesystem>
#include <string>
#include <vector>

namespace sinew {

// How one cloth came out.
struct ClothReport {
    std::string name;
    size_t vertices = 0, joints = 0;
    size_t pins = 0;             // vertices that the body holds
    float worst_stretch = 0.0f;  // of any edge in any frame, as a share
    float deepest_mm = 0.0f;     // in the body's skin
    float crossing_mm = 0.0f;    // how far it pokes through itself
    // At the worst moment: the share of inner edges whose triangles lie on each other, and of those bent by more than
    // 60°; how far all are bent, in the mean.
    float folded = 0.0f, creased = 0.0f, mean_bend_deg = 0.0f;
    float fit_error_mm = 0.0f;  // of the joints that stand for it, at worst
    float fit_mean_mm = 0.0f;
};

struct SimulateReport {
    std::string scene, output;
    double seconds = 0.0;
    size_t frames = 0, spheres = 0, particles = 0, joints = 0, keys = 0, bodies = 0;
    double worst_overlap = 0.0;  // of spheres in the last frame, as a share of a radius
    std::vector<ClothReport> cloths;
    StageSeconds stage_seconds;
    std::vector<std::string> warnings;
};

struct SimulateResult {
    Character character;  // its first clip is the simulation
    SimulateReport report;
};

// Reads the scene, runs it, and makes a character of it. `resources` opens the files that the scene names; those of
// motions are opened by path beside `folder`. Fails on a scene that is wrong, and on one that flies apart.
Result<SimulateResult> simulate(ByteSpan scene, const ResourceReader& resources,
                                const std::filesystem::path& folder = {}, const Listener& listener = {});

struct SimulateJob {
    std::filesystem::path scene = {}, output = {};  // .json; .glb, .gltf or .fbx
    std::filesystem::path preview = {};             // .webp, .gif or .png
    std::filesystem::path report = {};              // encode_json() of the report
    Listener listener = {};
};
// Writes all of it or nothing. Errors name their file first in `where`.
Result<SimulateReport> simulate_file(const SimulateJob& job);

// The report as one JSON object, indented; fields are only ever added.
std::string encode_json(const SimulateReport& report);

}  // namespace sinew
