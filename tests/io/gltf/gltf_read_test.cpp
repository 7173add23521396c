#include <sinew/character/character_deformer.h>
#include <sinew/clip/clip.h>

#include <doctest/doctest.h>

#include "io/gltf/builder.h"

using namespace sinew;
using namespace sinew::test;

namespace {

Error read_error(const SharedBytes& bytes, const ReadOptions& options = {}) {
    const auto character = read_gltf(bytes, options);
    REQUIRE(!character);
    return character.error();
}

SharedBytes from_text(const std::string& text) {
    const ByteSpan span = as_byte_span(text);
    return SharedBytes::own(Bytes(span.begin(), span.end()));
}

}  // namespace

TEST_CASE("read_gltf: the small character, as .glb and as .gltf") {
    const GltfBuilder b = small_character();
    for (const SharedBytes& bytes : {b.glb(), b.gltf()}) {
        const Character c = read_ok(bytes);
        CHECK(c.warnings.empty());
        CHECK(c.skeleton.names() == std::vector<std::string>{"hip", "knee", "body"});
        CHECK(c.skeleton.parents() == std::vector<int32_t>{-1, 0, -1});
        REQUIRE(c.meshes.size() == 1);
        const Primitive& p = c.meshes[0].primitives.at(0);
        CHECK(p.mesh.positions.size() == 4);
        CHECK(p.mesh.triangles == std::vector<uint32_t>{0, 1, 2, 0, 2, 3});
        REQUIRE(p.influences.of(3).size() == 2);
        CHECK(p.influences.of(3)[0].joint == 1);
        CHECK(p.influences.of(3)[0].weight == 0.75f);
        REQUIRE(p.morphs.size() == 1);
        CHECK(p.morphs[0].name == "puff");
        CHECK(p.morphs[0].vertices == std::vector<uint32_t>{1});
        CHECK(c.skins[0].inverse_bind[1].translation() == Vec3(0, -1, 0));
        CHECK(c.materials[0].base_color_image == 0);
        CHECK(as_text(c.images[0].bytes.view).ends_with("rest of a picture"));
        REQUIRE(c.clips.size() == 1);
        CHECK(c.clips[0].tracks.size() == 3);
    }
}

// Vertex 2 follows the knee at (0, 1, 0), which turns by a quarter; vertex 1 is morphed half a metre towards the
// viewer.
TEST_CASE("read_gltf: a required extension that is not understood is told, one of looks is not") {
    GltfBuilder b = small_character();
    b.json["extensionsUsed"] = b.json["extensionsRequired"] = {"KHR_texture_transform", "KHR_mesh_quantization"};
    CHECK(read_ok(b.glb()).warnings.empty());
    b.json["extensionsUsed"] = b.json["extensionsRequired"] = {"EXT_mesh_gpu_instancing"};
    const Character c = read_ok(b.glb());
    REQUIRE(c.warnings.size() == 1);
    CHECK(c.warnings[0].find("EXT_mesh_gpu_instancing") != std::string::npos);
}

TEST_CASE("read_gltf: what was read moves as computed by hand") {
    const Character c = read_ok(small_character().glb());
    std::vector<DeformedPrimitive> out;
    deform(c, pose_at(c, &c.clips[0], 1.0f), {}, out);
    REQUIRE(out.size() == 1);
    CHECK((out[0].positions[2] - Vec3(-1, 3, 0)).norm() < 1e-6f);
    CHECK((out[0].positions[1] - Vec3(1, 1, 0.5f)).norm() < 1e-6f);
}

TEST_CASE("read_gltf: nodes are put behind their parents, and trees that are none are refused") {
    GltfBuilder b;
    b.json["nodes"] =
        Json::parse(R"([{"name":"c"},{"name":"b","children":[0]},{"name":"a","children":[1]},{"name":"d"}])");
    const Character c = read_ok(b.glb());
    CHECK(c.skeleton.names() == std::vector<std::string>{"a", "b", "c", "d"});
    CHECK(c.joint_source == std::vector<int32_t>{2, 1, 0, 3});
    b.json["nodes"][0]["children"] = {2};
    CHECK(read_error(b.glb()).where.starts_with("/nodes/"));
    b.json["nodes"] = Json::parse(R"([{"children":[2]},{"children":[2]},{}])");
    CHECK(read_error(b.glb()).where == "/nodes/1/children/0");
    b.json["nodes"] = Json::parse(R"([{"children":[0]}])");
    CHECK(read_error(b.glb()).where == "/nodes/0/children/0");
}

