#include <doctest/doctest.h>

#include <sinew/core/file.h>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

using namespace sinew;
namespace fs = std::filesystem;

namespace {

struct Folder {
    fs::path path;
    Folder() {
        std::string name = (fs::temp_directory_path() / "sinew-file-XXXXXX").string();
        path = mkdtemp(name.data());
    }
    ~Folder() { fs::remove_all(path); }
    size_t entries() const {
        return static_cast<size_t>(std::distance(fs::directory_iterator(path), fs::directory_iterator{}));
    }
};

std::string text_of(const fs::path& path) {
    const auto bytes = read_file(path);
    REQUIRE(bytes);
    return std::string(as_text(*bytes));
}

}  // namespace

TEST_CASE("write_file: replaces the whole file and leaves no temporary beside it") {
    const Folder folder;
    REQUIRE(write_file(folder.path / "a", as_byte_span("a longer first text")));
    REQUIRE(write_file(folder.path / "a", as_byte_span("second")));
    CHECK(text_of(folder.path / "a") == "second");
    CHECK(folder.entries() == 1);
}

TEST_CASE("write_files: when one file cannot be written, none is changed") {
    const Folder folder;
    REQUIRE(write_file(folder.path / "a", as_byte_span("old")));
    const std::vector<OutputFile> files = {{folder.path / "a", Bytes(3)}, {folder.path / "missing" / "b", Bytes(3)}};
    CHECK_FALSE(write_files(files));
    CHECK(text_of(folder.path / "a") == "old");
    CHECK(folder.entries() == 1);
}

TEST_CASE("read_file: says why it cannot") {
    const Folder folder;
    CHECK(read_file(folder.path / "nothing").error().code == ErrorCode::not_found);
    CHECK(read_file(folder.path).error().message.find("folder") != std::string::npos);
    REQUIRE(write_file(folder.path / "ten", as_byte_span("0123456789")));
    CHECK(read_file(folder.path / "ten", {.max_file_bytes = 10}));
    CHECK(read_file(folder.path / "ten", {.max_file_bytes = 9}).error().code == ErrorCode::limit_exceeded);
}
