#include <sinew/io/gltf/compressed/meshopt_vertex.h>

#include <doctest/doctest.h>
#include <draco/compression/encode.h>
#include <draco/mesh/triangle_soup_mesh_builder.h>
#include <meshoptimizer.h>

#include "io/gltf/builder.h"

using namespace sinew;
using namespace sinew::test;

namespace {

Bytes from_hex(std::string_view text) {
    Bytes bytes;
    for (size_t i = 0; i + 1 < text.size(); i += 2) {
        bytes.push_back(static_cast<std::byte>(std::stoi(std::string(text.substr(i, 2)), nullptr, 16)));
    }
    return bytes;
}

// 40 elements of 12 bytes that exercise floats, 16-bit ramps, a constant and a quadratic byte.
Bytes pattern() {
    Bytes bytes(40 * 12);
    for (int i = 0; i < 40; ++i) {
        const float x = static_cast<float>(i) * 0.125f, y = static_cast<float>(1.0 / (1.0 + i));
        const auto ramp = static_cast<uint16_t>(i * 300);
        std::byte* at = bytes.data() + i * 12;
        std::memcpy(at, &x, 4);
        std::memcpy(at + 4, &y, 4);
        std::memcpy(at + 8, &ramp, 2);
        at[10] = std::byte{7};
        at[11] = static_cast<std::byte>(i * i);
    }
    return bytes;
}

// The pattern as meshoptimizer 1.3 encodes it in version 1: with byte channels only, and with 16-bit and rotated xor
// channels.
constexpr const char* version_1_bytes =
    "a15a55652f0000ff8080404040402020202020202020101010101010101010101010101010f888888800000000100012007c0201000200000f"
    "00"
    "00a9aa6543f44972d7813e5c98c8ee1d9005d1c8b691d0be619a01b383fe0fff00203d9fcfdfda29a70f0000abac6743c191e37cc4f8417f7e"
    "f0"
    "1fc30c7080442fd75a9b56d51796cd41ff007c9b3cff4d5af2810f00ffab5367432f23392d231f1915130f1f19171511110f0f0d0b0b090909"
    "07"
    "07ff000f0f0b0d0b0b090b000401010100000100010f0058585858585858585858585858585858585858585858585858585858585858ff0058"
    "58"
    "585858585858152aaeaaea0404aeaaeaae040404abaa0000040f0002060a0e12161a1e22262a2e32363a3e42464a4e52565a5e62666a6e7276"
    "7a"
    "ff007e82868a8e92969a000000000000000000000000000000803f00000700000000";
constexpr const char* version_1_channels =
    "a168bfe70502000f01001f1a0ffff8f8f4c4f4c48020107018381cf262e262f262e262fc1edddd00003e0307030000a9aa65430b498d287e"
    "3ea367c8ee1d6ffa2ec8b6912fbe619a01b37c010f203d6030dfdad6a70000aaaa6644c392e37dc3f841817eee1ec50b717e4430d7589a54"
    "d61695cf427c9a3bff4c58f18000ffab5367432f23392d231f1915130f1f19171511110f0f0d0b0b09090907070f0f0b0d0b0b090b005858"
    "58585858585858585858585858585858585858585858585858585858585858585858585858152aaaaaaaaaaaaaaaaaaa00000002060a0e12"
    "161a1e22262a2e32363a3e42464a4e52565a5e62666a6e72767a7e82868a8e92969a000000000000000000000000000000803f0000070062"
    "0101";

Bytes decoded(ByteSpan data, size_t count, size_t stride) {
    Bytes out(count * stride);
    if (!gltf::decode_meshopt_vertices(data, stride, out)) out.clear();
    return out;
}

std::vector<unsigned char> encode_vertices(ByteSpan bytes, size_t stride) {
    const size_t count = bytes.size() / stride;
    std::vector<unsigned char> out(meshopt_encodeVertexBufferBound(count, stride));
    out.resize(meshopt_encodeVertexBuffer(out.data(), out.size(), bytes.data(), count, stride));
    return out;
}

// A fan of `count` triangles around a corner.
struct Fan {
    std::vector<float> positions = {0, 0, 0};
    std::vector<uint32_t> indices;

