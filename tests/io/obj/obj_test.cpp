#include <doctest/doctest.h>

#include <sinew/character/character_deformer.h>
#include <sinew/core/random.h>
#include <sinew/io/obj/mtl.h>
#include <sinew/io/obj/obj.h>
#include <sinew/io/obj/polygon.h>
#include <sinew/mesh/topology.h>
#include <cmath>
#include <map>
#include <string>

#include "support/data_case.h"

using namespace sinew;

namespace {

SharedBytes bytes_of(std::string_view text) {
    const ByteSpan span = as_byte_span(text);
    return SharedBytes::own(Bytes(span.begin(), span.end()));
}

Character read(std::string_view text, const ReadOptions& options = {}) {
    auto character = read_obj(bytes_of(text), options);
    REQUIRE_MESSAGE(character.has_value(), (character ? "" : to_string(character.error())));
    REQUIRE(validate(*character).has_value());
    return *std::move(character);
}

std::string error_of(std::string_view text) {
    const auto character = read_obj(bytes_of(text), {});
    REQUIRE_FALSE(character.has_value());
    return to_string(character.error());
}

// Serves what encode_obj made, by file name.
ReadOptions serving(std::map<std::string, Bytes> files) {
    ReadOptions options;
    options.resources = [files = std::move(files)](std::string_view name) -> Result<SharedBytes> {
        const auto found = files.find(std::string(name));
        if (found == files.end()) return fail(ErrorCode::not_found, "not there");
        return SharedBytes::own(found->second);
    };
    return options;
}

Character round_trip(const Character& character) {
    const auto files = encode_obj(character, "folder/out.obj");
    REQUIRE(files.has_value());
    REQUIRE(files->back().path == "folder/out.obj");
    std::map<std::string, Bytes> by_name;
    for (const OutputFile& file : *files) by_name[file.path.filename().string()] = file.bytes;
    return read(as_text(files->back().bytes), serving(std::move(by_name)));
}

double signed_volume(const Mesh& mesh) {
    double six = 0;
    for (size_t i = 0; i < mesh.triangles.size(); i += 3) {
        const Vec3d a = mesh.positions[mesh.triangles[i]].cast<double>();
        const Vec3d b = mesh.positions[mesh.triangles[i + 1]].cast<double>();
        const Vec3d c = mesh.positions[mesh.triangles[i + 2]].cast<double>();
        six += a.dot(b.cross(c));
    }
    return six / 6;
}

constexpr std::string_view cube_vertices = "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nv 0 0 1\nv 1 0 1\nv 1 1 1\nv 0 1 1\n";

}  // namespace

TEST_CASE("obj: a cube of quads with negative indices is closed and has volume 1") {
    const Character c =
        read(std::string(cube_vertices) +
             "f -8 -5 -6 -7\nf -4 -3 -2 -1\nf -8 -7 -3 -4\nf -7 -6 -2 -3\nf -6 -5 -1 -2\nf -5 -8 -4 -1\n");
    REQUIRE(c.meshes.size() == 1);
    REQUIRE(c.meshes[0].primitives.size() == 1);
    const Mesh& mesh = c.meshes[0].primitives[0].mesh;
    CHECK(mesh.vertex_count() == 8);
    CHECK(mesh.triangle_count() == 12);
    CHECK(signed_volume(mesh) == doctest::Approx(1.0));
    CHECK(topology(mesh.positions, mesh.triangles).watertight);
    CHECK(mesh.normals.empty());
    CHECK(mesh.uvs.empty());
    CHECK(c.skeleton.size() == 1);
    CHECK(c.instances.size() == 1);
}

