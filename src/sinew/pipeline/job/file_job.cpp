#include <sinew/pipeline/job/file_job.h>

#include <sinew/core/folder.h>
#include <sinew/io/read.h>
#include <sinew/io/text_scan.h>
#include <sinew/render/image/encode_video.h>
#include <algorithm>

#include <fmt/format.h>

namespace sinew {

namespace fs = std::filesystem;

Error in_file(Error error, const fs::path& file) {
    if (file.empty()) return error;
    error.where = error.where.empty() ? file.string() : fmt::format("{}: {}", file.string(), error.where);
    return error;
}

Result<void> check_outputs(std::initializer_list<OutputCheck> outputs, const std::vector<fs::path>& inputs) {
    for (const auto& [output, may_replace_input] : outputs) {
        if (output.empty() || output == "-") continue;
        const fs::path folder = output.parent_path();
        if (!folder.empty() && !is_folder(folder))
            return fail(ErrorCode::not_found,
                        fmt::format("there is no folder {}; make it first", in_quotes(folder.string())),
                        output.string());
        if (may_replace_input) continue;
        for (const fs::path& input : inputs)
            if (input == output || is_same_file(input, output))
                return fail(ErrorCode::invalid_argument,
                            "this would overwrite the input; give another name, or --in-place to replace it",
                            output.string());
    }
    return {};
}

Result<void> check_picture_type(const fs::path& path) {
    const std::string extension = lower_extension(path);
    if (path.empty() || path == "-" || extension == ".png" || extension == ".webp" || extension == ".gif") return {};
    if (!extension.empty() && is_video_format(extension.substr(1))) return in_file(check_video_encoder(), path);
    return fail(ErrorCode::unsupported, "Sinew cannot draw pictures of this type; use .png, .webp, .gif, .mp4 or .webm",
                path.string());
}

Result<Character> read_input(const fs::path& file, const Listener& listener) {
    report(listener.progress, "reading", 0.0);
    SINEW_TRY(Character character, in_file(read_character(file, {.progress = listener.progress}), file));
    report(listener.progress, "reading", 1.0);
    if (listener.warning)
        for (const std::string& warning : character.warnings) listener.warning(file.string(), warning);
    return character;
}

void warn(const Listener& listener, std::string_view file, const std::vector<std::string>& warnings,
          std::vector<std::string>& all) {
    if (listener.warning)
        for (const std::string& warning : warnings) listener.warning(file, warning);
    all.insert(all.end(), warnings.begin(), warnings.end());
}

std::string lower_extension(const fs::path& file) {
    std::string extension = file.extension().string();
    for (char& c : extension)
        if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
    return extension;
}

Result<void> write_outputs(std::vector<OutputFile> files, const fs::path& report_path, const std::string& report_json) {
    const fs::path output = files.back().path;
    if (!report_path.empty()) {
        const std::string text = report_json + "\n";
        const ByteSpan bytes = as_byte_span(text);
        files.insert(files.begin(), {report_path, Bytes(bytes.begin(), bytes.end())});
    }
    return in_file(write_files(files), output);
}

}  // namespace sinew
