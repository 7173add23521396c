#include <doctest/doctest.h>

#include <sinew/core/random.h>
#include <sinew/io/fbx/document/document.h>
#include <sinew/io/fbx/fbx.h>
#include <sinew/io/write.h>
#include <sinew/math/interpolate.h>
#include <iostream>
#include <map>
#include <set>

#include "io/gltf/builder.h"
#include "io/vertices_at.h"
#include "support/data_case.h"

using namespace sinew;
using test::vertices_at;

namespace {

Bytes encode(const Character& character) {
    auto files = encode_character(character, "a.fbx");
    REQUIRE_MESSAGE(files.has_value(), (files ? "" : to_string(files.error())));
    REQUIRE(files->size() == 1);
    return std::move(files->front().bytes);
}

Character there_and_back(const Character& character) {
    auto read = read_fbx(SharedBytes::own(encode(character)), {});
    REQUIRE_MESSAGE(read.has_value(), (read ? "" : to_string(read.error())));
    REQUIRE(validate(*read).has_value());
    return *std::move(read);
}

// The triangles' corners, mesh after mesh by name: files may number vertices and instances as they like.
std::vector<Vec3> corners_at(const Character& character, const Clip* clip, float time) {
    std::vector<DeformedPrimitive> shapes;
    deform(character, pose_at(character, clip, time), {}, shapes);
    std::map<std::string, std::vector<Vec3>> by_name;
    size_t next = 0;
    for (const MeshInstance& instance : character.instances) {
        const MeshGroup& mesh = character.meshes[size_t(instance.mesh)];
        for (const Primitive& primitive : mesh.primitives) {
            for (const uint32_t v : primitive.mesh.triangles) by_name[mesh.name].push_back(shapes[next].positions[v]);
            ++next;
        }
    }
    std::vector<Vec3> all;
    for (const auto& [name, corners] : by_name) all.insert(all.end(), corners.begin(), corners.end());
    return all;
}

float farthest(const std::vector<Vec3>& a, const std::vector<Vec3>& b) {
    REQUIRE(a.size() == b.size());
    float worst = 0;
    for (size_t i = 0; i < a.size(); ++i) worst = std::max(worst, (a[i] - b[i]).norm());
    return worst;
}

// From some points of one set to the nearest of the other.
float nearest_distance(const std::vector<Vec3>& from, const std::vector<Vec3>& to) {
    constexpr size_t enough = 300;
    float worst = 0;
    for (size_t i = 0; i < from.size(); i += std::max<size_t>(1, from.size() / enough)) {
        float nearest = INFINITY;
        for (const Vec3& q : to) nearest = std::min(nearest, (from[i] - q).squaredNorm());
        worst = std::max(worst, std::sqrt(nearest));
    }
    return worst;
}

Quat turn(float angle_deg, const Vec3& axis) {
    return Quat(Eigen::AngleAxisf(radians(angle_deg), axis.normalized()));
}

Track track(int32_t target, TrackPath path, Interpolation interpolation, std::vector<float> times,
            std::vector<float> values, int32_t width) {
    return {target, path, interpolation, width, std::move(times), std::move(values)};
}

void append(const Quat& q, std::vector<float>& values) {
    values.insert(values.end(), q.coeffs().data(), q.coeffs().data() + 4);
}

// A strip of five quads in two primitives; UVs and normals tear it apart along the middle, positions do not.
MeshGroup make_strip() {
    MeshGroup mesh;
    mesh.name = "strip";
    for (int half = 0; half < 2; ++half) {
        Primitive& primitive = mesh.primitives.emplace_back();
        primitive.material = half;
        std::vector<uint32_t> first{0};
        std::vector<Influence> raw;
        for (int row = 0; row < 4; ++row)
            for (int side = 0; side < 2; ++side) {
                const float y = 0.25f * float(row + 3 * half);
                primitive.mesh.positions.emplace_back(side == 0 ? -0.2f : 0.2f, y, 0.05f * float(side));
                primitive.mesh.normals.push_back(Vec3(0.3f * float(half), 0.1f, 1).normalized());
                primitive.mesh.tangents.emplace_back(1, 0, 0, half == 0 ? 1 : -1);
                primitive.mesh.uvs.emplace_back(float(side), 0.3f * float(row) + float(half));
                primitive.mesh.colors.emplace_back(0.25f, 0.5f * float(side), 1.0f, 1.0f);
                const float upper = std::clamp(y - 0.25f, 0.0f, 1.0f);
                raw.push_back({0, 1 - upper});
                raw.push_back({1, upper});
                first.push_back(uint32_t(raw.size()));
            }
        for (uint32_t row = 0; row < 3; ++row)
            for (const uint32_t corner : {0u, 1u, 3u, 0u, 3u, 2u}) primitive.mesh.triangles.push_back(2 * row + corner);
        primitive.influences = *Influences::create(first, raw, 2);
        primitive.morphs.resize(2);
        primitive.morphs[0] = {"bulge", {2, 5}, {{0, 0, 0.3f}, {0.1f, 0, 0.2f}}, {{0, 0.2f, 0}, {0.1f, 0, 0}}, {}};
        primitive.morphs[1] = {"lean", {0, 1, 7}, {{0.1f, 0, 0}, {0.1f, 0, 0}, {0.3f, 0.1f, 0}}, {}, {}};
    }
    // What lies on the seam moves alike on both sides.
    mesh.primitives[0].morphs[0] = {"bulge", {2, 6, 7}, {{0, 0, 0.3f}, {0.1f, 0, 0.2f}, {0, 0, 0.1f}}, {}, {}};
    mesh.primitives[1].morphs[0] = {"bulge", {0, 1, 5}, {{0.1f, 0, 0.2f}, {0, 0, 0.1f}, {0, 0.2f, 0}}, {}, {}};
    mesh.primitives[0].morphs[1] = {"lean", {0, 1}, {{0.1f, 0, 0}, {0.1f, 0, 0}}, {{0, 0.1f, 0}, {0, 0, 0.2f}}, {}};
    mesh.morph_weights = {0.0f, 0.25f};
    return mesh;
}

MeshGroup make_plate() {
    MeshGroup mesh;
    mesh.name = "plate";
    Primitive& primitive = mesh.primitives.emplace_back();
    primitive.mesh.positions = {{0, 0, 0}, {0.3f, 0, 0}, {0, 0.3f, 0}};
    primitive.mesh.triangles = {0, 1, 2};
    return mesh;
}

// Joints: a turned and scaled group; two bones below it; the skin's own node; a plate that the upper bone carries. The
// rest pose is not the bind pose.
Character make_character() {
    Character c;
    c.skeleton = *Skeleton::create({"rig", "lower", "upper", "strip", "plate"}, {-1, 0, 1, 0, 2},
                                   {{{0.5f, 0, 0}, turn(-90, {1, 0, 0}), Vec3::Constant(2)},
                                    {{0, 0.1f, 0}, turn(30, {1, 2, 0}), Vec3::Ones()},
                                    {{0, 0.7f, 0}, turn(95, {0, 1, 0.1f}), Vec3(1, 1.2f, 1)},
                                    {{3, 2, 1}, turn(45, {0, 0, 1}), Vec3::Ones()},
                                    {{0.1f, 0.2f, 0.3f}, turn(90, {0, 1, 0}), Vec3::Ones()}});
    c.meshes = {make_strip(), make_plate()};
    Skin skin;
    skin.name = "strip";
    skin.joints = {1, 2};
    AffineD lower = AffineD::Identity(), upper = AffineD::Identity();
    lower.translate(Vec3d(0, -0.1, 0));
    upper.translate(Vec3d(0.1, -0.8, 0)).rotate(Eigen::AngleAxisd(0.3, Vec3d::UnitZ()));
    skin.inverse_bind = {lower.cast<float>(), upper.cast<float>()};
    c.skins = {skin};
    c.instances.resize(2);
    c.instances[0] = {.joint = 3, .mesh = 0, .skin = 0, .first_morph = 0, .morph_weights = {}};
    c.instances[1] = {.joint = 4, .mesh = 1, .skin = -1, .first_morph = 0, .morph_weights = {}};
    layout_morphs(c);
    Material cloth;
    cloth.name = "cloth";
    cloth.base_color = Vec4(0.5f, 0.25f, 0.75f, 1.0f);
    cloth.metallic = 0.3f;
    cloth.roughness = 0.35f;
    cloth.alpha_mode = AlphaMode::mask;
    cloth.alpha_cutoff = 0.4f;
    cloth.double_sided = true;
    cloth.base_color_image = 0;
    Material glass;
    glass.name = "glass";
    glass.base_color = Vec4(1.0f, 0.5f, 0.25f, 0.5f);
    glass.alpha_mode = AlphaMode::blend;
    glass.emissive = Vec3(0.5f, 0.25f, 0.125f);
    c.materials = {cloth, glass};
    const std::string_view picture("\x89PNG\r\n\x1a\n of no size", 19);
    const ByteSpan bytes = as_byte_span(picture);
    c.images = {
        {.name = "weave", .mime_type = "image/png", .bytes = SharedBytes::own(Bytes(bytes.begin(), bytes.end()))}};
    return c;
}

Clip make_linear_clip() {
    std::vector<float> turns;
    for (const float angle : {0.0f, 80.0f, -60.0f}) append(turn(angle, {1, 1, 0}), turns);
    return {"wave",
            {track(1, TrackPath::rotation, Interpolation::linear, {0, 0.5f, 1.2f}, turns, 4),
             track(0, TrackPath::translation, Interpolation::linear, {0, 1}, {0.5f, 0, 0, 0.2f, 0.7f, -1}, 3),
             track(2, TrackPath::scale, Interpolation::linear, {0.2f, 0.9f}, {1, 1, 1, 2, 0.5f, 1.5f}, 3),
             track(0, TrackPath::morphs, Interpolation::linear, {0, 0.6f, 1}, {0, 1, 1, 0, -0.5f, 1.5f}, 2)}};
}

Clip make_step_clip() {
    std::vector<float> turns;
    for (const float angle : {0.0f, 170.0f, 10.0f}) append(turn(angle, {0, 1, 1}), turns);
    return {"jerk",
            {track(2, TrackPath::rotation, Interpolation::step, {0, 0.5f, 1}, turns, 4),
             track(0, TrackPath::morphs, Interpolation::step, {0, 0.4f}, {0, 1, 1, 0}, 2)}};
}

Clip make_cubic_clip() {
    std::vector<float> turns, moves;
    for (const float angle : {0.0f, 120.0f, 20.0f}) {
        turns.insert(turns.end(), {0.5f, 0, 0.5f, 0});
        append(turn(angle, {1, 0, 0}), turns);
        turns.insert(turns.end(), {0, 1, 0.5f, 0});
    }
    for (const float x : {0.5f, 0.1f, 0.9f}) moves.insert(moves.end(), {1, 2, 3, x, 0, -x, -3, 0, 1});
    return {"",
            {track(1, TrackPath::rotation, Interpolation::cubic, {0, 0.7f, 1}, turns, 4),
             track(0, TrackPath::translation, Interpolation::cubic, {0, 0.5f, 1}, moves, 3)}};
}

}  // namespace

