// MakeHuman's base mesh with its facial targets, read from the shared data: a real face with two dozen expressions.
#pragma once

#include <sinew/morph/morph.h>
#include <algorithm>
#include <fstream>
#include <sstream>
#include "support/data.h"

namespace sinew::test {

struct Face {
    std::vector<Vec3> neutral;
    std::vector<MorphTarget> targets;  // sorted by name
};

inline std::vector<Vec3> read_obj_positions(const std::filesystem::path& path) {
    std::vector<Vec3> positions;
    std::ifstream file(path);
    for (std::string line; std::getline(file, line);) {
        std::istringstream words(line);
        std::string kind;
        Vec3 p = Vec3::Zero();
        if (words >> kind && kind == "v" && words >> p.x() >> p.y() >> p.z()) positions.push_back(p);
    }
    return positions;
}

inline MorphTarget read_target(const std::filesystem::path& path) {
    MorphTarget target;
    target.name = path.stem().string();
    std::ifstream file(path);
    for (std::string line; std::getline(file, line);) {
        std::istringstream words(line);
        uint32_t vertex = 0;
        Vec3 delta = Vec3::Zero();
        if (!(words >> vertex >> delta.x() >> delta.y() >> delta.z())) continue;
        target.vertices.push_back(vertex);
        target.positions.push_back(delta);
    }
    return target;
}

// Nothing, with a message, when the data are absent. The whole-body targets (male…, female…) are left out.
inline std::optional<Face> makehuman_face() {
    const auto data = data_dir();
    if (!data || !std::filesystem::is_directory(*data / "makehuman/targets")) return std::nullopt;
    Face face;
    face.neutral = read_obj_positions(*data / "makehuman/base.obj");
    for (const auto& entry : std::filesystem::directory_iterator(*data / "makehuman/targets")) {
        const std::string name = entry.path().filename().string();
        if (name.starts_with("mouth") || name.starts_with("eye")) face.targets.push_back(read_target(entry.path()));
    }
    std::ranges::sort(face.targets, {}, &MorphTarget::name);
    return face;
}

}  // namespace sinew::test
