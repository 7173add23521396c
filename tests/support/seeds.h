// Small files for every reader: valid ones in tests/io/seeds/<format>/, damaged ones in tests/io/crashes/<format>/.
// script/fuzz starts from both, and leaves what it finds in the second.
#pragma once

#include <doctest/doctest.h>

#include <support/places.h>
#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

namespace sinew::test {

// Sorted. `kind` is "seeds" or "crashes". Fails where there are none: they are part of the repository.
inline std::vector<std::filesystem::path> seed_files(const std::string& kind, const std::string& format) {
    const std::filesystem::path folder = source_dir() / "tests/io" / kind / format;
    INFO(folder.string());
    REQUIRE(std::filesystem::is_directory(folder));
    std::vector<std::filesystem::path> files;
    for (const auto& entry : std::filesystem::directory_iterator(folder)) files.push_back(entry.path());
    REQUIRE_FALSE(files.empty());
    std::ranges::sort(files);
    return files;
}

}  // namespace sinew::test
