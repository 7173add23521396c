#include "cli.h"

#include <unistd.h>

#include <sinew/io/read.h>
#include <sinew/io/text_scan.h>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>

#include <fmt/format.h>

namespace sinew::cli {
namespace {

// The list of verbs shows what each is for; the examples are in its own --help.
class SummaryFormatter : public CLI::Formatter {
    std::string make_subcommand(const CLI::App* verb) const override {
        const std::string description = verb->get_description();
        std::ostringstream out;
        CLI::detail::format_help(out, verb->get_name(), description.substr(0, description.find('\n')),
                                 get_column_width());
        return out.str();
    }
};

}  // namespace

void set_up_help(Program& program) {
    program.app.formatter(std::make_shared<SummaryFormatter>());
}

CLI::App& add_verb(Program& program, const std::string& name, const std::string& summary,
                   const std::vector<std::string>& examples) {
    std::string description = summary + "\n\nExamples:";
    for (const std::string& example : examples) description += "\n  " + example;
    CLI::App& verb = *program.app.add_subcommand(name, description);
    Common& common = program.common;
    verb.add_option("--threads", common.threads, "threads to use; 0: one per core")->check(CLI::Range(0, 1024));
    verb.add_flag("--quiet", common.quiet, "no progress and no warnings");
    verb.add_flag("--json", common.json, "print one JSON object on stdout");
    return verb;
}

int report_error(const std::string& file, const Error& error) {
    std::string line = fmt::format("sinew: {}: {}", file, to_string(error));
    for (char& c : line) {
        if (c == '\n' || c == '\r') c = ' ';
    }
    fmt::print(stderr, "{}\n", line);
    return exit_failed;
}

void report_warnings(const Common& common, const std::string& file, const std::vector<std::string>& warnings) {
    if (common.quiet) return;
    for (const std::string& warning : warnings) fmt::print(stderr, "sinew: {}: warning: {}\n", file, warning);
}

Progress make_progress(const Common& common) {
    if (common.quiet) return {};
    const bool terminal = ::isatty(STDERR_FILENO) == 1;
    // Shared by the copies of the function object that the library makes.
    auto stage_shown = std::make_shared<std::string>();
    return [terminal, stage_shown](std::string_view stage, double fraction) {
        if (terminal) {
            constexpr int width = 24;
            const int filled = static_cast<int>(std::lround(width * std::clamp(fraction, 0.0, 1.0)));
            fmt::print(stderr, "\r\033[K{:<12} [{}{}] {:3.0f}%{}", stage, std::string(static_cast<size_t>(filled), '#'),
                       std::string(static_cast<size_t>(width - filled), '.'), 100.0 * fraction,
                       fraction >= 1.0 ? "\n" : "");
            std::fflush(stderr);
        } else if (*stage_shown != stage) {
            fmt::print(stderr, "sinew: {}\n", stage);
        }
        *stage_shown = stage;
    };
}

Result<Character> read_input(const Common& common, const std::string& file) {
    const Progress progress = make_progress(common);
    report(progress, "reading", 0.0);
    auto character = read_character(file, {.progress = progress});
    if (!character) {
        report_error(file, character.error());
        return character;
    }
    report(progress, "reading", 1.0);
    report_warnings(common, file, character->warnings);
    return character;
}

Result<void> check_output(const std::string& output, const std::vector<std::string>& inputs, bool in_place) {
    if (output == "-") return {};
    const std::filesystem::path folder = std::filesystem::path(output).parent_path();
    std::error_code unknown;
    if (!folder.empty() && !std::filesystem::is_directory(folder, unknown))
        return fail(ErrorCode::invalid_argument,
                    fmt::format("there is no folder {}; make it first", in_quotes(folder.string())));
    if (in_place) return {};
    for (const std::string& input : inputs) {
        std::error_code ignored;
        if (input == output || std::filesystem::equivalent(input, output, ignored)) {
            return fail(ErrorCode::invalid_argument,
                        "the output is the input; give another name, or --in-place to replace it");
        }
    }
    return {};
}

namespace {

CLI::Validator number_check(bool (*fits)(double), const char* wanted) {
    return CLI::Validator(
        [fits, wanted](const std::string& text) {
            double value = 0.0;
            const bool number = CLI::detail::lexical_cast(text, value) && std::isfinite(value) && fits(value);
            return number ? std::string() : fmt::format("\"{}\" is not {}", text, wanted);
        },
        "");
}

}  // namespace

CLI::Validator finite_number() {
    return number_check([](double) { return true; }, "a number");
}

CLI::Validator positive_number() {
    return number_check([](double value) { return value > 0.0; }, "a number above 0");
}

std::string extension_of(const std::string& file) {
    return CLI::detail::to_lower(std::filesystem::path(file).extension().string());
}

void print_json(const nlohmann::ordered_json& object) {
    // Names that are not UTF-8 must not lose the whole answer.
    std::cout << object.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) << '\n';
}

OutputFile json_file(const std::string& path, const nlohmann::ordered_json& object) {
    const std::string text = object.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
    const ByteSpan bytes = as_byte_span(text);
    return {path, Bytes(bytes.begin(), bytes.end())};
}

double json_number(float value) {
    if (!std::isfinite(value)) return 0.0;
    char text[32];
    const auto end = std::to_chars(text, text + sizeof text, value).ptr;
    double number = 0.0;
    std::from_chars(text, end, number);
    return number;
}

}  // namespace sinew::cli
