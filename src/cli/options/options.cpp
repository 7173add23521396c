#include "options/options.h"

#include <sinew/core/closest.h>
#include <sinew/core/parallel.h>
#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>
#include <iostream>

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

CLI::Validator number_check(bool (*fits)(double), const char* wanted) {
    return CLI::Validator(
        [fits, wanted](const std::string& text) {
            double value = 0.0;
            const bool number = CLI::detail::lexical_cast(text, value) && std::isfinite(value) && fits(value);
            return number ? std::string() : "\"" + text + "\" is not " + wanted;
        },
        "");
}

bool is_unknown_verb(const CLI::App& app, int argc, char** argv) {
    return argc > 1 && argv[1][0] != '-' && app.get_subcommands().empty();
}

// The parser says only that an argument was not expected; a mistyped verb deserves the closest known ones.
int report_usage(const CLI::App& app, const std::string& what, int argc, char** argv) {
    if (is_unknown_verb(app, argc, argv)) {
        std::vector<std::string> verbs;
        for (const CLI::App* verb : app.get_subcommands({})) verbs.push_back(verb->get_name());
        const std::vector<std::string_view> views(verbs.begin(), verbs.end());
        std::cerr << "sinew: " << unknown_name("verb", argv[1], views) << '\n';
    } else {
        std::cerr << "sinew: " << what << "; see sinew " << (argc > 1 ? std::string(argv[1]) + " " : "") << "--help\n";
    }
    return exit_usage;
}

// Both would write to stdout. What bake writes there is the JSON.
bool json_meets_output(const CLI::App& app, const Common& common) {
    const CLI::App* verb = app.get_subcommands().front();
    if (!common.json || verb->get_name() == "bake") return false;
    const auto is_stdout = [](const CLI::Option* option) {
        return option->count() > 0 && option->as<std::string>() == "-" &&
               (option->check_lname("output") || option->get_name() == "OUT");
    };
    return std::ranges::any_of(verb->get_options(), is_stdout);
}

}  // namespace

Option Option::required() {
    option_->required();
    return *this;
}

Option Option::one_of(std::initializer_list<const char*> words) {
    option_->check(CLI::IsMember(std::vector<std::string>(words.begin(), words.end())));
    return *this;
}

Option Option::one_of(std::initializer_list<int> numbers) {
    option_->check(CLI::IsMember(std::vector<int>(numbers)));
    return *this;
}

Option Option::between(int low, int high) {
    option_->check(CLI::Range(low, high));
    return *this;
}

Option Option::between(float low, float high) {
    option_->check(CLI::Validator(
        [low, high](const std::string& text) {
            float value = 0.0f;
            if (CLI::detail::lexical_cast(text, value) && value >= low && value <= high) return std::string();
            return fmt::format("\"{}\" is not a number from {} to {}", text, low, high);
        },
        fmt::format("{} to {}", low, high)));
    return *this;
}

Option Option::not_negative() {
    option_->check(CLI::NonNegativeNumber);
    return *this;
}

Option Option::finite() {
    option_->check(number_check([](double) { return true; }, "a number"));
    return *this;
}

Option Option::positive() {
    option_->check(number_check([](double value) { return value > 0.0; }, "a number above 0"));
    return *this;
}

Option Option::called(const char* type) {
    option_->type_name(type);
    return *this;
}

Option Option::one_per_use() {
    option_->allow_extra_args(false);
    return *this;
}

Option Option::comma_separated() {
    option_->delimiter(',');
    return *this;
}

Option Option::excludes(const Option& other) {
    option_->excludes(other.option_);
    return *this;
}

Option Verb::add(const char* name, std::string& value, const std::string& help) {
    return Option(app_->add_option(name, value, help));
}

Option Verb::add(const char* name, std::filesystem::path& value, const std::string& help) {
    return Option(app_->add_option_function<std::string>(
        name, [&value](const std::string& text) { value = text; }, help));
}

