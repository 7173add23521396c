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

// Keys at all times, without those in the middle of a stretch of equal values.
Track make_track(int32_t joint, TrackPath path, std::span<const float> times, int width, const auto& value_at) {
    Track track{.target = joint, .path = path, .width = width};
    std::vector<float> values(static_cast<size_t>(width) * times.size());
    for (size_t f = 0; f < times.size(); ++f) value_at(f, &values[f * static_cast<size_t>(width)]);
    const auto same = [&](size_t a, size_t b) {
        return std::equal(&values[a * static_cast<size_t>(width)], &values[a * static_cast<size_t>(width)] + width,
                          &values[b * static_cast<size_t>(width)]);
    };
    for (size_t f = 0; f < times.size(); ++f) {
        if (f > 0 && same(f - 1, f) && (f + 1 == times.size() ? true : same(f, f + 1))) continue;
        track.times.push_back(times[f]);
        track.values.insert(track.values.end(), &values[f * static_cast<size_t>(width)],
                            &values[f * static_cast<size_t>(width)] + width);
    }
    return track;
}

void add_tracks(Clip& clip, int32_t joint, std::span<const float> times, const auto& frame, bool scale, bool steps) {
    clip.tracks.push_back(make_track(joint, TrackPath::translation, times, 3,
                                     [&](size_t f, float* out) { std::copy_n(frame(f).translation.data(), 3, out); }));
    Quat last = Quat::Identity();
    Track turn = make_track(joint, TrackPath::rotation, times, 4, [&](size_t f, float* out) {
        Quat q = frame(f).rotation.normalized();
        if (q.dot(last) < 0.0f) q.coeffs() *= -1.0f;
        last = q;
        std::copy_n(q.coeffs().data(), 4, out);
    });
    if (turn.times.size() > 1 || !frame(0).rotation.isApprox(Quat::Identity())) clip.tracks.push_back(std::move(turn));
    if (!scale) return;
    Track size = make_track(joint, TrackPath::scale, times, 3,
                            [&](size_t f, float* out) { std::copy_n(frame(f).scale.data(), 3, out); });
    if (steps) size.interpolation = Interpolation::step;
    clip.tracks.push_back(std::move(size));
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
    const int32_t first = add_joints(character, names, rest, root);
    for (size_t i = 0; i < group.nodes.size(); ++i) {
        const int32_t joint = first + static_cast<int32_t>(i);
        character.instances.push_back({.joint = joint, .mesh = static_cast<int32_t>(character.meshes.size()) - 1});
        const RecordedNode& node = group.nodes[i];
        add_tracks(
            clip, joint, times, [&](size_t f) -> const Transform& { return node.frames[f]; }, node.steps, node.steps);
    }
}

}  // namespace

int32_t add_joints(Character& character, const std::vector<std::string>& new_names,
                   const std::vector<Transform>& new_rest, int32_t parent) {
    auto names = character.skeleton.names();
    auto parents = character.skeleton.parents();
    auto rest = character.skeleton.rest();
    const auto first = static_cast<int32_t>(names.size());
    character.joint_source.resize(names.size(), -1);
    names.insert(names.end(), new_names.begin(), new_names.end());
    rest.insert(rest.end(), new_rest.begin(), new_rest.end());
    parents.insert(parents.end(), new_names.size(), parent);
    character.joint_source.insert(character.joint_source.end(), new_names.size(), -1);
    auto skeleton = Skeleton::create(std::move(names), std::move(parents), std::move(rest));
    SINEW_CHECK(skeleton.has_value());
    character.skeleton = *std::move(skeleton);
    return first;
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

ClothSkin add_cloth_joints(Character& character, const RecordedCloth& cloth, std::span<const float> times,
                           int32_t parent, Clip& clip) {
    ClothSkin out;
    const std::span<const Vec3> rest(cloth.positions.data(), cloth.vertices);
    out.patches = fit_patches(rest, cloth.triangles, cloth.positions, cloth.fit);
    const size_t count = out.patches.centers.size();
    std::vector<std::string> names;
    std::vector<Transform> places;
    Skin skin{.name = cloth.name};
    for (size_t k = 0; k < count; ++k) {
        const Vec3& at = rest[out.patches.centers[k]];
        names.push_back(fmt::format("{}_{:03}", cloth.name, k));
        places.push_back({.translation = at});
        skin.inverse_bind.emplace_back(Eigen::Translation3f(-at));
    }
    const int32_t first = add_joints(character, names, places, parent);
    for (size_t k = 0; k < count; ++k) {
        skin.joints.push_back(first + static_cast<int32_t>(k));
        add_tracks(
            clip, first + static_cast<int32_t>(k), times,
            [&](size_t f) -> const Transform& { return out.patches.frames[f * count + k]; }, false, false);
    }
    out.skin = static_cast<int32_t>(character.skins.size());
    character.skins.push_back(std::move(skin));
    return out;
}

std::vector<Patches> add_recording(Character& character, const Recording& recording, const std::string& clip_name) {
    Clip clip{.name = clip_name};
    if (!recording.poses.empty()) {
        const ClipBody body{character.skeleton, rest_pose(character)};
        const Clip like = character.clips.empty() ? Clip{} : character.clips.front();
        clip = frames_to_clip({recording.times, recording.poses}, body, like);
        clip.name = clip_name, clip.source = -1;
    }
    const int32_t root = add_joints(character, {"simulation"}, {Transform{}}, -1);
    std::vector<Patches> fits;
    for (const RecordedCloth& cloth : recording.cloths) {
        ClothSkin made = add_cloth_joints(character, cloth, recording.times, root, clip);
        Primitive primitive{.influences = patch_influences(made.patches),
                            .material = add_material(character, cloth.name, cloth.color, true)};
        primitive.mesh.positions.assign(cloth.positions.begin(),
                                        cloth.positions.begin() + static_cast<std::ptrdiff_t>(cloth.vertices));
        primitive.mesh.triangles = cloth.triangles;
        primitive.mesh.normals = compute_normals(primitive.mesh.positions, primitive.mesh.triangles);
        MeshGroup mesh{.name = cloth.name};
        mesh.primitives.push_back(std::move(primitive));
        character.meshes.push_back(std::move(mesh));
        const int32_t holder = add_joints(character, {cloth.name}, {Transform{}}, root);
        character.instances.push_back(
            {.joint = holder, .mesh = static_cast<int32_t>(character.meshes.size()) - 1, .skin = made.skin});
        fits.push_back(std::move(made.patches));
    }
    for (const RecordedNodes& group : recording.nodes) add_nodes(character, group, recording.times, root, clip);
    layout_morphs(character);
    character.clips.insert(character.clips.begin(), std::move(clip));
    return fits;
}

}  // namespace sinew
