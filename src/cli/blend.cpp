// sinew blend: a walk at any speed, turn and slope, mixed from clips.
#include <sinew/pipeline/sets/blend_file.h>

#include <fmt/format.h>
#include <cmath>

#include "cli.h"

namespace sinew::cli {
namespace {

std::string pace_text(const Pace& pace) {
    constexpr float degree = 3.14159265f / 180.0f;
    return fmt::format("{:.2f} m/s, {:.1f} deg/s to the left, {:.1f} deg upwards", pace.speed, pace.turn / degree,
                       std::atan(pace.slope) / degree);
}

int run(const Common& common, BlendJob& job) {
    job.listener = make_listener(common);
    const auto done = blend_files(job);
    if (done && !common.json && !common.quiet) {
        for (const MotionCycle& cycle : done->cycles)
            print_line(fmt::format("{}: a cycle of {:.2f} s at {:.2f} s: {}", cycle.clip, cycle.seconds, cycle.from,
                                   pace_text(cycle.pace)));
        if (!job.output.empty())
            print_line(fmt::format("made {:.1f} s: {}; asked for {}; feet slide at most {:.2f} cm",
                                   duration(done->made.clip), pace_text(done->made.met), pace_text(done->asked),
                                   done->made.foot_drift_cm));
    }
    return finish(common, done);
}

}  // namespace

void add_blend(Program& program) {
    auto job = std::make_shared<BlendJob>();
    Verb verb = program.add_verb("blend",
                                 "Mix walks and runs into one at the speed, turn and slope of your choice. Cycles are "
                                 "found and aligned by themselves; without -o they are only listed.",
                                 {"sinew blend walk run --speed 2 -o jog.bvh",
                                  "sinew blend takes --onto hero.glb --speed 1.4 --turn 20 -o left.glb",
                                  "sinew blend walk.bvh run.bvh --speed 1,3 --slope 0,8 --seconds 12 -o faster.glb"},
                                 [&program, job] { return run(program.common, *job); });
    verb.add("CLIPS", job->motions, "motion files, folders of them, or built-in motions").required();
    verb.add("-o,--output", job->output, ".bvh, .glb, .gltf or .fbx");
    verb.add("--speed", job->speed,
             "metres a second; several, with commas: one after another; default: the first clip's")
        .comma_separated()
        .finite()
        .not_negative();
    verb.add("--turn", job->turn, "degrees a second to the left; below 0: to the right").comma_separated().finite();
    verb.add("--slope", job->slope, "degrees: how steeply the ground rises; below 0: falls").comma_separated().finite();
    verb.add("--seconds", job->seconds, "how long it lasts").positive();
    verb.add("--onto", job->onto, "the character that walks; default: the body of the first clip");
}

}  // namespace sinew::cli
