#include <sinew/pipeline/motions/skinned_character.h>

#include <sinew/math/types.h>
#include <sinew/skeleton/humanoid.h>
#include <algorithm>
#include <cmath>
#include <functional>

namespace sinew {
namespace {

// The four strongest influences of a vertex, or the joint that a whole mesh hangs on.
SkinPoint skin_point(const Vec3& vertex, std::span<const Influence> influences, const Skin& skin) {
    SkinPoint point;
    float sum = 0.0f;
    const size_t count = std::min(influences.size(), point.joint.size());
    for (size_t i = 0; i < count; ++i) sum += influences[i].weight;
    for (size_t i = 0; i < count; ++i) {
        point.joint[i] = skin.joints[influences[i].joint];
        point.weight[i] = influences[i].weight / sum;
        point.place[i] = skin.inverse_bind[influences[i].joint] * vertex;
    }
    return point;
}

// The strongest influences of a place within a triangle.
std::vector<Influence> mixed(const Influences& influences, std::span<const uint32_t> corners, const Vec3& share) {
    std::vector<Influence> sum;
    for (size_t c = 0; c < 3; ++c) {
        for (const Influence& influence : influences.of(corners[c])) {
            const auto same = std::ranges::find(sum, influence.joint, &Influence::joint);
            const float weight = share[static_cast<Eigen::Index>(c)] * influence.weight;
            if (same == sum.end())
                sum.push_back({influence.joint, weight});
            else
                same->weight += weight;
        }
    }
    std::ranges::stable_sort(sum, std::greater<>(), &Influence::weight);
    return sum;
}

// Joints at and below the feet of a person.
std::vector<bool> joints_of_feet(const Skeleton& skeleton) {
    const HumanoidMap map = recognise_humanoid(skeleton);
    std::vector<bool> feet(skeleton.size(), false);
    for (size_t j = 0; j < feet.size(); ++j) {
        const auto joint = static_cast<int32_t>(j);
        const int32_t parent = skeleton.parents()[j];
        feet[j] = joint == map[Role::left_foot] || joint == map[Role::right_foot] ||
                  (parent >= 0 && feet[static_cast<size_t>(parent)]);
    }
    return feet;
}

// Points within the triangles of a coarse mesh, whose vertices alone would not show where its skin is: so near to each
// other as those of a mesh with enough vertices. Not at feet, of which only the lowest points count: those are
// vertices.
void add_between(const Primitive& primitive, const Skeleton& skeleton, const Skin& skin,
                 std::vector<SkinPoint>& points) {
    constexpr size_t fine = 3000;             // vertices: a body with more needs no help
    constexpr float spacing = 0.03f;          // of the mesh's size
    constexpr uint32_t most_along_edge = 12;  // points
    const std::vector<Vec3>& place = primitive.mesh.positions;
    if (place.size() > fine || primitive.influences.vertex_count() < place.size()) return;
    Box box;
    for (const Vec3& vertex : place) box.add(vertex);
    const float step = spacing * box.diagonal();
    if (!(step > 0.0f) || !std::isfinite(step)) return;
    const std::vector<uint32_t>& triangles = primitive.mesh.triangles;
    const std::vector<bool> feet = joints_of_feet(skeleton);
    const auto is_of_foot = [&](uint32_t vertex) {
        const auto influences = primitive.influences.of(vertex);
        return influences.empty() || feet[static_cast<size_t>(skin.joints[influences[0].joint])];
    };
    for (size_t t = 0; t + 2 < triangles.size(); t += 3) {
        const std::span<const uint32_t> corners(&triangles[t], 3);
        if (std::ranges::any_of(corners, is_of_foot)) continue;
        const Vec3 &a = place[corners[0]], &b = place[corners[1]], &c = place[corners[2]];
        const float longest = std::max({(b - a).norm(), (c - b).norm(), (a - c).norm()});
        const auto parts = std::min(most_along_edge, static_cast<uint32_t>(longest / step));
        for (uint32_t i = 0; i <= parts && parts > 1; ++i) {
            for (uint32_t j = 0; i + j <= parts; ++j) {
                const uint32_t k = parts - i - j;
                if (i == parts || j == parts || k == parts) continue;  // a vertex
                const Vec3 share = Vec3(static_cast<float>(i), static_cast<float>(j), static_cast<float>(k)) /
                                   static_cast<float>(parts);
                const std::vector<Influence> influences = mixed(primitive.influences, corners, share);
                if (influences.empty()) continue;
                points.push_back(skin_point(share.x() * a + share.y() * b + share.z() * c, influences, skin));
            }
        }
    }
}

void add_mesh(const Primitive& primitive, const MeshInstance& instance, const Skin* skin, SkinnedSkeleton& body) {
    for (size_t v = 0; v < primitive.mesh.positions.size(); ++v) {
        const Vec3& vertex = primitive.mesh.positions[v];
        if (!skin) {
            body.points.push_back({{instance.joint}, {1.0f}, {vertex}});
            continue;
        }
        if (v >= primitive.influences.vertex_count() || primitive.influences.of(v).empty()) continue;
        for (const Influence& influence : primitive.influences.of(v))
            body.moves[static_cast<size_t>(skin->joints[influence.joint])] = true;
        body.points.push_back(skin_point(vertex, primitive.influences.of(v), *skin));
    }
    if (skin) add_between(primitive, body.skeleton, *skin, body.points);
}

}  // namespace

SkinnedSkeleton skinned_skeleton(const Character& character) {
    SkinnedSkeleton body{
        character.skeleton, character.skins, {}, std::vector<bool>(character.skeleton.size(), false), {}};
    for (const MeshInstance& instance : character.instances) {
        if (instance.skin < 0)
            body.moves[static_cast<size_t>(instance.joint)] = true;
        else
            body.meshes.push_back({instance.skin, instance.joint});
        const Skin* skin = instance.skin < 0 ? nullptr : &character.skins[static_cast<size_t>(instance.skin)];
        for (const Primitive& primitive : character.meshes[static_cast<size_t>(instance.mesh)].primitives)
            add_mesh(primitive, instance, skin, body);
    }
    return body;
}

}  // namespace sinew
