// The sinew program: chooses the verb and turns what goes wrong into exit codes.
#include <sinew/core/closest.h>
#include <sinew/core/parallel.h>
#include <algorithm>
#include <exception>
#include <iostream>

#include "cli.h"

namespace {

using namespace sinew::cli;

constexpr const char* description =
    "Sinew turns any mesh and any motion into a finished, engine-ready character.\n\n"
    "Examples:\n"
    "  sinew animate hero.glb --motion walk.bvh -o walking.glb\n"
    "  sinew animate statue.obj --motion run -o running.glb --preview running.webp\n"
    "  sinew rig statue.obj -o statue.glb\n"
    "  sinew preview hero.glb -o hero.png --show skin+bones --views 4\n"
    "  sinew info hero.glb\n"
    "  sinew demo\n\n"
    "`sinew VERB --help` tells more about a verb.";

// CLI11 says only that an argument was not expected; a mistyped verb deserves the closest known ones.
int report_usage(const Program& program, const CLI::ParseError& error, int argc, char** argv) {
    if (argc > 1 && argv[1][0] != '-' && program.app.get_subcommands().empty()) {
        std::vector<std::string> verbs;
        for (const CLI::App* verb : program.app.get_subcommands({})) verbs.push_back(verb->get_name());
        const std::vector<std::string_view> views(verbs.begin(), verbs.end());
        std::cerr << "sinew: " << sinew::unknown_name("verb", argv[1], views) << '\n';
    } else {
        std::cerr << "sinew: " << error.what() << "; see sinew " << (argc > 1 ? std::string(argv[1]) + " " : "")
                  << "--help\n";
    }
    return exit_usage;
}

// Both would write to stdout. What bake writes there is the JSON.
bool json_meets_output(const Program& program) {
    const CLI::App* verb = program.app.get_subcommands().front();
    if (!program.common.json || verb->get_name() == "bake") return false;
    const auto is_stdout = [](const CLI::Option* option) {
        return option->count() > 0 && option->as<std::string>() == "-" &&
               (option->check_lname("output") || option->get_name() == "OUT");
    };
    return std::ranges::any_of(verb->get_options(), is_stdout);
}

int run(int argc, char** argv) {
    Program program;
    program.app.name("sinew");
    program.app.description(description);
    program.app.set_version_flag("--version", "sinew " SINEW_VERSION);
    program.app.require_subcommand(1);
    set_up_help(program);
    add_animate(program);
    add_rig(program);
    add_retarget(program);
    add_bake(program);
    add_bind(program);
    add_weights(program);
    add_preview(program);
    add_info(program);
    add_convert(program);
    add_demo(program);
    try {
        program.app.parse(argc, argv);
    } catch (const CLI::Success& success) {
        const bool unknown_verb = argc > 1 && argv[1][0] != '-' && program.app.get_subcommands().empty();
        return unknown_verb ? report_usage(program, CLI::ExtrasError({argv[1]}), argc, argv)
                            : program.app.exit(success);
    } catch (const CLI::ParseError& error) {
        return report_usage(program, error, argc, argv);
    }
    if (json_meets_output(program)) {
        std::cerr << "sinew: --json and the output - both want stdout; write the output to a file\n";
        return exit_usage;
    }
    sinew::set_thread_count(program.common.threads);
    return program.run();
}

}  // namespace

int main(int argc, char** argv) {
    try {
        return run(argc, argv);
    } catch (const std::bad_alloc&) {
        std::cerr << "sinew: not enough memory\n";
    } catch (const std::exception& error) {
        std::cerr << "sinew: " << error.what() << "; this is a bug in sinew, please report it\n";
    }
    return exit_failed;
}
