// Options: how a verb says what it takes. Hides the parser (CLI11), which is slow to compile: only options.cpp sees it.
// Data flow: argv → *here* → the fields that a verb bound its options to → the verb's run function.
#pragma once

#include <filesystem>
#include <functional>
#include <initializer_list>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace sinew::cli {

enum ExitCode : int { exit_done = 0, exit_failed = 1, exit_usage = 2, exit_problems = 3 };

// Options that every verb has.
struct Common {
    int threads = 0;
    bool quiet = false;
    bool json = false;
};

// What a value of an option must be. Each returns the option again.
class Option {
public:
    explicit Option(CLI::Option* option) : option_(option) {}

    Option required();
    Option one_of(std::initializer_list<const char*> words);
    Option one_of(std::initializer_list<int> numbers);
    Option between(int low, int high);
    Option between(float low, float high);
    Option not_negative();
    Option finite();                  // a number, not nan or infinite
    Option positive();                // the same, above 0
    Option called(const char* type);  // the value's name in --help
    Option one_per_use();             // of a list: the option is given again for each value
    Option comma_separated();         // of a list
    Option excludes(const Option& other);

private:
    CLI::Option* option_;
};

// One verb. Options are bound to variables that must live until it has run. A name is "--fps", "-o,--output", or
// "CHARACTER" for an argument without dashes.
class Verb {
public:
    explicit Verb(CLI::App* app) : app_(app) {}

    Option add(const char* name, std::string& value, const std::string& help);
    Option add(const char* name, std::filesystem::path& value, const std::string& help);
    Option add(const char* name, int& value, const std::string& help);
    Option add(const char* name, float& value, const std::string& help);
    Option add(const char* name, std::optional<float>& value, const std::string& help);
    Option add(const char* name, std::vector<std::string>& values, const std::string& help);
    Option add(const char* name, std::vector<float>& values, const std::string& help);
    // `set` returns what is wrong with the text, or an empty string.
    Option add_text(const char* name, std::function<std::string(const std::string&)> set, const std::string& help);
    // One of two words, the first of which means true.
    Option add_choice(const char* name, bool& value, const char* when_true, const char* when_false,
                      const std::string& help);
    // "--root,!--no-root" makes two that set and clear it.
    void add_flag(const char* name, bool& value, const std::string& help);

    // A flag that prints something and ends the program well, whatever else the verb requires.
    void add_print_flag(const char* name, std::function<void()> print, const std::string& help);

private:
    CLI::App* app_;
};

// The program: its verbs, and what runs when one of them is chosen.
class Program {
public:
    Program(const std::string& description, const std::string& version);
    ~Program();

    Common common;

    // `examples` come before the options in --help, one per line. `run` returns the exit code.
    Verb add_verb(const std::string& name, const std::string& summary, const std::vector<std::string>& examples,
                  std::function<int()> run);

    // Parses, and runs the verb that was chosen. Wrong usage is told on stderr: exit_usage.
    int run(int argc, char** argv);

private:
    std::unique_ptr<CLI::App> app_;
    std::function<int()> chosen_;
};

}  // namespace sinew::cli