TEST_CASE("read_gltf: a matrix becomes translation, rotation and scale; shear is reported") {
    GltfBuilder b;
    b.json["nodes"] = Json::parse(R"([{"matrix":[0,2,0,0, -3,0,0,0, 0,0,4,0, 5,6,7,1]}])");
    Character c = read_ok(b.glb());
    const Transform t = c.skeleton.rest()[0];
    CHECK(t.translation == Vec3(5, 6, 7));
    CHECK((t.scale - Vec3(2, 3, 4)).norm() < 1e-6f);
    CHECK((t.rotation * Vec3::UnitX() - Vec3::UnitY()).norm() < 1e-6f);
    CHECK(c.warnings.empty());
    b.json["nodes"] = Json::parse(R"([{"matrix":[1,0,0,0, 1,1,0,0, 0,0,1,0, 0,0,0,1]}])");
    CHECK(read_ok(b.glb()).warnings.size() == 1);
    b.json["nodes"] = Json::parse(R"([{"rotation":[0,0,0,0]},{"rotation":[0,0,3,0]}])");
    c = read_ok(b.glb());
    CHECK(c.warnings.size() == 2);
    CHECK(c.skeleton.rest()[1].rotation.z() == 1.0f);
    b.json["nodes"] = Json::parse(R"([{"translation":[1e200,0,0]}])");
    CHECK(read_error(b.glb()).where == "/nodes/0/translation");
}

TEST_CASE("read_gltf: strips and fans become triangles, lines and points none") {
    GltfBuilder b;
    const size_t positions = b.vec3({0, 0, 0, 1, 0, 0, 0, 1, 0, 1, 1, 0, 2, 2, 0});
    const auto triangles = [&](int mode) {
        b.json["meshes"] = {{{"primitives", {{{"attributes", {{"POSITION", positions}}}, {"mode", mode}}}}}};
        return read_ok(b.glb()).meshes[0].primitives[0].mesh.triangles;
    };
    CHECK(triangles(5) == std::vector<uint32_t>{0, 1, 2, 1, 3, 2, 2, 3, 4});
    CHECK(triangles(6) == std::vector<uint32_t>{0, 1, 2, 0, 2, 3, 0, 3, 4});
    CHECK(triangles(4) == std::vector<uint32_t>{0, 1, 2});
    for (const int mode : {0, 1, 2, 3}) CHECK(triangles(mode).empty());
    b.json["meshes"][0]["primitives"][0]["mode"] = 7;
    CHECK(read_error(b.glb()).where == "/meshes/0/primitives/0/mode");
}

TEST_CASE("read_gltf: all sets of joints count; joints that no skin has are refused") {
    GltfBuilder b = small_character();
    Json& attributes = b.json["meshes"][0]["primitives"][0]["attributes"];
    attributes["JOINTS_1"] = b.joints({1, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0});
    attributes["WEIGHTS_1"] = b.vec4({3, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0});
    const Character c = read_ok(b.glb());
    const Influences& influences = c.meshes[0].primitives[0].influences;
    REQUIRE(influences.of(0).size() == 2);
    CHECK(influences.of(0)[0].joint == 1);
    CHECK(influences.of(0)[0].weight == 0.75f);
    CHECK(influences.of(1)[0].weight == 0.5f);
    attributes["JOINTS_0"] = b.joints({2, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0});
    CHECK(read_error(b.glb()).where == "/meshes/0/primitives/0");
    b.json["nodes"][2].erase("skin");
    CHECK(read_ok(b.glb()).meshes[0].primitives[0].influences.empty());
}

