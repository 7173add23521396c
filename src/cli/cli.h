// What the verbs of the command line share: messages and exit codes. A verb is options and one call of
// <sinew/pipeline/…>. The contract: data to the output file or stdout, messages to stderr, one line per error.
#pragma once

#include <sinew/core/progress.h>
#include <sinew/core/result.h>
#include <sinew/pipeline/job/report_json.h>
#include <string>

#include "options/options.h"

namespace sinew::cli {

// Prints "sinew: FILE: WHERE: what; what to do"; returns exit_failed.
int report_error(const Error& error);

// The same for an option's value. Returns exit_usage, or exit_failed where the value is fine and a file it names is
// not.
int report_option_error(const Error& error);

// A bar on a terminal, a line per stage elsewhere, and "sinew: FILE: warning: …"; nothing with --quiet.
Listener make_listener(const Common& common);

// Prints a line on stdout.
void print_line(const std::string& text);

// The end of a verb: the error, or the report with --json.
template <class Report>
int finish(const Common& common, const Result<Report>& done) {
    if (!done) return report_error(done.error());
    if (common.json) print_line(encode_json(*done));
    return exit_done;
}

// The built-in motions by kind of body, one line each, as `sinew motions` prints them.
std::string builtin_motion_lines();

// The verbs, one file each.
void add_animate(Program& program);
void add_retarget(Program& program);
void add_pose(Program& program);
void add_bake(Program& program);
void add_bind(Program& program);
void add_rig(Program& program);
void add_preview(Program& program);
void add_check(Program& program);
void add_info(Program& program);
void add_motions(Program& program);
void add_convert(Program& program);
void add_demo(Program& program);
void add_weights(Program& program);
void add_edit(Program& program);
void add_clean(Program& program);
void add_studio(Program& program);
void add_find(Program& program);
void add_graph(Program& program);
void add_blend(Program& program);
void add_crowd(Program& program);
void add_simulate(Program& program);

}  // namespace sinew::cli
