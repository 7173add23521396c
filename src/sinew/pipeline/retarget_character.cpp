#include <sinew/pipeline/retarget_character.h>

#include <sinew/io/joint_map.h>
#include <sinew/io/read.h>
#include <sinew/io/write.h>
#include <sinew/motion/builtin.h>
#include <sinew/motion/builtin_on_body.h>
#include <sinew/motion/mapping/body_part.h>
#include <sinew/motion/skinned/bind_stance.h>
#include <sinew/motion/skinned/retarget_skinned.h>
#include <sinew/pipeline/info.h>
#include <sinew/pipeline/job/file_job.h>
#include <sinew/skeleton/joint_label.h>
#include <optional>

namespace sinew {
namespace {

namespace fs = std::filesystem;

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

std::vector<MatchReport> name_matches(const Skeleton& source, const Skeleton& target,
                                      const std::vector<JointMatch>& map) {
    std::vector<MatchReport> named;
    for (const JointMatch& match : map)
        named.push_back(
            {joint_label(source, match.source), joint_label(target, match.target), std::string(to_string(match.by))});
    return named;
}

bool is_builtin_name(const std::string& file_or_name) {
    return file_or_name != "-" && !fs::exists(file_or_name) && fs::path(file_or_name).extension().empty();
}

}  // namespace

Result<MotionSource> load_motion(const std::string& file_or_name, const std::string& clip, const Progress& progress) {
    MotionSource source;
    source.name = file_or_name;
    source.builtin = is_builtin_name(file_or_name);
    if (source.builtin) {
        SINEW_TRY_VOID(check_builtin_name(file_or_name));
        source.clip.name = file_or_name;
        if (auto person = builtin_motion(file_or_name)) {
            source.skeleton = std::move(person->skeleton);
            source.clip = std::move(person->clip);
        }
        return source;
    }
    SINEW_TRY(Character file, read_character(file_or_name, {.progress = progress}));
    SINEW_TRY(const Clip* found, find_clip(file, clip));
    if (!found)
        return fail(ErrorCode::not_found,
                    "has no animation; give a file that has one, or a built-in motion such as walk");
    source.skeleton = file.skeleton;
    source.clip = *found;
    source.warnings = std::move(file.warnings);
    SkinnedSkeleton body = skinned_skeleton(file);
    if (const auto stance = bind_stance(body)) source.stance = stance->rest();
    source.skin = std::move(body.points);
    if (source.clip.name.empty()) source.clip.name = fs::path(file_or_name).stem().string();
    return source;
}

Result<RetargetResult> retarget(const MotionSource& motion, const Character& character,
                                const RetargetOptions& options) {
    // Joints matched by hand: the person's motion is meant, whatever the body is.
    const bool as_person = !options.map.empty() && motion.skeleton.size() > 0;
    if (motion.builtin && !as_person) return builtin_on_body(motion.name, skinned_skeleton(character), options);
    RetargetOptions how = options;
    if (how.source_stance.empty()) how.source_stance = motion.stance;
    if (how.source_skin.empty()) how.source_skin = motion.skin;
    SINEW_TRY(RetargetResult result, retarget_skinned(motion.skeleton, motion.clip, skinned_skeleton(character), how));
    result.clip.name = motion.clip.name;
    result.clip.source = -1;
    return result;
}

Result<RetargetResult> add_motion(Character& character, const MotionSource& motion, const RetargetOptions& options) {
    SINEW_TRY(RetargetResult result, retarget(motion, character, options));
    std::erase_if(character.clips, [&](const Clip& clip) { return clip.name == result.clip.name; });
    character.clips.insert(character.clips.begin(), result.clip);
    return result;
}

Result<std::vector<MotionReport>> add_motions(Character& character, std::span<const MotionSource> motions,
                                              const MotionOptions& options, const Listener& listener) {
    std::optional<Bytes> map;
    if (!options.joint_map.empty()) {
        SINEW_TRY(map, in_file(read_file(options.joint_map), options.joint_map));
    }
    std::vector<MotionReport> reports(motions.size());
    // add_motion puts each in front, so that the last one put is the first clip.
    for (size_t i = motions.size(); i-- > 0;) {
        const MotionSource& motion = motions[i];
        report(listener.progress, "retargeting",
               1.0 - static_cast<double>(i + 1) / static_cast<double>(motions.size()));
        RetargetOptions how{.source_stance = {},
                            .map = {},
                            .fps = options.fps,
                            .in_place_root = options.in_place_root,
                            .lock_feet = options.lock_feet,
                            .mirror = options.mirror,
                            .onto_animal = options.onto_animal};
        if (!options.only.empty()) {
            SINEW_TRY(how.only, find_part(character.skeleton, options.only));
        }
        if (map) {
            SINEW_TRY(how.map, in_file(parse_joint_map(*map, motion.skeleton, character.skeleton), options.joint_map));
        }
        SINEW_TRY(RetargetResult result, in_file(add_motion(character, motion, how), motion.name));
        MotionReport& made = reports[i];
        made = {motion.name,
                result.clip.name,
                result.mapped_joints,
                result.scale,
                result.foot_skate_cm_per_s,
                result.ground_error_cm,
                name_matches(motion.skeleton, character.skeleton, result.map),
                {}};
        warn(listener, motion.name, motion.warnings, made.warnings);
        warn(listener, motion.name, result.warnings, made.warnings);
    }
    report(listener.progress, "retargeting", 1.0);
    return reports;
}

Result<RetargetReport> retarget_file(const RetargetJob& job) {
    SINEW_TRY_VOID(check_outputs({{job.output, job.replace_input}}, {job.motion, job.character}));
    SINEW_TRY_VOID(in_file(check_writable_type(job.output), job.output));
    SINEW_TRY(Character character, read_input(job.character, job.listener));
    std::vector<MotionSource> motion(1);
    SINEW_TRY(motion[0], in_file(load_motion(job.motion, job.options.clip), job.motion));
    SINEW_TRY(std::vector<MotionReport> reports, add_motions(character, motion, job.options, job.listener));
    SINEW_TRY_VOID(in_file(write_character(character, job.output), job.output));
    return RetargetReport{job.motion, job.character.string(), job.output.string(), std::move(reports.front())};
}

}  // namespace sinew
