// Reads the characters of characters.h. Data flow: files → *here* → BareCharacter.
#pragma once

#include <rig/characters.h>
#include <fstream>
#include <nlohmann/json.hpp>

namespace sinew::test {

// MakeHuman's joints are the means of vertices of base.obj, listed in default.mhskel.
inline void take_makehuman_truth(const std::filesystem::path& folder, BareCharacter& out) {
    std::vector<Vec3> vertices;
    std::ifstream obj(folder / "base.obj");
    for (std::string line; std::getline(obj, line);) {
        Vec3 p;
        if (line.rfind("v ", 0) == 0 && std::sscanf(line.c_str() + 2, "%f %f %f", &p.x(), &p.y(), &p.z()) == 3)
            vertices.push_back(p);
    }
    const nlohmann::json rig = nlohmann::json::parse(std::ifstream(folder / "default.mhskel"));
    static const std::map<std::string, std::string> bones = {{"hips", "root"},
                                                             {"neck", "neck01"},
                                                             {"head", "head"},
                                                             {"leftUpperArm", "upperarm01.L"},
                                                             {"leftLowerArm", "lowerarm01.L"},
                                                             {"leftHand", "wrist.L"},
                                                             {"leftUpperLeg", "upperleg01.L"},
                                                             {"leftLowerLeg", "lowerleg01.L"},
                                                             {"leftFoot", "foot.L"},
                                                             {"rightUpperArm", "upperarm01.R"},
                                                             {"rightLowerArm", "lowerarm01.R"},
                                                             {"rightHand", "wrist.R"},
                                                             {"rightUpperLeg", "upperleg01.R"},
                                                             {"rightLowerLeg", "lowerleg01.R"},
                                                             {"rightFoot", "foot.R"}};
    for (const auto& [name, bone] : bones) {
        Vec3 sum = Vec3::Zero();
        const auto& corners = rig["joints"][rig["bones"][bone]["head"].get<std::string>()];
        for (const auto& v : corners) sum += vertices[v.get<size_t>()];
        out.truth[name] = sum / static_cast<float>(corners.size());
    }
}

inline BareCharacter load_bare(const CharacterFile& file) {
    BareCharacter out{.name = file.name, .kind = file.kind};
    const std::filesystem::path path = *data_dir() / file.path;
    const bool makehuman = path.extension() == ".obj";
    const Character character = read_character(path).value();
    take_triangles(character, rest_pose(character), out, makehuman ? "body" : "");
    if (makehuman)
        take_makehuman_truth(path.parent_path(), out);
    else
        take_truth(character, rest_pose(character), out);
    Box box;
    for (uint32_t v : out.triangles) box.add(out.positions[v]);
    // A bird in flight or a fish has no height to speak of.
    const bool stands = out.kind == "biped" || out.kind == "quadruped";
    out.height = static_cast<double>(stands ? box.size().y() : box.size().maxCoeff());
    return out;
}

}  // namespace sinew::test