TEST_CASE("fbx writer: skin, blend shapes and clips of every interpolation come back to where they were") {
    Character c = make_character();
    c.clips = {make_linear_clip(), make_step_clip(), make_cubic_clip(), make_step_clip()};
    REQUIRE(validate(c).has_value());
    const Character back = there_and_back(c);
    const float size = bounds(vertices_at(c, nullptr, 0)).diagonal();
    CHECK(farthest(corners_at(c, nullptr, 0), corners_at(back, nullptr, 0)) < 1e-6f * size);
    REQUIRE(back.clips.size() == 4);
    CHECK(back.clips[0].name == "wave");
    CHECK(back.clips[1].name == "jerk");
    CHECK(back.clips[2].name == "clip_2");
    CHECK(back.clips[3].name == "jerk.001");
    for (size_t k = 0; k < c.clips.size(); ++k) {
        CHECK(duration(back.clips[k]) == doctest::Approx(duration(c.clips[k])).epsilon(1e-6));
        for (const float time : {0.0f, 0.13f, 0.31f, 0.47f, 0.55f, 0.77f, 0.93f, 1.0f}) {
            INFO("clip ", k, " at ", time);
            const float away = farthest(corners_at(c, &c.clips[k], time), corners_at(back, &back.clips[k], time));
            CHECK(away < 1e-4f * size);
        }
    }
}

