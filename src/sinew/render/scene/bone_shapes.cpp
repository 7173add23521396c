#include <sinew/render/scene/bone_shapes.h>

#include <sinew/render/scene/colours.h>
#include <sinew/skeleton/humanoid.h>
#include <algorithm>
#include <array>
#include <cmath>

namespace sinew {

namespace {

constexpr uint32_t ball_columns = 12;
constexpr uint32_t ball_rows = 8;
constexpr uint32_t ball_vertices = (ball_rows + 1) * ball_columns;
constexpr uint32_t bone_vertices = 24;  // eight flat faces

constexpr float rod_radius = 0.003f;

// The thickness of a bone of that length, both in scene units.
float bone_radius(float length) {
    return std::clamp(0.085f * length, 0.0035f, 0.022f);
}

void add_ball_triangles(uint32_t first, std::vector<uint32_t>& triangles) {
    for (uint32_t row = 0; row < ball_rows; ++row) {
        for (uint32_t column = 0; column < ball_columns; ++column) {
            const uint32_t next = (column + 1) % ball_columns;
            const uint32_t a = first + row * ball_columns + column, b = first + row * ball_columns + next;
            for (uint32_t i : {a, a + ball_columns, b, b, a + ball_columns, b + ball_columns}) triangles.push_back(i);
        }
    }
}

void place_ball(const Vec3& center, float radius, Vec3* positions, Vec3* normals) {
    for (uint32_t row = 0; row <= ball_rows; ++row) {
        const float polar = pi * static_cast<float>(row) / static_cast<float>(ball_rows);
        for (uint32_t column = 0; column < ball_columns; ++column) {
            const float turn = 2.0f * pi * static_cast<float>(column) / static_cast<float>(ball_columns);
            *normals = {std::sin(polar) * std::sin(turn), std::cos(polar), std::sin(polar) * std::cos(turn)};
            *positions++ = center + radius * *normals++;
        }
    }
}

// An octahedron: head and tail are joined by a square a tenth of the way along, where the bone is thickest.
void place_bone(const Vec3& head, const Vec3& tail, float thickness, Vec3* positions, Vec3* normals) {
    const Vec3 along = tail - head;
    const float length = along.norm();
    const Vec3 axis = length > 1e-9f ? Vec3(along / length) : Vec3(Vec3::UnitY());
    const Vec3 side = axis.unitOrthogonal();
    const Vec3 other = axis.cross(side);
    const Vec3 waist = head + 0.12f * along;
    const float radius = std::min(thickness, 0.4f * length);
    const std::array<Vec3, 4> ring = {waist + radius * side, waist + radius * other, waist - radius * side,
                                      waist - radius * other};
    for (size_t i = 0; i < 4; ++i) {
        const Vec3 &a = ring[i], &b = ring[(i + 1) % 4];
        for (const auto& face : {std::array<Vec3, 3>{head, b, a}, std::array<Vec3, 3>{tail, a, b}}) {
            const Vec3 normal = (face[1] - face[0]).cross(face[2] - face[0]).stableNormalized();
            for (const Vec3& corner : face) {
                *positions++ = corner;
                *normals++ = normal;
            }
        }
    }
}

}  // namespace

std::vector<bool> shown_joints(const Character& character) {
    const auto& parents = character.skeleton.parents();
    std::vector<bool> shown(parents.size(), false);
    if (character.skins.empty()) {
        const HumanoidMap map = recognise_humanoid(character.skeleton);
        if (!map.is_body()) return std::vector<bool>(parents.size(), true);
        shown[static_cast<size_t>(map[Role::hips])] = true;
        for (size_t j = 0; j < parents.size(); ++j)
            if (parents[j] >= 0 && shown[static_cast<size_t>(parents[j])]) shown[j] = true;
        return shown;
    }
    for (const Skin& skin : character.skins)
        for (int32_t joint : skin.joints) shown[static_cast<size_t>(joint)] = true;
    // below[j]: j or something below it is shown; above[j]: something above it is.
    std::vector<bool> below = shown, above(parents.size(), false);
    for (size_t j = parents.size(); j-- > 0;)
        if (parents[j] >= 0 && below[j]) below[static_cast<size_t>(parents[j])] = true;
    for (size_t j = 0; j < parents.size(); ++j) {
        if (parents[j] < 0) continue;
        const size_t parent = static_cast<size_t>(parents[j]);
        above[j] = above[parent] || shown[parent];
        if (above[j] && below[j]) shown[j] = true;
    }
    return shown;
}

std::vector<bool> helper_joints(const Character& character) {
    std::vector<bool> moves(character.skeleton.size(), false);
    bool any = false;
    for (const MeshInstance& instance : character.instances) {
        if (instance.skin < 0) continue;
        const Skin& skin = character.skins[static_cast<size_t>(instance.skin)];
        for (const Primitive& primitive : character.meshes[static_cast<size_t>(instance.mesh)].primitives)
            for (size_t v = 0; v < primitive.influences.vertex_count(); ++v)
                for (const Influence& influence : primitive.influences.of(v)) {
                    moves[static_cast<size_t>(skin.joints[influence.joint])] = true;
                    any = true;
                }
    }
    if (!any) return std::vector<bool>(moves.size(), false);
    moves.flip();
    return moves;
}

BoneFigure::BoneFigure(const Skeleton& skeleton, const std::vector<bool>& shown, const std::vector<bool>& helper) {
    const auto& parents = skeleton.parents();
    std::vector<bool> has_child(parents.size(), false);
    for (size_t j = 0; j < parents.size(); ++j) {
        if (!shown[j]) continue;
        balls_.push_back(static_cast<int32_t>(j));
        const int32_t parent = parents[j];
        if (parent < 0 || !shown[static_cast<size_t>(parent)]) continue;
        has_child[static_cast<size_t>(parent)] = true;
        bones_.push_back({parent, static_cast<int32_t>(j), -1, helper[static_cast<size_t>(parent)]});
    }
    for (int32_t j : balls_) {
        const int32_t parent = parents[static_cast<size_t>(j)];
        // A leaf that moves no vertex is only the tip of the bone before it.
        if (!has_child[static_cast<size_t>(j)] && !helper[static_cast<size_t>(j)] && parent >= 0 &&
            shown[static_cast<size_t>(parent)])
            bones_.push_back({j, -1, parent, false});
    }
    for (uint32_t i = 0; i < bones_.size() * bone_vertices; ++i) triangles_.push_back(i);
    for (uint32_t i = 0; i < balls_.size(); ++i)
        add_ball_triangles(static_cast<uint32_t>(bones_.size()) * bone_vertices + i * ball_vertices, triangles_);
    const Vec3 bone_color = linear_from_srgb(Vec3(0.30f, 0.56f, 0.90f));
    const Vec3 ball_color = linear_from_srgb(Vec3(0.98f, 0.58f, 0.16f));
    colors_.assign(bones_.size() * bone_vertices, Vec4(bone_color.x(), bone_color.y(), bone_color.z(), 1.0f));
    colors_.resize(colors_.size() + balls_.size() * ball_vertices,
                   Vec4(ball_color.x(), ball_color.y(), ball_color.z(), 1.0f));
}

SceneSurface BoneFigure::surface(std::span<const Vec3> joint_positions) const {
    SceneSurface surface;
    surface.triangles = triangles_;
    surface.colors = colors_;
    surface.material.roughness = 0.45f;
    place(joint_positions, surface);
    return surface;
}

void BoneFigure::place(std::span<const Vec3> joint_positions, SceneSurface& surface) const {
    surface.positions.resize(colors_.size());
    surface.normals.resize(colors_.size());
    Vec3* positions = surface.positions.data();
    Vec3* normals = surface.normals.data();
    std::vector<float> radius(joint_positions.size(), 0.0f);
    for (const Bone& bone : bones_) {
        const Vec3& head = joint_positions[static_cast<size_t>(bone.head)];
        Vec3 tail = head;
        if (bone.tail >= 0) {
            tail = joint_positions[static_cast<size_t>(bone.tail)];
        } else {
            const Vec3 before = head - joint_positions[static_cast<size_t>(bone.previous)];
            tail = head + before * std::min(0.5f, 0.06f / std::max(before.norm(), 1e-9f));
        }
        const float thickness = bone.rod ? rod_radius : bone_radius((tail - head).norm());
        place_bone(head, tail, thickness, positions, normals);
        positions += bone_vertices;
        normals += bone_vertices;
        for (int32_t end : {bone.head, bone.tail})
            if (end >= 0) radius[static_cast<size_t>(end)] = std::max(radius[static_cast<size_t>(end)], thickness);
    }
    for (int32_t ball : balls_) {
        const size_t j = static_cast<size_t>(ball);
        place_ball(joint_positions[j], radius[j] > 0.0f ? std::max(0.0045f, 0.62f * radius[j]) : 0.012f, positions,
                   normals);
        positions += ball_vertices;
        normals += ball_vertices;
    }
}

}  // namespace sinew
