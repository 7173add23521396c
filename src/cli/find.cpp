// sinew find: motions of a folder, by example and by name.
#include <sinew/pipeline/sets/find_motions.h>

#include <fmt/format.h>

#include "cli.h"

namespace sinew::cli {
namespace {

struct Options {
    FindJob job;
    int most = 10;
};

void print_results(const FindReport& done) {
    for (const FindResult& r : done.results) {
        const std::string part = done.like.empty() ? fmt::format("{:8.2f} s", r.seconds)
                                                   : fmt::format("{:6.3f} {:8.2f}:{:<8.2f}{}", r.distance, r.from, r.to,
                                                                 r.mirrored ? " mirrored" : "         ");
        print_line(fmt::format("{}  {}  {}", part, r.file, r.clip));
    }
    if (done.results.empty()) print_line("nothing found");
}

int run(const Common& common, Options& options) {
    if (options.job.like.empty() && options.job.name.empty())
        return report_option_error(
            {ErrorCode::invalid_argument, "say what to find: --like walk.bvh, --name walk, or both", ""});
    options.job.most = static_cast<size_t>(options.most);
    options.job.listener = make_listener(common);
    const auto done = find_motions(options.job);
    if (done && !common.json) print_results(*done);
    return finish(common, done);
}

}  // namespace

void add_find(Program& program) {
    auto options = std::make_shared<Options>();
    Verb verb = program.add_verb(
        "find",
        "Find motions in a folder: those like a given one, whatever their skeletons, or by name. An index is kept "
        "beside "
        "the folder; later searches read only what changed.",
        {"sinew find takes --like walk.bvh", "sinew find takes --like take.bvh@1.5:3 --picture like.png",
         "sinew find takes --name jump --json"},
        [&program, options] { return run(program.common, *options); });
    verb.add("DIR", options->job.folder, "a folder of motion files, with the folders in it").required();
    verb.add("--like", options->job.like, "a motion file or built-in motion; @FROM:TO for a part of it, in seconds")
        .called("MOTION[@FROM:TO]");
    verb.add("--name", options->job.name, "only files and clips with this in their names");
    verb.add("--most", options->most, "how many to list").between(1, 100000);
    verb.add("--picture", options->job.picture, "a sheet of the results: .png or .webp");
}

}  // namespace sinew::cli
