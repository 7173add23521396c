// sinew motions: the built-in motions by kind of body, or a file's clips.
#include <sinew/motion/builtin.h>
#include <sinew/pipeline/info.h>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "cli.h"

namespace sinew::cli {
namespace {

std::string lines_of(const std::vector<BuiltinMotions>& kinds) {
    std::string text;
    for (const BuiltinMotions& kind : kinds)
        text += fmt::format("{}{:<20} {}", text.empty() ? "" : "\n", kind.kind, fmt::join(kind.names, ", "));
    return text;
}

void print_text(const MotionList& list) {
    if (list.file.empty()) return print_line(lines_of(list.builtin));
    for (size_t i = 0; i < list.clips.size(); ++i)
        fmt::print("{:>3} {:<32} {:>8.3f} s\n", i, list.clips[i].name, list.clips[i].duration);
    if (list.clips.empty()) print_line("no clips");
    if (!list.builtin.empty()) fmt::print("\nbuilt in for its body\n{}\n", lines_of(list.builtin));
}

int run(const Common& common, InfoJob& job) {
    job.listener = make_listener(common);
    const auto list = list_motions(job);
    if (list && !common.json) print_text(*list);
    return finish(common, list);
}

}  // namespace

std::string builtin_motion_lines() {
    return lines_of(builtin_motions_by_kind());
}

void add_motions(Program& program) {
    auto job = std::make_shared<InfoJob>();
    Verb verb = program.add_verb("motions", "List the built-in motions by kind of body, or a file's clips.",
                                 {"sinew motions", "sinew motions fox.glb", "sinew motions --json"},
                                 [&program, job] { return run(program.common, *job); });
    verb.add("FILE", job->file, "a character or motion: its clips, and the built-in motions for its body");
}

}  // namespace sinew::cli
