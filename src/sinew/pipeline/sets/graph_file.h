// Graph: a motion graph of files, and a walk along a path on it, as `sinew graph` does it.
// Data flow: motion files → one skeleton (retarget) → *here* (sets/graph) → a graph as JSON, a motion, a picture.
#pragma once

#include <sinew/core/progress.h>
#include <sinew/sets/graph/path_walk.h>
#include <filesystem>
#include <optional>

namespace sinew {

struct GraphJob {
    std::vector<std::string> motions = {};  // files, folders of files, or built-in motions
    std::filesystem::path onto = {};        // a character that walks; empty: the body of the first motion
    std::filesystem::path graph = {};       // .json
    std::filesystem::path motion = {};      // the walk: .bvh, .glb, .gltf, .fbx
    std::filesystem::path picture = {};     // the distances of all frames, dark where they are alike
    std::string path = {};  // "eight", or a JSON file of points: [[x, z], …] or {"points": …, "closed": true}
    float radius = 2.5f;    // of the eight's circles, in metres
    float seconds = 60.0f;
    GraphOptions options = {};
    Listener listener = {};
};
struct GraphReport {
    std::vector<std::string> motions;
    MotionGraph graph;
    std::optional<PathWalk> walk;
    std::vector<std::string> warnings;
};
// Writes all of it or nothing. Motions that do not fit are told and left out.
Result<GraphReport> graph_files(const GraphJob& job);

// The report as one JSON object, indented; fields are only ever added.
std::string encode_json(const GraphReport& report);

}  // namespace sinew