Option Verb::add(const char* name, int& value, const std::string& help) {
    return Option(app_->add_option(name, value, help));
}

Option Verb::add(const char* name, float& value, const std::string& help) {
    return Option(app_->add_option(name, value, help));
}

Option Verb::add(const char* name, std::optional<float>& value, const std::string& help) {
    return Option(app_->add_option(name, value, help));
}

Option Verb::add(const char* name, std::vector<std::string>& values, const std::string& help) {
    return Option(app_->add_option(name, values, help));
}

Option Verb::add(const char* name, std::vector<float>& values, const std::string& help) {
    return Option(app_->add_option(name, values, help));
}

Option Verb::add_text(const char* name, std::function<std::string(const std::string&)> set, const std::string& help) {
    const auto set_or_refuse = [name = std::string(name), set = std::move(set)](const std::string& text) {
        if (const std::string wrong = set(text); !wrong.empty()) throw CLI::ValidationError(name, wrong);
    };
    return Option(app_->add_option_function<std::string>(name, set_or_refuse, help));
}

Option Verb::add_choice(const char* name, bool& value, const char* when_true, const char* when_false,
                        const std::string& help) {
    const auto set = [&value, when_true](const std::string& word) { value = word == when_true; };
    return Option(app_->add_option_function<std::string>(name, set, help)).one_of({when_true, when_false});
}

void Verb::add_flag(const char* name, bool& value, const std::string& help) {
    app_->add_flag(name, value, help);
}

void Verb::add_print_flag(const char* name, std::function<void()> print, const std::string& help) {
    app_->add_flag_callback(
        name,
        [print = std::move(print)] {
            print();
            throw CLI::Success();
        },
        help);
}

Program::Program(const std::string& description, const std::string& version)
    : app_(std::make_unique<CLI::App>(description, "sinew")) {
    app_->set_version_flag("--version", version);
    app_->require_subcommand(1);
    app_->formatter(std::make_shared<SummaryFormatter>());
}

Program::~Program() = default;

Verb Program::add_verb(const std::string& name, const std::string& summary, const std::vector<std::string>& examples,
                       std::function<int()> run) {
    std::string description = summary + "\n\nExamples:";
    for (const std::string& example : examples) description += "\n  " + example;
    CLI::App& verb = *app_->add_subcommand(name, description);
    verb.add_option("--threads", common.threads, "threads to use; 0: one per core")->check(CLI::Range(0, 1024));
    verb.add_flag("--quiet", common.quiet, "no progress and no warnings");
    verb.add_flag("--json", common.json, "print one JSON object on stdout");
    verb.callback([this, run = std::move(run)] { chosen_ = run; });
    return Verb(&verb);
}

int Program::run(int argc, char** argv) {
    // `sinew help VERB` is `sinew VERB --help`, `sinew --list-motions` is `sinew motions`.
    char help_flag[] = "--help", motions[] = "motions";
    std::vector<char*> words(argv, argv + argc);
    if (argc > 1 && std::string_view(argv[1]) == "--list-motions") {
        words[1] = motions;
        argv = words.data();
    }
    if (argc > 1 && std::string_view(argv[1]) == "help") {
        words.erase(words.begin() + 1);
        words.insert(words.begin() + std::min<ptrdiff_t>(2, std::ssize(words)), help_flag);
        argc = static_cast<int>(words.size());
        argv = words.data();
    }
    try {
        app_->parse(argc, argv);
    } catch (const CLI::Success& success) {
        return is_unknown_verb(*app_, argc, argv) ? report_usage(*app_, "", argc, argv) : app_->exit(success);
    } catch (const CLI::ParseError& error) {
        return report_usage(*app_, error.what(), argc, argv);
    }
    if (json_meets_output(*app_, common)) {
        std::cerr << "sinew: --json and the output - both go to stdout; write the output to a file\n";
        return exit_usage;
    }
    set_thread_count(common.threads);
    return chosen_();
}

}  // namespace sinew::cli
