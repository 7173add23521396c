// Where the real files are that some tests and benches read; and a record of what was asked for and not found.
#pragma once

#include <support/places.h>
#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <optional>
#include <set>
#include <string>

namespace sinew::test {

// What tests of this program needed and did not find. Where it is not empty, tests/support/main.cpp reports the program
// as skipped instead of passed.
inline std::set<std::string>& missing() {
    static std::set<std::string> names;
    return names;
}

// data_folder(). Where it is absent: nothing, and missing() grows.
inline std::optional<std::filesystem::path> data_dir() {
    const std::filesystem::path path = data_folder();
    if (std::filesystem::is_directory(path)) return path;
    if (missing().insert(std::getenv("SINEW_DATA") ? path.string() : "../shared/data").second)
        std::cout << "no data at " << path.string() << "; set SINEW_DATA to the folder of test files\n";
    return std::nullopt;
}

}  // namespace sinew::test
