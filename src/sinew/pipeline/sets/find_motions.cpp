#include <sinew/pipeline/sets/find_motions.h>

#include <sinew/character/character.h>
#include <sinew/core/file.h>
#include <sinew/edit/timing.h>
#include <sinew/io/read.h>
#include <sinew/pipeline/info.h>
#include <sinew/pipeline/job/file_job.h>
#include <sinew/pipeline/retarget_character.h>
#include <sinew/render/plot/canvas.h>
#include <sinew/render/plot/plot.h>
#include <sinew/skeleton/humanoid.h>
#include <algorithm>
#include <charconv>
#include <cmath>
#include <nlohmann/json.hpp>

#include <fmt/format.h>

namespace sinew {
namespace {

namespace fs = std::filesystem;
using FindJson = nlohmann::ordered_json;

struct LikeQuery {
    std::string motion;
    std::optional<float> from, to;
};

// "walk.bvh@1.5:3"; an '@' that no times follow belongs to the name.
Result<LikeQuery> parse_like(const std::string& text) {
    const size_t at = text.rfind('@'), colon = text.find(':', at == std::string::npos ? 0 : at);
    if (at == std::string::npos || colon == std::string::npos) return LikeQuery{text, {}, {}};
    const auto number = [](std::string_view words) -> std::optional<float> {
        float value = 0;
        const auto parsed = std::from_chars(words.data(), words.data() + words.size(), value);
        if (parsed.ec != std::errc{} || parsed.ptr != words.data() + words.size() || !std::isfinite(value)) return {};
        return value;
    };
    const std::string_view from = std::string_view(text).substr(at + 1, colon - at - 1),
                           to = std::string_view(text).substr(colon + 1);
    LikeQuery query{text.substr(0, at), number(from), number(to)};
    if ((!from.empty() && !query.from) || (!to.empty() && !query.to) ||
        (query.from && query.to && !(*query.from < *query.to)))
        return fail(ErrorCode::invalid_argument,
                    fmt::format("\"{}\" does not end in @FROM:TO in seconds; write walk.bvh@1.5:3", text), "--like");
    return query;
}

Result<std::vector<MotionRow>> query_rows(const LikeQuery& query) {
    SINEW_TRY(const MotionSource source, in_file(load_motion(query.motion), query.motion));
    MotionDescription motion = describe_motion(source.skeleton, source.clip);
    if (motion.rows.empty())
        return fail(ErrorCode::invalid_data,
                    "no person was recognised in this motion; search by --name, or give a person's motion",
                    query.motion);
    const auto row_at = [&](float time) {
        return std::clamp<std::ptrdiff_t>(std::lround(time * motion_feature_rate), 0,
                                          static_cast<std::ptrdiff_t>(motion.rows.size()));
    };
    const auto first = query.from ? row_at(*query.from) : 0;
    const auto last = query.to ? row_at(*query.to) : static_cast<std::ptrdiff_t>(motion.rows.size());
    if (last <= first)
        return fail(ErrorCode::invalid_argument,
                    fmt::format("the motion is {:.2f} s long: nothing of it lies in that part", motion.seconds),
                    "--like");
    return std::vector<MotionRow>(motion.rows.begin() + first, motion.rows.begin() + last);
}

// The result's own moments as a strip of figures, with its name below.
Picture draw_result(const fs::path& file, const FindResult& result, int32_t width, int32_t height) {
    constexpr int32_t caption = 18;
    Picture cell{width, height + caption,
                 std::vector<uint8_t>(static_cast<size_t>(width * (height + caption)) * 4, 255)};
    const auto paste = [&](const Picture& part, int32_t top) {
        for (int32_t y = 0; y < part.height; ++y)
            std::copy_n(&part.rgba[static_cast<size_t>(y * part.width) * 4], static_cast<size_t>(part.width) * 4,
                        &cell.rgba[static_cast<size_t>((top + y) * width) * 4]);
    };
    Canvas words(width, caption);
    words.text({6.0f, 3.0f}, fmt::format("{} {:.1f}-{:.1f} s", result.clip, result.from, result.to),
               {0.15f, 0.15f, 0.15f});
    paste(words.picture(), height);
    const auto character = read_character(file);
    if (!character) return cell;
    const auto clip = find_clip(*character, result.clip);
    const Clip* shown = clip && *clip ? *clip : character->clips.empty() ? nullptr : &character->clips.front();
    if (!shown) return cell;
    // A hundredth in: captures begin with a T-pose.
    const float start = std::max(result.from, 0.02f),
                end = std::max(std::min(result.to, duration(*shown)), start + 0.1f);
    const auto part = trim(*shown, start, end);
    const HumanoidMap roles = recognise_humanoid(character->skeleton);
    std::vector<int32_t> joints;
    for (const Role role : {Role::left_hand, Role::right_hand, Role::left_foot, Role::right_foot})
        if (roles[role] >= 0) joints.push_back(roles[role]);
    paste(plot_trails(*character, part ? *part : *shown, joints, {.azimuth = radians(60.0f)}, width, height), 0);
    return cell;
}

Result<Bytes> draw_sheet(const FindReport& report, const fs::path& file) {
    constexpr int32_t width = 360, height = 240, columns = 3;
    constexpr size_t most = 24;
    std::vector<Picture> cells;
    for (size_t i = 0; i < std::min(most, report.results.size()); ++i)
        cells.push_back(draw_result(report.results[i].file, report.results[i], width, height));
    if (cells.empty()) cells.push_back(Canvas(width, height).picture());
    SINEW_TRY(const Picture sheet,
              tile_pictures(cells, std::min<int32_t>(columns, static_cast<int32_t>(cells.size()))));
    const std::string extension = lower_extension(file);
    return encode_pictures({&sheet, 1}, 1.0f, extension.empty() ? "png" : extension.substr(1));
}

}  // namespace

Result<FindReport> find_motions(const FindJob& job) {
    SINEW_TRY_VOID(check_outputs({{job.picture}}, {}));
    SINEW_TRY_VOID(check_picture_type(job.picture));
    FindReport done{.folder = job.folder.string(), .like = job.like, .name = job.name};
    SINEW_TRY(const LikeQuery query, parse_like(job.like));
    std::vector<MotionRow> rows;
    if (!job.like.empty()) {
        SINEW_TRY(rows, query_rows(query));
    }
    SINEW_TRY(const MotionIndex index, update_index(job.folder, done.update, job.listener.progress));
    warn(job.listener, done.folder, done.update.problems, done.warnings);
    for (const IndexedFile& file : index.files) done.clips += file.clips.size();
    if (index.files.empty()) warn(job.listener, done.folder, {"the folder holds no motion files"}, done.warnings);
    const std::vector<FoundMotion> found =
        job.like.empty() ? find_named(index, job.name) : find_like(index, rows, query.from || query.to, job.name);
    for (size_t i = 0; i < std::min(found.size(), job.most); ++i) {
        const IndexedFile& file = index.files[found[i].file];
        const IndexedClip& clip = file.clips[found[i].clip];
        done.results.push_back({(job.folder / fs::path(file.path)).string(), clip.name, found[i].distance,
                                found[i].from, std::min(found[i].to, clip.motion.seconds), clip.motion.seconds,
                                found[i].mirrored});
    }
    if (!job.picture.empty()) {
        SINEW_TRY(const Bytes bytes, in_file(draw_sheet(done, job.picture), job.picture));
        SINEW_TRY_VOID(in_file(write_file(job.picture, bytes), job.picture));
    }
    return done;
}

std::string encode_json(const FindReport& report) {
    const auto rounded = [](double value) { return std::round(value * 1000.0) / 1000.0; };
    FindJson results = FindJson::array();
    for (const FindResult& r : report.results) {
        FindJson entry = {{"file", r.file}, {"clip", r.clip}, {"seconds", rounded(r.seconds)}};
        if (!report.like.empty()) {
            entry["distance"] = rounded(r.distance);
            entry["from"] = rounded(r.from);
            entry["to"] = rounded(r.to);
            entry["mirrored"] = r.mirrored;
        }
        results.push_back(std::move(entry));
    }
    const FindJson all = {{"folder", report.folder},
                          {"like", report.like},
                          {"name", report.name},
                          {"results", results},
                          {"clips", report.clips},
                          {"index",
                           {{"files", report.update.files},
                            {"described", report.update.described},
                            {"removed", report.update.removed},
                            {"frames", report.update.frames},
                            {"seconds", rounded(report.update.seconds)}}},
                          {"warnings", report.warnings}};
    return all.dump(2, ' ', false, FindJson::error_handler_t::replace);
}

}  // namespace sinew
