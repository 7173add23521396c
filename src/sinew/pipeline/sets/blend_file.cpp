#include <sinew/pipeline/sets/blend_file.h>

#include <fmt/format.h>
#include <sinew/core/file.h>
#include <sinew/io/write.h>
#include <sinew/pipeline/job/file_job.h>
#include <sinew/pipeline/sets/one_body.h>
#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <set>

namespace sinew {
namespace {

namespace fs = std::filesystem;
using BlendJson = nlohmann::ordered_json;

constexpr float degree = pi / 180.0f;

// Values spread evenly over the time, read at a share of it.
float value_at(const std::vector<float>& values, double share, float none) {
    if (values.empty()) return none;
    const double at = share * static_cast<double>(values.size() - 1);
    const auto k = std::min(static_cast<size_t>(at), values.size() - 1), next = std::min(k + 1, values.size() - 1);
    return values[k] + static_cast<float>(at - static_cast<double>(k)) * (values[next] - values[k]);
}

Result<std::vector<PaceKey>> keys_of(const BlendJob& job, float usual_speed) {
    for (const float slope : job.slope)
        if (!(std::abs(slope) < 90.0f))
            return fail(ErrorCode::invalid_argument, "is no slope; give degrees", "--slope");
    // A key wherever one of the three has one.
    std::set<double> shares = {0.0};
    for (const auto* values : {&job.speed, &job.turn, &job.slope})
        for (size_t i = 1; i < values->size(); ++i)
            shares.insert(static_cast<double>(i) / static_cast<double>(values->size() - 1));
    std::vector<PaceKey> keys;
    for (const double share : shares)
        keys.push_back({static_cast<float>(share * static_cast<double>(job.seconds)),
                        {value_at(job.speed, share, usual_speed), degree * value_at(job.turn, share, 0.0f),
                         std::tan(degree * value_at(job.slope, share, 0.0f))}});
    return keys;
}

Pace mean_pace(const std::vector<PaceKey>& keys) {
    if (keys.size() == 1) return keys.front().pace;
    Pace mean{0, 0, 0};
    const float whole = keys.back().time - keys.front().time;
    double climbed = 0;
    for (size_t k = 1; k < keys.size(); ++k) {
        const Pace &a = keys[k - 1].pace, &b = keys[k].pace;
        const float share = (keys[k].time - keys[k - 1].time) / whole;
        mean.speed += 0.5f * share * (a.speed + b.speed);
        mean.turn += 0.5f * share * (a.turn + b.turn);
        // ∫ speed · slope of two lines.
        climbed += static_cast<double>(share * (2 * a.speed * a.slope + a.speed * b.slope + b.speed * a.slope +
                                                2 * b.speed * b.slope)) /
                   6.0;
    }
    mean.slope = mean.speed > 0.0f ? static_cast<float>(climbed) / mean.speed : 0.0f;
    return mean;
}

void warn_of_stretch(const BlendJob& job, BlendReport& done) {
    constexpr float visible = 1.25f;
    const float stretch = done.made.largest_stretch;
    if (stretch < visible && stretch > 1.0f / visible) return;
    const auto [slowest, fastest] =
        std::ranges::minmax(done.cycles, {}, [](const MotionCycle& c) { return c.pace.speed; });
    warn(job.listener, job.output.string(),
         {fmt::format(
             "the clips go at {:.2f} to {:.2f} m/s: steps were stretched to {:.0f}%; give slower or faster clips",
             slowest.pace.speed, fastest.pace.speed, 100.0f * stretch)},
         done.warnings);
}

double to_thousandths(float value) {
    return std::round(static_cast<double>(value) * 1e3) / 1e3;
}

BlendJson pace_json(const Pace& pace) {
    return {{"speed", to_thousandths(pace.speed)},
            {"turn_deg", to_thousandths(pace.turn / degree)},
            {"slope_deg", to_thousandths(std::atan(pace.slope) / degree)}};
}

}  // namespace

Result<BlendReport> blend_files(const BlendJob& job) {
    SINEW_TRY_VOID(check_outputs({{job.output}}, {job.motions.begin(), job.motions.end()}));
    if (!job.output.empty()) SINEW_TRY_VOID(in_file(check_writable_type(job.output), job.output));
    BlendReport done;
    SINEW_TRY(OneBody one, gather_motions(job.motions, job.onto, job.listener, done.warnings));
    report(job.listener.progress, "aligning", 0.0);
    SINEW_TRY(const ParametricMotion motion, ParametricMotion::create(one.character.skeleton, one.clips));
    report(job.listener.progress, "aligning", 1.0);
    done.cycles = motion.cycles();
    for (size_t c = 0; c < one.clips.size(); ++c)
        if (std::ranges::find(done.cycles, one.clips[c].name, &MotionCycle::clip) == done.cycles.end())
            done.without_cycle.push_back(one.motions[c]);
    for (const std::string& name : done.without_cycle)
        warn(job.listener, name, {"has no cycle: it never comes back to a pose that it had; left out"}, done.warnings);
    SINEW_TRY(const std::vector<PaceKey> keys, keys_of(job, done.cycles.front().pace.speed));
    done.asked = mean_pace(keys);
    if (job.output.empty()) return done;
    report(job.listener.progress, "blending", 0.0);
    SINEW_TRY(done.made, motion.at(keys, job.seconds));
    report(job.listener.progress, "blending", 1.0);
    warn_of_stretch(job, done);
    one.character.clips = {done.made.clip};
    SINEW_TRY(std::vector<OutputFile> files, in_file(encode_character(one.character, job.output), job.output));
    for (const OutputFile& file : files) SINEW_TRY_VOID(in_file(write_file(file.path, file.bytes), file.path));
    return done;
}

std::string encode_json(const BlendReport& report) {
    BlendJson cycles = BlendJson::array();
    for (size_t c = 0; c < report.cycles.size(); ++c) {
        const MotionCycle& cycle = report.cycles[c];
        BlendJson row = {
            {"clip", cycle.clip}, {"from", to_thousandths(cycle.from)}, {"seconds", to_thousandths(cycle.seconds)}};
        row.update(pace_json(cycle.pace));
        if (c < report.made.weights.size()) row["weight"] = to_thousandths(report.made.weights[c]);
        cycles.push_back(std::move(row));
    }
    BlendJson all = {{"cycles", cycles}, {"without_cycle", report.without_cycle}, {"asked", pace_json(report.asked)}};
    if (!report.made.clip.tracks.empty()) {
        all["met"] = pace_json(report.made.met);
        all["seconds"] = to_thousandths(duration(report.made.clip));
        all["stretch"] = to_thousandths(report.made.largest_stretch);
        all["foot_drift_cm"] = to_thousandths(report.made.foot_drift_cm);
    }
    all["warnings"] = report.warnings;
    return all.dump(2, ' ', false, BlendJson::error_handler_t::replace);
}

}  // namespace sinew
