#include <sinew/sample/sample_rig.h>

#include <sinew/sample/implicit_field.h>

#include <algorithm>
#include <array>

#include <sinew/core/check.h>

namespace sinew::shape {

int32_t JointList::add(std::string name, int32_t parent, const Vec3d& position) {
    names.push_back(std::move(name));
    parents.push_back(parent);
    positions.push_back(position);
    return static_cast<int32_t>(names.size()) - 1;
}

int32_t JointList::find(std::string_view name) const {
    auto found = std::find(names.begin(), names.end(), name);
    SINEW_CHECK(found != names.end());
    return static_cast<int32_t>(found - names.begin());
}

double share_beyond(const Vec3d& point, const Vec3d& before, const Vec3d& joint, const Vec3d& after, double width) {
    const Vec3d axis = ((joint - before).normalized() + (after - joint).normalized()).normalized();
    return ramp((point - joint).dot(axis), -width, width);
}

std::vector<double> split_down(const JointList& joints, const std::vector<double>& share) {
    size_t n = joints.size();
    std::vector<double> taken(n, 0.0), arriving(n, 1.0), weight(n);
    for (size_t j = 0; j < n; ++j) {
        if (joints.parents[j] >= 0) taken[joints.parents[j]] += share[j];
    }
    for (size_t j = 0; j < n; ++j) {
        int32_t parent = joints.parents[j];
        if (parent >= 0) arriving[j] = arriving[parent] * share[j] / std::max(taken[parent], 1.0);
        weight[j] = arriving[j] * (1 - std::min(taken[j], 1.0));
    }
    return weight;
}

void smooth_weights(const Mesh& mesh, size_t joint_count, int rounds, std::vector<double>& weights) {
    size_t n = mesh.vertex_count();
    std::vector<std::array<uint32_t, 2>> edges;
    for (size_t t = 0; t < mesh.triangles.size(); t += 3) {
        for (int e = 0; e < 3; ++e) {
            uint32_t a = mesh.triangles[t + e], b = mesh.triangles[t + (e + 1) % 3];
            if (a < b) edges.push_back({a, b});  // the other triangle has it the other way round
        }
    }
    for (int round = 0; round < rounds; ++round) {
        std::vector<double> sum = weights;
        std::vector<double> count(n, 1.0);
        for (auto [a, b] : edges) {
            for (size_t j = 0; j < joint_count; ++j) {
                sum[a * joint_count + j] += weights[b * joint_count + j];
                sum[b * joint_count + j] += weights[a * joint_count + j];
            }
            count[a] += 1;
            count[b] += 1;
        }
        for (size_t v = 0; v < n; ++v) {
            for (size_t j = 0; j < joint_count; ++j) weights[v * joint_count + j] = sum[v * joint_count + j] / count[v];
        }
    }
}

Influences make_influences(const std::vector<double>& weights, size_t joint_count,
                           const std::vector<uint32_t>& source) {
    constexpr size_t most = 4;
    std::vector<uint32_t> first{0};
    std::vector<Influence> all;
    for (uint32_t v : source) {
        std::vector<Influence> here;
        for (size_t j = 0; j < joint_count; ++j) {
            auto w = static_cast<float>(weights[v * joint_count + j]);
            if (w > 0.002f) here.push_back({static_cast<uint32_t>(j), w});
        }
        std::stable_sort(here.begin(), here.end(), [](auto& a, auto& b) { return a.weight > b.weight; });
        if (here.size() > most) here.resize(most);
        all.insert(all.end(), here.begin(), here.end());
        first.push_back(static_cast<uint32_t>(all.size()));
    }
    auto influences = Influences::create(std::move(first), std::move(all), joint_count);
    SINEW_CHECK(influences.has_value());
    return *std::move(influences);
}

Character assemble(Mesh mesh, Influences influences, const JointList& joints, const Look& look, Bytes texture_png) {
    Character character;
    character.name = look.name;
    std::vector<std::string> names = joints.names;
    std::vector<int32_t> parents = joints.parents;
    std::vector<Transform> rest;
    for (size_t j = 0; j < joints.size(); ++j) {
        Vec3d from = joints.parents[j] < 0 ? Vec3d(Vec3d::Zero()) : joints.positions[joints.parents[j]];
        rest.push_back({.translation = (joints.positions[j] - from).cast<float>()});
    }
    // The mesh has a node of its own outside the joints: glTF recommends it, because skinning ignores that node.
    names.push_back(look.name);
    parents.push_back(-1);
    rest.push_back({});
    auto skeleton = Skeleton::create(std::move(names), std::move(parents), std::move(rest));
    SINEW_CHECK(skeleton.has_value());
    character.skeleton = *std::move(skeleton);

    Material material{.name = look.name, .base_color = look.base_color, .roughness = look.roughness};
    if (!texture_png.empty()) {
        material.base_color_image = 0;
        Image image;
        image.name = look.name;
        image.mime_type = "image/png";
        image.bytes = SharedBytes::own(std::move(texture_png));
        character.images.push_back(std::move(image));
    }
    character.materials.push_back(material);
    MeshInstance instance;
    instance.joint = static_cast<int32_t>(joints.size());
    if (joints.size() > 0) {
        Skin skin;
        skin.name = look.name;
        for (size_t j = 0; j < joints.size(); ++j) {
            skin.joints.push_back(static_cast<int32_t>(j));
            Affine inverse = Affine::Identity();
            inverse.translation() = -joints.positions[j].cast<float>();
            skin.inverse_bind.push_back(inverse);
        }
        character.skins.push_back(std::move(skin));
        instance.skin = 0;
    }
    Primitive primitive{.mesh = std::move(mesh), .influences = std::move(influences), .morphs = {}, .material = 0};
    character.meshes.push_back({.name = look.name, .primitives = {std::move(primitive)}, .morph_weights = {}});
    character.instances.push_back(std::move(instance));
    layout_morphs(character);
    return character;
}

}  // namespace sinew::shape
