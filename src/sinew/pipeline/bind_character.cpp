#include <sinew/pipeline/bind_character.h>

#include <sinew/io/write.h>
#include <sinew/pipeline/bind_skin.h>
#include <sinew/pipeline/job/file_job.h>
#include <sinew/pipeline/job/report_json.h>

namespace sinew {

Result<WeightReport> bind_character(Character& character, const Character& rig, const WeightOptions& options) {
    SINEW_TRY(const AddedSkeleton added, add_skeleton(character, rig));
    return bind_skin(character, added.joints, options, added.hints);
}

namespace {

// A failure to take the skeleton is its file's; any other is the mesh's.
Result<WeightReport> bind_input(const BindJob& job, Character& character) {
    WeightOptions how = job.options;
    how.progress = job.listener.progress;
    if (job.skeleton.empty()) return in_file(rebind_skin(character, how), job.input);
    SINEW_TRY(const Character rig, read_input(job.skeleton, job.listener));
    SINEW_TRY(const AddedSkeleton added, in_file(add_skeleton(character, rig), job.skeleton));
    return in_file(bind_skin(character, added.joints, how, added.hints), job.input);
}

}  // namespace

Result<BindReport> bind_file(const BindJob& job) {
    std::vector<std::filesystem::path> inputs = {job.input};
    if (!job.skeleton.empty()) inputs.push_back(job.skeleton);
    SINEW_TRY_VOID(check_outputs({{job.output, job.replace_input}, {job.report}}, inputs));
    SINEW_TRY_VOID(in_file(check_skin_type(job.output), job.output));
    BindReport done{.input = job.input.string(), .output = job.output.string()};
    Stopwatch stopwatch;
    SINEW_TRY(Character character, read_input(job.input, job.listener));
    done.warnings = character.warnings;
    done.seconds.emplace_back("read", stopwatch.lap());
    SINEW_TRY(done.weights, bind_input(job, character));
    done.seconds.emplace_back("bind", stopwatch.lap());
    done.joint_names = character.skeleton.names();
    warn(job.listener, done.input, done.weights.warnings, done.warnings);
    SINEW_TRY(std::vector<OutputFile> files, in_file(encode_character(character, job.output), job.output));
    done.seconds.emplace_back("write", stopwatch.lap());
    SINEW_TRY_VOID(write_outputs(std::move(files), job.report, job.report.empty() ? "" : encode_json(done)));
    return done;
}

}  // namespace sinew
