// sinew graph: a motion graph of clips, and a walk along a path on it.
#include <sinew/pipeline/sets/graph_file.h>

#include <fmt/format.h>

#include "cli.h"

namespace sinew::cli {
namespace {

struct Options {
    GraphJob job;
    std::vector<std::string> outputs;
    float threshold_cm = 0.0f;
};

int run(const Common& common, Options& options) {
    GraphJob& job = options.job;
    for (const std::string& output : options.outputs)
        (std::filesystem::path(output).extension() == ".json" ? job.graph : job.motion) = output;
    job.options.threshold = 0.01 * static_cast<double>(options.threshold_cm);
    job.listener = make_listener(common);
    const auto done = graph_files(job);
    if (done && !common.json && !common.quiet) {
        const MotionGraph& g = done->graph;
        print_line(fmt::format(
            "{} clips, {} transitions within {:.1f} cm, {} of them in the core, which holds {:.0f}% of the frames",
            g.names.size(), g.found, 100.0 * g.threshold, g.transitions.size(), 100.0 * g.core_share));
        if (done->walk)
            print_line(
                fmt::format("a walk of {:.1f} s and {:.1f} m, at most {:.2f} m off the path, {} transitions; feet "
                            "slide at most {:.2f} cm",
                            duration(done->walk->clip), done->walk->travelled, done->walk->worst_off_path,
                            done->walk->used.size(), done->walk->toe_drift_cm));
    }
    return finish(common, done);
}

}  // namespace

void add_graph(Program& program) {
    auto options = std::make_shared<Options>();
    GraphJob& job = options->job;
    Verb verb = program.add_verb("graph",
                                 "Build a motion graph: where one clip may go on as another without a seam. With "
                                 "--path, walk along a path on it.",
                                 {"sinew graph walk.bvh turn.bvh run.bvh -o graph.json --picture distances.png",
                                  "sinew graph takes -o graph.json --path eight -o walk.bvh",
                                  "sinew graph takes --onto hero.glb --path route.json -o walk.glb --seconds 30"},
                                 [&program, options] { return run(program.common, *options); });
    verb.add("CLIPS", job.motions, "motion files, folders of them, or built-in motions").required();
    verb.add("-o,--output", options->outputs, ".json: the graph; .bvh, .glb, .gltf or .fbx: the walk").one_per_use();
    verb.add("--path", job.path, "eight, or a JSON file of points on the ground: [[x, z], ...]");
    verb.add("--radius", job.radius, "metres, of the eight's circles").positive();
    verb.add("--seconds", job.seconds, "how long to walk").positive();
    verb.add("--onto", job.onto, "the character that walks; default: the body of the first clip");
    verb.add("--threshold", options->threshold_cm,
             "CM: transitions within this distance; default: 1.5 times neighbouring frames'")
        .not_negative()
        .finite();
    verb.add("--picture", job.picture, "the distances of all pairs of frames: .png or .webp");
}

}  // namespace sinew::cli
