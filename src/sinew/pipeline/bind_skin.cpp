#include <sinew/pipeline/bind_character.h>
#include <sinew/pipeline/bind_skin.h>

#include <sinew/character/character_deformer.h>
#include <sinew/skeleton/pose.h>
#include <algorithm>
#include <cmath>
#include <optional>
#include <set>

#include <fmt/format.h>

namespace sinew {
namespace {

// One primitive of one instance, on its way through the solver.
struct BoundPrimitive {
    size_t instance = 0, primitive = 0;
    std::vector<Vec3> positions;  // in the space that is solved in
};

// world_from_mesh of a skin at rest, when all its joints agree on it: the mesh was bound in the rest pose.
std::optional<AffineD> bind_placement(const Skin& skin, std::span<const AffineD> world_from_joint) {
    std::optional<AffineD> placement;
    for (size_t i = 0; i < skin.joints.size(); ++i) {
        const AffineD here =
            world_from_joint[static_cast<size_t>(skin.joints[i])] * skin.inverse_bind[i].cast<double>();
        if (!placement) placement = here;
        const double size = placement->matrix().cwiseAbs().maxCoeff();
        if (!((here.matrix() - placement->matrix()).cwiseAbs().maxCoeff() <= 1e-3 * size)) return std::nullopt;
    }
    return placement;
}

// A mesh shown by several instances becomes one per instance: each place has its own weights.
void give_each_instance_its_mesh(Character& character) {
    std::set<int32_t> used;
    for (MeshInstance& instance : character.instances) {
        if (!instance.in_scene || used.insert(instance.mesh).second) continue;
        MeshGroup copy = character.meshes[static_cast<size_t>(instance.mesh)];
        copy.source = -1;
        for (Primitive& primitive : copy.primitives) primitive.source = -1;
        instance.mesh = static_cast<int32_t>(character.meshes.size());
        character.meshes.push_back(std::move(copy));
    }
}

void drop_unused_skins(Character& character) {
    std::vector<int32_t> number(character.skins.size(), -1);
    for (const MeshInstance& instance : character.instances)
        if (instance.skin >= 0) number[static_cast<size_t>(instance.skin)] = 0;
    std::vector<Skin> kept;
    for (size_t s = 0; s < number.size(); ++s) {
        if (number[s] < 0) continue;
        number[s] = static_cast<int32_t>(kept.size());
        kept.push_back(std::move(character.skins[s]));
    }
    character.skins = std::move(kept);
    for (MeshInstance& instance : character.instances)
        if (instance.skin >= 0) instance.skin = number[static_cast<size_t>(instance.skin)];
}

Primitive& primitive_of(Character& character, const BoundPrimitive& bound) {
    return character.meshes[static_cast<size_t>(character.instances[bound.instance].mesh)].primitives[bound.primitive];
}

Result<WeightResult> solve(Character& character, const std::vector<BoundPrimitive>& bound, const WeightRig& rig,
                           const WeightOptions& options) {
    std::vector<WeightMesh> meshes;
    for (const BoundPrimitive& b : bound) meshes.push_back({b.positions, primitive_of(character, b).mesh.triangles});
    return compute_weights(meshes, rig, options);
}

// The skin with these joints for a mesh that is placed so; made when there is none yet among those from `first` on.
int32_t skin_for(Character& character, size_t first, std::span<const int32_t> joints,
                 std::span<const AffineD> world_from_joint, const AffineD& world_from_mesh) {
    Skin skin{.joints = {joints.begin(), joints.end()}};
    for (int32_t joint : joints)
        skin.inverse_bind.push_back(
            (world_from_joint[static_cast<size_t>(joint)].inverse() * world_from_mesh).cast<float>());
    for (size_t s = first; s < character.skins.size(); ++s) {
        bool same = true;
        for (size_t i = 0; i < joints.size() && same; ++i)
            same = character.skins[s].inverse_bind[i].matrix() == skin.inverse_bind[i].matrix();
        if (same) return static_cast<int32_t>(s);
    }
    character.skins.push_back(std::move(skin));
    return static_cast<int32_t>(character.skins.size()) - 1;
}

// Weights over `joints` as weights over the skin's own list, which grows by those it lacks.
Result<Influences> renumber(const Influences& weights, std::span<const int32_t> joints, Skin& skin,
                            std::span<const AffineD> world_from_joint, const std::optional<AffineD>& placement) {
    std::vector<uint8_t> used(joints.size(), 0);
    for (size_t v = 0; v < weights.vertex_count(); ++v)
        for (const Influence& i : weights.of(v)) used[i.joint] = 1;
    std::vector<uint32_t> slot(joints.size(), 0);
    for (size_t i = 0; i < joints.size(); ++i) {
        if (!used[i]) continue;
        const auto found = std::find(skin.joints.begin(), skin.joints.end(), joints[i]);
        slot[i] = static_cast<uint32_t>(found - skin.joints.begin());
        if (found != skin.joints.end()) continue;
        skin.joints.push_back(joints[i]);
        skin.inverse_bind.push_back(
            (world_from_joint[static_cast<size_t>(joints[i])].inverse() * placement.value_or(AffineD::Identity()))
                .cast<float>());
    }
    std::vector<uint32_t> first = {0};
    std::vector<Influence> raw;
    for (size_t v = 0; v < weights.vertex_count(); ++v) {
        for (const Influence& i : weights.of(v)) raw.push_back({slot[i.joint], i.weight});
        first.push_back(static_cast<uint32_t>(raw.size()));
    }
    return Influences::create(std::move(first), std::move(raw), skin.joints.size());
}

// Tails go from the joints' spaces to the meshes'.
void take_hints(const BoneHints& hints, WeightRig& rig) {
    rig.deform = hints.deform;
    rig.tails.resize(hints.tails.size());
    for (size_t j = 0; j < hints.tails.size(); ++j)
        if (hints.tails[j]) rig.tails[j] = (rig.mesh_from_joint[j] * hints.tails[j]->cast<double>()).cast<float>();
}

bool invertible(const AffineD& matrix) {
    const double size = matrix.linear().cwiseAbs().maxCoeff();
    return std::isfinite(size) && std::abs(matrix.linear().determinant()) > 1e-12 * size * size * size;
}

}  // namespace

Result<AddedSkeleton> add_skeleton(Character& character, const Character& rig) {
    if (rig.skeleton.size() == 0) return fail(ErrorCode::not_found, "has no skeleton; give a file with joints");
    std::vector<uint8_t> take(rig.skeleton.size(), rig.skins.empty() ? 1 : 0), skin_joint = take;
    for (const Skin& skin : rig.skins) {
        for (int32_t joint : skin.joints) {
            skin_joint[static_cast<size_t>(joint)] = 1;
            for (int32_t j = joint; j >= 0; j = rig.skeleton.parents()[static_cast<size_t>(j)])
                take[static_cast<size_t>(j)] = 1;
        }
    }
    if (rig.skins.empty()) {  // nodes that only show a mesh are no joints
        std::vector<uint8_t> has_child(rig.skeleton.size(), 0);
        for (int32_t parent : rig.skeleton.parents())
            if (parent >= 0) has_child[static_cast<size_t>(parent)] = 1;
        for (const MeshInstance& instance : rig.instances) {
            const auto j = static_cast<size_t>(instance.joint);
            if (!has_child[j]) take[j] = skin_joint[j] = 0;
        }
    }
    std::vector<std::string> names = character.skeleton.names();
    std::vector<int32_t> parents = character.skeleton.parents();
    std::vector<Transform> rest = character.skeleton.rest();
    std::vector<int32_t> number(rig.skeleton.size(), -1);
    AddedSkeleton added;
    character.joint_source.resize(names.size(), -1);
    for (size_t j = 0; j < rig.skeleton.size(); ++j) {
        if (!take[j]) continue;
        number[j] = static_cast<int32_t>(names.size());
        const int32_t parent = rig.skeleton.parents()[j];
        names.push_back(rig.skeleton.names()[j]);
        parents.push_back(parent < 0 ? -1 : number[static_cast<size_t>(parent)]);
        rest.push_back(rig.skeleton.rest()[j]);
        character.joint_source.push_back(-1);
        if (skin_joint[j]) added.joints.push_back(number[j]);
    }
    if (added.joints.empty()) return fail(ErrorCode::not_found, "has no skeleton; give a file with joints");
    const BoneHints hints = read_bone_hints(rig);
    if (!hints.tails.empty()) added.hints.tails.resize(names.size());
    if (!hints.deform.empty()) added.hints.deform.resize(names.size(), 1);
    for (size_t j = 0; j < rig.skeleton.size(); ++j) {
        if (number[j] < 0) continue;
        if (!hints.tails.empty()) added.hints.tails[static_cast<size_t>(number[j])] = hints.tails[j];
        if (!hints.deform.empty()) added.hints.deform[static_cast<size_t>(number[j])] = hints.deform[j];
    }
    SINEW_TRY(character.skeleton, Skeleton::create(std::move(names), std::move(parents), std::move(rest)));
    return added;
}

Result<WeightReport> bind_skin(Character& character, std::span<const int32_t> joints, const WeightOptions& options,
                               const BoneHints& hints) {
    const std::vector<AffineD> world_from_joint = rest_world(character.skeleton);
    give_each_instance_its_mesh(character);
    std::vector<DeformedPrimitive> deformed;
    deform(character, rest_pose(character), {.surface_normals = false}, deformed);
    std::vector<std::string> warnings;
    std::vector<AffineD> placement(character.instances.size(), AffineD::Identity());
    std::vector<uint8_t> baked(character.instances.size(), 0);
    for (size_t i = 0; i < character.instances.size(); ++i) {
        const MeshInstance& instance = character.instances[i];
        const bool skinned = instance.skin >= 0;
        std::optional<AffineD> place = world_from_joint[static_cast<size_t>(instance.joint)];
        if (skinned) place = bind_placement(character.skins[static_cast<size_t>(instance.skin)], world_from_joint);
        baked[i] = !place || !invertible(*place);
        if (!baked[i]) placement[i] = *place;
    }
    std::vector<BoundPrimitive> bound;
    for (DeformedPrimitive& d : deformed) {
        const auto i = static_cast<size_t>(d.instance);
        bound.push_back({i, static_cast<size_t>(d.primitive), d.positions});
        if (!baked[i]) continue;
        Mesh& mesh = primitive_of(character, bound.back()).mesh;
        mesh.positions = std::move(d.positions);
        mesh.normals = std::move(d.normals);
        mesh.tangents = std::move(d.tangents);
    }
    if (std::find(baked.begin(), baked.end(), 1) != baked.end())
        warnings.push_back("a mesh was bound in a pose other than its rest pose; it is now bound as it stands at rest");
    if (bound.empty()) return fail(ErrorCode::not_found, "has no mesh to bind; give a file that has one");

    WeightRig rig{
        .skeleton = &character.skeleton, .mesh_from_joint = world_from_joint, .joints = {joints.begin(), joints.end()}};
    take_hints(hints, rig);
    SINEW_TRY(WeightResult result, solve(character, bound, rig, options));
    const size_t first_skin = character.skins.size();
    for (size_t b = 0; b < bound.size(); ++b) {
        MeshInstance& instance = character.instances[bound[b].instance];
        primitive_of(character, bound[b]).influences = std::move(result.influences[b]);
        instance.skin = skin_for(character, first_skin, result.joints, world_from_joint, placement[bound[b].instance]);
    }
    drop_unused_skins(character);
    result.report.warnings.insert(result.report.warnings.begin(), warnings.begin(), warnings.end());
    return std::move(result.report);
}

Result<WeightReport> rebind_skin(Character& character, const WeightOptions& options) {
    if (character.skins.empty())
        return fail(ErrorCode::not_found, "is not bound to a skeleton yet; give one with --skeleton");
    give_each_instance_its_mesh(character);
    const std::vector<AffineD> world_from_joint = rest_world(character.skeleton);
    std::vector<std::optional<AffineD>> placement;
    for (const Skin& skin : character.skins) placement.push_back(bind_placement(skin, world_from_joint));

    // Skins that were bound at rest are one body; any other is a body of its own, in its own bind pose.
    std::vector<std::vector<size_t>> bodies(1);
    for (size_t s = 0; s < character.skins.size(); ++s) {
        if (placement[s])
            bodies[0].push_back(s);
        else
            bodies.push_back({s});
    }
    std::optional<WeightReport> report;
    for (const std::vector<size_t>& skins : bodies) {
        WeightRig rig{.skeleton = &character.skeleton, .mesh_from_joint = world_from_joint};
        std::set<int32_t> joints;
        for (size_t s : skins) {
            const Skin& skin = character.skins[s];
            joints.insert(skin.joints.begin(), skin.joints.end());
            for (size_t i = 0; i < skin.joints.size() && !placement[s]; ++i)
                if (const AffineD bind = skin.inverse_bind[i].cast<double>(); invertible(bind))
                    rig.mesh_from_joint[static_cast<size_t>(skin.joints[i])] = AffineD(bind.inverse());
        }
        rig.joints.assign(joints.begin(), joints.end());
        take_hints(read_bone_hints(character), rig);
        std::vector<BoundPrimitive> bound;
        for (size_t i = 0; i < character.instances.size(); ++i) {
            const MeshInstance& instance = character.instances[i];
            if (!instance.in_scene ||
                std::find(skins.begin(), skins.end(), static_cast<size_t>(instance.skin)) == skins.end())
                continue;
            const auto& primitives = character.meshes[static_cast<size_t>(instance.mesh)].primitives;
            for (size_t p = 0; p < primitives.size(); ++p) {
                bound.push_back({i, p, primitives[p].mesh.positions});
                if (const auto& place = placement[static_cast<size_t>(instance.skin)])
                    for (Vec3& x : bound.back().positions) x = (*place * x.cast<double>()).cast<float>();
            }
        }
        if (bound.empty()) continue;
        SINEW_TRY(WeightResult result, solve(character, bound, rig, options));
        for (size_t b = 0; b < bound.size(); ++b) {
            const auto s = static_cast<size_t>(character.instances[bound[b].instance].skin);
            SINEW_TRY(
                primitive_of(character, bound[b]).influences,
                renumber(result.influences[b], result.joints, character.skins[s], world_from_joint, placement[s]));
        }
        if (!report || report->vertices < result.report.vertices) report = std::move(result.report);
    }
    if (!report)
        return fail(ErrorCode::not_found, "shows no mesh that follows its skeleton; give a skeleton with --skeleton");
    return *std::move(report);
}

Result<void> follow_alone(Character& character, std::span<const uint32_t> vertices, int32_t joint) {
    if (vertices.empty()) return {};
    const std::vector<AffineD> world_from_joint = rest_world(character.skeleton);
    std::vector<DeformedPrimitive> deformed;
    deform(character, rest_pose(character), {.normals = false}, deformed);
    size_t first = 0, next = 0;
    for (const DeformedPrimitive& d : deformed) {
        const BoundPrimitive bound{static_cast<size_t>(d.instance), static_cast<size_t>(d.primitive), {}};
        const size_t count = d.positions.size(), from = next;
        while (next < vertices.size() && vertices[next] < first + count) ++next;
        const int32_t s = character.instances[bound.instance].skin;
        if (next > from && s >= 0) {
            Skin& skin = character.skins[static_cast<size_t>(s)];
            auto slot = std::find(skin.joints.begin(), skin.joints.end(), joint) - skin.joints.begin();
            if (slot == static_cast<long>(skin.joints.size())) {
                const AffineD placed = world_from_joint[static_cast<size_t>(skin.joints.front())] *
                                       skin.inverse_bind.front().cast<double>();
                skin.joints.push_back(joint);
                skin.inverse_bind.push_back(
                    (world_from_joint[static_cast<size_t>(joint)].inverse() * placed).cast<float>());
            }
            Influences& old = primitive_of(character, bound).influences;
            std::vector<uint32_t> starts = {0};
            std::vector<Influence> raw;
            size_t k = from;
            for (size_t v = 0; v < count; ++v) {
                if (k < next && vertices[k] == first + v) {
                    raw.push_back({static_cast<uint32_t>(slot), 1.0f});
                    ++k;
                } else {
                    raw.insert(raw.end(), old.of(v).begin(), old.of(v).end());
                }
                starts.push_back(static_cast<uint32_t>(raw.size()));
            }
            SINEW_TRY(old, Influences::create(std::move(starts), std::move(raw), skin.joints.size()));
        }
        first += count;
    }
    return {};
}

size_t soften_skins(Character& character, const SoftenOptions& options) {
    size_t changed = 0;
    for (size_t s = 0; s < character.skins.size(); ++s) {
        std::vector<BoundMesh> meshes;
        std::set<int32_t> seen;
        for (const MeshInstance& instance : character.instances) {
            if (instance.skin != static_cast<int32_t>(s) || !seen.insert(instance.mesh).second) continue;
            for (Primitive& p : character.meshes[static_cast<size_t>(instance.mesh)].primitives)
                meshes.push_back({p.mesh.positions, p.mesh.triangles, &p.influences});
        }
        changed += soften_weights(meshes, character.skins[s], character.skeleton.parents(), options);
    }
    return changed;
}

}  // namespace sinew
