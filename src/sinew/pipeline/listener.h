// Listener: what a long job tells its caller while it works. The library itself prints nothing.
// Data flow: the calls of pipeline → *here* → a progress bar, a log, a window.
#pragma once

#include <sinew/core/progress.h>
#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace sinew {

// Both may be left empty. They are called from the thread that started the job.
struct Listener {
    Progress progress;
    // As soon as it is known, and so also when the job fails later. `file`: which of the job's files it is about. What
    // a job that succeeds warned of stands in its report too.
    std::function<void(std::string_view file, std::string_view text)> warning;
};

// How long each stage of a job took, in order: {"read", 0.12}, …
using StageSeconds = std::vector<std::pair<std::string, double>>;

}  // namespace sinew
