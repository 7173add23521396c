// Files that people bring: several characters in one, a face with an armature of its own, folders of motions.
#include <doctest/doctest.h>
#include <sinew/io/read.h>
#include <sinew/io/write.h>
#include <sinew/motion/builtin.h>
#include <sinew/pipeline/animate.h>
#include <sinew/pipeline/info.h>
#include <sinew/sample/sample.h>
#include <sinew/skeleton/humanoid.h>
#include <sinew/skeleton/pose.h>
#include <unistd.h>
#include <algorithm>

using namespace sinew;

namespace {

namespace fs = std::filesystem;

// A folder that goes away.
struct MotionFolder {
    fs::path path = fs::temp_directory_path() / ("sinew_motions_" + std::to_string(::getpid()));
    MotionFolder() {
        fs::remove_all(path);
        fs::create_directories(path);
    }
    ~MotionFolder() { fs::remove_all(path); }
};

void write_motion(const fs::path& file, const char* name, const std::string& clip) {
    const auto motion = builtin_motion(name);
    Character character;
    character.skeleton = motion->skeleton;
    character.clips = {motion->clip};
    character.clips[0].name = clip;
    REQUIRE(write_character(character, file));
}

// Both under one node, the second a metre to the side; its name in front of its joints.
Character beside(const Character& one, const Character& other) {
    Character both = one;
    std::vector<std::string> names = {"scene", "Anna"};
    std::vector<int32_t> parents = {-1, 0};
    std::vector<Transform> rest(2);
    const auto add = [&](const Skeleton& skeleton, int32_t root) {
        const auto first = static_cast<int32_t>(names.size());
        for (size_t j = 0; j < skeleton.size(); ++j) {
            const int32_t parent = skeleton.parents()[j];
            names.push_back(skeleton.names()[j]);
            parents.push_back(parent < 0 ? root : first + parent);
            rest.push_back(skeleton.rest()[j]);
        }
        return first;
    };
    const auto move = [](Skin& skin, int32_t first) {
        for (int32_t& joint : skin.joints) joint += first;
    };
    const int32_t anna = add(one.skeleton, 1);
    for (Skin& skin : both.skins) move(skin, anna);
    for (MeshInstance& instance : both.instances) instance.joint += anna;
    const auto root = static_cast<int32_t>(names.size());
    names.emplace_back("Bob");
    parents.push_back(0);
    rest.emplace_back();
    rest.back().translation = Vec3(1, 0, 0);
    const int32_t bob = add(other.skeleton, root);
    for (Skin skin : other.skins) {
        move(skin, bob);
        both.skins.push_back(skin);
    }
    for (MeshInstance instance : other.instances) {
        instance.joint += bob;
        instance.mesh += static_cast<int32_t>(one.meshes.size());
        if (instance.skin >= 0) instance.skin += static_cast<int32_t>(one.skins.size());
        both.instances.push_back(instance);
    }
    both.meshes.insert(both.meshes.end(), other.meshes.begin(), other.meshes.end());
    both.skeleton = *Skeleton::create(names, parents, rest);
    both.clips.clear();
    both.joint_source.clear();
    layout_morphs(both);
    return both;
}

bool is_below(const Skeleton& skeleton, int32_t joint, int32_t root) {
    while (joint > root) joint = skeleton.parents()[static_cast<size_t>(joint)];
    return joint == root;
}

}  // namespace

TEST_CASE("animate: one of several characters in a file moves") {
    const Character pair = beside(make_rigged_humanoid(), make_rigged_humanoid(HumanoidBuild::child));
    REQUIRE(validate(pair));
    CHECK(describe(pair).characters == std::vector<std::string>{"Anna", "Bob"});
    for (const char* name : {"", "Anna", "Bob"}) {
        INFO(std::string(name));
        const auto moved = animate(pair, std::vector<std::string>{"walk"}, {.motion = {.character = name}});
        REQUIRE(moved);
        const Skeleton& skeleton = moved->character.skeleton;
        const int32_t root = skeleton.find(std::string_view(name) == "Bob" ? "Bob" : "Anna");
        const Clip& clip = moved->character.clips.front();
        CHECK(clip.tracks.size() > 15);
        for (const Track& track : clip.tracks) CHECK(is_below(skeleton, track.target, root));
        const auto& warnings = moved->report.warnings;
        const bool told = std::ranges::any_of(
            warnings, [](const std::string& w) { return w.find("2 characters (Anna, Bob)") != std::string::npos; });
        CHECK(told == std::string_view(name).empty());
    }
    const auto nobody = animate(pair, std::vector<std::string>{"walk"}, {.motion = {.character = "Bobb"}});
    REQUIRE_FALSE(nobody);
    CHECK(nobody.error().message.find("Bob") != std::string::npos);
}

