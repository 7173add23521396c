#include <doctest/doctest.h>

#include <sinew/character/character_deformer.h>
#include <sinew/io/assimp/assimp.h>
#include <sinew/io/assimp/guard.h>
#include <iostream>
#include <string>

#include "support/data_case.h"

using namespace sinew;

namespace {

SharedBytes bytes_of(std::string_view text) {
    const ByteSpan span = as_byte_span(text);
    return SharedBytes::own(Bytes(span.begin(), span.end()));
}

Character read(std::string_view text, std::string_view format) {
    auto character = read_with_assimp(bytes_of(text), format, {});
    REQUIRE_MESSAGE(character.has_value(), (character ? "" : to_string(character.error())));
    REQUIRE(validate(*character).has_value());
    return *std::move(character);
}

constexpr std::string_view off = "OFF\n4 2 0\n0 0 0\n1 0 0\n1 1 0\n0 1 0\n3 0 1 2\n3 0 2 3\n";
constexpr std::string_view ply =
    "ply\nformat ascii 1.0\nelement vertex 4\nproperty float x\nproperty float y\nproperty float z\nelement face 1\n"
    "property list uchar int vertex_indices\nend_header\n0 0 0\n1 0 0\n1 1 0\n0 1 0\n4 0 1 2 3\n";
constexpr std::string_view stl =
    "solid x\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nvertex 1 1 0\nendloop\nendfacet\n"
    "facet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 1 0\nvertex 0 1 0\nendloop\nendfacet\nendsolid x\n";

}  // namespace

TEST_CASE("assimp: PLY, STL and OFF give the same square") {
    for (const auto& [text, format] : {std::pair(off, "off"), std::pair(ply, "ply"), std::pair(stl, "stl")}) {
        INFO(format);
        const Character c = read(text, format);
        CHECK(c.format == format);
        REQUIRE(c.meshes.size() == 1);
        const Mesh& mesh = c.meshes[0].primitives[0].mesh;
        CHECK(mesh.vertex_count() == 4);  // joined, though assimp gives each corner its own
        CHECK(mesh.triangle_count() == 2);
        double area = 0;
        for (size_t i = 0; i < mesh.triangles.size(); i += 3) {
            const Vec3 a = mesh.positions[mesh.triangles[i]];
            area +=
                0.5 * (mesh.positions[mesh.triangles[i + 1]] - a).cross(mesh.positions[mesh.triangles[i + 2]] - a).z();
        }
        CHECK(area == doctest::Approx(1));
    }
}

TEST_CASE("assimp: a file of joints alone has no mesh made up for it") {
    const Character c = read(
        "<?xml version=\"1.0\"?><COLLADA xmlns=\"http://www.collada.org/2005/11/COLLADASchema\" version=\"1.4.1\">"
        "<asset><up_axis>Y_UP</up_axis></asset><library_visual_scenes><visual_scene id=\"s\" name=\"s\">"
        "<node id=\"a\" name=\"a\" type=\"JOINT\"><translate>0 1 0</translate>"
        "<node id=\"b\" name=\"b\" type=\"JOINT\"><translate>0 1 0</translate></node></node>"
        "</visual_scene></library_visual_scenes><scene><instance_visual_scene url=\"#s\"/></scene></COLLADA>",
        "dae");
    CHECK(c.skeleton.find("b") >= 0);
    CHECK(c.meshes.empty());
    CHECK(c.skins.empty());
}

TEST_CASE("assimp: counts that the file cannot hold are refused before they are allocated") {
    const std::string ply =
        "ply\nformat ascii 1.0\nelement vertex 300000000\nproperty float x\nproperty float y\nproperty float z\n"
        "element face 1\nproperty list uchar int vertex_indices\nend_header\n0 0 0\n";
    for (const auto& [text, format] : {std::pair<std::string, const char*>{ply, "ply"},
                                       {"OFF\n# made by hand\n300000000 1 0\n0 0 0\n", "off"},
                                       {"OFF 3 300000000 0\n0 0 0\n", "off"}}) {
        const auto result = read_with_assimp(bytes_of(text), format, {});
        REQUIRE_FALSE(result.has_value());
        CHECK(result.error().message.find("promises 300000000") == 0);
        CHECK(result.error().where.starts_with("line "));
    }
}

