#include <sinew/pipeline/sets/clean_file.h>

#include <sinew/character/character.h>
#include <sinew/io/write.h>
#include <sinew/pipeline/info.h>
#include <sinew/pipeline/job/file_job.h>
#include <sinew/render/plot/plot.h>
#include <sinew/skeleton/joint_label.h>
#include <algorithm>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>

#include <fmt/format.h>

namespace sinew {
namespace {

using CleanJson = nlohmann::ordered_json;

double thousandths(double value) {
    return std::isfinite(value) ? std::round(value * 1000.0) / 1000.0 : 0.0;
}

// The channel of a track that changed most: a line before and a line after, in degrees or in the file's units.
PlotPanel before_and_after(const Character& character, const Track& before, const Track& after, float shift) {
    const bool rotation = before.path == TrackPath::rotation;
    const auto value = [&](const Track& track, float time) {
        Vec4 out = Vec4::Zero();
        sample_track(track, time, out.data());
        if (!rotation) return Vec3d(out.head<3>().cast<double>());
        Quat q;
        q.coeffs() = out;
        Quatd turn =
            Quatd(character.skeleton.rest()[static_cast<size_t>(track.target)].rotation.cast<double>()).conjugate() *
            q.cast<double>();
        if (turn.w() < 0.0) turn.coeffs() *= -1.0;
        const Eigen::AngleAxisd axis(turn);
        return Vec3d(axis.axis() * (axis.angle() * 180.0 / static_cast<double>(pi)));
    };
    constexpr int steps = 1200;
    const double start = before.times.front(), length = before.times.back() - start;
    std::vector<double> times;
    std::vector<Vec3d> a, b;
    Vec3d most = Vec3d::Zero();
    for (int i = 0; i <= steps; ++i) {
        times.push_back(start + length * i / steps);
        a.push_back(value(before, static_cast<float>(times.back())));
        b.push_back(value(after, static_cast<float>(times.back()) - shift));
        most = most.cwiseMax((a.back() - b.back()).cwiseAbs());
    }
    Eigen::Index axis = 0;
    most.maxCoeff(&axis);
    PlotPanel panel{fmt::format("{} {} {}", joint_label(character.skeleton, before.target), "xyz"[axis],
                                rotation ? "rotation, degrees" : "translation"),
                    {{"before", times, {}, {}, {}}, {"after", times, {}, {}, {}}}};
    for (size_t i = 0; i < times.size(); ++i) {
        panel.lines[0].y.push_back(a[i][axis]);
        panel.lines[1].y.push_back(b[i][axis]);
    }
    return panel;
}

// The four curves that changed most.
Result<Bytes> draw_changes(const Character& character, const Clip& before, const CleanResult& cleaned,
                           const std::filesystem::path& file) {
    constexpr size_t most_panels = 4;
    constexpr int32_t width = 1100, height_each = 190;
    const auto find = [](const Clip& clip, const Track& like) -> const Track* {
        const auto it = std::ranges::find_if(
            clip.tracks, [&](const Track& track) { return track.target == like.target && track.path == like.path; });
        return it == clip.tracks.end() ? nullptr : &*it;
    };
    std::vector<std::pair<float, const Track*>> ranked;
    for (const Track& track : before.tracks) {
        if (track.path != TrackPath::rotation && track.path != TrackPath::translation) continue;
        float amount = 0.0f;
        for (const CleanChange& change : cleaned.changes)
            if (change.joint == track.target && change.rotation == (track.path == TrackPath::rotation))
                amount = std::max(amount, change.amount);
        if (track.times.size() > 1 && find(cleaned.clip, track)) ranked.emplace_back(amount, &track);
    }
    std::ranges::stable_sort(ranked, std::greater<>(), &std::pair<float, const Track*>::first);
    std::vector<PlotPanel> panels;
    for (size_t i = 0; i < std::min(ranked.size(), most_panels); ++i)
        panels.push_back(before_and_after(character, *ranked[i].second, *find(cleaned.clip, *ranked[i].second),
                                          cleaned.dropped_start));
    if (panels.empty())
        return fail(ErrorCode::not_found, "the clip moves no joint, so there is no curve to draw; leave --picture out");
    const Picture picture = plot_panels(panels, width, height_each * static_cast<int32_t>(panels.size()) + 26);
    const std::string extension = lower_extension(file);
    return encode_pictures({&picture, 1}, 1.0f, extension.empty() ? "png" : extension.substr(1));
}

Result<void> check_clean_job(const CleanJob& job) {
    SINEW_TRY_VOID(check_outputs({{job.output, job.replace_input}, {job.report}, {job.picture}}, {job.input}));
    SINEW_TRY_VOID(in_file(check_writable_type(job.output), job.output));
    return check_picture_type(job.picture);
}

CleanJson clean_clip_json(const CleanedClip& cleaned, const std::vector<std::string>& joints) {
    const CleanResult& result = cleaned.result;
    CleanJson changes = CleanJson::array(), frames = CleanJson::array();
    std::map<std::string, int> counts;
    for (const CleanChange& change : result.changes) {
        const std::string kind(to_string(change.kind));
        ++counts[kind];
        CleanJson entry = {{"kind", kind}, {"from", thousandths(change.from)}, {"to", thousandths(change.to)}};
        if (change.joint >= 0) entry["joint"] = joints[static_cast<size_t>(change.joint)];
        if (change.amount > 0) entry[change.rotation ? "degrees" : "millimetres"] = thousandths(change.amount);
        if (change.cutoff > 0) entry["cutoff_hz"] = thousandths(change.cutoff);
        changes.push_back(std::move(entry));
    }
    for (size_t f = 0; f < result.times.size(); ++f)
        frames.push_back({{"time", thousandths(result.times[f])}, {"changed_mm", thousandths(result.changed_mm[f])}});
    return {{"name", cleaned.name},
            {"counts", counts},
            {"dropped_seconds", {thousandths(result.dropped_start), thousandths(result.dropped_end)}},
            {"contacts", result.contacts},
            {"skate_mm", {thousandths(result.skate_before_mm), thousandths(result.skate_after_mm)}},
            {"changes", changes},
            {"frames", frames}};
}

}  // namespace

Result<CleanFileReport> clean_file(const CleanJob& job) {
    SINEW_TRY_VOID(check_clean_job(job));
    CleanFileReport done{.input = job.input.string(), .output = job.output.string()};
    Stopwatch stopwatch;
    SINEW_TRY(Character character, read_input(job.input, job.listener));
    done.warnings = character.warnings;
    for (size_t j = 0; j < character.skeleton.size(); ++j)
        done.joints.push_back(joint_label(character.skeleton, static_cast<int32_t>(j)));
    done.seconds.emplace_back("read", stopwatch.lap());
    SINEW_TRY(const Clip* chosen, in_file(find_clip(character, job.clip), job.input));
    if (!chosen)
        return fail(ErrorCode::not_found, "has no animation to clean; give a file that has one", job.input.string());
    std::vector<OutputFile> files;
    const auto number = static_cast<int32_t>(chosen - character.clips.data());
    for (size_t i = 0; i < character.clips.size(); ++i) {
        Clip& clip = character.clips[i];
        if (!job.clip.empty() && static_cast<int32_t>(i) != number) continue;
        report(job.listener.progress, "cleaning", static_cast<double>(i) / static_cast<double>(character.clips.size()));
        SINEW_TRY(CleanResult cleaned, in_file(clean_clip(character.skeleton, clip, job.options), job.input));
        if (!job.picture.empty() && static_cast<int32_t>(i) == number) {
            SINEW_TRY(Bytes bytes, in_file(draw_changes(character, clip, cleaned, job.picture), job.input));
            files.push_back({job.picture, std::move(bytes)});
        }
        warn(job.listener, done.input, cleaned.warnings, done.warnings);
        clip = cleaned.clip;
        done.clips.push_back({clip.name, std::move(cleaned)});
    }
    report(job.listener.progress, "cleaning", 1.0);
    done.seconds.emplace_back("clean", stopwatch.lap());
    SINEW_TRY(std::vector<OutputFile> main,
              in_file(encode_character(character, job.output, {.clip = number}), job.output));
    std::ranges::move(main, std::back_inserter(files));
    done.seconds.emplace_back("write", stopwatch.lap());
    SINEW_TRY_VOID(write_outputs(std::move(files), job.report, job.report.empty() ? std::string() : encode_json(done)));
    return done;
}

std::string encode_json(const CleanFileReport& report) {
    CleanJson clips = CleanJson::array(), seconds;
    for (const CleanedClip& clip : report.clips) clips.push_back(clean_clip_json(clip, report.joints));
    for (const auto& [stage, time] : report.seconds) seconds[stage] = time;
    const CleanJson all = {{"input", report.input},
                           {"output", report.output},
                           {"clips", clips},
                           {"seconds", seconds},
                           {"warnings", report.warnings}};
    return all.dump(2, ' ', false, CleanJson::error_handler_t::replace);
}

}  // namespace sinew
