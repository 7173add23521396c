// Crowds as characters: one mesh for all, feet that stay, scenes that are checked, the same bytes for the same seed.
#include <doctest/doctest.h>

#include <sinew/core/parallel.h>
#include <sinew/io/read.h>
#include <sinew/io/write.h>
#include <sinew/pipeline/crowd/crowd_file.h>
#include <sinew/pipeline/crowd/crowd_scene.h>
#include <sinew/sample/sample.h>
#include <algorithm>
#include <array>
#include <cmath>
#include <fstream>

#include <fmt/format.h>
#include <motion/creature_bodies.h>
#include <pipeline/sole_slip.h>
#include <support/data_case.h>

using namespace sinew;

namespace {

CrowdOptions small_crowd() {
    return {.count = 12, .seconds = 2.0f};
}

std::string scene_error(const char* json) {
    const auto scene = parse_crowd_scene(json);
    return scene ? "" : to_string(scene.error());
}

Bytes bytes_of(const CrowdResult& crowd) {
    auto files = encode_character(crowd.character, "crowd.glb");
    REQUIRE(files);
    return std::move(files->back().bytes);
}

// The scenes that crowds are judged by; `people` of them in each.
const std::pair<const char*, std::string>* judged_scenes() {
    static const auto scenes = [] {
        std::string swap = R"({"goals": [)", groups;
        constexpr int people = 24;
        for (int i = 0; i < people; ++i) {
            const double angle = 2.0 * 3.14159265 * i / people, x = 7.0 * std::sin(angle), z = 7.0 * std::cos(angle);
            const char* comma = i + 1 < people ? ", " : "";
            swap += fmt::format(R"({{"at": [{:.3f}, {:.3f}]}}{})", -x, -z, comma);
            groups += fmt::format(R"({{"from": [{:.3f}, {:.3f}], "to": [{:.3f}, {:.3f}], "goals": [{}]}}{})", x - 0.3,
                                  z - 0.3, x + 0.3, z + 0.3, i, comma);
        }
        return std::array<std::pair<const char*, std::string>, 3>{{
            {"corridor", R"({"goals": [{"at": [14, 0]}, {"at": [-14, 0]}],
                "obstacles": [{"wall": [[-16, 2.5], [16, 2.5]]}, {"wall": [[-16, -2.5], [16, -2.5]]}],
                "groups": [{"from": [-9, -2], "to": [-2, 2], "goals": [0]}, {"from": [2, -2], "to": [9, 2], "goals": [1]}]})"},
            {"circle", swap + R"(], "groups": [)" + groups + "]}"},
            {"bottleneck", R"({"goals": [{"at": [6, 0], "radius": 1, "next": 1}, {"at": [14, 0], "radius": 3}],
                "obstacles": [{"wall": [[0, 0.7], [0, 8]]}, {"wall": [[0, -0.7], [0, -8]]}],
                "groups": [{"from": [-8, -4], "to": [-2, 4], "goals": [0]}]})"},
        }};
    }();
    return scenes.data();
}

// A millimetre is what rounding leaves.
constexpr float in_obstacle = 1e-3f;

