#include <sinew/pipeline/rig_character.h>

#include <sinew/core/file.h>
#include <sinew/io/read.h>
#include <sinew/io/write.h>
#include <sinew/math/noise.h>
#include <sinew/pipeline/bind_skin.h>
#include <sinew/pipeline/job/file_job.h>
#include <sinew/pipeline/job/file_says.h>
#include <sinew/pipeline/job/report_json.h>
#include <sinew/pipeline/job/shown_triangles.h>
#include <sinew/rig/rig_warnings.h>
#include <sinew/rig/template/template_json.h>
#include <algorithm>
#include <cmath>
#include <set>

#include <fmt/format.h>

namespace sinew {
namespace {

// Turns the rig's topmost joints: skinned vertices follow them, so that the file's own vertices need not change.
Result<void> stand_up(Character& character, std::span<const int32_t> joints, const AffineD& upright_from_mesh) {
    std::vector<Transform> rest = character.skeleton.rest();
    for (int32_t joint : joints) {
        if (character.skeleton.parents()[static_cast<size_t>(joint)] >= 0) continue;
        Transform& local = rest[static_cast<size_t>(joint)];
        local = sinew::without_noise(decompose(upright_from_mesh * to_affine_d(local)).transform);
    }
    SINEW_TRY(character.skeleton,
              Skeleton::create(character.skeleton.names(), character.skeleton.parents(), std::move(rest)));
    return {};
}

// The same skeleton, with zeros where rounding left next to nothing.
Result<Skeleton> without_noise(const Skeleton& skeleton) {
    std::vector<Transform> rest = skeleton.rest();
    for (Transform& joint : rest) joint = sinew::without_noise(joint);
    return Skeleton::create(skeleton.names(), skeleton.parents(), std::move(rest));
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

// The roles of a biped's joints, in the character's numbers.
std::optional<HumanoidMap> humanoid_of(const RigResult& rig, std::span<const int32_t> joints) {
    if (rig.kind != RigKind::biped) return std::nullopt;
    HumanoidMap map;
    for (size_t j = 0; j < joints.size(); ++j)
        if (rig.roles[j] != Role::count) map.joint[static_cast<size_t>(rig.roles[j])] = joints[j];
    return map;
}

bool stands_upright(const RigResult& rig) {
    return rig.up.isApprox(Vec3::UnitY(), 1e-4f) && rig.facing.isApprox(Vec3::UnitZ(), 1e-4f);
}

// On y = 0, give or take a sole's thickness. Any further off the ground it would be moved as if it had none.
bool stands_on_ground(const RigResult& rig) {
    constexpr double sole_per_height = 0.01;
    double tall = 0.0;
    for (const Vec3& p : rig.positions) tall = std::max(tall, (rig.upright_from_mesh * p.cast<double>()).y());
    return std::abs(rig.upright_from_mesh.translation().y()) < sole_per_height * tall;
}

}  // namespace

Result<RigTemplate> load_template(const std::string& path) {
    if (std::filesystem::path(path).extension() == ".json") {
        SINEW_TRY(const Bytes bytes, in_file(read_file(path), path));
        return in_file(parse_template(bytes), path);
    }
    SINEW_TRY(const Character file, in_file(read_character(path), path));
    SINEW_TRY(const Skeleton skeleton, in_file(skinned_joints(file), path));
    if (skeleton.size() < 2) return fail(ErrorCode::not_found, "has no skeleton; give a file with joints", path);
    return make_template(skeleton);
}

Result<RigCharacterReport> rig_character(Character& original, const RigCharacterOptions& options) {
    Character character = original;
    RigCharacterReport result;
    report(options.weights.progress, "rigging", 0.0);
    Stopwatch stopwatch;
    {
        const ShownTriangles triangles = shown_triangles(character);
        SINEW_TRY(result.rig,
                  fit_skeleton(triangles.positions, triangles.triangles, as_file_says(original, options.rig)));
    }
    if (result.rig.confidence < options.min_confidence)
        return fail(ErrorCode::invalid_data, tell_low_confidence(result.rig, options.min_confidence));
    result.rig_seconds = stopwatch.lap();
    report(options.weights.progress, "rigging", 1.0);
    Character skeleton;
    SINEW_TRY(result.rig.skeleton, without_noise(result.rig.skeleton));
    skeleton.skeleton = result.rig.skeleton;
    const size_t before = character.skeleton.size();
    SINEW_TRY(AddedSkeleton added, add_skeleton(character, skeleton));
    if (!character.source) SINEW_TRY_VOID(keep_names_apart(character, before));
    result.joints = std::move(added.joints);
    const int32_t base = result.rig.base_joint < 0 ? -1 : result.joints[static_cast<size_t>(result.rig.base_joint)];
    BoneHints hints;
    if (base >= 0) {  // a plinth is no part of the body: its joint owns no skin but the plinth's
        hints.deform.assign(character.skeleton.size(), 1);
        hints.deform[static_cast<size_t>(base)] = 0;
    }
    SINEW_TRY(result.weights, bind_skin(character, result.joints, options.weights, hints));
    soften_skins(character, {.influences = options.weights.influences});
    if (base >= 0) SINEW_TRY_VOID(follow_alone(character, result.rig.base, base));
    result.bind_seconds = stopwatch.lap();
    result.joint_names = character.skeleton.names();
    character.clips.clear();
    const bool stands = stands_upright(result.rig);
    if (options.upright && !(stands && stands_on_ground(result.rig)))
        SINEW_TRY_VOID(stand_up(character, result.joints, result.rig.upright_from_mesh));
    if (stands || options.upright) result.humanoid = humanoid_of(result.rig, result.joints);
    original = std::move(character);
    return result;
}

namespace {

// What a file that has a rig already loses, told in one line.
std::vector<std::string> what_is_replaced(const Character& character) {
    if (character.skins.empty()) return {};
    std::string text = fmt::format("has a rig already; its skin is replaced, its {} joints stay beside the new ones",
                                   character.skeleton.size());
    if (!character.clips.empty())
        text += fmt::format(", and its {} clip{}, made for the old rig, {} left out", character.clips.size(),
                            character.clips.size() == 1 ? "" : "s", character.clips.size() == 1 ? "is" : "are");
    return {text + "; to keep the rig, use `sinew animate`, or `sinew bind` for new weights on it"};
}

}  // namespace

Result<RigReport> rig_file(const RigJob& job) {
    SINEW_TRY_VOID(check_outputs({{job.output, job.replace_input}, {job.report}}, {job.input}));
    SINEW_TRY_VOID(in_file(check_skin_type(job.output), job.output));
    RigReport done{.input = job.input.string(), .output = job.output.string()};
    Stopwatch stopwatch;
    SINEW_TRY(Character character, read_input(job.input, job.listener));
    done.warnings = character.warnings;
    const double read_seconds = stopwatch.lap();
    RigCharacterOptions how = job.options;
    how.weights.progress = job.listener.progress;
    const std::vector<std::string> replaced = what_is_replaced(character);
    SINEW_TRY(done.rig, in_file(rig_character(character, how), job.input));
    warn(job.listener, done.input, replaced, done.warnings);
    warn(job.listener, done.input, done.rig.rig.warnings, done.warnings);
    warn(job.listener, done.input, done.rig.weights.warnings, done.warnings);
    stopwatch.lap();
    SINEW_TRY(std::vector<OutputFile> files,
              in_file(encode_character(character, job.output, {.humanoid = done.rig.humanoid}), job.output));
    done.seconds = {{"read", read_seconds},
                    {"rig", done.rig.rig_seconds},
                    {"bind", done.rig.bind_seconds},
                    {"write", stopwatch.lap()}};
    SINEW_TRY_VOID(write_outputs(std::move(files), job.report, job.report.empty() ? "" : encode_json(done)));
    return done;
}

}  // namespace sinew
