#include <sinew/character/character_deformer.h>

#include <doctest/doctest.h>
#include <algorithm>

#include "io/gltf/builder.h"

using namespace sinew;
using namespace sinew::test;

namespace {

std::vector<OutputFile> write_ok(const Character& character, const char* path) {
    auto files = encode_gltf(character, path);
    if (!files) FAIL(to_string(files.error()));
    return *std::move(files);
}

OpenedGlb written(const Character& character) {
    return OpenedGlb(main_file(write_ok(character, "out.glb")).bytes);
}

Character again(const Character& character) {
    return read_ok(SharedBytes::own(main_file(write_ok(character, "out.glb")).bytes));
}

// A document with everything that Sinew does not understand, at every level.
GltfBuilder rich_document() {
    GltfBuilder b = small_character();
    Json& root = b.json;
    const auto mark = [](Json& object, const char* what) {
        object["extras"] = {{"note", what}};
        object["extensions"]["VENDOR_unknown"] = {{"accessor", 3}, {"nested", {1, {{"x", nullptr}}}}, {"ratio", 0.1}};
    };
    Json& primitive = root["meshes"][0]["primitives"][0];
    Json& attributes = primitive["attributes"];
    attributes["TEXCOORD_1"] = b.accessor(std::vector<uint16_t>{0, 0, 65535, 0, 0, 65535, 9, 9}, "VEC2", 2, 5123);
    root["accessors"].back()["normalized"] = true;
    attributes["COLOR_1"] = b.vec4(std::vector<float>(16, 0.5f));
    attributes["_CUSTOM"] = b.scalars({1, 2, 3, 4});
    root["cameras"] = Json::parse(R"([{"type":"perspective","name":"eye","perspective":{"yfov":0.7,"znear":0.01}}])");
    root["nodes"].push_back(
        {{"name", "camera"}, {"camera", 0}, {"extensions", {{"KHR_lights_punctual", {{"light", 0}}}}}});
    root["scenes"][0]["nodes"].push_back(3);
    root["scenes"].push_back({{"name", "second"}, {"nodes", {2}}});
    root["extensions"]["KHR_lights_punctual"] = Json::parse(R"({"lights":[{"type":"point","intensity":3.5}]})");
    root["extensionsUsed"] = {"KHR_lights_punctual", "VENDOR_unknown", "KHR_materials_clearcoat",
                              "KHR_animation_pointer"};
    root["materials"][0]["extensions"]["KHR_materials_clearcoat"] = {{"clearcoatFactor", 0.25}};
    root["samplers"] = Json::parse(R"([{"magFilter":9728,"wrapS":33071}])");
    root["textures"][0]["sampler"] = 0;
    root["textures"].push_back({{"name", "unused"}, {"source", 0}});
    root["animations"][0]["samplers"].push_back(root["animations"][0]["samplers"][1]);
    root["animations"][0]["channels"].push_back(
        {{"sampler", 3},
         {"target",
          {{"path", "pointer"},
           {"extensions", {{"KHR_animation_pointer", {{"pointer", "/materials/0/emissiveFactor"}}}}}}}});
    for (const char* array : {"nodes", "meshes", "materials", "textures", "images", "skins", "animations", "scenes",
                              "cameras", "accessors", "samplers"}) {
        for (Json& item : root[array]) mark(item, array);
    }
    mark(primitive, "primitive");
    mark(root["asset"], "asset");
    mark(root, "root");
    mark(root["animations"][0]["channels"][0]["target"], "target");
    root["asset"]["generator"] = "a hand";
    root["asset"]["copyright"] = "nobody";
    return b;
}

// Everything but the container's own arrays.
Json essence(Json root) {
    for (const char* key : {"buffers", "bufferViews"}) root.erase(key);
    for (Json& image : root["images"]) {
        image.erase("bufferView");
        image.erase("uri");
    }
    for (Json& accessor : root["accessors"]) {
        accessor.erase("bufferView");
        accessor.erase("min");
        accessor.erase("max");
    }
    return root;
}

// Bounds as numbers: 1 and 1.0 are the same.
void check_same_accessors(const OpenedGlb& a, const OpenedGlb& b) {
    REQUIRE(a.json["accessors"].size() <= b.json["accessors"].size());
    for (size_t i = 0; i < a.json["accessors"].size(); ++i) {
        CAPTURE(i);
        CHECK(a.view(a.json["accessors"][i]["bufferView"].get<size_t>()) ==
              b.view(b.json["accessors"][i]["bufferView"].get<size_t>()));
        CHECK(a.json["accessors"][i].value("min", Json()) == b.json["accessors"][i].value("min", Json()));
    }
}

}  // namespace