// From nothing but the written clip: soles that are on the ground stay where they are, nobody is in an obstacle, and
// everyone is as far from the others as the radii say, but for short moments.
void check_written_crowd(const Character& one, const char* name, const std::string& scene, int32_t people) {
    constexpr double mean_slip = 0.002, worst_slip = 0.01;  // metres over one contact
    CAPTURE(std::string(name));
    const auto folder = std::filesystem::temp_directory_path() / "sinew_crowd_scenes";
    std::filesystem::create_directories(folder);
    std::ofstream(folder / "scene.json") << scene;
    const auto made = make_crowd(one, {.count = people, .seconds = 8.0f, .scene = folder / "scene.json"});
    REQUIRE_MESSAGE(made, (made ? "" : made.error().message));
    const test::SoleSlip slip = test::measure_sole_slip(made->character, one, static_cast<size_t>(people));
    MESSAGE(std::string(name) << ": " << slip.contacts << " contacts, worst " << 1000.0 * slip.worst << " mm, mean "
                              << 1000.0 * slip.sum / static_cast<double>(std::max<size_t>(slip.contacts, 1))
                              << " mm, 95% " << 1000.0 * slip.all[slip.all.size() * 95 / 100] << " mm; on the ground "
                              << slip.on_ground);
    CHECK(slip.sum < mean_slip * static_cast<double>(slip.contacts));
    CHECK(slip.worst < worst_slip);
    CHECK(slip.contacts > static_cast<size_t>(people) * 6);
    CHECK(slip.on_ground > 0.9);
    const auto parsed = parse_crowd_scene(scene);
    REQUIRE(parsed);
    const size_t each = one.skeleton.size() + 1;
    const HumanoidMap roles = recognise_humanoid(one.skeleton);
    float deepest = -INFINITY;
    for (float t = 0.0f; t <= 8.0f; t += 1.0f / 30.0f) {
        const Pose pose = pose_at(made->character, &made->character.clips[0], t);
        std::vector<AffineD> world(made->character.skeleton.size());
        local_to_world(made->character.skeleton.parents(), pose.local, world);
        for (size_t b = 0; b < static_cast<size_t>(people); ++b) {
            const auto hips = b * each + 1 + static_cast<size_t>(roles[Role::hips]);
            const Vec3 at = world[hips].translation().cast<float>();
            for (const GroundObstacle& obstacle : parsed->obstacles)
                deepest = std::max(deepest, -distance_to(obstacle, Vec2(at.x(), at.z())).distance);
        }
    }
    CHECK(deepest < in_obstacle);
    std::filesystem::remove_all(folder);
}

// A fish of a metre, swimming along +Z: a backbone, two fins and one on its back; a little solid round every joint.
Character make_fish() {
    test::CreatureBuilder b;
    const int32_t body = b.add("body", -1, {0, 1.0, 0.1});
    b.add("head", body, {0, 1.0, 0.35});
    int32_t tail = body;
    for (int i = 1; i <= 3; ++i) tail = b.add(fmt::format("tail_{}", i), tail, {0, 1.0, 0.1 - 0.2 * i});
    for (const double side : {1.0, -1.0}) {
        const char* letter = side > 0.0 ? "l" : "r";
        const int32_t fin = b.add(fmt::format("fin_{}", letter), body, {0.08 * side, 0.95, 0.12});
        b.add(fmt::format("fin_tip_{}", letter), fin, {0.25 * side, 0.9, 0.05});
    }
    b.add("dorsal_fin", body, {0, 1.12, 0.0});
    Character fish;
    fish.skeleton = b.finish({}).skeleton;
    Primitive primitive;
    std::vector<uint32_t> first = {0};
    std::vector<Influence> influences;
    Skin skin;
    const std::vector<AffineD> rest = rest_world(fish.skeleton);
    for (size_t j = 0; j < rest.size(); ++j) {
        skin.joints.push_back(static_cast<int32_t>(j));
        skin.inverse_bind.push_back(rest[j].inverse().cast<float>());
        const auto from = static_cast<uint32_t>(primitive.mesh.positions.size());
        const Vec3 at = rest[j].translation().cast<float>();
        for (const Vec3& corner :
             {Vec3(0, 0.06f, 0), Vec3(0.04f, -0.03f, 0.05f), Vec3(-0.04f, -0.03f, 0.05f), Vec3(0, -0.03f, -0.06f)}) {
            primitive.mesh.positions.push_back(at + corner);
            influences.push_back({static_cast<uint32_t>(j), 1.0f});
            first.push_back(static_cast<uint32_t>(influences.size()));
        }
        for (const uint32_t k : {0u, 2u, 1u, 0u, 3u, 2u, 0u, 1u, 3u, 1u, 2u, 3u})
            primitive.mesh.triangles.push_back(from + k);
    }
    primitive.influences = *Influences::create(std::move(first), std::move(influences), rest.size());
    fish.skins.push_back(std::move(skin));
    MeshGroup group{.name = "fish"};
    group.primitives.push_back(std::move(primitive));
    fish.meshes.push_back(std::move(group));
    fish.instances.push_back({.joint = 0, .mesh = 0, .skin = 0});
    fish.joint_source.assign(rest.size(), -1);
    return fish;
}