TEST_CASE("fbx writer: materials, pictures, UVs, colours, normals and names arrive") {
    const Character c = make_character();
    const Character back = there_and_back(c);
    REQUIRE(back.materials.size() == 2);
    for (size_t m = 0; m < 2; ++m) {
        const Material &was = c.materials[m], &is = back.materials[m];
        CHECK(is.name == was.name);
        CHECK(is.base_color.isApprox(was.base_color, 1e-6f));
        CHECK(is.metallic == doctest::Approx(was.metallic));
        CHECK(is.roughness == doctest::Approx(was.roughness));
        CHECK(is.emissive.isApprox(was.emissive, 1e-6f));
        CHECK(is.alpha_mode == was.alpha_mode);
        CHECK(is.alpha_cutoff == doctest::Approx(was.alpha_cutoff));
        CHECK(is.double_sided == was.double_sided);
        CHECK(is.base_color_image == was.base_color_image);
    }
    REQUIRE(back.images.size() == 1);
    CHECK(as_text(back.images[0].bytes.view) == as_text(c.images[0].bytes.view));
    CHECK(back.images[0].name == "weave");
    const std::vector<std::string>& names = back.skeleton.names();
    for (const char* name : {"rig", "lower", "upper", "strip", "plate"})
        CHECK(std::find(names.begin(), names.end(), name) != names.end());
    REQUIRE(back.instances.size() == 2);
    const MeshGroup& strip =
        back.meshes[size_t(back.instances[1].skin >= 0 ? back.instances[1].mesh : back.instances[0].mesh)];
    REQUIRE(strip.primitives.size() == 2);
    CHECK(strip.morph_weights == std::vector<float>{0.0f, 0.25f});
    for (size_t p = 0; p < 2; ++p) {
        const Primitive &was = c.meshes[0].primitives[p], &is = strip.primitives[p];
        CHECK(is.morphs[0].name == "bulge");
        CHECK(is.morphs[1].name == "lean");
        CHECK(is.morphs[1].normals.size() == is.morphs[1].positions.size());
        REQUIRE(is.mesh.triangles.size() == was.mesh.triangles.size());
        REQUIRE(is.mesh.uvs.size() == is.mesh.positions.size());
        REQUIRE(is.mesh.colors.size() == is.mesh.positions.size());
        for (size_t i = 0; i < was.mesh.triangles.size(); ++i) {
            const uint32_t a = was.mesh.triangles[i], b = is.mesh.triangles[i];
            CHECK(is.mesh.uvs[b].isApprox(was.mesh.uvs[a], 1e-6f));
            CHECK(is.mesh.colors[b].isApprox(was.mesh.colors[a], 1e-6f));
        }
    }
}

