// Progress and Listener: what long work tells its caller while it goes on. The library itself prints nothing.
// Data flow: everything that takes its time → *here* → a progress bar, a log, a window.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace sinew {

// `stage` is a short present participle ("reading", "rendering"), `fraction` runs from 0 to 1 within the stage.
// An empty function is fine everywhere. Called from the thread that started the work.
using Progress = std::function<void(std::string_view stage, double fraction)>;

// Calls `progress` unless it is empty.
inline void report(const Progress& progress, std::string_view stage, double fraction) {
    if (progress) progress(stage, fraction);
}

// What a whole job tells (pipeline). Both may be left empty. They are called from the thread that started the job.
struct Listener {
    Progress progress = {};
    // As soon as it is known, and so also when the job fails later. `file`: which of the job's files it is about. What
    // a job that succeeds warned of stands in its report too.
    std::function<void(std::string_view file, std::string_view text)> warning = {};
};

// How long each stage of a job took, in order: {"read", 0.12}, …
using StageSeconds = std::vector<std::pair<std::string, double>>;

}  // namespace sinew