struct FlockLook {
    float head_swing = 0.0f, tail_swing = 0.0f;  // to the side, at most, of all bodies; lengths of the body
    float ahead = 0.0f;                          // mean cosine between where a body looks and where it goes
    float way = 0.0f;                            // metres that each went, at least
};
FlockLook look_at_flock(const Character& flock, const Character& one, size_t count, const char* head,
                        const char* tail) {
    const auto number = [&](const char* name) {
        const auto& names = one.skeleton.names();
        return static_cast<size_t>(std::ranges::find(names, name) - names.begin());
    };
    const size_t each = one.skeleton.size() + 1, h = number(head), t = number(tail);
    const Clip& clip = flock.clips[0];
    constexpr float step = 1.0f / 30.0f;
    FlockLook look{.way = INFINITY};
    std::vector<Vec3> before(count), start(count);
    size_t moments = 0;
    for (float time = 0.0f; time <= duration(clip); time += step, ++moments) {
        const Pose pose = pose_at(flock, &clip, time);
        std::vector<AffineD> world(flock.skeleton.size());
        local_to_world(flock.skeleton.parents(), pose.local, world);
        for (size_t b = 0; b < count; ++b) {
            const AffineD& root = world[b * each];
            const Vec3d in_head = root.inverse() * world[b * each + 1 + h].translation(),
                        in_tail = root.inverse() * world[b * each + 1 + t].translation();
            const auto length = static_cast<float>((in_head - in_tail).norm());
            look.head_swing = std::max(look.head_swing, static_cast<float>(std::abs(in_head.x())) / length);
            look.tail_swing = std::max(look.tail_swing, static_cast<float>(std::abs(in_tail.x())) / length);
            const Vec3 at = root.translation().cast<float>(), gone = at - before[b];
            if (moments == 0) start[b] = at;
            if (moments > 0) look.ahead += root.linear().col(2).normalized().cast<float>().dot(gone.normalized());
            before[b] = at;
        }
    }
    look.ahead /= static_cast<float>(count * (moments - 1));
    for (size_t b = 0; b < count; ++b) look.way = std::min(look.way, (before[b] - start[b]).norm());
    return look;
}

}  // namespace

TEST_CASE("crowd: bodies share one mesh, each has its own skin, and one clip moves all") {
    const Character one = make_rigged_humanoid();
    const auto made = make_crowd(one, small_crowd());
    REQUIRE(made);
    const Character& crowd = made->character;
    CHECK(validate(crowd));
    CHECK(crowd.meshes.size() == one.meshes.size());
    CHECK(crowd.skins.size() == 12 * one.skins.size());
    CHECK(crowd.instances.size() == 12 * one.instances.size());
    REQUIRE(crowd.clips.size() == 1);
    CHECK(duration(crowd.clips[0]) == doctest::Approx(2.0));
    // Everyone gets ahead.
    const Pose first = pose_at(crowd, &crowd.clips[0], 0.0f), last = pose_at(crowd, &crowd.clips[0], 2.0f);
    const size_t each = one.skeleton.size() + 1;
    for (size_t i = 0; i < 12; ++i)
        CHECK((first.local[i * each].translation - last.local[i * each].translation).norm() > 0.5f);
    CHECK(made->report.steps > 20);
    CHECK(made->report.foot_drift_mm < 10.0f);
}

TEST_CASE("crowd: in the finished clip, soles that are on the ground stay where they are, and nobody is in a wall") {
    const Character one = make_rigged_humanoid();
    for (const size_t i : {0u, 1u, 2u})
        check_written_crowd(one, judged_scenes()[i].first, judged_scenes()[i].second, 24);
}

DATA_TEST_CASE("crowd: the same on a character of another hand") {
    const auto one = read_character(data / "rigged-gt" / "m2m_var_human-male.glb");
    REQUIRE(one);
    check_written_crowd(*one, judged_scenes()[0].first, judged_scenes()[0].second, 8);
}

