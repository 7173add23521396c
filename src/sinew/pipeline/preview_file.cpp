#include <fmt/format.h>

#include <sinew/core/closest.h>
#include <sinew/pipeline/bake.h>
#include <sinew/pipeline/info.h>
#include <sinew/pipeline/job/file_job.h>
#include <sinew/render/preview.h>
#include <algorithm>
#include <cmath>

namespace sinew {
namespace {

std::string format_of(const PreviewJob& job) {
    const std::string extension = job.output == "-" ? ".png" : lower_extension(job.output);
    return extension.empty() ? extension : extension.substr(1);
}

Result<int32_t> find_joint(const Character& character, const std::string& name, const char* option) {
    const int32_t joint = character.skeleton.find(name);
    if (joint >= 0) return joint;
    const std::vector<std::string_view> names(character.skeleton.names().begin(), character.skeleton.names().end());
    return fail(ErrorCode::not_found, unknown_name("joint", name, names), option);
}

// Once round a character that does not move.
float turn_around(const PreviewJob& job, PreviewOptions& look) {
    constexpr float seconds_per_turn = 4.0f;
    const float fps = job.fps > 0.0f ? job.fps : 15.0f;
    const size_t count = std::max<size_t>(2, static_cast<size_t>(std::lround(seconds_per_turn * fps)));
    look.times.assign(count, 0.0f);
    for (size_t i = 0; i < count; ++i)
        look.turns.push_back(2.0f * pi * static_cast<float>(i) / static_cast<float>(count));
    return fps;
}

// One moment per cell of a sheet, from the clip's first to its last; round the character where nothing moves.
void spread_times(const PreviewJob& job, PreviewOptions& look) {
    const auto count = static_cast<size_t>(job.sheet_columns) * static_cast<size_t>(job.sheet_rows);
    const float length = look.clip ? duration(*look.clip) : 0.0f;
    look.times.clear();
    for (size_t i = 0; i < count; ++i) {
        look.times.push_back(count > 1 ? length * static_cast<float>(i) / static_cast<float>(count - 1) : 0.0f);
        if (!(length > 0.0f)) look.turns.push_back(2.0f * pi * static_cast<float>(i) / static_cast<float>(count));
    }
    look.follow = true;
}

// Sets clip, times and turns; returns the frame rate.
Result<float> choose_times(const Character& character, const PreviewJob& job, PreviewOptions& look) {
    const bool sheet = job.sheet_columns > 0;
    const bool still = !sheet && (format_of(job) == "png" || job.time.has_value());
    if (job.time && character.clips.empty())
        return fail(ErrorCode::not_found, "has no clips, so there is no time to show; leave --time out", "--time");
    if (!still || !job.clip.empty() || job.time) {
        SINEW_TRY(look.clip, find_clip(character, job.clip));
    }
    if (sheet) {
        spread_times(job, look);
        return 1.0f;
    }
    if (still) {
        look.times = {job.time.value_or(0.0f)};
        return 1.0f;
    }
    if (!look.clip || !(duration(*look.clip) > 0.0f)) return turn_around(job, look);
    const float fps = job.fps > 0.0f ? job.fps : format_of(job) == "gif" ? 20.0f : 24.0f;
    if (!(duration(*look.clip) * fps < 1e5f))
        return fail(ErrorCode::limit_exceeded, "the clip is too long to show whole; lower --fps or give --time");
    look.times = loop_times(*look.clip, fps);
    return fps;
}

struct Drawn {
    Bytes bytes;
    size_t frames = 0;
};

Result<Drawn> draw(const Character& character, const PreviewJob& job) {
    PreviewOptions look = job.look;
    look.progress = job.listener.progress;
    look.turns.clear();
    if (!job.joint.empty()) {
        SINEW_TRY(look.weight_joint, find_joint(character, job.joint, "--joint"));
        look.weights = true;
    }
    if (!job.focus.empty()) {
        SINEW_TRY(look.focus_joint, find_joint(character, job.focus, "--focus"));
    }
    SINEW_TRY(const float fps, choose_times(character, job, look));
    if (look.times.size() > 1) look.samples = 3;  // in motion nobody sees the difference, and it takes half the time
    SINEW_TRY(auto pictures, render_preview(character, look));
    const size_t drawn = pictures.size();
    if (job.sheet_columns > 0) {
        SINEW_TRY(Picture sheet, tile_pictures(pictures, job.sheet_columns));
        pictures.assign(1, std::move(sheet));
    }
    SINEW_TRY(Bytes bytes, encode_pictures(pictures, fps, format_of(job)));
    return Drawn{std::move(bytes), drawn};
}

// Before the drawing, which may take long.
Result<void> check_sheet(const PreviewJob& job) {
    if (int64_t{job.look.width} * job.sheet_columns <= max_picture_side &&
        int64_t{job.look.height} * job.sheet_rows <= max_picture_side)
        return {};
    return fail(ErrorCode::limit_exceeded,
                fmt::format("a sheet of {}x{} pictures, each {}x{}, is too large; lower --size or --sheet",
                            job.sheet_columns, job.sheet_rows, job.look.width, job.look.height));
}

}  // namespace

Result<PreviewReport> preview_file(const PreviewJob& job) {
    SINEW_TRY_VOID(check_outputs({{job.output, job.replace_input}}, {job.input}));
    SINEW_TRY_VOID(check_sheet(job));
    SINEW_TRY_VOID(check_picture_type(job.output));
    SINEW_TRY(const Character character, read_input(job.input, job.listener));
    SINEW_TRY(const Drawn drawn, in_file(draw(character, job), job.input));
    SINEW_TRY_VOID(in_file(write_file(job.output, drawn.bytes), job.output));
    return PreviewReport{job.input.string(), job.output.string(), drawn.frames, drawn.bytes.size()};
}

}  // namespace sinew
