// Blend: a walk at any speed, turn and slope, mixed from motion files, as `sinew blend` does it.
// Data flow: motion files → one skeleton (one_body.h) → *here* (sets/blend) → a motion.
#pragma once

#include <sinew/core/progress.h>
#include <sinew/sets/blend/parametric_motion.h>
#include <filesystem>
#include <string>
#include <vector>

namespace sinew {

struct BlendJob {
    std::vector<std::string> motions = {};  // files, folders of files, or built-in motions
    std::filesystem::path onto = {};        // a character that walks; empty: the body of the first motion
    std::filesystem::path output = {};      // .bvh, .glb, .gltf, .fbx; empty: the cycles are told, nothing is made
    std::vector<float> speed = {};          // metres a second; several: one after another; none: of the first cycle
    std::vector<float> turn = {};           // degrees a second to the left; none: straight on
    std::vector<float> slope = {};          // degrees upwards; none: level
    float seconds = 10.0f;
    Listener listener = {};
};
struct BlendReport {
    std::vector<MotionCycle> cycles;
    std::vector<std::string> without_cycle;  // motions that have none
    Pace asked;                              // the mean over the clip
    ParametricClip made;                     // without a clip where no output was asked for
    std::vector<std::string> warnings;
};
// Values that change are spread evenly over the seconds. Writes the motion or nothing.
Result<BlendReport> blend_files(const BlendJob& job);

// The report as one JSON object, indented; fields are only ever added.
std::string encode_json(const BlendReport& report);

}  // namespace sinew