// Boots that reach far beyond the bones, behind and in front, on short legs.
DATA_TEST_CASE("crowd: the same on a cartoon knight, whose boots are longer than his shins") {
    const auto one = read_character(data / "rigged-gt" / "kaykit_Knight.glb");
    REQUIRE(one);
    for (const size_t i : {0u, 1u, 2u})
        check_written_crowd(*one, judged_scenes()[i].first, judged_scenes()[i].second, i == 1 ? 24 : 8);  // he is wide
}

// The joints of the file that a character came from make room for those of the crowd.
TEST_CASE("crowd: of a character from a file, is written as a file that reads back whole") {
    auto file = encode_character(make_rigged_humanoid(), "one.glb");
    REQUIRE(file);
    const auto one = read_character(SharedBytes::own(file->back().bytes), "glb", {});
    REQUIRE_MESSAGE(one, (one ? "" : one.error().message));
    const auto made = make_crowd(*one, small_crowd());
    REQUIRE(made);
    const auto again = read_character(SharedBytes::own(bytes_of(*made)), "glb", {});
    REQUIRE_MESSAGE(again, (again ? "" : to_string(again.error())));
    CHECK(validate(*again));
    CHECK(again->skeleton.size() == made->character.skeleton.size());
    CHECK(again->skins.size() == made->character.skins.size());
    CHECK(again->instances.size() == made->character.instances.size());
    // And moves alike.
    constexpr float time = 0.7f;
    const Pose a = pose_at(made->character, &made->character.clips[0], time),
               b = pose_at(*again, &again->clips[0], time);
    const auto places = [](const Character& crowd, const Pose& pose) {
        std::vector<AffineD> world(crowd.skeleton.size());
        local_to_world(crowd.skeleton.parents(), pose.local, world);
        std::vector<std::array<double, 3>> at;
        for (const AffineD& w : world) at.push_back({w.translation().x(), w.translation().y(), w.translation().z()});
        std::ranges::sort(at);
        return at;
    };
    const auto was = places(made->character, a), is = places(*again, b);
    for (size_t i = 0; i < was.size(); ++i)
        for (size_t k = 0; k < 3; ++k) REQUIRE(is[i][k] == doctest::Approx(was[i][k]).epsilon(1e-4));
}

TEST_CASE("crowd: the same bytes for the same seed and any number of threads, others for another seed") {
    CrowdOptions options = small_crowd();
    std::vector<Bytes> all;
    for (const int threads : {1, 2, 8}) {
        set_thread_count(threads);
        const auto made = make_crowd(make_rigged_humanoid(), options);
        REQUIRE(made);
        all.push_back(bytes_of(*made));
    }
    set_thread_count(0);
    CHECK(all[0] == all[1]);
    CHECK(all[0] == all[2]);
    options.seed = 2;
    const auto other = make_crowd(make_rigged_humanoid(), options);
    REQUIRE(other);
    CHECK(bytes_of(*other) != all[0]);
}

TEST_CASE("crowd: fish swim in a school, with the waves of their own kind, and look where they go") {
    const Character fish = make_fish();
    constexpr size_t count = 12;
    const auto made = make_crowd(fish, {.count = count, .kind = CrowdKind::flock, .seconds = 2.0f});
    REQUIRE_MESSAGE(made, (made ? "" : made.error().message));
    CHECK(validate(made->character));
    CHECK(made->report.kind == "flock");
    CHECK(made->report.motion == "swim");
    const FlockLook look = look_at_flock(made->character, fish, count, "head", "tail_3");
    CHECK(look.tail_swing > 0.05f);                   // of its length, to either side
    CHECK(look.tail_swing > 3.0f * look.head_swing);  // the wave grows from head to tail
    CHECK(look.ahead > 0.9f);
    CHECK(look.way > 1.0f);
}