    explicit Fan(uint32_t count) {
        for (uint32_t i = 0; i <= count; ++i) {
            const float angle = static_cast<float>(i) * 0.01f;
            positions.insert(positions.end(), {std::cos(angle), std::sin(angle), angle * angle});
        }
        for (uint32_t i = 0; i < count; ++i) indices.insert(indices.end(), {0, i + 1, i + 2});
    }
};

GltfBuilder meshopt_document(const char* extension, const Fan& fan) {
    const auto vertices = encode_vertices(std::as_bytes(std::span(fan.positions)), 12);
    std::vector<unsigned char> triangles(meshopt_encodeIndexBufferBound(fan.indices.size(), fan.positions.size() / 3));
    triangles.resize(
        meshopt_encodeIndexBuffer(triangles.data(), triangles.size(), fan.indices.data(), fan.indices.size()));
    GltfBuilder b;
    const size_t n = fan.positions.size() / 3;
    const auto compress = [&](const std::vector<unsigned char>& data, size_t count, size_t stride, const char* mode) {
        const size_t index = b.view(data);
        Json& view = b.json["bufferViews"][index];
        view["extensions"][extension] = view;
        view["extensions"][extension].update({{"count", count}, {"byteStride", stride}, {"mode", mode}});
        view["buffer"] = 0;
        view["byteOffset"] = 0;
        view["byteLength"] = count * stride;
    };
    compress(vertices, n, 12, "ATTRIBUTES");
    compress(triangles, fan.indices.size(), 4, "TRIANGLES");
    b.json["accessors"] = {
        {{"bufferView", 0}, {"componentType", 5126}, {"count", n}, {"type", "VEC3"}},
        {{"bufferView", 1}, {"componentType", 5125}, {"count", fan.indices.size()}, {"type", "SCALAR"}}};
    b.json["meshes"] = {{{"primitives", {{{"attributes", {{"POSITION", 0}}}, {"indices", 1}}}}}};
    b.json["nodes"] = {{{"mesh", 0}}};
    b.json["extensionsUsed"] = {extension};
    b.json["extensionsRequired"] = {extension};
    return b;
}

// The same triangles, wherever each starts.
std::vector<uint32_t> rotated(std::vector<uint32_t> indices) {
    for (size_t i = 0; i + 2 < indices.size(); i += 3) {
        std::rotate(indices.begin() + static_cast<ptrdiff_t>(i),
                    std::min_element(indices.begin() + static_cast<ptrdiff_t>(i),
                                     indices.begin() + static_cast<ptrdiff_t>(i) + 3),
                    indices.begin() + static_cast<ptrdiff_t>(i) + 3);
    }
    return indices;
}

}  // namespace

TEST_CASE("meshopt vertices: version 0 as the library encodes it, in several blocks") {
    Bytes bytes;
    for (int i = 0; i < 100; ++i) {
        const Bytes part = pattern();
        bytes.insert(bytes.end(), part.begin(), part.end());
    }
    for (const size_t stride : {4, 12, 16, 48, 96}) {
        const auto encoded = encode_vertices(bytes, stride);
        CHECK(decoded(std::as_bytes(std::span(encoded)), bytes.size() / stride, stride) == bytes);
    }
}

TEST_CASE("meshopt vertices: version 1, byte channels and others") {
    CHECK(decoded(from_hex(version_1_bytes), 40, 12) == pattern());
    CHECK(decoded(from_hex(version_1_channels), 40, 12) == pattern());
}

TEST_CASE("meshopt vertices: cut off, prolonged or of another size, they are refused") {
    for (const char* hex : {version_1_bytes, version_1_channels}) {
        const Bytes data = from_hex(hex);
        for (size_t n = 0; n < data.size(); ++n) CHECK(decoded(ByteSpan(data).first(n), 40, 12).empty());
        Bytes longer = data;
        longer.insert(longer.begin() + 1, std::byte{0});
        CHECK(decoded(longer, 40, 12) != pattern());
        CHECK(decoded(data, 300, 12).empty());
    }
}

// Expected values from the reference decoder of meshoptimizer 1.3.
TEST_CASE("meshopt colours: 8 and 16 bits") {
    Bytes small = from_hex("407fc1ff7f007fc066cd00e6ff000080");
    gltf::decode_meshopt_colors(small, 4);
    CHECK(small == from_hex("fe0100ff00fe0080336699ccffffff00"));
    Bytes large = from_hex("0040ff7f01c0ffffff7f0000ff7f00c06666cdcc000066e6ffff000000000080");
    gltf::decode_meshopt_colors(large, 8);
    CHECK(large == from_hex("feff01000000ffff0000feff00000080333366669999ccccffffffffffff0000"));
}

TEST_CASE("read_gltf: meshopt geometry, under both names, comes out plain") {
    const Fan fan(700);
    for (const char* extension : {"EXT_meshopt_compression", "KHR_meshopt_compression"}) {
        const GltfBuilder b = meshopt_document(extension, fan);
        const Character c = read_ok(b.glb());
        const Mesh& mesh = c.meshes[0].primitives[0].mesh;
        REQUIRE(mesh.positions.size() == 702);
        CHECK(std::memcmp(mesh.positions.data(), fan.positions.data(), fan.positions.size() * 4) == 0);
        CHECK(rotated(mesh.triangles) == rotated(fan.indices));
        const auto files = encode_gltf(c, "out.glb");
        REQUIRE(files);
        const OpenedGlb out(files->back().bytes);
        CHECK(out.json.dump().find("meshopt") == std::string::npos);
        CHECK(out.bin.size() < 702 * 12 + 700 * 12 + 64);  // the compressed bytes are gone
        CHECK(read_ok(SharedBytes::own(files->back().bytes)).meshes[0].primitives[0].mesh.positions == mesh.positions);
    }
}

