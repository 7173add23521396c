#include <doctest/doctest.h>
#include <sinew/character/character_deformer.h>
#include <sinew/core/parallel.h>
#include <sinew/render/preview.h>
#include <sinew/render/scene/framing.h>
#include <sinew/sample/sample.h>

#include "render/shapes.h"

using namespace sinew;

namespace {

const uint8_t* pixel(const Picture& picture, int32_t x, int32_t y) {
    return &picture.rgba[4 * (static_cast<size_t>(y) * static_cast<size_t>(picture.width) + static_cast<size_t>(x))];
}

// How much redder than grey, 0 … 255.
int redness(const uint8_t* p) {
    return p[0] - (p[1] + p[2]) / 2;
}

double difference(const Picture& a, const Picture& b) {
    REQUIRE(a.rgba.size() == b.rgba.size());
    double sum = 0.0;
    for (size_t i = 0; i < a.rgba.size(); ++i) sum += std::abs(int{a.rgba[i]} - int{b.rgba[i]});
    return sum / static_cast<double>(a.rgba.size());
}

}  // namespace

// A sphere of angular radius a whose centre stands at angle t from the picture's axis shows as an ellipse with half
// axes f sin(a) cos(a) / (cos²t − sin²a) and f sin(a) / sqrt(cos²t − sin²a), f in pixels.
TEST_CASE("preview: a sphere's silhouette has the area that perspective gives it") {
    Material red = test::painted(0.8f, 0.0f, 0.0f);
    red.roughness = 1.0f;
    const Character character = test::character_of(test::sphere_mesh(Vec3(3, 1, -2), 1.0f), red);
    const PreviewOptions options{.width = 300, .height = 260};
    const auto pictures = render_preview(character, options);
    REQUIRE(pictures);
    int area = 0;
    for (int32_t y = 0; y < options.height; ++y)
        for (int32_t x = 0; x < options.width; ++x) area += redness(pixel((*pictures)[0], x, y)) > 40;

    Moment moment(character, options);
    moment.set(0.0f);
    const Figure figure(character, options, moment.deformed);
    const Shot shot = frame_motion(character, options, {.figure = &figure}, moment);
    const Camera camera = camera_of(shot, 0, 0.0f);
    const Vec3 offset = shot.placement.to_scene(Vec3(3, 1, -2)) - camera.eye;
    const double sin_a = shot.placement.scale / offset.cast<double>().norm();
    const double cos_t = offset.normalized().dot(camera.forward);
    const double f = 0.5 * options.width / camera.tan_x;
    const double q = cos_t * cos_t - sin_a * sin_a;
    const double expected = pi * f * f * sin_a * sin_a * std::sqrt(1.0 - sin_a * sin_a) / (q * std::sqrt(q));
    MESSAGE("silhouette: ", area, " pixels, expected ", expected);
    CHECK(area == doctest::Approx(expected).epsilon(0.01));
}

TEST_CASE("preview: every vertex of every moment lies inside the frame and above the ground") {
    const Character character = test::swinging_column(1.7f);
    for (int32_t views : {1, 4}) {
        PreviewOptions options{.width = 320, .height = 200, .views = views, .clip = &character.clips[0]};
        options.times = {0.0f, 0.25f, 0.5f, 0.75f, 1.0f};
        Moment moment(character, options);
        moment.set(0.0f);
        const Figure figure(character, options, moment.deformed);
        const Shot shot = frame_motion(character, options, {.figure = &figure}, moment);
        REQUIRE(shot.views.size() == static_cast<size_t>(views));
        for (float time : options.times) {
            moment.set(time);
            for (const Vec3& p : moment.deformed[0].positions) {
                const Vec3 point = shot.placement.to_scene(p);
                CHECK(point.y() > shot.ground - 1e-5f);
                for (size_t v = 0; v < shot.views.size(); ++v) {
                    const Camera camera = camera_of(shot, v, 0.0f);
                    const Vec3 at = camera.project(point);
                    CHECK(at.z() > 0.0f);
                    const bool inside = at.x() > 0.0f && at.y() > 0.0f && at.x() < static_cast<float>(camera.width) &&
                                        at.y() < static_cast<float>(camera.height);
                    CHECK(inside);
                }
            }
        }
    }
}

