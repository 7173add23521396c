// What jobs on files share: checks before the work, reading with progress, and errors that name their file.
// Data flow: the *_file() calls of this folder → *here* → io.
#pragma once

#include <sinew/character/character.h>
#include <sinew/core/file.h>
#include <sinew/core/progress.h>
#include <chrono>
#include <filesystem>

namespace sinew {

// The error with the file's name in front of its `where`: "walk.bvh: line 12". An empty name changes nothing.
Error in_file(Error error, const std::filesystem::path& file);

// The value, or the failure with the file's name in it.
template <class T>
Result<T> in_file(Result<T> result, const std::filesystem::path& file) {
    if (!result) result.error() = in_file(std::move(result.error()), file);
    return result;
}

// Fails when the folder of an output does not exist, or when an output is one of the inputs. Empty paths and "-" pass.
// Asked before the work starts.
struct OutputCheck {
    std::filesystem::path output;
    bool may_replace_input = false;
};
Result<void> check_outputs(std::initializer_list<OutputCheck> outputs,
                           const std::vector<std::filesystem::path>& inputs);

// read_character() as a stage of a job: with progress and warnings; failures name the file.
Result<Character> read_input(const std::filesystem::path& file, const Listener& listener);

// Tells the warnings and adds them to `all`.
void warn(const Listener& listener, std::string_view file, const std::vector<std::string>& warnings,
          std::vector<std::string>& all);

// ".png" of "Hero.PNG".
std::string lower_extension(const std::filesystem::path& file);

// Writes a job's files, the main one last, with its report (unless that path is empty) before them. All or nothing.
Result<void> write_outputs(std::vector<OutputFile> files, const std::filesystem::path& report_path,
                           const std::string& report_json);

// Seconds since it was made, or since the last lap.
class Stopwatch {
public:
    double lap() {
        const auto now = std::chrono::steady_clock::now();
        const double seconds = std::chrono::duration<double>(now - last_).count();
        last_ = now;
        return seconds;
    }

private:
    std::chrono::steady_clock::time_point last_ = std::chrono::steady_clock::now();
};

}  // namespace sinew