TEST_CASE("fbx writer: the same character gives the same bytes, and names are made unlike each other") {
    Character c = make_character();
    c.skeleton = *Skeleton::create({"a", "a", "", "a", ""}, c.skeleton.parents(), c.skeleton.rest());
    c.clips = {make_linear_clip()};
    CHECK(encode(c) == encode(c));
    const Character back = there_and_back(c);
    const std::set<std::string> names(back.skeleton.names().begin(), back.skeleton.names().end());
    CHECK(names.size() == back.skeleton.size());
    CHECK(names.count("a.001") == 1);
}

// Angles about axes are awkward near gimbal lock and over half turns: random rotations meet both.
TEST_CASE("fbx writer: any rotation between keys is within 1e-4 radians of the great arc") {
    Random random(7);
    const auto number = [&random] { return float(2 * random.uniform() - 1); };
    for (int round = 0; round < 20; ++round) {
        Character c;
        const Quat rest = Quat(number(), number(), number(), number()).normalized();
        c.skeleton = *Skeleton::create({"bone"}, {-1}, {{Vec3::Zero(), rest, Vec3::Ones()}});
        Track turns = track(0, TrackPath::rotation, Interpolation::linear, {}, {}, 4);
        for (int k = 0; k < 12; ++k) {
            turns.times.push_back(0.1f * float(k));
            const Quat locked = turn(90, {0, 1, 0}) * turn(40 * number(), {1, 0, 0});
            append(
                k % 4 == 3 ? (rest * locked).normalized() : Quat(number(), number(), number(), number()).normalized(),
                turns.values);
        }
        c.clips = {{"tumble", {turns}}};
        const Character back = there_and_back(c);
        REQUIRE(back.clips.size() == 1);
        size_t off = 0;
        for (int i = 0; i <= 1100; ++i) {
            const float time = 0.001f * float(i);
            const Quat a = pose_at(c, &c.clips[0], time).local[0].rotation;
            const Quat b = pose_at(back, &back.clips[0], time).local[0].rotation;
            off += angle_between(a, b) > 1e-4f;
        }
        CHECK(off == 0);
    }
}