TEST_CASE("preview: a turntable keeps all in the frame from everywhere") {
    const Character character = test::swinging_column(1.0f);
    PreviewOptions options{.width = 100, .height = 100, .clip = &character.clips[0]};
    options.times.assign(8, 0.6f);
    for (int i = 0; i < 8; ++i) options.turns.push_back(2.0f * pi * static_cast<float>(i) / 8.0f);
    Moment moment(character, options);
    moment.set(0.6f);
    const Figure figure(character, options, moment.deformed);
    const Shot shot = frame_motion(character, options, {.figure = &figure}, moment);
    moment.set(0.6f);
    for (float turn : options.turns) {
        for (const Vec3& p : moment.deformed[0].positions) {
            const Vec3 at = camera_of(shot, 0, turn).project(shot.placement.to_scene(p));
            CHECK((at.x() > 0.0f && at.x() < 100.0f && at.y() > 0.0f && at.y() < 100.0f));
        }
    }
}

TEST_CASE("preview: a camera with a focus has its joint in the middle of every picture") {
    const Character character = test::swinging_column(1.0f);
    PreviewOptions options{.width = 120, .height = 90, .zoom = 3.0f, .clip = &character.clips[0]};
    options.times = {0.0f, 0.3f, 0.8f};
    options.focus_joint = static_cast<int32_t>(character.skeleton.size()) - 1;
    Moment moment(character, options);
    moment.set(0.0f);
    const Figure figure(character, options, moment.deformed);
    const Shot shot = frame_motion(character, options, {.figure = &figure}, moment);
    for (size_t i = 0; i < options.times.size(); ++i) {
        moment.set(options.times[i]);
        const Vec3 joint = moment.world_from_joint.back().translation().cast<float>();
        const Vec3 at = camera_of(shot, 0, 0.0f, i).project(shot.placement.to_scene(joint));
        CHECK(at.x() == doctest::Approx(60.0f).epsilon(1e-3));
        CHECK(at.y() == doctest::Approx(45.0f).epsilon(1e-3));
    }
    options.zoom = 1.0f;
    const Shot whole = frame_motion(character, options, {.figure = &figure}, moment);
    CHECK(whole.views[0].camera.tan_x == doctest::Approx(3.0f * shot.views[0].camera.tan_x));
}

TEST_CASE("preview: a camera that follows shows a character that walks away as large as one that stands") {
    Character character = test::swinging_column(1.0f);
    Clip& clip = character.clips.emplace_back();
    clip.name = "away";
    Track& way = clip.tracks.emplace_back();
    way.path = TrackPath::translation, way.target = 0, way.width = 3;
    way.times = {0.0f, 1.0f}, way.values = {0, 0, 0, 30, 0, 40};
    const auto distance = [&](bool follow, std::vector<float> times) {
        PreviewOptions options{.width = 100, .height = 100, .follow = follow, .clip = &character.clips.back()};
        options.times = std::move(times);
        Moment moment(character, options);
        moment.set(0.0f);
        const Figure figure(character, options, moment.deformed);
        const Shot shot = frame_motion(character, options, {.figure = &figure}, moment);
        return -shot.views[0].eye_offset.z();
    };
    CHECK(distance(true, {0.0f, 0.5f, 1.0f}) == doctest::Approx(distance(false, {0.0f})).epsilon(1e-3));
    CHECK(distance(false, {0.0f, 0.5f, 1.0f}) > 5.0f * distance(false, {0.0f}));
}

