// sinew clean: mocap clean-up.
#include <sinew/pipeline/sets/clean_file.h>
#include <map>

#include <fmt/format.h>

#include "cli.h"

namespace sinew::cli {
namespace {

struct Options {
    CleanJob job;
    std::string filter = "auto";
    float cutoff = 6.0f, beta = 1.0f, longest_gap = 1.0f;
};

void print_clips(const CleanFileReport& done) {
    for (const CleanedClip& clip : done.clips) {
        std::map<CleanKind, int> counts;
        for (const CleanChange& change : clip.result.changes) ++counts[change.kind];
        float worst = 0.0f;
        for (const float mm : clip.result.changed_mm) worst = std::max(worst, mm);
        print_line(
            fmt::format("{:<24} {} spikes, {} gaps, {} noisy curves, {:.3f} s of T-pose dropped; feet slide {:.1f} mm "
                        "-> {:.1f} mm; at "
                        "most {:.1f} mm from where it was",
                        clip.name, counts[CleanKind::spike], counts[CleanKind::gap], counts[CleanKind::noise],
                        clip.result.dropped_start + clip.result.dropped_end, clip.result.skate_before_mm,
                        clip.result.skate_after_mm, worst));
    }
}

int run(const Common& common, Options& options) {
    CleanOptions& how = options.job.options;
    how.filter = options.filter == "off"           ? CleanFilter::off
                 : options.filter == "butterworth" ? CleanFilter::butterworth
                 : options.filter == "one-euro"    ? CleanFilter::one_euro
                                                   : CleanFilter::automatic;
    how.cutoff = options.cutoff;
    how.beta = options.beta;
    how.longest_gap = options.longest_gap;
    options.job.listener = make_listener(common);
    const auto done = clean_file(options.job);
    if (done && !common.json && !common.quiet && options.job.output != "-") print_clips(*done);
    return finish(common, done);
}

}  // namespace

void add_clean(Program& program) {
    auto options = std::make_shared<Options>();
    CleanOptions& how = options->job.options;
    Verb verb = program.add_verb("clean",
                                 "Clean a capture: spikes and gaps filled, noise smoothed as much as each joint needs, "
                                 "feet that slide held still, "
                                 "T-pose frames dropped.",
                                 {"sinew clean take.bvh -o clean.bvh",
                                  "sinew clean take.bvh -o clean.bvh --report changes.json --picture curves.png",
                                  "sinew clean take.bvh -o smooth.bvh --filter butterworth --cutoff 6 --feet free"},
                                 [&program, options] { return run(program.common, *options); });
    verb.add("MOTION", options->job.input, "a file with motions").required();
    verb.add("-o,--output", options->job.output, ".bvh: one clip; .glb, .gltf, .vrm or .fbx: all of the file")
        .required();
    verb.add("--clip", options->job.clip, "which clip: number or name; default: all");
    verb.add("--report", options->job.report, "what was changed, frame by frame, as JSON");
    verb.add("--picture", options->job.picture, "the curves that changed most, before and after: .png or .webp");
    verb.add("--filter", options->filter, "auto: by each joint's own noise; or one with a cut-off")
        .one_of({"auto", "off", "butterworth", "one-euro"});
    verb.add("--cutoff", options->cutoff, "Hz, of butterworth and one-euro").positive();
    verb.add("--beta", options->beta, "of one-euro: Hz more per radian a second").not_negative().finite();
    verb.add("--longest-gap", options->longest_gap, "seconds; longer gaps stay").not_negative().finite();
    verb.add_flag("--spikes,!--no-spikes", how.spikes, "take out samples that jump away and back (default)");
    verb.add_flag("--gaps,!--no-gaps", how.gaps, "fill stretches that were lost or held (default)");
    verb.add_choice("--feet", how.feet, "lock", "free", "lock: feet that slide while they stand are held still");
    verb.add_choice("--t-pose", how.t_pose, "drop", "keep", "drop: T-pose frames at the ends go");
    verb.add_flag("--drift", how.drift, "take out a slow slide of the whole body");
    verb.add_flag("--in-place", options->job.replace_input, "allow the output to replace the input");
}

}  // namespace sinew::cli
