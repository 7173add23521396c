// A character that has everything at once: shared and unskinned meshes, morphs, every number of influences, nothing.
#pragma once

#include <sinew/character/character_deformer.h>
#include <sinew/core/random.h>
#include <cmath>

namespace sinew::test {

inline float number(Random& random, double size) {
    return static_cast<float>(random.uniform(-size, size));
}
inline Vec3 vector(Random& random, double size) {
    return {number(random, size), number(random, size), number(random, size)};
}

constexpr size_t random_joints = 24;

// Stretches of a few vertices share their joints: none, one, or up to twenty.
inline Influences random_influences(Random& random, size_t vertices) {
    std::vector<uint32_t> first{0}, list;
    std::vector<Influence> raw;
    for (size_t v = 0; v < vertices; ++v) {
        if (v % 7 == 0) {
            constexpr size_t sizes[] = {0, 1, 2, 3, 4, 9, 20};
            list.resize(sizes[random.below(std::size(sizes))]);
            for (uint32_t& joint : list) joint = static_cast<uint32_t>(random.below(random_joints));
        }
        for (const uint32_t joint : list) raw.push_back({joint, static_cast<float>(random.uniform(0.05, 1))});
        first.push_back(static_cast<uint32_t>(raw.size()));
    }
    return Influences::create(first, raw, random_joints).value();
}

enum class Directions { none, normals, tangents };  // each includes those before it

inline Primitive random_primitive(Random& random, size_t vertices, Directions directions) {
    Primitive p;
    for (size_t v = 0; v < vertices; ++v) {
        p.mesh.positions.push_back(vector(random, 1));
        const Vec3 n = vector(random, 1).normalized(), t = n.unitOrthogonal();
        if (directions != Directions::none) p.mesh.normals.push_back(n);
        if (directions == Directions::tangents)
            p.mesh.tangents.emplace_back(t.x(), t.y(), t.z(), random.below(2) == 0 ? 1.0f : -1.0f);
    }
    for (uint32_t v = 2; v < vertices; ++v) p.mesh.triangles.insert(p.mesh.triangles.end(), {v - 2, v - 1, v});
    return p;
}

// One target moves every vertex, one a few, one none, one only positions.
inline std::vector<MorphTarget> random_morphs(Random& random, const Mesh& mesh) {
    std::vector<MorphTarget> targets(4);
    for (size_t t = 0; t < targets.size(); ++t) {
        for (uint32_t v = 0; v < mesh.vertex_count(); ++v) {
            if (t == 1 ? random.below(9) != 0 : t == 2) continue;
            targets[t].vertices.push_back(v);
            targets[t].positions.push_back(vector(random, 0.2));
            if (t != 3 && !mesh.normals.empty()) targets[t].normals.push_back(vector(random, 0.2));
            if (t != 3 && !mesh.tangents.empty()) targets[t].tangents.push_back(vector(random, 0.2));
        }
    }
    return targets;
}

inline Character random_character(uint64_t seed, Directions directions) {
    Random random(seed);
    Character c;
    std::vector<std::string> names(random_joints);
    std::vector<int32_t> parents;
    std::vector<Transform> rest(random_joints);
    Skin skin;
    for (size_t j = 0; j < random_joints; ++j) {
        parents.push_back(j == 0 ? -1 : static_cast<int32_t>(random.below(j)));
        rest[j].translation = vector(random, 0.3);
        skin.joints.push_back(static_cast<int32_t>(j));
        Affine inverse_bind = Affine::Identity();
        inverse_bind.translation() = vector(random, 0.5);
        skin.inverse_bind.push_back(inverse_bind);
    }
    c.skeleton = Skeleton::create(names, parents, rest).value();
    c.skins = {skin, skin};

    Primitive plain = random_primitive(random, 700, directions);
    plain.influences = random_influences(random, 700);
    Primitive morphing = random_primitive(random, 331, directions);
    morphing.influences = random_influences(random, 331);
    morphing.morphs = random_morphs(random, morphing.mesh);
    Primitive unskinned = random_primitive(random, 45, directions);
    Primitive unskinned_morphing = unskinned;
    unskinned_morphing.morphs = random_morphs(random, unskinned.mesh);
    Primitive nothing;
    nothing.influences = Influences::create({0}, {}, random_joints).value();
    c.meshes = {{"plain", {plain, nothing}, {}},
                {"morphing", {morphing}, {0.0f, 0.5f, 0.0f, 0.0f}},
                {"unskinned", {unskinned, Primitive()}, {}},
                {"unskinned, morphing", {unskinned_morphing}, {0.0f, 0.0f, 0.0f, 1.0f}}};
    c.instances = {{.joint = 0, .mesh = 0, .skin = 0},
                   {.joint = 0, .mesh = 0, .skin = 1},
                   {.joint = 3, .mesh = 0},
                   {.joint = 0, .mesh = 1, .skin = 1},
                   {.joint = 0, .mesh = 1, .skin = 0},
                   {.joint = 5, .mesh = 2},
                   {.joint = 6, .mesh = 2},
                   {.joint = 7, .mesh = 3}};
    layout_morphs(c);
    return c;
}

// Gentle turns, so that no blend crushes a vertex to a point where directions are anybody's guess.
inline Pose random_pose(const Character& c, Random& random, bool mirrored) {
    Pose pose = rest_pose(c);
    for (Transform& local : pose.local)
        local.rotation = Quat(Eigen::AngleAxisf(number(random, 0.35), vector(random, 1).normalized()));
    pose.local[0].scale = Vec3(mirrored ? -1.2f : 1.2f, 1.0f, 0.9f);
    for (float& w : pose.morphs) w = random.below(3) == 0 ? 0.0f : number(random, 1);
    return pose;
}

}  // namespace sinew::test
