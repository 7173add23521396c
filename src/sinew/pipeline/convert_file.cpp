#include <sinew/pipeline/convert_file.h>

#include <sinew/io/write.h>
#include <sinew/pipeline/job/file_job.h>

namespace sinew {

Result<ConvertReport> convert_file(const ConvertJob& job) {
    SINEW_TRY_VOID(check_outputs({{job.output, job.replace_input}}, {job.input}));
    SINEW_TRY_VOID(in_file(check_writable_type(job.output), job.output));
    SINEW_TRY(Character character, read_input(job.input, job.listener));
    SINEW_TRY_VOID(in_file(write_character(character, job.output, {.clip = job.clip}), job.output));
    return ConvertReport{job.input.string(), job.output.string(), std::move(character.warnings)};
}

}  // namespace sinew
