// sinew pose: turn joints, and put hands and feet where you want them.
#include <sinew/core/closest.h>
#include <sinew/pipeline/pose_character.h>
#include <algorithm>

#include <fmt/format.h>

#include "options/vector_options.h"

namespace sinew::cli {
namespace {

struct Options {
    PoseJob job;
    std::vector<std::string> rotate, targets, moves, poles;
    std::string as = "both", limits = "none", axes = "local";
};

Result<void> parse(Options& options) {
    PoseOptions& pose = options.job.options;
    SINEW_TRY(pose.rotate, parse_named_vectors("--rotate", options.rotate, "leftLowerArm=90,0,0"));
    SINEW_TRY(pose.targets, parse_named_vectors("--target", options.targets, "leftHand=0.3,1.5,0.4"));
    SINEW_TRY(pose.moves, parse_named_vectors("--move", options.moves, "leftHand=0,0.2,0"));
    SINEW_TRY(pose.poles, parse_named_vectors("--pole", options.poles, "leftLowerLeg=0,0,1"));
    const std::vector<std::string_view> solvers = pose_solver_names();
    if (std::find(solvers.begin(), solvers.end(), pose.solver) == solvers.end())
        return fail(ErrorCode::invalid_argument, unknown_name("solver", pose.solver, solvers), "--solver");
    pose.as = options.as == "nodes" ? PoseAs::nodes : options.as == "clip" ? PoseAs::clip : PoseAs::both;
    pose.anatomical = options.limits == "anatomical";
    pose.world_axes = options.axes == "world";
    return {};
}

int run(const Common& common, Options& options) {
    if (const auto parsed = parse(options); !parsed) return report_option_error(parsed.error());
    options.job.listener = make_listener(common);
    return finish(common, pose_file(options.job));
}

std::string solver_help() {
    return fmt::format(
        "{}; auto: two-bone for a hand or a foot, a chain up to the branch for others, full-body where "
        "several targets need it; elastic: all joints follow as the skin allows",
        fmt::join(pose_solver_names(), ", "));
}

}  // namespace

void add_pose(Program& program) {
    auto options = std::make_shared<Options>();
    PoseJob& job = options->job;
    Verb verb = program.add_verb(
        "pose",
        "Turn joints, and put hands, feet or other joints where you want them. The output stands in the pose, its skin "
        "bound as before, and has the pose as a clip \"pose\" of one key.",
        {"sinew pose hero.glb -o posed.glb --rotate leftLowerArm=90,0,0",
         "sinew pose hero.glb -o posed.glb --target leftHand=0.3,1.5,0.4",
         "sinew pose hero.glb -o posed.glb --move leftHand=0,0.3,0.2 --move rightHand=0,0.3,0.2",
         "sinew pose hero.glb -o crouched.glb --move hips=0,-0.25,0",
         "sinew pose hero.glb -o dragged.glb --move leftHand=0.2,0.5,0.3 --solver elastic"},
        [&program, options] { return run(program.common, *options); });
    verb.add("CHARACTER", job.input, "a character with joints").required();
    verb.add("-o,--output", job.output, ".glb, .gltf, .vrm or .fbx: the character in its pose; .bvh: the pose alone")
        .required();
    verb.add("--rotate", options->rotate,
             "JOINT=x,y,z: degrees about x, then y, then z; by name, role (leftHand) or number; repeat it for several")
        .one_per_use();
    verb.add("--axes", options->axes, "of --rotate: local, the joint's own, or world").one_of({"local", "world"});
    verb.add("--target", options->targets,
             "JOINT=x,y,z: where a joint shall be, in metres; \"vertex 1203\" with elastic")
        .one_per_use();
    verb.add("--move", options->moves, "JOINT=x,y,z: the same, from where it is").one_per_use();
    verb.add("--pole", options->poles, "JOINT=x,y,z: the direction to which a knee or an elbow bends").one_per_use();
    verb.add("--hold", job.options.hold, "full-body and elastic: a joint that stays where it is; default: the feet")
        .one_per_use();
    verb.add("--solver", job.options.solver, solver_help());
    verb.add("--limits", options->limits, "none, or anatomical: joints turn as far as a person's do")
        .one_of({"none", "anatomical"});
    verb.add("--clip", job.options.clip, "start from this clip, by number or name; default: from rest");
    verb.add("--time", job.options.time, "at this time of the clip, in seconds").finite();
    verb.add("--as", options->as, "both, nodes: the joints stand in the pose; clip: only as a clip \"pose\"")
        .one_of({"both", "nodes", "clip"});
    verb.add_flag("--strict", job.strict, "a target that is not reached is an error");
    verb.add("--report", job.report, "also write what was done as JSON");
    verb.add_flag("--in-place", job.replace_input, "allow the output to replace the input");
}

}  // namespace sinew::cli
