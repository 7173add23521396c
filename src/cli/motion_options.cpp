#include "motion_options.h"

#include <sinew/core/file.h>
#include <sinew/io/joint_map.h>
#include <nlohmann/json.hpp>

#include <fmt/format.h>

namespace sinew::cli {

void add_motion_options(CLI::App& verb, MotionOptions& options) {
    verb.add_option("--clip", options.clip, "which clip of the motion file: number or name; default the first");
    verb.add_option("--map", options.map_file,
                    "JSON file {\"motion's joint\": \"character's joint\"}; default by role and name");
    verb.add_option("--feet", options.feet, "lock: planted feet stand still; free: leave them")
        ->check(CLI::IsMember({"lock", "free"}));
    verb.add_option("--fps", options.fps, "keys per second of the new clip")->check(CLI::Range(1.0f, 1000.0f));
    verb.add_flag("--in-place-root", options.in_place_root, "keep the character over its starting point");
}

namespace {

// One motion; fails with the file to blame in front.
struct Blame {
    std::string file;
    Error error;
};

tl::expected<RetargetResult, Blame> put_motion(const std::string& name, const MotionOptions& options,
                                               Character& character, const Progress& progress) {
    const auto motion = load_motion(name, options.clip, progress);
    if (!motion) return tl::unexpected(Blame{name, motion.error()});
    RetargetOptions retarget_options{
        .map = {}, .fps = options.fps, .in_place_root = options.in_place_root, .lock_feet = options.feet == "lock"};
    if (!options.map_file.empty()) {
        const auto bytes = read_file(options.map_file);
        if (!bytes) return tl::unexpected(Blame{options.map_file, bytes.error()});
        auto map = parse_joint_map(*bytes, motion->skeleton, character.skeleton);
        if (!map) return tl::unexpected(Blame{options.map_file, map.error()});
        retarget_options.map = *std::move(map);
    }
    auto result = add_motion(character, *motion, retarget_options);
    if (!result) return tl::unexpected(Blame{name, result.error()});
    result->warnings.insert(result->warnings.begin(), motion->warnings.begin(), motion->warnings.end());
    return *std::move(result);
}

}  // namespace

std::optional<std::vector<RetargetResult>> put_motions(const Common& common, const MotionOptions& options,
                                                       Character& character) {
    const Progress progress = make_progress(common);
    std::vector<RetargetResult> results;
    // add_motion puts each in front, so the last one put is the first clip.
    for (size_t i = options.motions.size(); i-- > 0;) {
        const double done = static_cast<double>(results.size()) / static_cast<double>(options.motions.size());
        report(progress, "retargeting", done);
        auto result = put_motion(options.motions[i], options, character, {});
        if (!result) {
            report_error(result.error().file, result.error().error);
            return std::nullopt;
        }
        report_warnings(common, options.motions[i], result->warnings);
        results.insert(results.begin(), *std::move(result));
    }
    report(progress, "retargeting", 1.0);
    return results;
}

nlohmann::ordered_json retarget_json(const std::vector<RetargetResult>& results) {
    const RetargetResult& first = results.front();
    return {{"mapped_joints", first.mapped_joints},
            {"scale", json_number(first.scale)},
            {"foot_skate_cm_per_s", json_number(first.foot_skate_cm_per_s)},
            {"ground_error_cm", json_number(first.ground_error_cm)}};
}

}  // namespace sinew::cli