TEST_CASE("encode_gltf: an unchanged document comes out as it went in") {
    const GltfBuilder b = rich_document();
    const SharedBytes glb = b.glb();
    const OpenedGlb before(glb.view), after = written(read_ok(glb));
    CHECK(essence(before.json) == essence(after.json));
    check_same_accessors(before, after);
    CHECK(before.view(before.json["images"][0]["bufferView"].get<size_t>()) ==
          after.view(after.json["images"][0]["bufferView"].get<size_t>()));
}

TEST_CASE("encode_gltf: .gltf puts the data beside it, and .glb takes it in again") {
    GltfBuilder b = rich_document();
    b.json["images"][0] = {{"uri", "pictures/a%20b.png"}, {"name", "cloth"}};
    b.json["images"].push_back({{"uri", "data:image/png;base64,aGVsbG8="}});
    const Bytes picture = {std::byte{1}, std::byte{2}, std::byte{3}};
    ReadOptions options;
    options.resources = [&](std::string_view) -> Result<SharedBytes> { return SharedBytes::own(picture); };
    const Character c = read_ok(b.glb(), options);

    const auto files = write_ok(c, "some folder/my out.gltf");
    REQUIRE(files.size() == 3);
    CHECK(files[0].path == "some folder/pictures/a b.png");
    CHECK(files[0].bytes == picture);
    CHECK(files[1].path == "some folder/my out.bin");
    CHECK(files[2].path == "some folder/my out.gltf");
    const Json json = Json::parse(as_text(files[2].bytes));
    CHECK(json["buffers"][0]["uri"] == "my%20out.bin");
    CHECK(json["images"][0]["uri"] == "pictures/a%20b.png");
    CHECK(json["images"][1]["mimeType"] == "image/png");

    ReadOptions beside;
    beside.resources = [&](std::string_view name) -> Result<SharedBytes> {
        for (const OutputFile& file : files) {
            if (file.path == std::filesystem::path("some folder") / name) return SharedBytes::own(file.bytes);
        }
        return fail(ErrorCode::not_found, "no such file");
    };
    const Character reread = read_ok(SharedBytes::own(files[2].bytes), beside);
    const OpenedGlb glb = written(reread);
    CHECK(!glb.json["images"][0].contains("uri"));
    CHECK(glb.view(glb.json["images"][0]["bufferView"].get<size_t>()) == picture);
    CHECK(as_text(glb.view(glb.json["images"][1]["bufferView"].get<size_t>())) == "hello");
}

TEST_CASE("encode_gltf: a new clip comes first, the old one keeps channels that Sinew does not know") {
    Character c = read_ok(rich_document().glb());
    Clip fresh{.name = "fresh"};
    fresh.tracks.push_back(
        {.target = 1, .path = TrackPath::translation, .width = 3, .times = {0, 2}, .values = {0, 0, 0, 1, 2, 3}});
    fresh.tracks.push_back({.target = 0, .path = TrackPath::morphs, .width = 1, .times = {0, 2}, .values = {0, 1}});
    c.clips.insert(c.clips.begin(), fresh);
    const OpenedGlb out = written(c);
    REQUIRE(out.json["animations"].size() == 2);
    const Json& first = out.json["animations"][0];
    CHECK(first["name"] == "fresh");
    CHECK(first["samplers"][0]["input"] == first["samplers"][1]["input"]);
    const Json& times = out.json["accessors"][first["samplers"][0]["input"].get<size_t>()];
    CHECK(times["min"][0] == 0.0);
    CHECK(times["max"][0] == 2.0);
    CHECK(first["channels"][1]["target"]["node"] == 2);
    CHECK(first["channels"][1]["target"]["path"] == "weights");
    CHECK(out.json["animations"][1] == rich_document().json["animations"][0]);

    c.clips[1].tracks[0].values[6] = 0.0f;
    c.clips[1].tracks[0].values[7] = 1.0f;
    const Json changed = written(c).json["animations"][1];
    CHECK(changed["channels"].back()["target"]["path"] == "pointer");
    CHECK(changed["channels"].size() == 4);
    CHECK(changed["extras"]["note"] == "animations");
    c.clips.erase(c.clips.begin() + 1);
    CHECK(written(c).json["animations"].size() == 1);
    c.clips.clear();
    CHECK(!written(c).json.contains("animations"));
}

