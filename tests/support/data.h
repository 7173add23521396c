// Where the real files are that some tests read, and what to say when they are not there.
#pragma once

#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <optional>
#include <string>

namespace sinew::test {

// $SINEW_DATA, or the folder ../shared/data beside the source tree; nothing, with a message, when it is absent.
inline std::optional<std::filesystem::path> data_dir() {
    const char* variable = std::getenv("SINEW_DATA");
    const std::filesystem::path path = variable ? variable : SINEW_SOURCE_DIR "/../shared/data";
    if (std::filesystem::is_directory(path)) return path;
    std::cout << "SKIP: no data at " << path.string() << "; set SINEW_DATA to the folder of test files\n";
    return std::nullopt;
}

}  // namespace sinew::test