TEST_CASE("animate: meshes that lost their skin are bound to the joints inside them, or rigged anew") {
    Character lost = make_rigged_humanoid();
    lost.skins.clear();
    for (MeshInstance& instance : lost.instances) instance.skin = -1, instance.joint = 0;
    for (MeshGroup& mesh : lost.meshes)
        for (Primitive& primitive : mesh.primitives) primitive.influences = {};
    REQUIRE(recognise_humanoid(lost.skeleton).is_body());
    const auto told = [](const AnimateResult& made) {
        return std::ranges::any_of(made.report.warnings,
                                   [](const std::string& w) { return w.find("moves no mesh") != std::string::npos; });
    };
    const auto bound = animate(lost, std::vector<std::string>{"walk"}, {});
    REQUIRE(bound);
    CHECK(told(*bound));
    CHECK(bound->character.skins.size() == 1);
    CHECK(bound->character.skeleton.size() == lost.skeleton.size());
    CHECK_FALSE(bound->report.rig);

    // Joints that stand two metres aside are another body's.
    std::vector<Transform> rest = lost.skeleton.rest();
    const auto hips = static_cast<size_t>(recognise_humanoid(lost.skeleton)[Role::hips]);
    rest[hips].translation.x() += 2.0f;
    lost.skeleton = *Skeleton::create(lost.skeleton.names(), lost.skeleton.parents(), rest);
    const auto anew = animate(lost, std::vector<std::string>{"walk"}, {});
    REQUIRE(anew);
    CHECK_FALSE(told(*anew));
    CHECK(anew->report.rig);
}

TEST_CASE("animate: a face with an armature of its own goes along with the head") {
    Character hero = make_rigged_humanoid();
    const int32_t head = hero.skeleton.find("head");
    REQUIRE(head >= 0);
    std::vector<std::string> names = hero.skeleton.names();
    std::vector<int32_t> parents = hero.skeleton.parents();
    std::vector<Transform> rest = hero.skeleton.rest();
    const Vec3 at = rest_world(hero.skeleton)[static_cast<size_t>(head)].translation().cast<float>();
    names.insert(names.end(), {"FaceRig", "face_jaw"});
    parents.insert(parents.end(), {-1, static_cast<int32_t>(names.size()) - 2});
    rest.resize(names.size());
    rest.back().translation = at + Vec3(0, 0.02f, 0.05f);
    hero.skeleton = *Skeleton::create(names, parents, rest);
    const auto face = static_cast<int32_t>(names.size()) - 1;
    MeshGroup mesh;
    mesh.name = "face";
    Primitive primitive;
    primitive.mesh.positions = {at, at + Vec3(0.05f, 0, 0.1f), at + Vec3(0, 0.05f, 0.1f)};
    primitive.mesh.triangles = {0, 1, 2};
    auto influences = Influences::create({0, 1, 2, 3}, {{0, 1.0f}, {0, 1.0f}, {0, 1.0f}}, 1);
    REQUIRE(influences);
    primitive.influences = *influences;
    mesh.primitives.push_back(primitive);
    hero.meshes.push_back(mesh);
    Skin skin;
    skin.joints = {face};
    skin.inverse_bind = {Affine(rest_world(hero.skeleton)[static_cast<size_t>(face)].inverse().cast<float>())};
    hero.skins.push_back(skin);
    MeshInstance instance;
    instance.mesh = static_cast<int32_t>(hero.meshes.size()) - 1;
    instance.skin = static_cast<int32_t>(hero.skins.size()) - 1;
    hero.instances.push_back(instance);
    layout_morphs(hero);
    REQUIRE(validate(hero));

    const auto moved = animate(hero, std::vector<std::string>{"walk"});
    REQUIRE(moved);
    const Clip& clip = moved->character.clips.front();
    const double apart = (rest.back().translation - at).norm();
    for (int i = 0; i <= 10; ++i) {
        const Pose pose = pose_at(moved->character, &clip, duration(clip) * static_cast<float>(i) / 10.0f);
        std::vector<AffineD> world(hero.skeleton.size());
        local_to_world(hero.skeleton.parents(), pose.local, world);
        const Vec3d now = world[static_cast<size_t>(head)].inverse() * world[static_cast<size_t>(face)].translation();
        const auto still = rest_world(hero.skeleton);
        const Vec3d was = still[static_cast<size_t>(head)].inverse() * still[static_cast<size_t>(face)].translation();
        CHECK((now - was).norm() < 0.01 * apart);
    }
}

TEST_CASE("load_motions: a folder, all clips of a file, and names of their own") {
    const MotionFolder folder;
    write_motion(folder.path / "b_run.glb", "run", "mixamo.com");
    write_motion(folder.path / "a_walk.glb", "walk", "mixamo.com");
    {
        Character still;
        still.skeleton = builtin_motion("walk")->skeleton;
        REQUIRE(write_character(still, folder.path / "c_still.glb"));
    }
    const auto all = load_motions({folder.path.string(), "wave"});
    REQUIRE(all);
    std::vector<std::string> names;
    for (const MotionSource& motion : *all) names.push_back(motion.clip.name);
    CHECK(names == std::vector<std::string>{"a_walk", "b_run", "wave"});

    const auto hero = animate(make_rigged_humanoid(), {folder.path.string(), "wave"});
    REQUIRE(hero);
    REQUIRE(hero->character.clips.size() >= 3);
    for (size_t i = 0; i < 3; ++i) CHECK(hero->character.clips[i].name == names[i]);
    REQUIRE(write_character(hero->character, folder.path / "d_all.glb", hero->write));
    const auto clips = load_motions({(folder.path / "d_all.glb").string()}, "all");
    REQUIRE(clips);
    CHECK(clips->size() == hero->character.clips.size());
    CHECK_FALSE(load_motions({(folder.path / "d_all.glb").string()}, "dance"));

    fs::create_directories(folder.path / "empty");
    const auto none = load_motions({(folder.path / "empty").string()});
    REQUIRE_FALSE(none);
    CHECK(none.error().message.find("no motion files") != std::string::npos);
}