DATA_TEST_CASE("crowd: sharks swim and eagles flap in flocks") {
    for (const auto& [name, motion] : {std::pair("m2m_model-shark", "swim"), std::pair("m2m_var_bird-eagle", "flap")}) {
        const auto one = read_character(data / "rigged-gt" / fmt::format("{}.glb", name));
        REQUIRE(one);
        CAPTURE(name);
        const auto made = make_crowd(*one, {.count = 8, .kind = CrowdKind::flock, .seconds = 1.0f});
        REQUIRE_MESSAGE(made, (made ? "" : made.error().message));
        CHECK(made->report.motion == motion);
        CHECK(validate(made->character));
    }
}

TEST_CASE("crowd: a flock flies with the motion that it is given") {
    const auto made =
        make_crowd(make_quadruped(), {.count = 20, .kind = CrowdKind::flock, .motion = "trot", .seconds = 1.0f});
    REQUIRE(made);
    CHECK(validate(made->character));
    CHECK(made->report.kind == "flock");
}

TEST_CASE("crowd: scenes say which field is wrong and what to give") {
    CHECK(scene_error("{}").empty());
    CHECK(scene_error(R"({"goals": [{"at": [1, 2], "next": 0}], "obstacles": [{"circle": [0, 0], "radius": 2},
        {"wall": [[0, 0], [1, 1]]}, {"box": [[0, 0], [1, 1]]}, {"polygon": [[0, 0], [1, 0], [0, 1]]}],
        "groups": [{"from": [0, 0], "to": [9, 9], "goals": [0], "speed": [0.5, 1]}]})")
              .empty());
    const std::pair<const char*, std::vector<const char*>> wrong[] = {
        {"nonsense", {"not JSON"}},
        {"[]", {"not an object"}},
        {R"({"goal": []})", {"/goal", "goals"}},
        {R"({"goals": [{"at": [1]}]})", {"/goals/0/at", "[x, z]"}},
        {R"({"goals": [{}]})", {"/goals/0", "at"}},
        {R"({"goals": [{"at": [1, 2], "next": 4}]})", {"/goals/0/next", "0 to 0"}},
        {R"({"goals": [{"at": [1, 1e30]}]})", {"/goals/0/at"}},
        {R"({"obstacles": [{"circle": [0, 0], "radius": -1}]})", {"/obstacles/0/radius"}},
        {R"({"obstacles": [{"radius": 1}]})", {"/obstacles/0", "circle"}},
        {R"({"obstacles": [{"polygon": [[0, 0], [4, 0], [1, 1], [0, 4]]}]})", {"/obstacles/0/polygon", "convex"}},
        {R"({"groups": [{"from": [0, 0]}]})", {"/groups/0", "to"}},
        {R"({"groups": [{"from": [0, 0], "to": [1, 1], "goals": [0]}]})", {"/groups/0/goals/0", "goal"}},
        {R"({"groups": [{"from": [0, 0], "to": [1, 1], "speed": [2, 1]}]})", {"/groups/0/speed"}},
        {R"({"groups": 3})", {"/groups", "list"}},
    };
    for (const auto& [json, words] : wrong)
        for (const char* word : words) {
            CAPTURE(json);
            CHECK(scene_error(json).find(word) != std::string::npos);
        }
}

TEST_CASE("crowd: more than the area holds, and options out of range, are told") {
    const auto folder = std::filesystem::temp_directory_path() / "sinew_crowd_test";
    std::filesystem::create_directories(folder);
    std::ofstream(folder / "small.json")
        << R"({"goals": [{"at": [9, 0]}], "groups": [{"from": [0, 0], "to": [2, 2]}]})";
    CrowdOptions options{.count = 100, .seconds = 1.0f, .scene = folder / "small.json"};
    const auto full = make_crowd(make_rigged_humanoid(), options);
    REQUIRE(!full);
    CHECK(full.error().message.find("room for") != std::string::npos);
    std::filesystem::remove_all(folder);
    CHECK(!make_crowd(make_rigged_humanoid(), {.count = 0}));
    CHECK(!make_crowd(make_rigged_humanoid(), {.seconds = -1.0f}));
    CHECK(!make_crowd(make_rigged_humanoid(), {.scene = "no such file.json"}));
}
