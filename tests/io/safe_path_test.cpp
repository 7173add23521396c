// Names in files are an attacker's words. Every way out of the folder that we know of is tried on the check, and on the
// readers.
#include <doctest/doctest.h>
#include <rapidcheck.h>

#include <sinew/core/file.h>
#include <sinew/io/gltf/uri.h>
#include <sinew/io/resources.h>
#include <sinew/io/safe_path.h>
#include <sinew/io/write.h>
#include <support/places.h>
#include <nlohmann/json.hpp>

#include <fmt/format.h>

using namespace sinew;
using namespace std::string_literals;
namespace fs = std::filesystem;

namespace {

const std::vector<std::string> harmless = {"a.png",       "a",         "./a.png",  "textures/a b.png",
                                           "a..b/c..png", ".hidden",   "a//b.png", "100%.png",
                                           "50%25.png",   "a%20b.png", "ä/ö.png",  "\xe4.png",
                                           "%",           "%zz",       "a/./b",    "..a/b",
                                           "a../b",       "~/a",       "$HOME/a",  "a;b|c"};

const std::vector<std::string> attacks = {
    "", "/", "/etc/passwd", "//server/share", "..", "../a", "a/..", "a/../../b", "./../a", "a/b/../../../c", "a/",
    "../",
    // Windows: drives, backslashes, streams, and names whose last dots and blanks it drops.
    "C:/a", "C:a", "c:\\a", "\\\\server\\share", "..\\a", "a\\..\\..\\b", "a\\b", "a.png:stream", ".. /a", "... /a",
    ".../a", "a/.. ", "a/. ./b",
    // Addresses.
    "file:///etc/passwd", "file:a", "http://example.org/a.png", "HTTP://a", "javascript:a", "data:,a",
    // Characters that end a name early or are not shown.
    "a\0.png"s, "\0"s, "a.png\0/../../b"s, "a\n", "a\rb", "\x1b[2J", "a\x7f",
    // Percent-encoded once, twice, in part, in either case.
    "%2e%2e/a", "%2E%2E%2Fa", "..%2fa", "%2e./a", "a/%2e%2e/b", "%2fetc/passwd", "..%5ca", "%5c%5cserver", "C%3a/a",
    "%252e%252e%252fa", "%25252e%25252e/a", "a%00.png", "%2500", "%2525252525252e"};

fs::path make_folder() {
    const fs::path folder = test::build_dir() / "safe_path_test";
    fs::remove_all(folder);
    fs::create_directories(folder / "inside");
    return folder;
}

// Which names a reader asked for.
struct Asked {
    std::vector<std::string> names;
    ReadOptions options;
    Asked() {
        options.resources = [this](std::string_view name) -> Result<SharedBytes> {
            names.emplace_back(name);
            return fail(ErrorCode::not_found, "nothing here");
        };
    }
};

SharedBytes bytes_of(const std::string& text) {
    const ByteSpan span = as_byte_span(text);
    return SharedBytes::own(Bytes(span.begin(), span.end()));
}

std::string gltf_with(const char* what, const std::string& uri) {
    nlohmann::json json = {{"asset", {{"version", "2.0"}}}};
    json[what] = {{{"uri", uri}}};
    if (what == "buffers"s) json[what][0]["byteLength"] = 1;
    return json.dump(-1, ' ', true, nlohmann::json::error_handler_t::replace);
}

}  // namespace

TEST_CASE("is_safe_path: what stays in the folder") {
    for (const std::string& name : harmless) {
        CAPTURE(name);
        CHECK(is_safe_path(name));
    }
}

TEST_CASE("is_safe_path: what leaves it, by every way we know") {
    for (const std::string& name : attacks) {
        CAPTURE(name);
        CHECK_FALSE(is_safe_path(name));
        CHECK_FALSE(is_safe_path(gltf::percent_encode(name)));
        CHECK_FALSE(is_safe_path("a/" + name + "/../.."));
    }
}