DATA_TEST_CASE("fbx writer: every skinned glTF comes back within 1e-4 of its size at three times") {
    size_t files = 0;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(data)) {
        const std::string ending = entry.path().extension().string();
        if (ending != ".glb" && ending != ".gltf" && ending != ".vrm") continue;
        const auto c = read_character(entry.path());
        if (!c || c->skins.empty() || c->instances.empty()) continue;
        INFO(entry.path().string());
        const Character back = there_and_back(*c);
        CHECK(back.clips.size() <= c->clips.size());
        const Clip* clip = c->clips.empty() ? nullptr : &c->clips[0];
        const Clip* again = nullptr;
        for (const Clip& candidate : back.clips)
            if (clip != nullptr && candidate.name == (clip->name.empty() ? "clip_0" : clip->name)) again = &candidate;
        float worst = 0;
        for (const float share : {0.0f, 0.31f, 0.77f}) {
            const float time = clip != nullptr ? share * duration(*clip) : 0;
            const std::vector<Vec3> a = vertices_at(*c, clip, time), b = vertices_at(back, again, time);
            const float size = bounds(a).diagonal();
            worst = std::max({worst, nearest_distance(a, b) / size, nearest_distance(b, a) / size});
        }
        std::cout << entry.path().filename().string() << ": " << worst << " of the diagonal\n";
        CHECK(worst < 1e-4f);
        ++files;
    }
    CHECK(files > 20);
}

TEST_CASE("fbx writer: a glTF's second UV set and its map of normals go along") {
    test::GltfBuilder builder;
    const size_t position = builder.vec3({0, 0, 0, 1, 0, 0, 0, 1, 0});
    const size_t first = builder.accessor<float>({0, 0, 1, 0, 0, 1}, "VEC2", 2, 5126);
    const size_t second = builder.accessor<float>({0.5f, 0, 0.25f, 0, 0.125f, 1}, "VEC2", 2, 5126);
    builder.json["images"] = {{{"uri", "data:image/png;base64,iVBORw0KGgo="}, {"mimeType", "image/png"}}};
    builder.json["textures"] = {{{"source", 0}}};
    builder.json["materials"] = {{{"name", "bumpy"}, {"normalTexture", {{"index", 0}}}}};
    builder.json["meshes"] = {
        {{"primitives",
          {{{"attributes", {{"POSITION", position}, {"TEXCOORD_0", first}, {"TEXCOORD_1", second}}},
            {"material", 0}}}}}};
    builder.json["nodes"] = {{{"mesh", 0}}};
    builder.json["scenes"] = {{{"nodes", {0}}}};
    const auto c = read_gltf(builder.glb(), {});
    REQUIRE_MESSAGE(c.has_value(), (c ? "" : to_string(c.error())));
    const auto document = fbx::parse_document(SharedBytes::own(encode(*c)), {});
    REQUIRE(document.has_value());
    std::vector<std::vector<double>> uvs;
    for (const fbx::Node& object : document->root.find("Objects")->children)
        if (object.name == "Geometry")
            for (const fbx::Node& element : object.children)
                if (element.name == "LayerElementUV") uvs.push_back(fbx::reals_of(element.find("UV")));
    REQUIRE(uvs.size() == 2);
    CHECK(uvs[0] == std::vector<double>{0, 1, 1, 1, 0, 0});
    CHECK(uvs[1] == std::vector<double>{0.5, 1, 0.25, 1, 0.125, 0});
    size_t normal_maps = 0;
    for (const fbx::Node& link : document->root.find("Connections")->children)
        normal_maps += link.text(3) == "NormalMap";
    CHECK(normal_maps == 1);
}
