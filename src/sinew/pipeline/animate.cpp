#include <sinew/pipeline/animate.h>

#include <sinew/pipeline/bake.h>
#include <sinew/pipeline/bind_skin.h>
#include <sinew/pipeline/job/file_job.h>
#include <sinew/pipeline/job/report_json.h>
#include <sinew/pipeline/job/unbound_body.h>
#include <sinew/pipeline/simulate/secondary.h>
#include <sinew/pipeline/simulate/worn_cloth.h>
#include <sinew/render/preview.h>
#include <sinew/skeleton/humanoid.h>
#include <sinew/skeleton/puppet.h>
#include <algorithm>

namespace sinew {
namespace {

namespace fs = std::filesystem;

Result<void> rig_bare(const fs::path& input, std::span<const MotionSource> motions, const AnimateOptions& options,
                      AnimateResult& result) {
    RigCharacterOptions how = options.rig;
    how.upright = true;
    // A built-in motion moves any rig; that of a file needs a body.
    how.rig.grow_when_unsure = std::ranges::all_of(motions, &MotionSource::builtin);
    how.weights.progress = options.listener.progress;
    AnimateReport& report = result.report;
    SINEW_TRY(report.rig, in_file(rig_character(result.character, how), input));
    warn(options.listener, input.string(), report.rig->rig.warnings, report.warnings);
    warn(options.listener, input.string(), report.rig->weights.warnings, report.warnings);
    report.seconds.emplace_back("rig", report.rig->rig_seconds);
    report.seconds.emplace_back("bind", report.rig->bind_seconds);
    result.write.humanoid = report.rig->humanoid;
    return {};
}

Result<void> bind_unbound(const fs::path& input, std::span<const int32_t> joints, const AnimateOptions& options,
                          AnimateResult& result) {
    Stopwatch stopwatch;
    WeightOptions how = options.rig.weights;
    how.progress = options.listener.progress;
    SINEW_TRY(const WeightReport weights, in_file(bind_skin(result.character, joints, how), input));
    warn(options.listener, input.string(),
         {"its skeleton moves no mesh, so the meshes were bound to it; sinew rig fits a new skeleton instead"},
         result.report.warnings);
    warn(options.listener, input.string(), weights.warnings, result.report.warnings);
    result.report.seconds.emplace_back("bind", stopwatch.lap());
    return {};
}

// `input`: the character's file, for errors and warnings; may be empty.
Result<AnimateResult> animate_read(Character character, const fs::path& input, std::span<const MotionSource> motions,
                                   const AnimateOptions& options) {
    if (motions.empty())
        return fail(ErrorCode::invalid_argument, "there is no motion to put on; give a file or a built-in motion");
    if (!options.motion.joint_map.empty()) {  // told before the seconds of rigging
        SINEW_TRY_VOID(in_file(read_file(options.motion.joint_map), options.motion.joint_map));
    }
    AnimateResult result;
    result.character = std::move(character);
    AnimateReport& report = result.report;
    report.input = input.string();
    report.warnings = result.character.warnings;
    if (!is_rigged(result.character)) {
        SINEW_TRY_VOID(rig_bare(input, motions, options, result));
    } else if (const std::vector<int32_t> joints = find_unbound_body(result.character); !joints.empty()) {
        SINEW_TRY_VOID(bind_unbound(input, joints, options, result));
    }
    Stopwatch stopwatch;
    SINEW_TRY(report.motions, add_motions(result.character, motions, options.motion, options.listener));
    report.seconds.emplace_back("retarget", stopwatch.lap());
    if (options.secondary) {
        SpringBones springs = spring_bones_of(result.character);
        if (!options.cloth.empty()) leave_out_worn(result.character, options.cloth, springs);
        for (size_t i = 0; i < std::min(report.motions.size(), result.character.clips.size()); ++i)
            report.spring_bones = bake_spring_bones(result.character, springs, result.character.clips[i]);
    }
    if (!options.cloth.empty()) {
        stopwatch.lap();
        SINEW_TRY(report.cloths, in_file(simulate_worn(result.character, report.motions.size(), options.cloth,
                                                       options.listener.progress),
                                         input));
        report.seconds.emplace_back("simulate", stopwatch.lap());
        if (report.cloths.empty())
            warn(options.listener, input.string(), {"no garment hangs loose; name its node, mesh or material"},
                 report.warnings);
    }
    for (const MotionReport& motion : report.motions)
        report.warnings.insert(report.warnings.end(), motion.warnings.begin(), motion.warnings.end());
    return result;
}

Result<Bytes> render_first_clip(const Character& character, const AnimateJob& job, const Progress& progress) {
    constexpr float fps = 24.0f;
    const std::string extension = lower_extension(job.preview);
    const Clip& clip = character.clips.front();
    PreviewOptions look{.width = 480,
                        .height = 480,
                        .samples = 3,
                        .clip = &clip,
                        .skinning = job.preview_skinning.skinning,
                        .delta_mush = job.preview_skinning.delta_mush,
                        .progress = progress};
    look.times = extension == ".png" ? std::vector<float>{0.5f * duration(clip)} : loop_times(clip, fps);
    SINEW_TRY(const auto pictures, render_preview(character, look));
    return encode_pictures(pictures, fps, extension.empty() ? "" : extension.substr(1));
}

}  // namespace

bool is_rigged(const Character& character) {
    if (!character.skins.empty() || character.instances.empty() || recognise_puppet(character.skeleton)) return true;
    return recognise_humanoid(character.skeleton).is_body() &&
           (!moves_no_mesh(character) || !find_unbound_body(character).empty());
}

Result<AnimateResult> animate(Character character, std::span<const MotionSource> motions,
                              const AnimateOptions& options) {
    return animate_read(std::move(character), {}, motions, options);
}

Result<AnimateResult> animate(Character character, const std::vector<std::string>& motions,
                              const AnimateOptions& options) {
    SINEW_TRY(const std::vector<MotionSource> loaded, load_motions(motions, options.motion.clip));
    return animate_read(std::move(character), {}, loaded, options);
}

Result<AnimateReport> animate_file(const AnimateJob& job, const AnimateOptions& options) {
    std::vector<fs::path> inputs(job.motions.begin(), job.motions.end());
    inputs.push_back(job.input);
    SINEW_TRY_VOID(check_outputs({{job.output, job.replace_input}, {job.preview}, {job.report}}, inputs));
    SINEW_TRY_VOID(in_file(check_skin_type(job.output), job.output));
    SINEW_TRY_VOID(check_picture_type(job.preview));
    Stopwatch stopwatch;
    // Rigging takes seconds: a wrong motion is told before.
    SINEW_TRY(const std::vector<MotionSource> motions, load_motions(job.motions, options.motion.clip));
    SINEW_TRY(Character character, read_input(job.input, options.listener));
    const double read_seconds = stopwatch.lap();
    SINEW_TRY(AnimateResult result, animate_read(std::move(character), job.input, motions, options));
    AnimateReport& report = result.report;
    report.output = job.output.string();
    report.seconds.emplace(report.seconds.begin(), "read", read_seconds);

    // Everything is made before anything is written: a failure leaves no output at all.
    stopwatch.lap();
    SINEW_TRY(std::vector<OutputFile> files,
              in_file(encode_character(result.character, job.output, result.write), job.output));
    report.seconds.emplace_back("write", stopwatch.lap());
    if (!job.preview.empty()) {
        SINEW_TRY(Bytes preview,
                  in_file(render_first_clip(result.character, job, options.listener.progress), job.preview));
        files.insert(files.begin(), {job.preview, std::move(preview)});
        report.seconds.emplace_back("preview", stopwatch.lap());
    }
    SINEW_TRY_VOID(write_outputs(std::move(files), job.report, job.report.empty() ? "" : encode_json(report)));
    return std::move(report);
}

}  // namespace sinew