TEST_CASE("read_gltf: keys out of order are sorted, equal times parted, nonsense refused") {
    GltfBuilder b;
    b.json["nodes"] = Json::parse(R"([{}])");
    const auto with = [&](const std::vector<float>& times, const std::vector<float>& values,
                          const char* interpolation) {
        GltfBuilder copy = b;
        const size_t input = copy.scalars(times), output = copy.accessor(values, "VEC3", 3, 5126);
        copy.json["animations"] = {
            {{"samplers", {{{"input", input}, {"output", output}, {"interpolation", interpolation}}}},
             {"channels", {{{"sampler", 0}, {"target", {{"node", 0}, {"path", "scale"}}}}}}}};
        return copy.glb();
    };
    const Character sorted = read_ok(with({1, 0, 1}, {1, 1, 1, 2, 2, 2, 3, 3, 3}, "LINEAR"));
    const Track& track = sorted.clips[0].tracks[0];
    CHECK(track.times == std::vector<float>{0, 1, std::nextafter(1.0f, 2.0f)});
    CHECK(track.values == std::vector<float>{2, 2, 2, 1, 1, 1, 3, 3, 3});
    CHECK(sorted.warnings.size() == 1);
    const Character cubic = read_ok(with({0, 1}, std::vector<float>(18, 1.0f), "CUBICSPLINE"));
    CHECK(cubic.clips[0].tracks[0].interpolation == Interpolation::cubic);
    CHECK(read_error(with({0, NAN}, std::vector<float>(6, 1.0f), "STEP")).where == "/animations/0/samplers/0/input");
    CHECK(read_error(with({0, 1}, std::vector<float>(9, 1.0f), "LINEAR")).where == "/animations/0/samplers/0/output");
    CHECK(read_error(with({0, 1}, std::vector<float>(6, 1.0f), "SMOOTH")).where ==
          "/animations/0/samplers/0/interpolation");
    CHECK(read_error(with({0, 1}, std::vector<float>(6, INFINITY), "LINEAR")).where ==
          "/animations/0/samplers/0/output");
}

TEST_CASE("read_gltf: only what hangs in the active scene is shown") {
    GltfBuilder b;
    const size_t positions = b.vec3({0, 0, 0, 1, 0, 0, 0, 1, 0});
    b.json["meshes"] = {{{"primitives", {{{"attributes", {{"POSITION", positions}}}}}}}};
    b.json["nodes"] = Json::parse(R"([{"children":[1]},{"mesh":0},{"mesh":0}])");
    b.json["scenes"] = Json::parse(R"([{"nodes":[2]},{"nodes":[0]}])");
    b.json["scene"] = 1;
    const Character c = read_ok(b.glb());
    REQUIRE(c.instances.size() == 2);
    CHECK(c.instances[0].in_scene);
    CHECK(!c.instances[1].in_scene);
    b.json.erase("scene");
    b.json.erase("scenes");
    CHECK(read_ok(b.glb()).instances[1].in_scene);
}

TEST_CASE("read_gltf: containers that are not what they say") {
    const SharedBytes glb = small_character().glb();
    const auto patched = [&](size_t at, uint8_t value) {
        Bytes bytes(glb.view.begin(), glb.view.end());
        bytes[at] = static_cast<std::byte>(value);
        return read_error(SharedBytes::own(std::move(bytes)));
    };
    CHECK(patched(4, 1).code == ErrorCode::unsupported);
    CHECK(patched(10, 255).where == "byte 8");
    CHECK(patched(14, 255).where == "byte 12");
    CHECK(patched(16, 'X').message.find("no JSON chunk") != std::string::npos);
    CHECK(patched(20, '!').where == "byte 21");
    CHECK(read_error(from_text("")).where.starts_with("byte"));
    CHECK(read_error(from_text("solid cube")).where.starts_with("byte"));
    CHECK(read_error(from_text(std::string(2000, '['))).code == ErrorCode::limit_exceeded);
    CHECK(read_error(from_text(R"({"asset":{"version":"1.0"},"meshes":{}})")).code == ErrorCode::unsupported);
}