TEST_CASE("encode_gltf: a clip on a node with a matrix turns the matrix into its parts") {
    GltfBuilder b = small_character();
    b.json["nodes"][1].erase("translation");
    b.json["nodes"][1]["matrix"] = Json::parse("[1,0,0,0, 0,1,0,0, 0,0,1,0, 0,1,0,1]");
    b.json.erase("animations");
    Character c = read_ok(b.glb());
    CHECK(written(c).json["nodes"][1].contains("matrix"));
    Clip clip;
    clip.tracks.push_back({.target = 1, .path = TrackPath::rotation, .width = 4, .times = {0}, .values = {0, 0, 0, 1}});
    c.clips.push_back(clip);
    const Json node = written(c).json["nodes"][1];
    CHECK(!node.contains("matrix"));
    CHECK(node["translation"] == Json({0.0, 1.0, 0.0}));
}

TEST_CASE("encode_gltf: only what changed is replaced, and what it used is given up") {
    Character c = read_ok(rich_document().glb());
    const OpenedGlb before(rich_document().glb().view);
    for (Vec3& p : c.meshes[0].primitives[0].mesh.positions) p *= 2.0f;
    const OpenedGlb after = written(c);
    const Json &old_attributes = before.json["meshes"][0]["primitives"][0]["attributes"],
               &attributes = after.json["meshes"][0]["primitives"][0]["attributes"];
    for (const auto& [name, index] : old_attributes.items()) {
        if (name != "POSITION") CHECK(attributes[name] == index);
    }
    const size_t position = attributes["POSITION"].get<size_t>();
    CHECK(after.values<float>(position, 3)[6] == 2.0f);
    CHECK(after.json["accessors"][position]["max"] == Json({2.0, 4.0, 0.0}));
    CHECK(again(c).meshes[0].primitives[0].mesh.positions == c.meshes[0].primitives[0].mesh.positions);
}

// Nothing in this file's extensions can refer to the old positions: the new ones take their place, and the file stays
// as small as it was.
TEST_CASE("encode_gltf: replaced data leaves no bytes behind") {
    const SharedBytes glb = small_character().glb();
    Character c = read_ok(glb);
    for (Vec3& p : c.meshes[0].primitives[0].mesh.positions) p *= 2.0f;
    const OpenedGlb before(glb.view), after = written(c);
    CHECK(after.bin.size() <= before.bin.size() + 4);
    CHECK(after.json["accessors"].size() == before.json["accessors"].size());
    CHECK(again(c).meshes[0].primitives[0].mesh.positions == c.meshes[0].primitives[0].mesh.positions);
}

TEST_CASE("encode_gltf: the four largest weights stand in set 0, sums are 1, joints without weight are 0") {
    GltfBuilder b = small_character();
    for (int j = 0; j < 4; ++j) b.json["nodes"].push_back(Json::object());
    b.json["nodes"][0]["children"] = {1, 3, 4, 5, 6};
    b.json["skins"][0] = {{"joints", {0, 1, 3, 4, 5, 6}}};
    Json& attributes = b.json["meshes"][0]["primitives"][0]["attributes"];
    attributes["JOINTS_0"] = b.joints({0, 1, 2, 3, 5, 9, 9, 9, 0, 0, 0, 0, 1, 1, 0, 0});
    attributes["WEIGHTS_0"] = b.vec4({.1f, .1f, .1f, .1f, 1, 0, 0, 0, 1, 0, 0, 0, .5f, .5f, 0, 0});
    attributes["JOINTS_1"] = b.joints({4, 5, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0});
    attributes["WEIGHTS_1"] = b.vec4({.3f, .2f, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0});
    const Character c = read_ok(b.glb());
    const OpenedGlb out = written(c);
    const Json& now = out.json["meshes"][0]["primitives"][0]["attributes"];
    const auto j0 = out.values<uint8_t>(now["JOINTS_0"].get<size_t>(), 4);
    const auto w0 = out.values<float>(now["WEIGHTS_0"].get<size_t>(), 4),
               w1 = out.values<float>(now["WEIGHTS_1"].get<size_t>(), 4);
    CHECK(j0[0] == 4);
    CHECK(j0[1] == 5);
    CHECK(std::abs(w0[0] - 1.0f / 3.0f) < 1e-6f);
    CHECK(std::min({w0[0], w0[1], w0[2], w0[3]}) >= std::max({w1[0], w1[1], w1[2], w1[3]}));
    for (size_t v = 0; v < 4; ++v) {
        double sum = 0.0;
        for (size_t i = 0; i < 4; ++i) sum += double{w0[v * 4 + i]} + double{w1[v * 4 + i]};
        CHECK(std::abs(sum - 1.0) < 2e-7);
    }
    CHECK(j0[4 + 1] == 0);
    CHECK(w0[12] == 1.0f);
    const Character reread = again(c);
    CHECK(reread.meshes[0].primitives[0].influences.of(0).size() == 6);
}

