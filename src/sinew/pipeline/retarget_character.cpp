#include <sinew/pipeline/retarget_character.h>

#include <sinew/io/joint_map.h>
#include <sinew/io/read.h>
#include <sinew/io/write.h>
#include <sinew/motion/builtin.h>
#include <sinew/motion/builtin_on_body.h>
#include <sinew/motion/mapping/body_part.h>
#include <sinew/motion/skinned/bind_stance.h>
#include <sinew/motion/skinned/retarget_skinned.h>
#include <sinew/pipeline/animate.h>
#include <sinew/pipeline/edit/control_body.h>
#include <sinew/pipeline/info.h>
#include <sinew/pipeline/job/file_job.h>
#include <sinew/pipeline/motions/choose_body.h>
#include <sinew/pipeline/motions/skinned_character.h>
#include <sinew/skeleton/joint_label.h>
#include <algorithm>
#include <optional>

#include <fmt/format.h>

namespace sinew {
namespace {

namespace fs = std::filesystem;

std::vector<MatchReport> name_matches(const Skeleton& source, const Skeleton& target,
                                      const std::vector<JointMatch>& map) {
    std::vector<MatchReport> named;
    for (const JointMatch& match : map)
        named.push_back(
            {joint_label(source, match.source), joint_label(target, match.target), std::string(to_string(match.by))});
    return named;
}

// A clip of expressions alone asks for no body.
bool moves_only_face(const MotionSource& motion) {
    bool face = false;
    for (const Track& track : motion.clip.tracks) {
        if (track.path != TrackPath::morphs) return false;
        face = true;
    }
    return face;
}

// In front of the others; one of the same name goes.
void add_clip(Character& character, const Clip& clip) {
    std::erase_if(character.clips, [&](const Clip& old) { return old.name == clip.name; });
    character.clips.insert(character.clips.begin(), clip);
}

}  // namespace

Result<RetargetResult> retarget(const MotionSource& motion, const Character& character,
                                const RetargetOptions& options) {
    // Joints matched by hand: the person's motion is meant, whatever the body is.
    const bool as_person = !options.map.empty() && motion.skeleton.size() > 0;
    if (motion.builtin && !as_person) {
        SINEW_TRY(RetargetResult made, builtin_on_body(motion.name, skinned_skeleton(character), options));
        // A person's motion that stands in for an animal's: the joints that it comes from are not those of `motion`.
        if (motion.skeleton.size() == 0) made.map.clear();
        return made;
    }
    RetargetOptions how = options;
    if (how.source_stance.empty()) how.source_stance = motion.stance;
    if (how.source_skin.empty()) how.source_skin = motion.skin;
    RetargetResult result;
    if (!moves_only_face(motion)) {
        SINEW_TRY(result, retarget_skinned(motion.skeleton, motion.clip, skinned_skeleton(character), how));
    }
    result.clip.name = motion.clip.name;
    result.clip.source = -1;
    result.clip.events = motion.clip.events;
    result.clip.floats = motion.clip.floats;
    if (!options.only.empty()) return result;
    if (std::string lost = carry_expressions(motion.clip, motion.morphs, character, result.clip); !lost.empty())
        result.warnings.push_back(std::move(lost));
    if (result.clip.tracks.empty())
        return fail(ErrorCode::unsupported,
                    "the motion moves only a face, and the character's face has none of its expressions; give the "
                    "character blend shapes with `sinew edit --shapes-from`");
    return result;
}

Result<RetargetResult> add_motion(Character& character, const MotionSource& motion, const RetargetOptions& options) {
    SINEW_TRY(RetargetResult result, retarget(motion, character, options));
    add_clip(character, result.clip);
    return result;
}

Result<std::vector<MotionReport>> add_motions(Character& character, std::span<const MotionSource> motions,
                                              const MotionOptions& options, const Listener& listener) {
    std::optional<Bytes> map;
    if (!options.joint_map.empty()) {
        SINEW_TRY(map, in_file(read_file(options.joint_map), options.joint_map));
    }
    SINEW_TRY(const std::optional<ChosenBody> chosen, choose_body(character, options.character));
    const Character& body = chosen ? chosen->character : character;
    std::vector<MotionReport> reports(motions.size());
    // add_clip puts each in front, so that the last one put is the first clip.
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
            SINEW_TRY(how.only, find_part(body.skeleton, options.only));
        }
        if (map) {
            SINEW_TRY(how.map, in_file(parse_joint_map(*map, motion.skeleton, body.skeleton), options.joint_map));
        }
        SINEW_TRY(RetargetResult result, in_file(retarget(motion, body, how), motion.name));
        const std::vector<MatchReport> matches = name_matches(motion.skeleton, body.skeleton, result.map);
        if (chosen) back_to_file(*chosen, result.clip);
        add_clip(character, result.clip);
        MotionReport& made = reports[i];
        made = {motion.name,
                result.clip.name,
                result.mapped_joints,
                result.scale,
                result.foot_skate_cm_per_s,
                result.ground_error_cm,
                matches,
                {},
                result.reference_time,
                !motion.builtin || recognise_humanoid(character.skeleton).is_body()};
        warn(listener, motion.name, motion.warnings, made.warnings);
        warn(listener, motion.name, result.warnings, made.warnings);
        if (i == 0 && chosen && !chosen->warning.empty())
            warn(listener, character.name, {chosen->warning}, made.warnings);
    }
    report(listener.progress, "retargeting", 1.0);
    return reports;
}

Result<RetargetReport> retarget_file(const RetargetJob& job) {
    SINEW_TRY_VOID(check_outputs({{job.output, job.replace_input}}, {job.motion, job.character}));
    SINEW_TRY_VOID(in_file(check_writable_type(job.output), job.output));
    SINEW_TRY(Character character, read_input(job.character, job.listener));
    SINEW_TRY(const std::vector<MotionSource> motions, load_motions({job.motion}, job.options.clip));
    if (!is_rigged(character) && !std::ranges::all_of(motions, moves_only_face))
        return fail(
            ErrorCode::unsupported,
            fmt::format("is a mesh without a rig; use `sinew animate {} --motion {} -o {}`, which rigs it first",
                        job.character.string(), job.motion, job.output.string()),
            job.character.string());
    SINEW_TRY(std::vector<MotionReport> reports, add_motions(character, motions, job.options, job.listener));
    SINEW_TRY_VOID(in_file(write_character(character, job.output), job.output));
    RetargetReport report{job.motion, job.character.string(), job.output.string(), std::move(reports.front()), {}};
    report.more.assign(std::make_move_iterator(reports.begin() + 1), std::make_move_iterator(reports.end()));
    return report;
}

}  // namespace sinew
