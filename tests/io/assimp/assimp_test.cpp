#include <doctest/doctest.h>

#include <sinew/character/character_deformer.h>
#include <sinew/io/assimp/assimp.h>
#include <sinew/io/assimp/guard.h>
#include <iostream>
#include <string>

#include "io/vertices_at.h"
#include "support/data_case.h"

using namespace sinew;
using test::vertices_at;

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

// How far the points of `from`, scaled, are at most from their nearest ones of `to`.
double one_sided_distance(const std::vector<Vec3>& from, const std::vector<Vec3>& to) {
    double worst = 0;
    for (const Vec3& p : from) {
        float nearest = INFINITY;
        for (const Vec3& q : to) nearest = std::min(nearest, (p - q).squaredNorm());
        worst = std::max(worst, std::sqrt(double(nearest)));
    }
    return worst;
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
    std::string binary("Kaydara FBX Binary  \0\x1a\0\xe8\x1c\0\0", 27);
    const size_t depth = 100'000;
    for (size_t i = 0; i < depth; ++i) {
        const auto end = static_cast<uint32_t>(27 + depth * 27 - 13 * i);
        binary.append(reinterpret_cast<const char*>(&end), 4);
        binary.append("\0\0\0\0\0\0\0\0\1a", 10);
    }
    binary.append(13 * (depth + 1), '\0');
    for (const auto& [text, format] :
         {std::pair<std::string, const char*>{start + repeat("<node>") + scene, "dae"},
          {start + repeat("<node>") + repeat("</node>") + scene, "dae"},
          {start + "<node id=\"a\"><node name='b'><instance_node url=\"#a\"/></node></node>" + scene, "dae"},
          {"; FBX 7.4.0 project file\n" + repeat("a: {\n") + repeat("}\n"), "fbx"},
          {binary, "fbx"}}) {
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
    CHECK(explain_assimp("FBX-DOM unsupported, old format version, supported are …").find("export it as FBX 2013") !=
          std::string::npos);
    CHECK(explain_assimp("std::bad_alloc").find("damaged") != std::string::npos);
    CHECK(explain_assimp("Failed to determine STL storage representation for $$$___magic___$$$.stl.").find("$$$") ==
          std::string::npos);
    CHECK(explain_assimp("its check failed: false").find("; export it again") != std::string::npos);
}

TEST_CASE("assimp: nonsense is an error, not an exception") {
    for (const char* format : {"fbx", "dae", "ply", "stl", "off"}) {
        const auto c = read_with_assimp(bytes_of("nonsense \x01\x02\x03 more nonsense"), format, {});
        REQUIRE_FALSE(c.has_value());
        CHECK_FALSE(c.error().message.empty());
    }
    CHECK_FALSE(read_with_assimp(bytes_of("x"), "glb", {}).has_value());
    CHECK_FALSE(read_with_assimp({}, "fbx", {}).has_value());
}

// A skinned triangle whose node stands at x = 5 and whose geometry lies apart from its node: doubled, turned by 90°
// about z, and raised by 3. One bone at y = 1, in its bind pose.
constexpr std::string_view geometric_fbx = R"(; FBX 7.4.0 project file
FBXHeaderExtension:  {
  FBXHeaderVersion: 1003
  FBXVersion: 7400
}
GlobalSettings:  {
  Version: 1000
  Properties70:  {
    P: "UpAxis", "int", "Integer", "",1
    P: "UpAxisSign", "int", "Integer", "",1
    P: "FrontAxis", "int", "Integer", "",2
    P: "FrontAxisSign", "int", "Integer", "",1
    P: "CoordAxis", "int", "Integer", "",0
    P: "CoordAxisSign", "int", "Integer", "",1
    P: "UnitScaleFactor", "double", "Number", "",100
  }
}
Objects:  {
  Geometry: 1, "Geometry::skin", "Mesh" {
    Vertices: *9 {
      a: 0,0,0,1,0,0,0,1,0
    }
    PolygonVertexIndex: *3 {
      a: 0,1,-3
    }
    GeometryVersion: 124
  }
  Model: 2, "Model::body", "Mesh" {
    Version: 232
    Properties70:  {
      P: "GeometricTranslation", "Vector3D", "Vector", "",0,3,0
      P: "GeometricRotation", "Vector3D", "Vector", "",0,0,90
      P: "GeometricScaling", "Vector3D", "Vector", "",2,2,2
      P: "Lcl Translation", "Lcl Translation", "", "A",5,0,0
    }
  }
  Model: 3, "Model::bone", "LimbNode" {
    Version: 232
    Properties70:  {
      P: "Lcl Translation", "Lcl Translation", "", "A",0,1,0
    }
  }
  Deformer: 4, "Deformer::", "Skin" {
    Version: 101
  }
  Deformer: 5, "SubDeformer::", "Cluster" {
    Version: 100
    Indexes: *3 {
      a: 0,1,2
    }
    Weights: *3 {
      a: 1,1,1
    }
    Transform: *16 {
      a: 1,0,0,0,0,1,0,0,0,0,1,0,5,-1,0,1
    }
    TransformLink: *16 {
      a: 1,0,0,0,0,1,0,0,0,0,1,0,0,1,0,1
    }
  }
}
Connections:  {
  C: "OO",2,0
  C: "OO",3,0
  C: "OO",1,2
  C: "OO",4,1
  C: "OO",5,4
  C: "OO",3,5
}
)";