// Names put together from pieces that matter: one that is accepted leads nowhere but down, decoded or not.
TEST_CASE("is_safe_path: accepted names resolve inside the folder") {
    const std::vector<std::string> pieces = {"a",   "b",   "/a",  "a/",  "c.png", "..", ".", "/", "\\",  "a",
                                             "%2e", "%2f", "%5c", "%25", "2e",    ":",  " ", "~", "\0"s, "%00"};
    size_t accepted = 0;
    CHECK(rc::check([&] {
        std::string name;
        for (const size_t i : *rc::gen::container<std::vector<size_t>>(rc::gen::inRange<size_t>(0, pieces.size())))
            name += pieces[i];
        if (!is_safe_path(name)) return;
        ++accepted;
        for (int round = 0; round < 4; ++round, name = gltf::percent_decode(name)) {
            const fs::path path = fs::path("/folder") / name;
            RC_ASSERT(path.lexically_normal().string().starts_with("/folder/"));
            RC_ASSERT(name.find_first_of("\\:\0"s) == std::string::npos);
        }
    }));
    CHECK(accepted > 10);
}

TEST_CASE("resources: no reader asks for an unsafe name, and the reader for folders opens none") {
    const fs::path folder = make_folder();
    REQUIRE(write_file(folder / "secret", as_byte_span("secret")));
    REQUIRE(write_file(folder / "inside/open", as_byte_span("open")));
    const ResourceReader beside = files_beside(folder / "inside/main.obj", {});
    CHECK(beside("open"));
    for (const char* name : {"../secret", "./../secret", "../inside/open", "%2e%2e/secret"}) CHECK_FALSE(beside(name));
    CHECK_FALSE(beside(fs::absolute(folder / "secret").string()));
    fs::remove_all(folder);

    for (const std::string& name : attacks) {
        CAPTURE(name);
        Asked asked;
        CHECK_FALSE(fetch_resource(name, asked.options));
        (void)read_character(bytes_of(gltf_with("buffers", name)), "gltf", asked.options);
        (void)read_character(bytes_of(gltf_with("images", name)), "gltf", asked.options);
        (void)read_character(bytes_of("mtllib " + name + "\nv 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n"), "obj",
                             asked.options);
        for (const std::string& wanted : asked.names) CHECK(is_safe_path(wanted));
    }
    Asked asked;
    (void)read_character(bytes_of(gltf_with("buffers", "a%20b.bin")), "gltf", asked.options);
    CHECK(asked.names == std::vector<std::string>{"a b.bin"});
}

TEST_CASE("resources: a texture that an .mtl names is checked like everything else") {
    for (const std::string& name : attacks) {
        CAPTURE(name);
        std::vector<std::string> asked;
        ReadOptions options;
        options.resources = [&](std::string_view wanted) -> Result<SharedBytes> {
            if (wanted == "look.mtl") return bytes_of("newmtl m\nmap_Kd " + name + "\n");
            asked.emplace_back(wanted);
            return fail(ErrorCode::not_found, "nothing here");
        };
        const auto character =
            read_character(bytes_of("mtllib look.mtl\nusemtl m\nv 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n"), "obj", options);
        REQUIRE(character);
        for (const std::string& wanted : asked) CHECK(is_safe_path(wanted));
    }
}

TEST_CASE("write: no image is written outside the output's folder, whatever it is called") {
    for (const std::string& name : attacks) {
        CAPTURE(name);
        Character character = read_character(bytes_of("v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n"), "obj", {}).value();
        Image image;
        image.name = name;
        image.uri = name;
        image.bytes = bytes_of("\x89PNG\r\n\x1a\nrest");
        character.images.push_back(std::move(image));
        Material material;
        material.base_color_image = 0;
        character.materials.push_back(material);
        for (const char* out : {"/folder/out.gltf", "/folder/out.obj", "/folder/out.glb"}) {
            CAPTURE(out);
            const auto files = encode_character(character, out);
            REQUIRE(files);
            for (const OutputFile& file : *files) CHECK(file.path.lexically_normal().parent_path() == "/folder");
        }
    }
}