TEST_CASE("preview: the front is where the character looks, wherever that is") {
    for (const float turn : {0.0f, 90.0f, 180.0f, -135.0f}) {
        for (const bool person : {true, false}) {
            Character character = person ? make_rigged_humanoid() : make_quadruped();
            std::vector<Transform> rest(character.skeleton.rest().begin(), character.skeleton.rest().end());
            Transform turned;
            turned.rotation = Quat(Eigen::AngleAxisf(radians(turn), Vec3::UnitY()));
            for (size_t j = 0; j < rest.size(); ++j)
                if (character.skeleton.parents()[j] < 0) {
                    rest[j].translation = turned.rotation * rest[j].translation;
                    rest[j].rotation = turned.rotation * rest[j].rotation;
                }
            const auto& names = character.skeleton.names();
            const auto& parents = character.skeleton.parents();
            character.skeleton =
                *Skeleton::create({names.begin(), names.end()}, {parents.begin(), parents.end()}, rest);
            const PreviewOptions options{.width = 64, .height = 64, .camera = {.azimuth = 0.0f, .elevation = 0.0f}};
            Moment moment(character, options);
            moment.set(0.0f);
            const Figure figure(character, options, moment.deformed);
            const Shot shot = frame_motion(character, options, {.figure = &figure}, moment);
            const Vec3 looks = turned.rotation * Vec3::UnitZ();
            CHECK(camera_of(shot, 0, 0.0f).forward.dot(looks) < -0.99f);
        }
    }
}

TEST_CASE("preview: tiles stand in rows; a sheet that is too large is refused") {
    std::vector<Picture> tiles;
    for (uint8_t i = 0; i < 5; ++i) tiles.push_back({2, 3, std::vector<uint8_t>(24, static_cast<uint8_t>(10 * i))});
    const auto sheet = tile_pictures(tiles, 3);
    REQUIRE(sheet);
    CHECK(sheet->width == 6);
    CHECK(sheet->height == 6);
    for (int32_t y = 0; y < 6; ++y)
        for (int32_t x = 0; x < 6; ++x) {
            const int32_t tile = y / 3 * 3 + x / 2;
            CHECK(sheet->rgba[static_cast<size_t>(4 * (6 * y + x))] == (tile < 5 ? 10 * tile : 255));
        }
    CHECK_FALSE(tile_pictures(tiles, 5000));
    CHECK_FALSE(tile_pictures({}, 3));
}

TEST_CASE("preview: the same bytes for 1, 2 and 8 threads, in every mode") {
    const Character character = test::swinging_column(1.0f);
    PreviewOptions options{.width = 96, .height = 80, .samples = 2, .bones = true, .wire = true};
    options.clip = &character.clips[0];
    options.times = {0.0f, 0.7f};
    std::vector<std::vector<Picture>> results;
    for (int threads : {1, 2, 8}) {
        set_thread_count(threads);
        auto pictures = render_preview(character, options);
        REQUIRE(pictures);
        results.push_back(*std::move(pictures));
    }
    set_thread_count(0);
    for (size_t i = 0; i < options.times.size(); ++i) {
        CHECK(results[0][i].rgba == results[1][i].rgba);
        CHECK(results[0][i].rgba == results[2][i].rgba);
    }
    CHECK(results[0][0].rgba != results[0][1].rgba);
}

TEST_CASE("preview: size and place of the character do not change the picture") {
    PreviewOptions options{.width = 120, .height = 120, .samples = 3};
    options.times = {0.5f};
    Character unit = test::swinging_column(1.0f);
    options.clip = &unit.clips[0];
    const auto reference = render_preview(unit, options);
    REQUIRE(reference);
    for (float scale : {1e-4f, 1e-3f, 1e3f, 1e4f}) {
        const Character scaled = test::swinging_column(scale);
        options.clip = &scaled.clips[0];
        const auto pictures = render_preview(scaled, options);
        REQUIRE(pictures);
        CHECK_MESSAGE(difference((*reference)[0], (*pictures)[0]) < 0.05, "scale ", scale);
    }
    Track& path = unit.clips[0].tracks[1];
    for (float& value : path.values) value += 100.0f;
    options.clip = &unit.clips[0];
    const auto moved = render_preview(unit, options);
    REQUIRE(moved);
    CHECK(difference((*reference)[0], (*moved)[0]) < 0.2);
}