TEST_CASE("assimp: a skinned FBX mesh lies where its geometric transform puts it") {
    const Character c = read(geometric_fbx, "fbx");
    REQUIRE(c.skins.size() == 1);
    const std::vector<Vec3> p = vertices_at(c, nullptr, 0);
    REQUIRE(p.size() == 3);
    CHECK((p[0] - Vec3(5, 3, 0)).norm() < 1e-5f);
    CHECK((p[1] - Vec3(5, 5, 0)).norm() < 1e-5f);
    CHECK((p[2] - Vec3(3, 3, 0)).norm() < 1e-5f);
}

// References: vertices that the authoring program evaluated at a frame, in its own units.
DATA_TEST_CASE("assimp: FBX characters move as in the program that made them") {
    struct Row {
        const char *fbx, *reference, *clip;
        double time, units_per_metre, limit;
    };
    const double fps = 24;
    const Row rows[] = {
        {"blender_279_sausage_7400_binary", "blender_279_sausage_base_0", "Skeleton|Base", 0, 1, 1e-5},
        {"blender_279_sausage_7400_binary", "blender_279_sausage_spin_15", "Skeleton|Spin", 15 / fps, 1, 1e-5},
        {"blender_293_half_skinned_7400_binary", "blender_293_half_skinned", nullptr, 0, 1, 1e-5},
        {"maya_advanced_skinned_pivot_7700_binary", "maya_advanced_skinned_pivot", nullptr, 0, 100, 1e-3},
        {"maya_axes_anim_7700_ascii", "maya_axes_anim_0", "maya_axes_anim_7700_ascii", 0, 100, 1e-5},
        {"maya_game_sausage_7500_binary_spin", "maya_game_sausage_spin_7", "spin", 7 / fps, 100, 1e-5},
        {"maya_game_sausage_7500_ascii_spin", "maya_game_sausage_spin_15", "spin", 15 / fps, 100, 1e-5},
        {"maya_game_sausage_7500_binary_combined", "maya_game_sausage_spin_15", "spin", 15 / fps, 100, 1e-5},
        {"maya_game_sausage_7500_binary_wiggle", "maya_game_sausage_wiggle_10", "wiggle", 9 / fps, 100, 1e-5},
        {"maya_game_sausage_7500_ascii_wiggle", "maya_game_sausage_wiggle_18", "wiggle", 17 / fps, 100, 1e-5},
        {"maya_kenney_character_7700_binary", "maya_kenney_character_4", "maya_kenney_character_7700_binary", 4 / fps,
         100, 1e-5},
        {"maya_kenney_character_7700_binary", "maya_kenney_character_9", "maya_kenney_character_7700_binary", 9 / fps,
         100, 1e-5},
    };
    for (const Row& row : rows) {
        const auto fbx = read_character(data / "ufbx-ref" / (std::string(row.fbx) + ".fbx"));
        const auto obj = read_character(data / "ufbx-ref" / (std::string(row.reference) + ".obj"));
        REQUIRE(fbx.has_value());
        REQUIRE(obj.has_value());
        const Clip* clip = nullptr;
        for (const Clip& candidate : fbx->clips)
            if (row.clip != nullptr && candidate.name == row.clip) clip = &candidate;
        REQUIRE((clip != nullptr) == (row.clip != nullptr));
        std::vector<Vec3> moved = vertices_at(*fbx, clip, float(row.time));
        for (Vec3& p : moved) p *= float(row.units_per_metre);
        const std::vector<Vec3> reference = vertices_at(*obj, nullptr, 0);
        const double distance = std::max(one_sided_distance(moved, reference), one_sided_distance(reference, moved));
        const double relative = distance / bounds(reference).diagonal();
        std::cout << row.fbx << " at " << row.reference << ": " << relative << " of the diagonal\n";
        CHECK_MESSAGE(relative < row.limit, row.fbx << " at " << row.reference);
    }
}

DATA_TEST_CASE("assimp: every FBX and Collada file is read or refused with a reason") {
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
