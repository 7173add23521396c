// What every verb of the command line shares: its common options, its messages, its exit codes.
// The contract: data to the output file or stdout, messages to stderr, one line per error.
#pragma once

#include <sinew/character/character.h>
#include <sinew/core/file.h>
#include <sinew/core/progress.h>
#include <sinew/core/result.h>
#include <CLI/CLI.hpp>
#include <filesystem>
#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <string>

namespace sinew::cli {

enum ExitCode : int { exit_done = 0, exit_failed = 1, exit_usage = 2, exit_problems = 3 };

// One verb's options that every verb has.
struct Common {
    int threads = 0;
    bool quiet = false;
    bool json = false;
};

// The program: verbs add themselves to `app` and set `run` to what shall happen when they are chosen.
struct Program {
    CLI::App app;
    Common common;
    std::function<int()> run;
};

// One line per verb in the program's own --help. Before any verb is added.
void set_up_help(Program& program);

// A subcommand with the common options. `examples` come before the options in --help, one per line.
CLI::App& add_verb(Program& program, const std::string& name, const std::string& summary,
                   const std::vector<std::string>& examples);

// Prints "sinew: FILE: WHERE: what; what to do" and returns exit_failed.
int report_error(const std::string& file, const Error& error);

// "sinew: FILE: warning: …" for each, unless quiet.
void report_warnings(const Common& common, const std::string& file, const std::vector<std::string>& warnings);

// A bar on a terminal, a line per stage elsewhere, nothing with --quiet.
Progress make_progress(const Common& common);

// Reads with progress and warnings; on failure prints the error.
Result<Character> read_input(const Common& common, const std::string& file);

// Fails when the output is one of the inputs and --in-place was not given, or its folder does not exist.
Result<void> check_output(const std::string& output, const std::vector<std::string>& inputs, bool in_place);

// For option values: a number, not nan or infinite; above 0 too.
CLI::Validator finite_number();
CLI::Validator positive_number();

// ".png" of "Hero.PNG".
std::string extension_of(const std::string& file);

// Prints one JSON object on stdout.
void print_json(const nlohmann::ordered_json& object);

// A JSON object as a file to be written.
OutputFile json_file(const std::string& path, const nlohmann::ordered_json& object);

// The number a float was meant to be (0.1, not 0.10000000149): shorter, and reads back to the same float.
double json_number(float value);

// Verbs, one file each.
void add_animate(Program& program);
void add_retarget(Program& program);
void add_bake(Program& program);
void add_bind(Program& program);
void add_rig(Program& program);
void add_preview(Program& program);
void add_info(Program& program);
void add_convert(Program& program);
void add_demo(Program& program);
void add_weights(Program& program);

}  // namespace sinew::cli
