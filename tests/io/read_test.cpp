#include <doctest/doctest.h>

#include <sinew/core/file.h>
#include <sinew/io/read.h>
#include <sinew/io/write.h>
#include <support/places.h>
#include <filesystem>
#include <fstream>
#include <string>

using namespace sinew;
namespace fs = std::filesystem;

namespace {

constexpr std::string_view triangle = "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n";
constexpr std::string_view bone =
    "HIERARCHY\nROOT a\n{\nOFFSET 0 0 0\nCHANNELS 1 Zrotation\n}\nMOTION\nFrames: 1\nFrame Time: 0.1\n1\n";
constexpr std::string_view skeleton =
    ":version 1.10\n:units\nlength 1\n:root\norder TX TY TZ RX RY RZ\n:bonedata\nbegin\nname a\ndirection 1 0 "
    "0\nlength 1\n"
    "axis 0 0 0 XYZ\ndof rx\nend\n:hierarchy\nbegin\nroot a\nend\n";

SharedBytes bytes_of(std::string_view text) {
    const ByteSpan span = as_byte_span(text);
    return SharedBytes::own(Bytes(span.begin(), span.end()));
}

// A folder of its own under the build tree, gone at the end.
struct Folder {
    fs::path path = test::build_dir() / "read_test_files";
    Folder() {
        fs::remove_all(path);
        fs::create_directories(path / "below");
    }
    ~Folder() { fs::remove_all(path); }
    fs::path put(const std::string& name, std::string_view text) const {
        REQUIRE(write_file(path / name, as_byte_span(text)).has_value());
        return path / name;
    }
};

}  // namespace

TEST_CASE("read: the extension decides, whatever its case") {
    const Folder folder;
    const auto obj = read_character(folder.put("A.OBJ", triangle));
    REQUIRE(obj.has_value());
    CHECK(obj->format == "obj");
    CHECK(obj->name == "A");
    CHECK(obj->meshes[0].name == "A");
    const auto bvh = read_character(folder.put("walk.Bvh", bone));
    REQUIRE(bvh.has_value());
    CHECK(bvh->clips[0].name == "walk");
}

TEST_CASE("read: content decides where the extension says nothing") {
    const Folder folder;
    CHECK(read_character(folder.put("x", bone))->format == "bvh");
    CHECK(read_character(folder.put("y.txt", triangle))->format == "obj");
    CHECK(read_character(folder.put("z.dat", skeleton))->format == "asf");
    CHECK(read_character(bytes_of("OFF\n3 1 0\n0 0 0\n1 0 0\n0 1 0\n3 0 1 2\n"), "", {})->format == "off");
    const auto unknown = read_character(folder.put("w.xyz", "hello"));
    REQUIRE_FALSE(unknown.has_value());
    CHECK(unknown.error().message.find("'xyz'") != std::string::npos);
    CHECK(unknown.error().message.find("glb, gltf, vrm, vrma, obj, bvh, asf, amc, fbx, dae, ply, stl, off") !=
          std::string::npos);
    CHECK_FALSE(read_character(bytes_of(""), "obj", {}).has_value());
}

TEST_CASE("read: a file with the wrong extension is told what it looks like") {
    const Folder folder;
    const auto message = [&](const std::string& name, std::string_view text) {
        const auto result = read_character(folder.put(name, text));
        REQUIRE_FALSE(result.has_value());
        return result.error().message;
    };
    CHECK(message("a.glb", triangle).find("looks like a .obj file") != std::string::npos);
    CHECK(message("b.obj", bone).find("looks like a .bvh file") != std::string::npos);
    CHECK(message("c.glb", "{\"asset\":").find("looks like") == std::string::npos);
    CHECK(message("d.bvh", "HIERARCHY\nROOT").find("looks like") == std::string::npos);
}

TEST_CASE("read: files beside and below are reached, others are not") {
    const Folder folder;
    folder.put("below/look.mtl", "newmtl a\nKd 1 0 0\n");
    folder.put("secret.mtl", "newmtl a\nKd 0 1 0\n");
    const auto red_of = [&](const std::string& where, const std::string& mtllib) {
        const auto c = read_character(folder.put(where, "mtllib " + mtllib + "\nusemtl a\n" + std::string(triangle)));
        REQUIRE(c.has_value());
        return c->warnings.empty() ? c->materials[0].base_color[1] : -1.0f;
    };
    CHECK(red_of("m.obj", "below/look.mtl") == 0.0f);
    CHECK(red_of("m.obj", "./secret.mtl") == 1.0f);
    CHECK(red_of("below/m.obj", "../secret.mtl") == -1.0f);
    CHECK(red_of("below/m.obj", "../below/look.mtl") == -1.0f);
    CHECK(red_of("m.obj", fs::absolute(folder.path / "secret.mtl").string()) == -1.0f);
    CHECK(red_of("m.obj", "file://secret.mtl") == -1.0f);
}

TEST_CASE("read: an .amc finds its .asf by name, by number, or because it is the only one") {
    const Folder folder;
    const std::string motion = ":DEGREES\n1\nroot 0 0 0 0 0 0\na 10\n";
    const fs::path take = folder.put("07_05-walk.amc", motion);
    CHECK_FALSE(read_character(take).has_value());
    folder.put("99-other.asf", skeleton);
    CHECK(read_character(take).has_value());  // the only one
    folder.put("98-another.asf", skeleton);
    const auto several = read_character(take);
    REQUIRE_FALSE(several.has_value());
    CHECK(several.error().message.find("give the right one its name") != std::string::npos);
    folder.put("07-walk.asf", skeleton);
    CHECK(read_character(take).has_value());  // by number
    ReadOptions options;
    options.skeleton = folder.path / "nowhere.asf";
    CHECK_FALSE(read_character(take, options).has_value());
    CHECK_FALSE(read_character(bytes_of(motion), "amc", {}).has_value());
}

TEST_CASE("write: the extension decides, and unknown ones name what can be written") {
    const Folder folder;
    const auto c = read_character(bytes_of(triangle), "obj", {});
    REQUIRE(c.has_value());
    CHECK(write_character(*c, folder.path / "out.OBJ").has_value());
    CHECK(read_character(folder.path / "out.OBJ").has_value());
    CHECK(write_character(*c, folder.path / "out.bvh").has_value());
    const auto refused = write_character(*c, folder.path / "out.xyz");
    REQUIRE_FALSE(refused.has_value());
    CHECK(refused.error().message ==
          "files of type '.xyz' cannot be written; choose .glb, .gltf, .vrm, .fbx, .obj or .bvh");
}
