#include <sinew/character/prepared_parts.h>
#include <sinew/skin/deformers/centre_influences.h>
#include <algorithm>
#include <array>
#include <map>

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

void find_parts(const Character& character, std::vector<PreparedPart>& parts) {
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

void find_surfaces(PreparedCharacter& prepared) {
    std::vector<PreparedSurface> by_skin(prepared.same_skin.size());
    for (size_t k = 0; k < prepared.parts.size(); ++k) {
        const int32_t skin = prepared.parts[k].skin;
        if (skin >= 0) by_skin[static_cast<size_t>(prepared.same_skin[static_cast<size_t>(skin)])].parts.push_back(k);
    }
    for (PreparedSurface& surface : by_skin)
        if (!surface.parts.empty()) prepared.surfaces.push_back(std::move(surface));
}

void prepare_centres(const Character& character, PreparedCharacter& prepared, PreparedSurface& surface) {
    std::vector<SkinnedSurface> pieces;
    for (size_t k : surface.parts) {
        const Primitive& primitive = primitive_of(character, prepared.parts[k]);
        pieces.push_back({primitive.influences, primitive.mesh.positions, primitive.mesh.triangles});
    }
    surface.centres = find_centres_of_rotation(pieces);
    size_t first = 0;
    for (size_t k : surface.parts) {
        PreparedPart& part = prepared.parts[k];
        const Primitive& primitive = primitive_of(character, part);
        const size_t count = primitive.mesh.vertex_count();
        part.centres = std::span(surface.centres.points).subspan(first, count);
        part.centre_influences = centre_influences(primitive.influences, part.centres,
                                                   std::span(surface.centres.radii).subspan(first, count),
                                                   prepared.bones[static_cast<size_t>(part.skin)]);
        first += count;
    }
}

// All parts as one mesh.
struct JoinedRest {
    std::vector<Vec3> positions;
    std::vector<uint32_t> triangles;
    Influences influences;
};

JoinedRest join_rest(const Character& character, std::span<const PreparedPart> parts, const PreparedSurface& surface) {
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

// The meshes and primitives of a surface: those with the same ones, as the bodies of a crowd, have the same gradients.
using SurfacePieces = std::vector<std::array<int32_t, 2>>;
SurfacePieces pieces_of(const Character& character, std::span<const PreparedPart> parts,
                        const PreparedSurface& surface) {
    SurfacePieces pieces;
    for (size_t k : surface.parts) pieces.push_back({instance_of(character, parts[k]).mesh, parts[k].primitive});
    return pieces;
}

void prepare_gradients(const Character& character, PreparedCharacter& prepared) {
    std::span<PreparedPart> parts = prepared.parts;
    std::map<SurfacePieces, const WeightGradients*> made;
    for (PreparedSurface& surface : prepared.surfaces) {
        const auto [same, is_new] = made.try_emplace(pieces_of(character, parts, surface), &surface.gradients);
        if (is_new) {
            const JoinedRest rest = join_rest(character, parts, surface);
            surface.gradients = find_weight_gradients(rest.influences, rest.positions, rest.triangles);
        }
        size_t first = 0;
        for (size_t k : surface.parts) {
            parts[k].gradients = same->second;
            parts[k].first_gradient = first;
            first += primitive_of(character, parts[k]).mesh.vertex_count();
        }
    }
}

void prepare_mush(const Character& character, std::span<const PreparedPart> parts, PreparedSurface& surface,
                  int32_t iterations) {
    const JoinedRest rest = join_rest(character, parts, surface);
    surface.mush = make_delta_mush(rest.influences, rest.positions, rest.triangles, iterations);
}

bool wants_gradients(const DeformOptions& options) {
    return options.normals && options.surface_normals && options.skinning == Skinning::linear_blend;
}

// Whether kernels do all that the options ask of the part.
bool has_kernel(const Primitive& primitive, const PreparedPart& part, const DeformOptions& options) {
    if (options.normals && !primitive.mesh.tangents.empty() && primitive.mesh.normals.empty()) return false;
    if (part.skin < 0) return true;
    if (options.delta_mush > 0 || wants_gradients(options)) return false;
    return options.skinning != Skinning::bulge_free && options.skinning != Skinning::bend_twist;
}

// Every vertex wholly to one joint: that of its largest influence, or joint 0 when the mesh is not skinned.
Influences one_joint_each(const Primitive& primitive, bool skinned, size_t joint_count) {
    std::vector<uint32_t> first = {0};
    std::vector<Influence> all;
    for (size_t v = 0; v < primitive.mesh.vertex_count(); ++v) {
        if (!skinned)
            all.push_back({0, 1.0f});
        else if (const auto list = primitive.influences.of(v); !list.empty())
            all.push_back({list.front().joint, 1.0f});
        first.push_back(static_cast<uint32_t>(all.size()));
    }
    return *Influences::create(std::move(first), std::move(all), joint_count);
}

CompiledSkin compile_part(const Character& character, const PreparedPart& part, const DeformOptions& options) {
    const Primitive& primitive = primitive_of(character, part);
    RestShape rest{.positions = primitive.mesh.positions, .normals = {}, .tangents = {}, .centres = part.centres};
    if (options.normals) rest.normals = primitive.mesh.normals, rest.tangents = primitive.mesh.tangents;
    const bool skinned = part.skin >= 0;
    const size_t joints = skinned ? character.skins[static_cast<size_t>(part.skin)].joints.size() : 1;
    if (!skinned || options.skinning == Skinning::rigid)
        return compile_skin(one_joint_each(primitive, skinned, joints), rest, joints);
    return compile_skin(primitive.influences, rest, joints, rest.centres.empty() ? nullptr : &part.centre_influences);
}

void compile_parts(const Character& character, const DeformOptions& options, PreparedCharacter& prepared) {
    // By mesh, primitive and how many joints the skin has; centres of rotation belong to one skin.
    std::map<std::array<int32_t, 3>, int32_t> made;
    const auto skin_key = [&](const PreparedPart& part) {
        if (part.skin < 0) return -1;
        const auto skin = static_cast<size_t>(part.skin);
        return part.centres.empty() ? static_cast<int32_t>(character.skins[skin].joints.size())
                                    : prepared.same_skin[skin];
    };
    for (PreparedPart& part : prepared.parts) {
        const Primitive& primitive = primitive_of(character, part);
        if (!has_kernel(primitive, part, options)) continue;
        const auto next = static_cast<int32_t>(prepared.compiled.size());
        part.compiled = next;
        if (primitive.morphs.empty()) {
            const std::array key = {instance_of(character, part).mesh, part.primitive, skin_key(part)};
            part.compiled = made.try_emplace(key, next).first->second;
        }
        if (part.compiled != next) continue;
        prepared.compiled.push_back(compile_part(character, part, options));
        if (!primitive.morphs.empty()) part.morphs = compile_morphs(primitive.morphs, prepared.compiled.back());
    }
}

}  // namespace

const MeshInstance& instance_of(const Character& character, const PreparedPart& part) {
    return character.instances[static_cast<size_t>(part.instance)];
}

const Primitive& primitive_of(const Character& character, const PreparedPart& part) {
    const auto mesh = static_cast<size_t>(instance_of(character, part).mesh);
    return character.meshes[mesh].primitives[static_cast<size_t>(part.primitive)];
}

PreparedCharacter prepare_parts(const Character& character, const DeformOptions& options) {
    PreparedCharacter prepared;
    find_parts(character, prepared.parts);
    prepared.same_skin = first_same_skin(character.skins);
    const bool bend_twist = options.skinning == Skinning::bend_twist;
    const bool centres = options.skinning == Skinning::centres_of_rotation;
    if (bend_twist || centres || options.skinning == Skinning::bulge_free) {
        for (const Skin& skin : character.skins)
            prepared.bones.push_back(make_bones(skin, character.skeleton.parents()));
    }
    for (PreparedPart& part : prepared.parts) {
        if (!bend_twist || part.skin < 0) continue;
        const std::vector<SkinBone>& bones = prepared.bones[static_cast<size_t>(part.skin)];
        part.bend_twist = make_bend_twist(primitive_of(character, part).influences, bones);
    }
    const bool gradients = wants_gradients(options);
    if (centres || gradients || options.delta_mush > 0) find_surfaces(prepared);
    for (PreparedSurface& surface : prepared.surfaces) {
        if (centres) prepare_centres(character, prepared, surface);
        if (options.delta_mush > 0) prepare_mush(character, prepared.parts, surface, options.delta_mush);
    }
    if (gradients) prepare_gradients(character, prepared);
    if (options.kernels) compile_parts(character, options, prepared);
    return prepared;
}

}  // namespace sinew