TEST_CASE("read_gltf: meshopt views that promise too much are refused where they stand") {
    const auto where = [](const char* member, Json value) {
        GltfBuilder b = meshopt_document("EXT_meshopt_compression", Fan(10));
        b.json["bufferViews"][0]["extensions"]["EXT_meshopt_compression"][member] = value;
        const auto character = read_gltf(b.glb(), {});
        REQUIRE(!character);
        return character.error().where;
    };
    const std::string path = "/bufferViews/0/extensions/EXT_meshopt_compression";
    CHECK(where("count", uint64_t{1} << 52) == path);
    CHECK(where("count", -1) == path + "/count");
    CHECK(where("count", 500) == path);
    CHECK(where("byteStride", 13) == path + "/byteStride");
    CHECK(where("byteLength", 1000000) == path);
    CHECK(where("buffer", 3) == path + "/buffer");
    CHECK(where("mode", "POINTS") == path + "/mode");
    CHECK(where("filter", "MAGIC") == path + "/filter");
}

TEST_CASE("read_gltf: Draco geometry comes out plain") {
    draco::TriangleSoupMeshBuilder builder;
    const Fan fan(30);
    const auto triangles = static_cast<uint32_t>(fan.indices.size() / 3);
    builder.Start(static_cast<int>(triangles));
    const int id = builder.AddAttribute(draco::GeometryAttribute::POSITION, 3, draco::DT_FLOAT32);
    for (uint32_t f = 0; f < triangles; ++f) {
        const auto corner = [&](size_t k) { return fan.positions.data() + fan.indices[f * 3 + k] * 3; };
        builder.SetAttributeValuesForFace(id, draco::FaceIndex(f), corner(0), corner(1), corner(2));
    }
    const auto mesh = builder.Finalize();
    draco::Encoder encoder;
    draco::EncoderBuffer buffer;
    REQUIRE(encoder.EncodeMeshToBuffer(*mesh, &buffer).ok());

    GltfBuilder b;
    b.json["accessors"] = {{{"componentType", 5126}, {"count", 32}, {"type", "VEC3"}},
                           {{"componentType", 5123}, {"count", 90}, {"type", "SCALAR"}}};
    const size_t view = b.view(std::vector<char>(buffer.data(), buffer.data() + buffer.size()));
    Json primitive = {{"attributes", {{"POSITION", 0}}}, {"indices", 1}};
    primitive["extensions"]["KHR_draco_mesh_compression"] = {
        {"bufferView", view}, {"attributes", {{"POSITION", mesh->attribute(id)->unique_id()}}}};
    b.json["meshes"] = {{{"primitives", Json::array({primitive})}}};
    b.json["nodes"] = {{{"mesh", 0}}};
    b.json["extensionsUsed"] = b.json["extensionsRequired"] = Json::array({"KHR_draco_mesh_compression"});

    const Character c = read_ok(b.glb());
    const Mesh& read = c.meshes[0].primitives[0].mesh;
    CHECK(read.positions.size() == 32);
    REQUIRE(read.triangles.size() == 90);
    // Draco reorders vertices: the area is what must be the same.
    const auto area = [](const std::vector<uint32_t>& t, const auto& at) {
        double sum = 0.0;
        for (size_t i = 0; i < t.size(); i += 3)
            sum += 0.5 * (at(t[i + 1]) - at(t[i])).cross(at(t[i + 2]) - at(t[i])).norm();
        return sum;
    };
    const double before = area(fan.indices, [&](uint32_t v) {
        return Vec3(fan.positions[v * 3], fan.positions[v * 3 + 1], fan.positions[v * 3 + 2]);
    });
    CHECK(area(read.triangles, [&](uint32_t v) { return read.positions[v]; }) == doctest::Approx(before).epsilon(1e-5));

    const auto files = encode_gltf(c, "out.glb");
    REQUIRE(files);
    const OpenedGlb out(files->back().bytes);
    CHECK(out.json.dump().find("draco") == std::string::npos);
    CHECK(out.json["accessors"][0].contains("min"));

    b.json["meshes"][0]["primitives"][0]["extensions"]["KHR_draco_mesh_compression"]["attributes"]["POSITION"] = 9;
    const auto broken = read_gltf(b.glb(), {});
    REQUIRE(!broken);
    CHECK(broken.error().where.ends_with("/attributes/POSITION"));
}
