// Progress: how long work tells its caller where it is. The library calls it; only the command line prints it.
#pragma once

#include <functional>
#include <string_view>

namespace sinew {

// `stage` is a short present participle ("reading", "rendering"), `fraction` runs from 0 to 1 within the stage.
// An empty function is fine everywhere. Called from the thread that started the work.
using Progress = std::function<void(std::string_view stage, double fraction)>;

// Calls `progress` unless it is empty.
inline void report(const Progress& progress, std::string_view stage, double fraction) {
    if (progress) progress(stage, fraction);
}

}  // namespace sinew