// A lit sphere is smooth: no speckles of shadow where it faces the light. Shadow acne would show as dark dots.
TEST_CASE("preview: a sphere facing the light shows no acne at any scale") {
    for (float radius : {1e-4f, 1.0f, 1e4f}) {
        const Character character =
            test::character_of(test::sphere_mesh(Vec3::Zero(), radius, 32, 16), test::painted(0.8f, 0.1f, 0.1f));
        const auto pictures = render_preview(character, {.width = 128, .height = 128});
        REQUIRE(pictures);
        int steps = 0;
        for (int32_t y = 40; y < 64; ++y)
            for (int32_t x = 44; x < 70; ++x)
                steps = std::max(steps, std::abs(pixel((*pictures)[0], x, y)[0] - pixel((*pictures)[0], x + 1, y)[0]));
        CHECK(steps < 12);
    }
}

TEST_CASE("preview: who stands where he stood at rest has the ground there, though his sword goes below it") {
    for (const float drop : {0.0f, -1.0f}) {
        Character character = test::swinging_column(1.0f);
        Primitive& primitive = character.meshes[0].primitives[0];
        std::vector<uint32_t> first = {0};
        std::vector<Influence> raw;
        for (size_t v = 0; v < primitive.mesh.positions.size(); ++v) {
            for (const Influence& i : primitive.influences.of(v)) raw.push_back(i);
            first.push_back(static_cast<uint32_t>(raw.size()));
        }
        const auto tip = static_cast<uint32_t>(primitive.mesh.positions.size());
        for (const Vec3& p : {Vec3(0, 2.0f, 0), Vec3(0.1f, 1.0f, 0), Vec3(-0.1f, 1.0f, 0)}) {
            primitive.mesh.positions.push_back(p);
            raw.push_back({1, 1.0f});
            first.push_back(static_cast<uint32_t>(raw.size()));
        }
        primitive.mesh.triangles.insert(primitive.mesh.triangles.end(), {tip, tip + 1, tip + 2});
        primitive.mesh.uvs.clear();
        primitive.influences = *Influences::create(first, raw, 3);
        Clip& clip = character.clips[0];
        clip.tracks.resize(1);
        clip.tracks[0].values = {0, 0, 0, 1, 1, 0, 0, 0};  // half a turn: the column's top and the sword point down
        clip.tracks.push_back({.target = 0,
                               .path = TrackPath::translation,
                               .width = 3,
                               .times = {0.0f, 1.0f},
                               .values = {0, drop, 0, 0, drop, 0}});
        const PreviewOptions options{.width = 64, .height = 64, .clip = &clip, .times = {1.0f}};
        Moment moment(character, options);
        moment.set(1.0f);
        const Figure figure(character, options, moment.deformed);
        const Shot shot = frame_motion(character, options, {.figure = &figure}, moment);
        const float ground = drop == 0.0f ? 0.0f : drop - 1.0f;  // stands; or as far down as the sword comes
        CHECK(shot.ground == doctest::Approx(shot.placement.to_scene(Vec3(0, ground, 0)).y()).epsilon(0.01));
    }
}

TEST_CASE("preview: the ground is darker beside the character than far from it") {
    const Character character = test::character_of(test::sphere_mesh(Vec3(0, 1, 0), 1.0f));
    const auto pictures = render_preview(character, {.width = 200, .height = 200, .samples = 2});
    REQUIRE(pictures);
    const auto brightness = [&](int32_t x, int32_t y) { return int{pixel((*pictures)[0], x, y)[1]}; };
    const int corner = brightness(4, 196);
    int darkest = 255;
    for (int32_t x = 0; x < 200; ++x) darkest = std::min(darkest, brightness(x, 186));
    CHECK(brightness(4, 4) > 235);
    CHECK(darkest < corner - 25);
}