TEST_CASE("assimp: an OFF face with a vertex that does not exist is refused, with its line") {
    for (const char* face : {"3 0 1 3", "3 0 -1 2"}) {
        const auto result =
            read_with_assimp(bytes_of(std::string("OFF\n3 1 0\n0 0 0\n1 0 0\n0 1 0\n") + face), "off", {});
        REQUIRE_FALSE(result.has_value());
        CHECK(result.error().where == "line 6");
        CHECK(result.error().message.find("there are 3") != std::string::npos);
    }
    CHECK(read_with_assimp(bytes_of("OFF\n3 1 0\n0 0 0\n1 0 0\n0 1 0\n3 0 1 2 255 0 0\n"), "off", {}));
}

// assimp recurses without a bound: each of these ended the program before the guard was there.
TEST_CASE("assimp: nodes nested a hundred thousand deep, or inside themselves, are refused") {
    const auto repeat = [](std::string_view text) {
        std::string all;
        for (int i = 0; i < 100'000; ++i) all += text;
        return all;
    };
    const std::string scene =
        "</visual_scene></library_visual_scenes><scene><instance_visual_scene url=\"#s\"/></scene></COLLADA>";
    const std::string start = "<COLLADA version=\"1.4.1\"><library_visual_scenes><visual_scene id=\"s\">";
    for (const auto& [text, format] :
         {std::pair<std::string, const char*>{start + repeat("<node>") + scene, "dae"},
          {start + repeat("<node>") + repeat("</node>") + scene, "dae"},
          {start + "<node id=\"a\"><node name='b'><instance_node url=\"#a\"/></node></node>" + scene, "dae"}}) {
        const auto result = read_with_assimp(bytes_of(text), format, {});
        REQUIRE_FALSE(result.has_value());
        CHECK(result.error().message.find("assimp") == std::string::npos);  // it was not asked
        CHECK(result.error().message.find("export it again") != std::string::npos);
    }
}

TEST_CASE("assimp: a Collada node may be shown twice, and a name may look like an attribute") {
    const Character c = read(
        "<COLLADA xmlns=\"http://www.collada.org/2005/11/COLLADASchema\" "
        "version=\"1.4.1\"><asset><up_axis>Y_UP</up_axis></asset>"
        "<!-- <node> --><library_nodes><node id=\"a\" name=\"count='-1'\"/></library_nodes>"
        "<library_visual_scenes><visual_scene id=\"s\"><node id=\"r\"><instance_node url=\"#a\"/><instance_node "
        "url=\"#a\"/>"
        "</node></visual_scene></library_visual_scenes><scene><instance_visual_scene url=\"#s\"/></scene></COLLADA>",
        "dae");
    CHECK(c.skeleton.size() >= 3);
}

TEST_CASE("assimp: its messages are told in words that help") {
    CHECK(explain_assimp("std::bad_alloc").find("damaged") != std::string::npos);
    CHECK(explain_assimp("Failed to determine STL storage representation for $$$___magic___$$$.stl.").find("$$$") ==
          std::string::npos);
    CHECK(explain_assimp("its check failed: false").find("; export it again") != std::string::npos);
}

TEST_CASE("assimp: nonsense is an error, not an exception") {
    for (const char* format : {"dae", "ply", "stl", "off"}) {
        const auto c = read_with_assimp(bytes_of("nonsense \x01\x02\x03 more nonsense"), format, {});
        REQUIRE_FALSE(c.has_value());
        CHECK_FALSE(c.error().message.empty());
    }
    CHECK_FALSE(read_with_assimp(bytes_of("x"), "glb", {}).has_value());
    CHECK_FALSE(read_with_assimp({}, "dae", {}).has_value());
}

DATA_TEST_CASE("io: every FBX and Collada file is read or refused with a reason") {
    size_t read_count = 0, refused = 0;
    for (const char* folder : {"fbx", "collada", "ufbx-ref"}) {
        for (const auto& entry : std::filesystem::directory_iterator(data / folder)) {
            if (entry.path().extension() == ".obj") continue;
            const auto c = read_character(entry.path());
            (c ? read_count : refused) += 1;
            if (c)
                CHECK_MESSAGE(validate(*c).has_value(), entry.path().string());
            else
                CHECK_FALSE(c.error().message.empty());
        }
    }
    std::cout << "assimp: " << read_count << " files read, " << refused << " refused\n";
    CHECK(read_count > 25);
}
