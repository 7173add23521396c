#include <sinew/render/scene/figure.h>

#include <sinew/core/parallel.h>
#include <sinew/mesh/topology.h>
#include <sinew/render/scene/colours.h>
#include <algorithm>
#include <cmath>
#include <map>

namespace sinew {

namespace {

Material plain(const Vec3& linear) {
    Material material;
    material.base_color << linear, 1.0f;
    material.roughness = 0.7f;
    return material;
}

// Moves vertices that are not finite, or absurdly far away, to where they do no harm.
Vec3 drawable(const Vec3& p) {
    return p.cwiseAbs().maxCoeff() < 1e6f && p.allFinite() ? p : Vec3(Vec3::Zero());
}

Vec4 opaque(const Vec3& color) {
    return {color.x(), color.y(), color.z(), 1.0f};
}

std::vector<Vec4> weight_colors(const Character& character, const Primitive& primitive, int32_t skin_index,
                                int32_t weight_joint) {
    const size_t count = primitive.mesh.vertex_count();
    const Vec3 unbound = linear_from_srgb(Vec3(0.62f, 0.62f, 0.64f));
    if (skin_index < 0 || primitive.influences.empty()) return std::vector<Vec4>(count, opaque(unbound));
    const Skin& skin = character.skins[static_cast<size_t>(skin_index)];
    // Colours go by skeleton joint, so that two skins on one skeleton agree.
    const std::vector<Vec3> palette = joint_colors(character.skeleton.size());
    std::vector<Vec4> colors(count);
    for (size_t v = 0; v < count; ++v) {
        const auto influences = primitive.influences.of(v);
        float one = 0.0f;
        Vec3 mixed = influences.empty() ? unbound : Vec3(Vec3::Zero());
        for (const Influence& influence : influences) {
            const int32_t joint = skin.joints[influence.joint];
            if (joint == weight_joint) one += influence.weight;
            mixed += influence.weight * palette[static_cast<size_t>(joint)];
        }
        colors[v] = opaque(weight_joint >= 0 ? heat_color(one) : mixed);
    }
    return colors;
}

std::vector<uint32_t> used_vertices(const Mesh& mesh) {
    std::vector<bool> used(mesh.vertex_count(), false);
    for (uint32_t i : mesh.triangles) used[i] = true;
    std::vector<uint32_t> list;
    for (uint32_t v = 0; v < used.size(); ++v)
        if (used[v]) list.push_back(v);
    return list;
}

}  // namespace

Figure::Shape Figure::make_shape(const Mesh& mesh) {
    Shape shape;
    shape.used = used_vertices(mesh);
    if (!mesh.normals.empty()) return shape;
    shape.representative = weld_exact(mesh.positions);
    shape.welded_triangles = mesh.triangles;
    for (uint32_t& v : shape.welded_triangles) v = shape.representative[v];
    return shape;
}

Figure::Figure(const Character& character, const PreviewOptions& options, std::span<const DeformedPrimitive> deformed) {
    textures_.resize(character.images.size());
    std::map<const Primitive*, size_t> shape_of;
    for (size_t i = 0; i < deformed.size(); ++i) {
        const MeshInstance& instance = character.instances[static_cast<size_t>(deformed[i].instance)];
        const Primitive& primitive =
            character.meshes[static_cast<size_t>(instance.mesh)].primitives[static_cast<size_t>(deformed[i].primitive)];
        if (primitive.mesh.triangles.empty()) continue;
        Part part;
        part.index = i;
        part.primitive = &primitive;
        const auto [shape, is_new] = shape_of.try_emplace(&primitive, shapes_.size());
        part.shape = shape->second;
        if (is_new) shapes_.push_back(make_shape(primitive.mesh));
        part.mesh_colors = options.skin && !options.weights;
        if (options.weights) {
            part.material = plain(Vec3::Ones());
            part.colors = weight_colors(character, primitive, instance.skin, options.weight_joint);
        } else if (!options.skin) {
            part.material = plain(linear_from_srgb(Vec3(0.88f, 0.89f, 0.91f)));
        } else if (primitive.material < 0) {
            part.material = plain(linear_from_srgb(Vec3(0.80f, 0.78f, 0.76f)));
        } else {
            part.material = character.materials[static_cast<size_t>(primitive.material)];
            const int32_t image = part.material.base_color_image;
            if (image >= 0) {
                auto& texture = textures_[static_cast<size_t>(image)];
                if (!texture) {
                    auto pixels = decode_image(character.images[static_cast<size_t>(image)].bytes.view);
                    if (pixels) texture = std::make_unique<Texture>(*std::move(pixels));
                }
                part.texture = texture.get();
            }
        }
        parts_.push_back(std::move(part));
    }
}

std::vector<SceneSurface> Figure::surfaces(std::span<const DeformedPrimitive> deformed,
                                           const Placement& placement) const {
    std::vector<SceneSurface> surfaces(parts_.size());
    for (size_t i = 0; i < parts_.size(); ++i) {
        const Part& part = parts_[i];
        const Mesh& mesh = part.primitive->mesh;
        surfaces[i].triangles = mesh.triangles;
        surfaces[i].material = part.material;
        surfaces[i].texture = part.texture;
        if (part.texture) surfaces[i].uvs = mesh.uvs;
        surfaces[i].colors = part.mesh_colors ? std::span<const Vec4>(mesh.colors) : part.colors;
    }
    place(deformed, placement, surfaces);
    return surfaces;
}

void Figure::place(std::span<const DeformedPrimitive> deformed, const Placement& placement,
                   std::span<SceneSurface> surfaces) const {
    parallel_for(parts_.size(), 1, [&](size_t i, size_t) {
        const Part& part = parts_[i];
        const DeformedPrimitive& source = deformed[part.index];
        surfaces[i].positions.resize(source.positions.size());
        for (size_t v = 0; v < source.positions.size(); ++v)
            surfaces[i].positions[v] = drawable(placement.to_scene(source.positions[v]));
        if (!source.normals.empty()) {
            surfaces[i].normals = source.normals;
            return;
        }
        const Shape& shape = shapes_[part.shape];
        const std::vector<Vec3> welded = compute_normals(surfaces[i].positions, shape.welded_triangles);
        surfaces[i].normals.resize(welded.size());
        for (size_t v = 0; v < welded.size(); ++v) surfaces[i].normals[v] = welded[shape.representative[v]];
    });
}

}  // namespace sinew
