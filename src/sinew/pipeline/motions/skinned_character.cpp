#include <sinew/pipeline/motions/skinned_character.h>

#include <algorithm>

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
