#include <sinew/pipeline/convert_file.h>

#include <sinew/io/write.h>
#include <sinew/pipeline/job/file_job.h>

namespace sinew {

Result<ConvertReport> convert_file(const ConvertJob& job) {
    SINEW_TRY_VOID(check_outputs({{job.output, job.replace_input}}, {job.input}));
    SINEW_TRY_VOID(in_file(check_writable_type(job.output), job.output));
    SINEW_TRY(Character character, read_input(job.input, job.listener));
    ConvertReport done{.input = job.input.string(), .output = job.output.string()};
    if (job.fps > 0.0f && !character.clips.empty()) {
        SINEW_TRY(EditReport edited, in_file(edit_clips(character, {.fps = job.fps}, job.listener), job.input));
        done.clips = std::move(edited.clips);
    }
    if (job.optimize_mm > 0.0f) done.clips = optimize_clips(character, job.optimize_mm, job.listener);
    SINEW_TRY(std::vector<OutputFile> files,
              in_file(encode_character(character, job.output, {.clip = job.clip}), job.output));
    for (const OutputFile& file : files) done.bytes += file.bytes.size();
    SINEW_TRY_VOID(in_file(write_files(files), job.output));
    done.warnings = std::move(character.warnings);
    return done;
}

}  // namespace sinew