TEST_CASE("obj: all index forms; equal corners are one vertex, in order of first use") {
    const Character c = read(
        "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 1 1 0\nvt 0 0\nvt 1 0.25\nvn 0 0 2\n"
        "f 3/1/1 1/1/1 2/2/1\nf 2/2/1 4/1/1 3/1/1\nf 4/2/1 3/1/1 2/2/1\n");
    const Mesh& mesh = c.meshes[0].primitives[0].mesh;
    REQUIRE(mesh.vertex_count() == 5);  // corner 4 comes with two texture coordinates
    CHECK(mesh.positions[0] == Vec3(0, 1, 0));
    CHECK(mesh.positions[1] == Vec3(0, 0, 0));
    CHECK(mesh.uvs[2] == Vec2(1, 0.75f));  // v runs downwards in Sinew
    CHECK(mesh.normals[0] == Vec3(0, 0, 1));
    const Character d = read("v 0 0 0\nv 1 0 0\nv 0 1 0\nvt 0 0\nvn 0 0 1\nf 1//1 2//1 3//1\nf 1/1 2/1 3/1\nf 1 2 3\n");
    CHECK(d.meshes[0].primitives[0].mesh.vertex_count() == 9);
    CHECK(d.meshes[0].primitives[0].mesh.normals.empty());  // not every corner has one
}

TEST_CASE("obj: groups and materials become mesh groups and primitives") {
    std::map<std::string, Bytes> files;
    const auto put = [&files](const std::string& name, std::string_view text) {
        const ByteSpan span = as_byte_span(text);
        files[name] = Bytes(span.begin(), span.end());
    };
    put("look it.mtl",
        "newmtl red paint\nKd 1 0.5 0\nNs 0\nd 0.25\nKe 0 0 1\nmap_Kd -s 1 1 1 -bm 2 tex dir\\a b.png\nnewmtl "
        "matte\nKs 0 0 0\nNs 100\nTr 0.5\n");
    put("tex dir/a b.png", "\x89PNG\r\n\x1a\nrest");
    const Character c = read(
        "mtllib look it.mtl\nv 0 0 0\nv 1 0 0\nv 0 1 0\no body one\nusemtl red paint\nf 1 2 3\nusemtl matte\nf 1 2 3\n"
        "g head\nf 1 2 3\nusemtl unknown\nf 1 2 3\ng body one\nusemtl red paint\nf 3 2 1\nl 1 2\np 1\n",
        serving(files));
    REQUIRE(c.meshes.size() == 2);
    CHECK(c.meshes[0].name == "body one");
    CHECK(c.meshes[1].name == "head");
    REQUIRE(c.meshes[0].primitives.size() == 2);
    CHECK(c.meshes[0].primitives[0].mesh.triangle_count() == 2);
    REQUIRE(c.materials.size() == 3);
    const Material& red = c.materials[0];
    CHECK(red.name == "red paint");
    CHECK(red.base_color == Vec4(1, 0.5f, 0, 0.25f));
    CHECK(red.alpha_mode == AlphaMode::blend);
    CHECK(red.emissive == Vec3(0, 0, 1));
    CHECK(red.roughness == doctest::Approx(1));
    REQUIRE(red.base_color_image == 0);
    CHECK(c.images[0].uri == "tex dir/a b.png");
    CHECK(c.images[0].mime_type == "image/png");
    CHECK(c.materials[1].roughness == 1.0f);
    CHECK(c.materials[1].base_color[3] == 0.5f);
    CHECK(c.materials[2].name == "unknown");
    REQUIRE(c.warnings.size() == 1);
    CHECK(c.warnings[0].starts_with("2 lines and points"));
}

TEST_CASE("obj: a missing material file or texture is a warning") {
    const std::string text = "mtllib nowhere.mtl\nv 0 0 0\nv 1 0 0\nv 0 1 0\nusemtl a\nf 1 2 3\n";
    CHECK(read(text).warnings.size() == 1);
    std::map<std::string, Bytes> files;
    const ByteSpan span = as_byte_span("newmtl a\nmap_Kd gone.png\n");
    files["nowhere.mtl"] = Bytes(span.begin(), span.end());
    const Character c = read(text, serving(files));
    REQUIRE(c.warnings.size() == 1);
    CHECK(c.warnings[0].find("gone.png") != std::string::npos);
    CHECK(c.materials[0].base_color_image == -1);
}

