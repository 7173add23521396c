// sinew convert: between formats.
#include <sinew/pipeline/convert_file.h>
#include <algorithm>

#include <fmt/format.h>

#include "cli.h"

namespace sinew::cli {
namespace {

void print_report(const ConvertReport& report) {
    for (const ClipEditReport& clip : report.clips)
        print_line(fmt::format(
            "{:<32} {:>8} keys -> {:>7} ({:.1f} %){}", clip.clip, clip.keys_before, clip.keys_after,
            100.0 * static_cast<double>(clip.keys_after) / static_cast<double>(std::max<size_t>(clip.keys_before, 1)),
            clip.worst_error_mm > 0.0f ? fmt::format(", within {:.3f} mm", clip.worst_error_mm) : ""));
    print_line(fmt::format("{}: {:.1f} KB", report.output, static_cast<double>(report.bytes) / 1000.0));
}

int run(const ConvertJob& job, const Common& common) {
    const auto done = convert_file(job);
    if (done && !done->clips.empty() && !common.json && !common.quiet && job.output != "-") print_report(*done);
    return finish(common, done);
}

}  // namespace

void add_convert(Program& program) {
    auto job = std::make_shared<ConvertJob>();
    Verb verb = program.add_verb(
        "convert", "Convert between formats. What the output format can hold, it keeps.",
        {"sinew convert hero.fbx hero.glb", "sinew convert walk.bvh walk.glb", "sinew convert hero.glb hero.obj",
         "sinew convert hero.glb walk.bvh --clip 2", "sinew convert dance.bvh dance.glb --optimize 0.5"},
        [&program, job] {
            job->listener = make_listener(program.common);
            return run(*job, program.common);
        });
    verb.add("IN", job->input, "glb gltf vrm obj bvh asf amc fbx dae ply stl off").required();
    verb.add("OUT", job->output, "glb gltf vrm fbx obj bvh").required();
    verb.add("--clip", job->clip, "for formats that hold one motion: which one").not_negative();
    verb.add("--optimize", job->optimize_mm, "MM: clips with fewer keys, no joint farther off than this")
        .positive()
        .called("MM");
    verb.add("--fps", job->fps, "clips with keys at this rate").between(1.0f, 1000.0f);
    verb.add_flag("--in-place", job->replace_input, "allow the output to replace the input");
}

}  // namespace sinew::cli