TEST_CASE("encode_gltf: a vertex without weights goes with the first joint") {
    GltfBuilder b = small_character();
    Json& attributes = b.json["meshes"][0]["primitives"][0]["attributes"];
    attributes["WEIGHTS_0"] = b.vec4({0, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, .25f, .75f, 0, 0});
    const Character c = read_ok(b.glb());
    CHECK(c.meshes[0].primitives[0].influences.unweighted_vertices() == 1);
    const OpenedGlb out = written(c);
    const Json& now = out.json["meshes"][0]["primitives"][0]["attributes"];
    CHECK(out.values<float>(now["WEIGHTS_0"].get<size_t>(), 4)[0] == 1.0f);
    CHECK(out.values<uint8_t>(now["JOINTS_0"].get<size_t>(), 4)[0] == 0);
}

TEST_CASE("encode_gltf: what the validator demands is put right") {
    GltfBuilder b = small_character();
    const size_t position = b.json["meshes"][0]["primitives"][0]["attributes"]["POSITION"].get<size_t>();
    b.json["accessors"][position].erase("min");
    b.json["accessors"][position]["max"] = {9, 9, 9};
    b.json["nodes"][0]["rotation"] = {0, 0, 0, 2};
    Json& attributes = b.json["meshes"][0]["primitives"][0]["attributes"];
    attributes["NORMAL"] = b.vec3({0, 0, 5, 0, 0, 1, 0, 0, 0, 0, 0, 1});
    const OpenedGlb out = written(read_ok(b.glb()));
    CHECK(out.json["accessors"][position]["min"] == Json({0.0, 0.0, 0.0}));
    CHECK(out.json["accessors"][position]["max"] == Json({1.0, 2.0, 0.0}));
    CHECK(out.json["nodes"][0]["rotation"] == Json({0.0, 0.0, 0.0, 1.0}));
    const auto normals =
        out.values<float>(out.json["meshes"][0]["primitives"][0]["attributes"]["NORMAL"].get<size_t>(), 3);
    CHECK(normals == std::vector<float>{0, 0, 1, 0, 0, 1, 0, 1, 0, 0, 0, 1});
}

TEST_CASE("encode_gltf: joints, meshes and skins that are added or taken away") {
    Character c = read_ok(small_character().glb());
    // A new joint between hip and knee.
    std::vector<std::string> names = {"hip", "thigh", "knee", "body"};
    std::vector<Transform> rest(4);
    rest[2].translation = Vec3(0, 1, 0);
    c.skeleton = *Skeleton::create(names, {-1, 0, 1, -1}, rest);
    c.joint_source = {0, -1, 1, 2};
    c.skins[0].joints = {0, 2};
    c.instances[0].joint = 3;
    for (Track& track : c.clips[0].tracks) {
        if (track.path == TrackPath::rotation) track.target = 2;
    }
    REQUIRE(validate(c));
    const OpenedGlb out = written(c);
    CHECK(out.json["nodes"][0]["children"] == Json({3}));
    CHECK(out.json["nodes"][3]["name"] == "thigh");
    CHECK(out.json["nodes"][3]["children"] == Json({1}));
    CHECK(out.json["skins"][0]["joints"] == Json({0, 1}));
    CHECK(out.json["animations"] == small_character().json["animations"]);

    c.instances.clear();
    c.meshes.clear();
    c.clips.clear();
    c.skins.clear();
    const OpenedGlb bare = written(c);
    CHECK(!bare.json.contains("meshes"));
    CHECK(!bare.json.contains("skins"));
    CHECK(!bare.json["nodes"][2].contains("mesh"));
    CHECK(again(c).instances.empty());
}