TEST_CASE("obj: continuation lines, comments, tabs, CRLF, byte order mark, vertex colours") {
    const Character c = read(
        "\xEF\xBB\xBF# a comment\r\nv 0 0 0 1 0 0 # red\r\nv\t1 0 \\\r\n 0 0 1 0\r\nv 0 1 0 0 0 1\r\n  f 1 \\\n 2\\\n "
        "3");
    const Mesh& mesh = c.meshes[0].primitives[0].mesh;
    REQUIRE(mesh.vertex_count() == 3);
    REQUIRE(mesh.colors.size() == 3);
    CHECK(mesh.colors[0] == Vec4(1, 0, 0, 1));
    CHECK(mesh.colors[1] == Vec4(0, 1, 0, 1));
    CHECK(mesh.positions[1] == Vec3(1, 0, 0));
}

TEST_CASE("obj: errors say the line and what is wrong") {
    CHECK(error_of("v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 4\n") ==
          "line 4: a face uses vertex 4, but the file has only 3 up to here");
    CHECK(error_of("v 0 0 0\nf 0 1 1\n").starts_with("line 2: a face uses vertex 0"));
    CHECK(error_of("v 0 0 0\nf 1 1 -2\n").starts_with("line 2: a face uses vertex -2"));
    CHECK(error_of("v 0 0 0\nf 1 1\n").starts_with("line 2: a face has 2 corners"));
    CHECK(error_of("v 0 0 0\nf 1/1 1 1\n").starts_with("line 2: a face uses texture coordinate 1"));
    CHECK(error_of("v 0 0\n").starts_with("line 1: a vertex's coordinate is missing"));
    CHECK(error_of("v 0 0 1e99\n").starts_with("line 1: a vertex's coordinate must be a number, not '1e99'"));
    CHECK(error_of("v 0 0 0\n").find("no faces") != std::string::npos);
    ReadOptions options;
    options.limits.max_triangles = 1;
    CHECK(read_obj(bytes_of("v 0 0 0\nf 1 1 1 1\n"), options).error().code == ErrorCode::limit_exceeded);
}

// Random star-shaped polygons are concave but simple: the triangles' signed areas must all be positive and add up.
TEST_CASE("polygon: concave polygons are covered exactly once, in any plane") {
    Random random(7);
    Triangulator triangulator;
    for (int trial = 0; trial < 300; ++trial) {
        const size_t n = 4 + random.below(30);
        const Quat turn = Quat(Eigen::Vector4f::NullaryExpr([&] { return float(random.uniform(-1, 1)); })).normalized();
        std::vector<Vec3> corners;
        std::vector<Eigen::Vector2d> flat;
        for (size_t i = 0; i < n; ++i) {
            const double angle = 6.283185307179586 * double(i) / double(n), radius = random.uniform(0.1, 1.0);
            flat.emplace_back(radius * std::cos(angle), radius * std::sin(angle));
            corners.push_back(turn * Vec3(float(flat.back().x()), float(flat.back().y()), 2.0f));
        }
        const auto area = [&flat](size_t a, size_t b, size_t c) {
            const Eigen::Vector2d u = flat[b] - flat[a], v = flat[c] - flat[a];
            return 0.5 * (u.x() * v.y() - u.y() * v.x());
        };
        double whole = 0, parts = 0;
        for (size_t i = 0; i < n; ++i) {
            const Eigen::Vector2d &p = flat[i], &q = flat[(i + 1) % n];
            whole += 0.5 * (p.x() * q.y() - p.y() * q.x());
        }
        std::vector<uint32_t> triangles;
        triangulator.split(corners, triangles);
        REQUIRE(triangles.size() == 3 * (n - 2));
        for (size_t t = 0; t < triangles.size(); t += 3) {
            const double part = area(triangles[t], triangles[t + 1], triangles[t + 2]);
            CHECK(part > -1e-6);
            parts += std::abs(part);
        }
        CHECK(parts == doctest::Approx(whole).epsilon(1e-5));
    }
}

TEST_CASE("polygon: without budget or sense the triangles are still there") {
    Triangulator none(1);
    std::vector<Vec3> star;
    for (int i = 0; i < 50; ++i) star.emplace_back(float(std::cos(i * 2.5)), float(std::sin(i * 2.5)), 0.0f);
    std::vector<uint32_t> triangles;
    none.split(star, triangles);
    CHECK(triangles.size() == 3 * 48);
    triangles.clear();
    Triangulator().split(std::vector<Vec3>(9, Vec3::Ones()), triangles);
    CHECK(triangles.size() == 3 * 7);
}

