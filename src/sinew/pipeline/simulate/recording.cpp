#include <sinew/pipeline/simulate/recording.h>

#include <sinew/core/check.h>
#include <sinew/edit/frames.h>
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace sinew {
namespace {

// A ball of radius 1 with eight fields of two shades, so that one sees it turn.
Mesh make_ball(int rings) {
    Mesh mesh;
    const int sides = 2 * rings;
    for (int r = 0; r <= rings; ++r)
        for (int s = 0; s <= sides; ++s) {
            const float u = pi * static_cast<float>(r) / static_cast<float>(rings),
                        w = 2 * pi * static_cast<float>(s) / static_cast<float>(sides);
            mesh.positions.emplace_back(std::sin(u) * std::cos(w), std::cos(u), -std::sin(u) * std::sin(w));
            const bool dark = (s * 4 / sides + r * 2 / rings) % 2 == 1;
            mesh.colors.push_back(dark ? Vec4(0.45f, 0.45f, 0.45f, 1) : Vec4(1, 1, 1, 1));
        }
    mesh.normals = mesh.positions;
    const auto at = [&](int r, int s) { return static_cast<uint32_t>(r * (sides + 1) + s); };
    for (int r = 0; r < rings; ++r)
        for (int s = 0; s < sides; ++s) {
            if (r > 0) mesh.triangles.insert(mesh.triangles.end(), {at(r, s), at(r + 1, s), at(r, s + 1)});
            if (r + 1 < rings)
                mesh.triangles.insert(mesh.triangles.end(), {at(r, s + 1), at(r + 1, s), at(r + 1, s + 1)});
        }
    return mesh;
}

int32_t add_material(Character& character, const std::string& name, const Vec4& color, bool double_sided) {
    character.materials.push_back({.name = name, .base_color = color, .double_sided = double_sided});
    return static_cast<int32_t>(character.materials.size()) - 1;
}

void add_nodes(Character& character, const RecordedNodes& group, std::span<const float> times, int32_t root,
               Clip& clip) {
    if (group.nodes.empty()) return;
    MeshGroup mesh{.name = group.name};
    mesh.primitives.push_back(
        {.mesh = make_ball(group.detail), .material = add_material(character, group.name, group.color, false)});
    character.meshes.push_back(std::move(mesh));
    std::vector<std::string> names;
    std::vector<Transform> rest;
    for (const RecordedNode& node : group.nodes) {
        names.push_back(node.name);
        rest.push_back(node.frames.front());
    }
    const int32_t first = add_joints(character, names, rest, std::vector<int32_t>(names.size(), root));
    for (size_t i = 0; i < group.nodes.size(); ++i) {
        const int32_t joint = first + static_cast<int32_t>(i);
        character.instances.push_back({.joint = joint, .mesh = static_cast<int32_t>(character.meshes.size()) - 1});
        const RecordedNode& node = group.nodes[i];
        add_transform_tracks(clip, {.joint = joint, .scale = node.steps, .steps = node.steps}, times, node.frames);
    }
}

Influences patch_influences(const Patches& patches) {
    std::vector<uint32_t> first{0};
    std::vector<Influence> all;
    for (size_t i = 0; i < patches.weights.size(); ++i) {
        if (patches.weights[i].weight > 0.0f) all.push_back({patches.weights[i].patch, patches.weights[i].weight});
        if ((i + 1) % Patches::per_vertex == 0) first.push_back(static_cast<uint32_t>(all.size()));
    }
    auto made = Influences::create(std::move(first), std::move(all), patches.centers.size());
    SINEW_CHECK(made.has_value());
    return *std::move(made);
}

// A new mesh of its own for cloth that no file had before.
Patches add_cloth(Character& character, const RecordedCloth& cloth, std::span<const ClothTake> takes, int32_t root) {
    const MovedCloth& moved = cloth.moved;
    ClothJoints made = add_cloth_joints(character, moved, takes, root);
    Skin skin{.name = moved.name};
    for (size_t k = 0; k < made.patches.centers.size(); ++k) {
        skin.joints.push_back(made.first + static_cast<int32_t>(k));
        skin.inverse_bind.emplace_back(Eigen::Translation3f(-moved.rest[made.patches.centers[k]]));
    }
    character.skins.push_back(std::move(skin));
    Primitive primitive{.influences = patch_influences(made.patches),
                        .material = add_material(character, moved.name, cloth.color, true)};
    primitive.mesh.positions = moved.rest;
    primitive.mesh.triangles = moved.triangles;
    primitive.mesh.normals = compute_normals(moved.rest, moved.triangles);
    MeshGroup mesh{.name = moved.name};
    mesh.primitives.push_back(std::move(primitive));
    character.meshes.push_back(std::move(mesh));
    const int32_t holder = add_joints(character, {moved.name}, {Transform{}}, {root});
    character.instances.push_back({.joint = holder,
                                   .mesh = static_cast<int32_t>(character.meshes.size()) - 1,
                                   .skin = static_cast<int32_t>(character.skins.size()) - 1});
    return std::move(made.patches);
}

}  // namespace

std::vector<Patches> add_recording(Character& character, const Recording& recording, const std::string& clip_name) {
    Clip clip{.name = clip_name};
    if (!recording.poses.empty()) {
        const ClipBody body{character.skeleton, rest_pose(character)};
        const Clip like = character.clips.empty() ? Clip{} : character.clips.front();
        clip = frames_to_clip({recording.times, recording.poses}, body, like);
        clip.name = clip_name, clip.source = -1;
    }
    const int32_t root = add_joints(character, {"simulation"}, {Transform{}}, {-1});
    std::vector<Patches> fits;
    const ClothTake take{&clip, recording.times, recording.poses};
    for (const RecordedCloth& cloth : recording.cloths)
        fits.push_back(add_cloth(character, cloth, std::span(&take, 1), root));
    for (const RecordedNodes& group : recording.nodes) add_nodes(character, group, recording.times, root, clip);
    layout_morphs(character);
    character.clips.insert(character.clips.begin(), std::move(clip));
    return fits;
}

}  // namespace sinew