TEST_CASE("encode_gltf: a character without a source is written in full") {
    Character c = read_ok(rich_document().glb());
    c.source = nullptr;
    c.name = "hero";
    c.meshes[0].primitives[0].morphs[0].name = "puff";
    c.meshes[0].primitives[0].mesh.colors.assign(4, Vec4(1, 0.5f, 0, 1));
    c.meshes[0].primitives[0].mesh.uvs.assign(4, Vec2(0.25f, 0.75f));
    c.instances.push_back({.joint = 2, .mesh = 0});  // a joint with two meshes
    layout_morphs(c);
    const auto files = write_ok(c, "out.glb");
    CHECK(files.size() == 1);
    const OpenedGlb out(main_file(files).bytes);
    CHECK(out.json["asset"] == Json({{"version", "2.0"}, {"generator", "Sinew"}}));
    CHECK(out.json["scenes"][0]["name"] == "hero");
    const Character r = again(c);
    CHECK(r.skeleton.names().size() == c.skeleton.names().size() + 1);
    CHECK(r.instances.size() == 2);
    const Primitive &a = c.meshes[0].primitives[0], &b = r.meshes[0].primitives[0];
    CHECK(a.mesh.positions == b.mesh.positions);
    CHECK(a.mesh.normals == b.mesh.normals);
    CHECK(a.mesh.uvs == b.mesh.uvs);
    CHECK(a.mesh.colors == b.mesh.colors);
    CHECK(a.mesh.triangles == b.mesh.triangles);
    CHECK(b.influences.of(3)[0].weight == 0.75f);
    CHECK(b.morphs[0].name == "puff");
    CHECK(b.morphs[0].positions == a.morphs[0].positions);
    CHECK(r.clips[0].name == c.clips[0].name);
    REQUIRE(r.clips[0].tracks.size() == c.clips[0].tracks.size());
    for (size_t t = 0; t < 3; ++t) {
        CHECK(r.clips[0].tracks[t].times == c.clips[0].tracks[t].times);
        CHECK(r.clips[0].tracks[t].values == c.clips[0].tracks[t].values);
    }
    CHECK(r.materials[0].name == "cloth");
    CHECK(r.materials[0].base_color_image == 0);
    CHECK(std::equal(r.images[0].bytes.view.begin(), r.images[0].bytes.view.end(), c.images[0].bytes.view.begin(),
                     c.images[0].bytes.view.end()));
    std::vector<DeformedPrimitive> x, y;
    deform(c, pose_at(c, &c.clips[0], 0.4f), {}, x);
    deform(r, pose_at(r, &r.clips[0], 0.4f), {}, y);
    REQUIRE(x.size() == y.size());
    for (size_t v = 0; v < 4; ++v) CHECK((x[0].positions[v] - y[0].positions[v]).norm() < 1e-6f);
}

TEST_CASE("encode_gltf: few moved vertices make a sparse target, and more joints than a byte holds make 16-bit ones") {
    Character c;
    const size_t joints = 300, vertices = 400;
    std::vector<int32_t> parents(joints);
    for (size_t j = 0; j < joints; ++j) parents[j] = static_cast<int32_t>(j) - 1;
    c.skeleton = *Skeleton::create(std::vector<std::string>(joints, "j"), parents, std::vector<Transform>(joints));
    Primitive p;
    for (size_t v = 0; v < vertices; ++v) p.mesh.positions.push_back(Vec3(static_cast<float>(v), 0, 1));
    for (uint32_t v = 0; v + 2 < vertices; v += 3) p.mesh.triangles.insert(p.mesh.triangles.end(), {v, v + 1, v + 2});
    std::vector<uint32_t> first;
    std::vector<Influence> raw;
    for (uint32_t v = 0; v <= vertices; ++v) first.push_back(v);
    for (uint32_t v = 0; v < vertices; ++v) raw.push_back({v % static_cast<uint32_t>(joints), 1.0f});
    p.influences = *Influences::create(first, raw, joints);
    p.morphs.push_back({.name = "a", .vertices = {7, 399}, .positions = {Vec3(0, 1, 0), Vec3(-1, 0, 0)}});
    p.morphs.push_back({.name = "empty"});
    c.meshes.push_back({.name = "m", .primitives = {p}, .morph_weights = {0.5f, 0}});
    Skin skin;
    for (size_t j = 0; j < joints; ++j) skin.joints.push_back(static_cast<int32_t>(j));
    skin.inverse_bind.assign(joints, Affine::Identity());
    c.skins.push_back(skin);
    c.instances.push_back({.joint = 0, .mesh = 0, .skin = 0});
    REQUIRE(validate(c));
    const OpenedGlb out = written(c);
    const Json& primitive = out.json["meshes"][0]["primitives"][0];
    const Json& target = out.json["accessors"][primitive["targets"][0]["POSITION"].get<size_t>()];
    CHECK(target["sparse"]["count"] == 2);
    CHECK(target["min"] == Json({-1.0, 0.0, 0.0}));
    CHECK(out.json["accessors"][primitive["attributes"]["JOINTS_0"].get<size_t>()]["componentType"] == 5123);
    const Character r = again(c);
    CHECK(r.meshes[0].primitives[0].morphs[0].vertices == std::vector<uint32_t>{7, 399});
    CHECK(r.meshes[0].primitives[0].morphs[1].vertices.empty());
    CHECK(r.meshes[0].morph_weights == std::vector<float>{0.5f, 0});
    CHECK(r.meshes[0].primitives[0].influences.of(299)[0].joint == 299);
}
