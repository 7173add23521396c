// The small files that script/fuzz starts from. Valid ones are read. Damaged ones, cut off or changed in ways that
// broke a reader or could, are refused with a message or give a valid character.
#include <sinew/core/file.h>
#include <sinew/io/mocap/asf_amc.h>
#include <sinew/io/read.h>
#include <support/places.h>
#include <filesystem>

#include "io/mutation.h"
#include "support/seeds.h"

using namespace sinew;

namespace {

constexpr const char* formats[] = {"gltf", "obj", "bvh", "asf_amc", "fbx", "dae", "ply", "stl", "off"};

SharedBytes bytes_at(const std::filesystem::path& path) {
    auto bytes = read_file(path);
    REQUIRE(bytes.has_value());
    return SharedBytes::own(*std::move(bytes));
}

// As the fuzz target takes them: a skeleton and a motion with a line between them, or a motion for a skeleton of ours.
Result<Character> read_asf_amc(const std::filesystem::path& path) {
    const std::string_view separator = "\n----\n";
    const SharedBytes file = bytes_at(path);
    if (const size_t cut = as_text(file.view).find(separator); cut != std::string_view::npos) {
        const size_t motion = cut + separator.size();
        return read_amc(file.part(motion, file.view.size() - motion), file.part(0, cut), {});
    }
    const SharedBytes both = bytes_at(test::source_dir() / "tests/io/seeds/asf_amc/skeleton_and_motion.txt");
    return read_amc(file, both.part(0, as_text(both.view).find(separator)), {});
}

Result<Character> read_seed(const std::filesystem::path& path, const std::string& format) {
    return format == "asf_amc" ? read_asf_amc(path) : read_character(bytes_at(path), format, {});
}

}  // namespace

TEST_CASE("seeds: the valid files of every reader are read") {
    for (const std::string format : formats) {
        for (const auto& path : test::seed_files("seeds", format)) {
            INFO(path.string());
            const auto character = read_seed(path, format);
            CHECK_MESSAGE(character.has_value(), (character ? "" : to_string(character.error())));
            if (character) CHECK(validate(*character).has_value());
        }
    }
}

TEST_CASE("crashes: damaged files are refused with a message, or give a valid character") {
    for (const std::string format : formats) {
        size_t refused = 0;
        for (const auto& path : test::seed_files("crashes", format)) {
            INFO(path.string());
            const auto character = read_seed(path, format);
            if (character) {
                const auto valid = validate(*character);
                CHECK_MESSAGE(valid.has_value(), (valid ? "" : to_string(valid.error())));
            } else {
                ++refused;
                CHECK_FALSE(character.error().message.empty());
            }
        }
        CAPTURE(format);
        CHECK(refused > 0);
    }
}