TEST_CASE("preview: without triangles the skeleton is drawn; with nothing at all it is an error") {
    Character bones;
    Transform up;
    up.translation = Vec3(0, 1, 0);
    bones.skeleton = *Skeleton::create({"a", "b", "c"}, {-1, 0, 1}, {Transform{}, up, up});
    const auto pictures = render_preview(bones, {.width = 64, .height = 64});
    REQUIRE(pictures);
    int blue = 0;
    for (int32_t y = 0; y < 64; ++y)
        for (int32_t x = 0; x < 64; ++x) blue += pixel((*pictures)[0], x, y)[2] - pixel((*pictures)[0], x, y)[0] > 60;
    CHECK(blue > 30);

    const auto nothing = render_preview(Character{}, {.width = 64, .height = 64});
    REQUIRE_FALSE(nothing);
    CHECK(nothing.error().code == ErrorCode::not_found);

    Character dot;
    dot.skeleton = *Skeleton::create({"only"}, {-1}, {Transform{}});
    const auto point = render_preview(dot, {.width = 64, .height = 64});
    REQUIRE_FALSE(point);  // it would be black
    CHECK(point.error().code == ErrorCode::not_found);
}

TEST_CASE("preview: heat map paints the chosen joint's vertices red and the others dark") {
    const Character character = test::swinging_column(1.0f);
    const auto top = render_preview(character, {.width = 128, .height = 128, .weights = true, .weight_joint = 2});
    const auto root = render_preview(character, {.width = 128, .height = 128, .weights = true, .weight_joint = 0});
    REQUIRE(top);
    REQUIRE(root);
    CHECK(redness(pixel((*top)[0], 64, 16)) > 60);
    CHECK(redness(pixel((*top)[0], 64, 100)) < 20);
    CHECK(redness(pixel((*root)[0], 64, 16)) < 20);
    CHECK(redness(pixel((*root)[0], 64, 108)) > 60);
}

TEST_CASE("preview: vertices that are not numbers, and degenerate triangles, do no harm") {
    Mesh mesh = test::sphere_mesh(Vec3::Zero(), 1.0f, 12, 6);
    mesh.positions[20] = Vec3(NAN, 0, 0);
    mesh.positions[30] = Vec3(INFINITY, 0, 0);
    mesh.positions[31] = Vec3(3e38f, -3e38f, 0);
    mesh.triangles.insert(mesh.triangles.end(), {5, 5, 5, 1, 2, 1});
    for (Vec3& normal : mesh.normals) normal = Vec3::Zero();
    const Character character = test::character_of(mesh);
    CHECK(render_preview(character, {.width = 48, .height = 48, .samples = 2, .wire = true}));
    mesh.normals.clear();
    CHECK(render_preview(test::character_of(mesh), {.width = 48, .height = 48, .samples = 2}));
}

TEST_CASE("preview: options that make no sense are refused") {
    const Character character = test::character_of(test::sphere_mesh(Vec3::Zero(), 1.0f, 12, 6));
    CHECK_FALSE(render_preview(character, {.width = 0}));
    CHECK_FALSE(render_preview(character, {.width = 100000}));
    CHECK_FALSE(render_preview(character, {.samples = 0}));
    CHECK_FALSE(render_preview(character, {.views = 3}));
    CHECK_FALSE(render_preview(character, {.weight_joint = 9}));
    CHECK_FALSE(render_preview(character, {.times = {}}));
    CHECK_FALSE(render_preview(character, {.times = {NAN}}));
    CHECK_FALSE(render_preview(character, {.times = std::vector<float>(100000, 0.0f)}));
}
