#include <sinew/pipeline/rig_character.h>

#include <sinew/character/deform.h>
#include <sinew/core/file.h>
#include <sinew/io/read.h>
#include <sinew/rig/template/template_json.h>
#include <algorithm>
#include <chrono>
#include <cmath>
#include <filesystem>
#include <set>

namespace sinew {
namespace {

struct Triangles {
    std::vector<Vec3> positions;
    std::vector<uint32_t> corners;
};

Triangles shown_triangles(const Character& character) {
    Triangles out;
    std::vector<DeformedPrimitive> deformed;
    deform(character, rest_pose(character), {.normals = false}, deformed);
    for (const DeformedPrimitive& d : deformed) {
        const MeshInstance& instance = character.instances[static_cast<size_t>(d.instance)];
        const MeshGroup& group = character.meshes[static_cast<size_t>(instance.mesh)];
        const auto base = static_cast<uint32_t>(out.positions.size());
        out.positions.insert(out.positions.end(), d.positions.begin(), d.positions.end());
        for (uint32_t v : group.primitives[static_cast<size_t>(d.primitive)].mesh.triangles)
            out.corners.push_back(base + v);
    }
    return out;
}

// Turns the rig's topmost joints: skinned vertices follow them, so that the file's own vertices need not change.
Result<void> stand_up(Character& character, std::span<const int32_t> joints, const AffineD& upright_from_mesh) {
    std::vector<Transform> rest = character.skeleton.rest();
    for (int32_t joint : joints) {
        if (character.skeleton.parents()[static_cast<size_t>(joint)] >= 0) continue;
        Transform& local = rest[static_cast<size_t>(joint)];
        local = decompose(upright_from_mesh * to_affine_d(local)).transform;
    }
    SINEW_TRY(character.skeleton,
              Skeleton::create(character.skeleton.names(), character.skeleton.parents(), std::move(rest)));
    return {};
}

// Nodes that a reader made up must not be called as the joints are: tools find joints by name.
Result<void> keep_names_apart(Character& character, size_t first_joint) {
    std::vector<std::string> names = character.skeleton.names();
    const std::set<std::string> joints(names.begin() + static_cast<long>(first_joint), names.end());
    for (size_t j = 0; j < first_joint; ++j)
        if (joints.contains(names[j])) names[j] += "_mesh";
    SINEW_TRY(character.skeleton,
              Skeleton::create(std::move(names), character.skeleton.parents(), character.skeleton.rest()));
    return {};
}

Result<Skeleton> skinned_joints(const Character& character) {
    const Skeleton& all = character.skeleton;
    std::vector<char> used(all.size(), character.skins.empty());
    for (const Skin& skin : character.skins)
        for (int32_t joint : skin.joints) used[static_cast<size_t>(joint)] = 1;
    for (size_t j = all.size(); j-- > 0;)
        if (used[j] && all.parents()[j] >= 0) used[static_cast<size_t>(all.parents()[j])] = 1;
    std::vector<int32_t> number(all.size(), -1), parents;
    std::vector<std::string> names;
    std::vector<Transform> rest;
    for (size_t j = 0; j < all.size(); ++j) {
        if (!used[j]) continue;
        number[j] = static_cast<int32_t>(names.size());
        names.push_back(all.names()[j]);
        parents.push_back(all.parents()[j] < 0 ? -1 : number[static_cast<size_t>(all.parents()[j])]);
        rest.push_back(all.rest()[j]);
    }
    return Skeleton::create(std::move(names), std::move(parents), std::move(rest));
}

double seconds_since(std::chrono::steady_clock::time_point start) {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

}  // namespace

Result<RigTemplate> load_template(const std::string& path) {
    const auto named = [&](const Error& error) {
        return fail(error.code, error.where.empty() ? error.message : error.where + ": " + error.message, path);
    };
    if (std::filesystem::path(path).extension() == ".json") {
        const auto bytes = read_file(path);
        if (!bytes) return named(bytes.error());
        auto parsed = parse_template(*bytes);
        if (!parsed) return named(parsed.error());
        return *std::move(parsed);
    }
    const auto file = read_character(path);
    if (!file) return named(file.error());
    const auto skeleton = skinned_joints(*file);
    if (!skeleton) return named(skeleton.error());
    if (skeleton->size() < 2) return fail(ErrorCode::not_found, "holds no skeleton; give a file with joints", path);
    return make_template(*skeleton);
}

Result<RigCharacterReport> rig_character(Character& original, const RigCharacterOptions& options) {
    Character character = original;
    RigCharacterReport result;
    report(options.weights.progress, "rigging", 0.0);
    const auto start = std::chrono::steady_clock::now();
    {
        const Triangles triangles = shown_triangles(character);
        SINEW_TRY(result.rig, fit_skeleton(triangles.positions, triangles.corners, options.rig));
    }
    result.rig_seconds = seconds_since(start);
    report(options.weights.progress, "rigging", 1.0);
    const auto bind_start = std::chrono::steady_clock::now();
    Character skeleton;
    skeleton.skeleton = result.rig.skeleton;
    const size_t before = character.skeleton.size();
    SINEW_TRY(AddedSkeleton added, add_skeleton(character, skeleton));
    if (!character.source) SINEW_TRY_VOID(keep_names_apart(character, before));
    result.joints = std::move(added.joints);
    SINEW_TRY(result.weights, bind_skin(character, result.joints, options.weights));
    soften_skins(character, {.influences = options.weights.influences});
    result.bind_seconds = seconds_since(bind_start);
    character.clips.clear();
    const bool stands =
        result.rig.up.isApprox(Vec3::UnitY(), 1e-4f) && result.rig.facing.isApprox(Vec3::UnitZ(), 1e-4f);
    // Off the ground by more than a sole is thick, it would be moved as if it had none.
    const AffineD& upright = result.rig.upright_from_mesh;
    double tall = 0.0;
    for (const Vec3& p : result.rig.positions) tall = std::max(tall, (upright * p.cast<double>()).y());
    const bool grounded = std::abs(upright.translation().y()) < 0.01 * tall;
    if (options.upright && !(stands && grounded))
        SINEW_TRY_VOID(stand_up(character, result.joints, result.rig.upright_from_mesh));
    if (result.rig.kind == RigKind::biped && (stands || options.upright)) {
        result.humanoid.emplace();
        for (size_t j = 0; j < result.joints.size(); ++j)
            if (result.rig.roles[j] != Role::count)
                result.humanoid->joint[static_cast<size_t>(result.rig.roles[j])] = result.joints[j];
    }
    original = std::move(character);
    return result;
}

}  // namespace sinew
