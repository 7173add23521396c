#include <sinew/character/bound_parts.h>
#include <sinew/skin/deformers/centre_influences.h>
#include <algorithm>

namespace sinew {
namespace {

// Exporters often write the same skin once per mesh.
bool same_skin(const Skin& a, const Skin& b) {
    return a.joints == b.joints &&
           std::equal(a.inverse_bind.begin(), a.inverse_bind.end(), b.inverse_bind.begin(), b.inverse_bind.end(),
                      [](const Affine& x, const Affine& y) { return x.matrix() == y.matrix(); });
}

// Per skin, the first one that is the same. Files with very many skins are not searched: each is its own.
std::vector<int32_t> first_same_skin(const std::vector<Skin>& skins) {
    constexpr size_t most = 64;
    std::vector<int32_t> first;
    for (size_t s = 0; s < skins.size(); ++s) {
        size_t same = s;
        if (skins.size() <= most)
            same = static_cast<size_t>(std::find_if(skins.begin(), skins.end(),
                                                    [&](const Skin& other) { return same_skin(other, skins[s]); }) -
                                       skins.begin());
        first.push_back(static_cast<int32_t>(same));
    }
    return first;
}

void find_parts(const Character& character, std::vector<BoundPart>& parts) {
    for (size_t i = 0; i < character.instances.size(); ++i) {
        const MeshInstance& instance = character.instances[i];
        if (!instance.in_scene) continue;
        const auto& primitives = character.meshes[static_cast<size_t>(instance.mesh)].primitives;
        for (size_t p = 0; p < primitives.size(); ++p) {
            parts.push_back({.instance = static_cast<int32_t>(i),
                             .primitive = static_cast<int32_t>(p),
                             .skin = primitives[p].influences.empty() ? -1 : instance.skin});
        }
    }
}

void find_surfaces(const Character& character, std::span<const BoundPart> parts, std::vector<BoundSurface>& surfaces) {
    const std::vector<int32_t> first_same = first_same_skin(character.skins);
    std::vector<BoundSurface> by_skin(character.skins.size());
    for (size_t k = 0; k < parts.size(); ++k) {
        if (parts[k].skin < 0) continue;
        by_skin[static_cast<size_t>(first_same[static_cast<size_t>(parts[k].skin)])].parts.push_back(k);
    }
    for (BoundSurface& surface : by_skin)
        if (!surface.parts.empty()) surfaces.push_back(std::move(surface));
}

void bind_centres(const Character& character, BoundParts& bound, BoundSurface& surface) {
    std::vector<SkinnedSurface> pieces;
    for (size_t k : surface.parts) {
        const Primitive& primitive = primitive_of(character, bound.all[k]);
        pieces.push_back({primitive.influences, primitive.mesh.positions, primitive.mesh.triangles});
    }
    surface.centres = find_centres_of_rotation(pieces);
    size_t first = 0;
    for (size_t k : surface.parts) {
        BoundPart& part = bound.all[k];
        const Primitive& primitive = primitive_of(character, part);
        const size_t count = primitive.mesh.vertex_count();
        part.centres = std::span(surface.centres.points).subspan(first, count);
        part.centre_influences = centre_influences(primitive.influences, part.centres,
                                                   std::span(surface.centres.radii).subspan(first, count),
                                                   bound.bones[static_cast<size_t>(part.skin)]);
        first += count;
    }
}

// All parts as one mesh.
struct JoinedRest {
    std::vector<Vec3> positions;
    std::vector<uint32_t> triangles;
    Influences influences;
};

JoinedRest join_rest(const Character& character, std::span<const BoundPart> parts, const BoundSurface& surface) {
    JoinedRest rest;
    std::vector<uint32_t> first = {0};
    std::vector<Influence> all;
    size_t joints = 0;
    for (size_t k : surface.parts) {
        const Primitive& primitive = primitive_of(character, parts[k]);
        const auto offset = static_cast<uint32_t>(rest.positions.size());
        joints = character.skins[static_cast<size_t>(parts[k].skin)].joints.size();
        rest.positions.insert(rest.positions.end(), primitive.mesh.positions.begin(), primitive.mesh.positions.end());
        for (uint32_t v : primitive.mesh.triangles) rest.triangles.push_back(offset + v);
        for (size_t v = 0; v < primitive.mesh.vertex_count(); ++v) {
            const auto list = primitive.influences.of(v);
            all.insert(all.end(), list.begin(), list.end());
            first.push_back(static_cast<uint32_t>(all.size()));
        }
    }
    rest.influences = *Influences::create(std::move(first), std::move(all), joints);
    return rest;
}

void bind_gradients(const Character& character, std::span<BoundPart> parts, BoundSurface& surface) {
    const JoinedRest rest = join_rest(character, parts, surface);
    surface.gradients = find_weight_gradients(rest.influences, rest.positions, rest.triangles);
    size_t first = 0;
    for (size_t k : surface.parts) {
        parts[k].gradients = &surface.gradients;
        parts[k].first_gradient = first;
        first += primitive_of(character, parts[k]).mesh.vertex_count();
    }
}

void bind_mush(const Character& character, std::span<const BoundPart> parts, BoundSurface& surface,
               int32_t iterations) {
    const JoinedRest rest = join_rest(character, parts, surface);
    surface.mush = make_delta_mush(rest.influences, rest.positions, rest.triangles, iterations);
}

}  // namespace

const MeshInstance& instance_of(const Character& character, const BoundPart& part) {
    return character.instances[static_cast<size_t>(part.instance)];
}

const Primitive& primitive_of(const Character& character, const BoundPart& part) {
    const auto mesh = static_cast<size_t>(instance_of(character, part).mesh);
    return character.meshes[mesh].primitives[static_cast<size_t>(part.primitive)];
}

BoundParts bind_parts(const Character& character, const DeformOptions& options) {
    BoundParts bound;
    find_parts(character, bound.all);
    const bool bend_twist = options.skinning == Skinning::bend_twist;
    const bool centres = options.skinning == Skinning::centres_of_rotation;
    if (bend_twist || centres || options.skinning == Skinning::bulge_free) {
        for (const Skin& skin : character.skins) bound.bones.push_back(make_bones(skin, character.skeleton.parents()));
    }
    for (BoundPart& part : bound.all) {
        if (!bend_twist || part.skin < 0) continue;
        const std::vector<SkinBone>& bones = bound.bones[static_cast<size_t>(part.skin)];
        part.bend_twist = make_bend_twist(primitive_of(character, part).influences, bones);
    }
    const bool gradients = options.normals && options.surface_normals && options.skinning == Skinning::linear_blend;
    if (centres || gradients || options.delta_mush > 0) find_surfaces(character, bound.all, bound.surfaces);
    for (BoundSurface& surface : bound.surfaces) {
        if (centres) bind_centres(character, bound, surface);
        if (gradients) bind_gradients(character, bound.all, surface);
        if (options.delta_mush > 0) bind_mush(character, bound.all, surface, options.delta_mush);
    }
    return bound;
}

}  // namespace sinew
