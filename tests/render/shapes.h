// Small characters made in code, for the tests of render.
#pragma once

#include <sinew/character/character.h>
#include <cmath>

namespace sinew::test {

// A latitude-longitude sphere with exact normals.
inline Mesh sphere_mesh(const Vec3& center, float radius, uint32_t columns = 128, uint32_t rows = 64) {
    Mesh mesh;
    for (uint32_t r = 0; r <= rows; ++r) {
        for (uint32_t c = 0; c < columns; ++c) {
            const float polar = pi * static_cast<float>(r) / static_cast<float>(rows);
            const float turn = 2.0f * pi * static_cast<float>(c) / static_cast<float>(columns);
            const Vec3 n(std::sin(polar) * std::sin(turn), std::cos(polar), std::sin(polar) * std::cos(turn));
            mesh.positions.push_back(center + radius * n);
            mesh.normals.push_back(n);
        }
    }
    for (uint32_t r = 0; r < rows; ++r) {
        for (uint32_t c = 0; c < columns; ++c) {
            const uint32_t a = r * columns + c, b = r * columns + (c + 1) % columns;
            for (uint32_t i : {a, a + columns, b, b, a + columns, b + columns}) mesh.triangles.push_back(i);
        }
    }
    return mesh;
}

// One rigid mesh on one joint.
inline Character character_of(Mesh mesh, const Material& material = {}) {
    Character character;
    character.skeleton = *Skeleton::create({"root"}, {-1}, {Transform{}});
    character.meshes.resize(1);
    character.meshes[0].primitives.resize(1);
    character.meshes[0].primitives[0].mesh = std::move(mesh);
    character.meshes[0].primitives[0].material = 0;
    character.instances.push_back({});
    character.materials.push_back(material);
    return character;
}

inline Material painted(float r, float g, float b) {
    Material material;
    material.base_color = Vec4(r, g, b, 1.0f);
    return material;
}

// A chain of three joints that swings forwards and travels, with a skinned column around it; `scale` sizes all of it.
inline Character swinging_column(float scale) {
    Character character;
    Transform root, middle, top;
    middle.translation = Vec3(0, 0.5f * scale, 0);
    top.translation = Vec3(0, 0.5f * scale, 0);
    character.skeleton = *Skeleton::create({"root", "middle", "top"}, {-1, 0, 1}, {root, middle, top});
    Skin skin;
    skin.joints = {0, 1, 2};
    for (float height : {0.0f, 0.5f, 1.0f}) {
        Affine inverse = Affine::Identity();
        inverse.translation() = Vec3(0, -height * scale, 0);
        skin.inverse_bind.push_back(inverse);
    }
    character.skins.push_back(skin);

    Primitive primitive;
    primitive.mesh = sphere_mesh(Vec3::Zero(), 1.0f, 24, 24);
    std::vector<uint32_t> first = {0};
    std::vector<Influence> influences;
    for (Vec3& p : primitive.mesh.positions) {
        const float height = 0.5f + 0.5f * p.y();
        p = Vec3(0.15f * p.x(), height, 0.15f * p.z()) * scale;
        const uint32_t joint = height < 0.5f ? 0 : 1;
        const float u = 2.0f * height - static_cast<float>(joint);
        influences.push_back({joint, 1.0f - u});
        influences.push_back({joint + 1, u});
        first.push_back(static_cast<uint32_t>(influences.size()));
    }
    primitive.mesh.normals.clear();  // to have them computed
    primitive.influences = *Influences::create(first, influences, 3);
    primitive.material = 0;
    character.meshes.push_back({.name = "column", .primitives = {primitive}, .morph_weights = {}});
    character.instances.push_back({.joint = 0, .mesh = 0, .skin = 0, .morph_weights = {}});
    character.materials.push_back(painted(0.7f, 0.25f, 0.15f));

    const float half = std::sqrt(0.5f);
    Clip clip{.name = "swing", .tracks = {}};
    clip.tracks.push_back({.target = 1,
                           .path = TrackPath::rotation,
                           .width = 4,
                           .times = {0.0f, 1.0f},
                           .values = {0, 0, 0, 1, half, 0, 0, half}});
    clip.tracks.push_back({.target = 0,
                           .path = TrackPath::translation,
                           .width = 3,
                           .times = {0.0f, 1.0f},
                           .values = {0, 0, 0, 0.4f * scale, 0.3f * scale, 2.0f * scale}});
    character.clips.push_back(clip);
    return character;
}

}  // namespace sinew::test