TEST_CASE("obj: written and read again is the same to the bit") {
    Random random(3);
    Character c;
    c.skeleton = *Skeleton::create({"root"}, {-1}, {Transform{}});
    const auto noise = [&random] { return float(random.uniform(-1, 1) * std::pow(10.0, random.uniform(-6, 3))); };
    for (int m = 0; m < 2; ++m) {
        MeshGroup& group = c.meshes.emplace_back();
        group.name = "part";  // the same name twice
        Primitive& primitive = group.primitives.emplace_back();
        primitive.material = m;
        c.materials.push_back({.name = "paint"});
        c.materials.back().roughness = 0.25f;
        c.materials.back().metallic = 0.5f;
        c.materials.back().base_color_image = 0;
        for (uint32_t i = 0; i < 300; ++i) {
            primitive.mesh.positions.emplace_back(noise(), noise(), noise());
            primitive.mesh.uvs.emplace_back(noise(), noise());
            primitive.mesh.normals.push_back(Vec3(noise(), noise(), noise()).normalized());
            primitive.mesh.triangles.push_back(i);
        }
        c.instances.emplace_back().mesh = m;
    }
    const ByteSpan png = as_byte_span("\x89PNG\r\n\x1a\nrest");
    c.images.push_back({.name = "",
                        .mime_type = "image/png",
                        .uri = "",
                        .bytes = SharedBytes::own(Bytes(png.begin(), png.end())),
                        .source = -1});
    REQUIRE(validate(c).has_value());
    const Character d = round_trip(c);
    REQUIRE(d.meshes.size() == 2);
    CHECK(d.meshes[1].name == "part_2");
    for (size_t m = 0; m < 2; ++m) {
        const Mesh &a = c.meshes[m].primitives[0].mesh, &b = d.meshes[m].primitives[0].mesh;
        CHECK(a.triangles == b.triangles);
        CHECK(a.positions == b.positions);
        CHECK(a.uvs == b.uvs);
        for (size_t i = 0; i < a.normals.size(); ++i) CHECK((a.normals[i] - b.normals[i]).norm() < 1e-6f);
    }
    REQUIRE(d.materials.size() == 2);
    CHECK(d.materials[0].roughness == 0.25f);
    CHECK(d.materials[0].metallic == 0.5f);
    REQUIRE(d.images.size() == 1);
    CHECK(as_text(d.images[0].bytes.view) == as_text(png));
    CHECK(d.warnings.empty());
}

TEST_CASE("obj: writing joins the vertices that seams have split") {
    Character c = read("v 0 0 0\nv 1 0 0\nv 0 1 0\nv 1 1 0\nvt 0 0\nvt 1 1\nf 1/1 2/1 3/1\nf 2/2 4/2 3/2\n");
    CHECK(c.meshes[0].primitives[0].mesh.vertex_count() == 6);
    const auto files = encode_obj(c, "x.obj");
    REQUIRE(files.has_value());
    const std::string_view text = as_text(files->back().bytes);
    size_t v = 0;
    for (size_t at = text.find("\nv "); at != std::string_view::npos; at = text.find("\nv ", at + 1)) ++v;
    CHECK(v == 4);
}

TEST_CASE("mtl: exponent and roughness undo each other") {
    for (const float exponent : {0.0f, 1.0f, 30.0f, 1000.0f})
        CHECK(exponent_from_roughness(roughness_from_exponent(exponent)) == doctest::Approx(exponent).epsilon(1e-4));
}

DATA_TEST_CASE("obj: real files") {
    const auto spot = read_character(data / "mesh-unrigged/spot.obj");
    REQUIRE(spot.has_value());
    CHECK(spot->name == "spot");
    const Mesh& mesh = spot->meshes[0].primitives[0].mesh;
    CHECK(mesh.triangle_count() == 5856);
    CHECK(topology(mesh.positions, mesh.triangles).watertight);
    CHECK(round_trip(*spot).meshes[0].primitives[0].mesh.positions == mesh.positions);
    const auto sveta = read_character(data / "mesh-unrigged/sveta.obj");
    REQUIRE(sveta.has_value());
    CHECK(sveta->warnings.size() == 1);  // its .mtl is not there
}
