// MakeHuman's base mesh with its default rig and weights, as a rigged character: its files are text, and say where
// bones end.
#pragma once

#include <algorithm>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <sstream>

#include "truth.h"

namespace sinew::test {

// The vertices of the whole file (weights and joints name them by number), and the triangles of the group "body". Marks
// the vertices of any group but the cubes that say where joints are.
inline Mesh read_makehuman_body(const std::filesystem::path& file, std::vector<uint8_t>& shape) {
    Mesh mesh;
    bool body = false, cube = false;
    std::ifstream obj(file);
    for (std::string line; std::getline(obj, line);) {
        std::istringstream words(line);
        std::string kind;
        words >> kind;
        if (kind == "v") {
            Vec3 p;
            words >> p.x() >> p.y() >> p.z();
            mesh.positions.push_back(p);
        } else if (kind == "g") {
            std::string group;
            words >> group;
            body = group == "body";
            cube = group.starts_with("joint-");
        } else if (kind == "f" && !cube) {
            std::vector<uint32_t> corners;
            for (std::string corner; words >> corner;)
                corners.push_back(static_cast<uint32_t>(std::stoul(corner.substr(0, corner.find('/')))) - 1);
            shape.resize(mesh.positions.size(), 0);
            for (uint32_t v : corners) shape.at(v) = 1;
            for (size_t k = 2; body && k < corners.size(); ++k)
                mesh.triangles.insert(mesh.triangles.end(), {corners[0], corners[k - 1], corners[k]});
        }
    }
    return mesh;
}

// Leaves out the vertices that no triangle uses; number[old] is the new one, or −1.
inline std::vector<int64_t> drop_unused(Mesh& mesh) {
    std::vector<int64_t> number(mesh.positions.size(), -1);
    std::vector<Vec3> kept;
    for (uint32_t& v : mesh.triangles) {
        if (number[v] < 0) {
            number[v] = static_cast<int64_t>(kept.size());
            kept.push_back(mesh.positions[v]);
        }
        v = static_cast<uint32_t>(number[v]);
    }
    mesh.positions = std::move(kept);
    return number;
}

inline std::unique_ptr<Rigged> read_makehuman(const std::filesystem::path& folder) {
    std::vector<uint8_t> shape;
    Mesh mesh = read_makehuman_body(folder / "base.obj", shape);
    const nlohmann::json rig = nlohmann::json::parse(std::ifstream(folder / "default.mhskel"));
    const auto place = [&](const std::string& joint) {
        Vec3 sum = Vec3::Zero();
        for (const auto& v : rig["joints"][joint]) sum += mesh.positions[v.get<size_t>()];
        return Vec3(sum / static_cast<float>(rig["joints"][joint].size()));
    };
    // Parents first.
    std::vector<std::string> names;
    std::vector<int32_t> parents;
    std::map<std::string, int32_t> number_of;
    while (names.size() < rig["bones"].size())
        for (const auto& [name, bone] : rig["bones"].items()) {
            const auto parent =
                bone["parent"].is_null() ? number_of.end() : number_of.find(bone["parent"].get<std::string>());
            if (number_of.count(name) || (!bone["parent"].is_null() && parent == number_of.end())) continue;
            number_of[name] = static_cast<int32_t>(names.size());
            parents.push_back(parent == number_of.end() ? -1 : parent->second);
            names.push_back(name);
        }
    std::vector<Transform> rest(names.size());
    Character character;
    Skin skin;
    std::vector<std::optional<Vec3>> tails;
    for (size_t j = 0; j < names.size(); ++j) {
        const Vec3 head = place(rig["bones"][names[j]]["head"]);
        tails.push_back(place(rig["bones"][names[j]]["tail"]));
        skin.joints.push_back(static_cast<int32_t>(j));
        skin.inverse_bind.push_back(Affine(Eigen::Translation3f(-head)));
        const int32_t parent = parents[j];
        rest[j].translation =
            parent < 0 ? head : Vec3(head - place(rig["bones"][names[static_cast<size_t>(parent)]]["head"]));
    }
    character.skeleton = Skeleton::create(names, parents, rest).value();
    character.skins.push_back(std::move(skin));

    const std::vector<int64_t> number = drop_unused(mesh);
    std::vector<std::vector<Influence>> rows(mesh.positions.size());
    const nlohmann::json weights = nlohmann::json::parse(std::ifstream(folder / "default_weights.mhw"));
    for (const auto& [name, list] : weights["weights"].items())
        for (const auto& entry : list)
            if (const int64_t v = number[entry[0].get<size_t>()]; v >= 0)
                rows[static_cast<size_t>(v)].push_back(
                    {static_cast<uint32_t>(number_of.at(name)), entry[1].get<float>()});
    std::vector<uint32_t> first = {0};
    std::vector<Influence> raw;
    for (const auto& row : rows) {
        raw.insert(raw.end(), row.begin(), row.end());
        first.push_back(static_cast<uint32_t>(raw.size()));
    }
    MeshGroup group{.name = "body", .primitives = std::vector<Primitive>(1), .morph_weights = {}};
    group.primitives[0].mesh = std::move(mesh);
    group.primitives[0].influences = Influences::create(first, raw, names.size()).value();
    character.meshes.push_back(std::move(group));
    character.instances.push_back({.joint = 0, .mesh = 0, .skin = 0});
    auto rigged = take_apart("makehuman", std::move(character));
    rigged->rig.tails = std::move(tails);
    // Bones that only hold others have no list, or one with no more than the cube that marks their joint.
    for (const std::string& name : rigged->character.skeleton.names()) {
        const nlohmann::json list = weights["weights"].value(name, nlohmann::json::array());
        rigged->rig.deform.push_back(std::any_of(list.begin(), list.end(), [&](const nlohmann::json& entry) {
            return entry[0].get<size_t>() < shape.size() && shape[entry[0].get<size_t>()];
        }));
    }
    return rigged;
}

}  // namespace sinew::test