TEST_CASE("read_gltf: files beside the document, and nowhere else") {
    GltfBuilder b = small_character();
    b.json["buffers"] = {{{"byteLength", b.bin.size()}, {"uri", "my%20data.bin"}}};
    b.json["images"] = {{{"uri", "no/such.png"}}};
    std::vector<std::string> asked;
    ReadOptions options;
    options.resources = [&](std::string_view name) -> Result<SharedBytes> {
        asked.emplace_back(name);
        if (name == "my data.bin") return SharedBytes::own(b.bin);
        return fail(ErrorCode::not_found, "is not there");
    };
    const SharedBytes text = from_text(b.json.dump());
    const Character c = read_ok(text, options);
    CHECK(asked == std::vector<std::string>{"my data.bin", "no/such.png"});
    CHECK(c.warnings.size() == 1);
    CHECK(read_error(text).where == "/buffers/0");
    for (const char* uri : {"../x.bin", "/etc/passwd", "http://host/x.bin", "a/../../x.bin", "..%2Fx.bin"}) {
        asked.clear();
        b.json["buffers"][0]["uri"] = uri;
        CHECK(read_error(from_text(b.json.dump()), options).where == "/buffers/0");
        CHECK(asked.empty());
    }
    b.json["buffers"][0]["uri"] = "my%20data.bin";
    b.json["buffers"][0]["byteLength"] = b.bin.size() + 1;
    CHECK(read_error(from_text(b.json.dump()), options).where == "/buffers/0");
}

TEST_CASE("read_gltf: limits hold before anything is allocated") {
    GltfBuilder b;
    b.json["accessors"] = {{{"componentType", 5126}, {"type", "VEC3"}, {"count", uint64_t{1} << 50}}};
    b.json["meshes"] = {{{"primitives", {{{"attributes", {{"POSITION", 0}}}}}}}};
    CHECK(read_error(b.glb()).code == ErrorCode::limit_exceeded);
    b.json["accessors"][0]["count"] = 100;
    CHECK(read_ok(b.glb()).meshes[0].primitives[0].mesh.positions.size() == 100);
    CHECK(read_error(b.glb(), {.limits = {.max_vertices = 99}}).code == ErrorCode::limit_exceeded);
    b.json = {{"nodes", std::vector<Json>(11, Json::object())}};
    CHECK(read_error(b.glb(), {.limits = {.max_joints = 10}}).code == ErrorCode::limit_exceeded);
}

TEST_CASE("gltf: skin weights that are negative or no numbers are read as 0, and that is told") {
    test::GltfBuilder b;
    const size_t position = b.vec3({0, 0, 0, 1, 0, 0, 0, 1, 0});
    const size_t joints = b.joints({0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0});
    const size_t weights = b.vec4({NAN, NAN, NAN, NAN, 0.5f, NAN, 0, 0, -1, INFINITY, 0.25f, 0});
    b.json["meshes"] = {
        {{"primitives", {{{"attributes", {{"POSITION", position}, {"JOINTS_0", joints}, {"WEIGHTS_0", weights}}}}}}}};
    b.json["nodes"] = {{{"mesh", 0}, {"skin", 0}}, {{"children", {2}}}, Json::object()};
    b.json["skins"] = {{{"joints", {1, 2}}}};
    b.json["scenes"] = {{{"nodes", {0, 1}}}};
    const auto c = read_gltf(b.glb(), {});
    REQUIRE_MESSAGE(c.has_value(), (c ? "" : to_string(c.error())));
    const Influences& influences = c->meshes[0].primitives[0].influences;
    CHECK(influences.unweighted_vertices() == 1);
    for (const size_t v : {1, 2}) {
        REQUIRE(influences.of(v).size() == 1);
        CHECK(influences.of(v)[0].joint == 0);
        CHECK(influences.of(v)[0].weight == 1.0f);
    }
    REQUIRE(c->warnings.size() >= 1);
    CHECK(c->warnings[0].find("no numbers") != std::string::npos);
}
