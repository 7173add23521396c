// Every input that ever broke a reader (script/fuzz puts them in tests/io/crashes/<format>/) is read again.
#include <sinew/core/file.h>
#include <sinew/io/mocap/asf_amc.h>
#include <sinew/io/read.h>
#include <filesystem>

#include "mutation.h"

using namespace sinew;

namespace {

// Input of the target asf_amc: a skeleton and a motion with a line between them.
Result<Character> read_skeleton_and_motion(const SharedBytes& file) {
    const std::string_view separator = "\n----\n";
    const size_t cut = as_text(file.view).find(separator);
    if (cut == std::string_view::npos) return read_asf(file, {});
    const size_t rest = cut + separator.size();
    return read_amc(file.part(rest, file.view.size() - rest), file.part(0, cut), {});
}

}  // namespace

TEST_CASE("files that broke a reader once do so no more") {
    const std::filesystem::path folder = SINEW_SOURCE_DIR "/tests/io/crashes";
    if (!std::filesystem::is_directory(folder)) return;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
        if (!entry.is_regular_file()) continue;
        const std::string format = entry.path().parent_path().filename().string();
        const auto bytes = read_file(entry.path());
        REQUIRE(bytes.has_value());
        INFO(entry.path().string());
        const auto read = [&format](SharedBytes file) {
            return format == "asf_amc" ? read_skeleton_and_motion(file) : read_character(std::move(file), format, {});
        };
        test::MutationCounts counts;
        test::read_damaged(read, as_text(*bytes), counts);
        CHECK(counts.read + counts.refused == 1);
    }
}
