#include <doctest/doctest.h>

#include <sinew/clip/clip.h>
#include <sinew/core/file.h>
#include <sinew/io/read.h>
#include <sinew/io/write.h>
#include <sinew/motion/builtin.h>
#include <sinew/motion/skinned/bind_stance.h>
#include <sinew/pipeline/animate.h>
#include <sinew/pipeline/job/report_json.h>
#include <sinew/sample/sample.h>
#include <sinew/skeleton/pose.h>
#include <algorithm>
#include <filesystem>
#include <set>

#include <unistd.h>

using namespace sinew;

namespace {

// Made once: it takes a second.
const Character& hero() {
    static const Character made = make_rigged_humanoid();
    return made;
}

MotionSource motion_named(const char* name) {
    Motion motion = builtin_motion(name).value();
    return {.skeleton = std::move(motion.skeleton),
            .clip = std::move(motion.clip),
            .stance = {},
            .warnings = {},
            .name = name};
}

std::vector<AffineD> world_at(const Character& c, float time) {
    Pose pose = rest_pose(c);
    sample(c.clips.front(), time, pose);
    std::vector<AffineD> world(c.skeleton.size());
    local_to_world(c.skeleton.parents(), pose.local, world);
    return world;
}

// How far a joint of one is from the other's at most, while their clips play.
double farthest_apart(const Character& a, const Character& b) {
    double worst = 0.0;
    for (const float time : {0.0f, 0.25f, 0.5f, 0.9f}) {
        const auto here = world_at(a, time), there = world_at(b, time);
        for (size_t j = 0; j < here.size(); ++j)
            worst = std::max(worst, (here[j].translation() - there[j].translation()).norm());
    }
    return worst;
}

// The same character as many files hold it: its joints left at a moment of a run, its skin bound as it stands.
Character left_running() {
    Character c = hero();
    REQUIRE(add_motion(c, motion_named("run"), {}));
    Pose pose = rest_pose(c);
    sample(c.clips.front(), 0.2f, pose);
    c.clips.clear();
    c.skeleton = Skeleton::create(c.skeleton.names(), c.skeleton.parents(), pose.local).value();
    return c;
}

// A joint beside the hips, at the place of `at`, that owns one vertex.
Character with_prop(const char* at) {
    Character c = hero();
    const std::vector<AffineD> world = rest_world(c.skeleton);
    const auto hips = static_cast<size_t>(c.skeleton.find("hips"));
    const int32_t parent = c.skeleton.parents()[hips];
    REQUIRE(parent >= 0);
    const Vec3d place = world[static_cast<size_t>(c.skeleton.find(at))].translation() + Vec3d(0.0, 0.0, 0.03);
    std::vector<std::string> names = c.skeleton.names();
    std::vector<int32_t> parents = c.skeleton.parents();
    std::vector<Transform> rest = c.skeleton.rest();
    names.push_back("prop");
    parents.push_back(parent);
    rest.emplace_back();
    rest.back().translation = (world[static_cast<size_t>(parent)].inverse() * place).cast<float>();
    const auto prop = static_cast<int32_t>(names.size() - 1);
    c.skeleton = Skeleton::create(names, parents, rest).value();
    Skin& skin = c.skins.front();
    skin.joints.push_back(prop);
    skin.inverse_bind.push_back(Affine(rest_world(c.skeleton).back().inverse().cast<float>()));
    Primitive& primitive = c.meshes.front().primitives.front();
    std::vector<uint32_t> first = {0};
    std::vector<Influence> raw;
    for (size_t v = 0; v < primitive.mesh.positions.size(); ++v) {
        const auto influences = primitive.influences.of(v);
        if (v == 0)
            raw.push_back({static_cast<uint32_t>(skin.joints.size() - 1), 1.0f});
        else
            raw.insert(raw.end(), influences.begin(), influences.end());
        first.push_back(static_cast<uint32_t>(raw.size()));
    }
    primitive.influences = Influences::create(first, raw, skin.joints.size()).value();
    c.joint_source.clear();
    REQUIRE(validate(c));
    return c;
}

// What its skin knows of how the body stood.
std::optional<Skeleton> stance_of(const Character& c) {
    SkinnedSkeleton body{c.skeleton, c.skins, {}, {}};
    for (const MeshInstance& instance : c.instances) body.meshes.push_back({instance.skin, instance.joint});
    return bind_stance(body);
}

// A folder of its own that goes with the test.
struct Folder {
    std::filesystem::path path;
    explicit Folder(const char* name)
        : path(std::filesystem::temp_directory_path() / (std::string(name) + std::to_string(::getpid()))) {
        std::filesystem::create_directories(path);
    }
    ~Folder() { std::filesystem::remove_all(path); }
    std::filesystem::path operator/(const char* file) const { return path / file; }
};

}  // namespace

TEST_CASE("a person asked for a motion that only others have gets a person's nearest one, and no map") {
    const MotionSource motion = load_motion("sway").value();
    REQUIRE(motion.skeleton.size() == 0);
    Character c = hero();
    const auto put = add_motions(c, std::span(&motion, 1), {});
    REQUIRE(put);
    CHECK(put->front().map.empty());
    CHECK(put->front().mapped_joints > 10);
    CHECK(!c.clips.front().tracks.empty());
}

TEST_CASE("a character whose file rests in mid-run walks as one that stands") {
    Character standing = hero(), running = left_running();
    CHECK_FALSE(stance_of(standing));
    REQUIRE(stance_of(running));
    REQUIRE(add_motion(standing, motion_named("walk"), {}));
    REQUIRE(add_motion(running, motion_named("walk"), {}));
    REQUIRE(validate(running));
    CHECK(farthest_apart(standing, running) < 0.005);  // metres
}

TEST_CASE("a motion file that rests in mid-run moves others as it moves itself") {
    Character running = left_running(), standing = hero(), expected = hero();
    REQUIRE(add_motion(running, motion_named("walk"), {}));
    REQUIRE(add_motion(expected, motion_named("walk"), {}));
    const auto file = std::filesystem::temp_directory_path() / "sinew_left_running.glb";
    REQUIRE(write_character(running, file));
    const auto motion = load_motion(file.string(), "", {});
    std::filesystem::remove(file);
    REQUIRE(motion);
    REQUIRE(add_motion(standing, *motion, {}));
    CHECK(farthest_apart(expected, standing) < 0.02);  // metres
}

TEST_CASE("a motion of the very same rig is not touched by how its skin was bound") {
    Character c = left_running();
    MotionSource own{.skeleton = c.skeleton, .clip = motion_named("walk").clip, .stance = {}, .warnings = {}};
    own.clip.tracks = {Track{c.skeleton.find("leftLowerArm"),
                             TrackPath::rotation,
                             Interpolation::linear,
                             4,
                             {0.0f},
                             {0.0f, 0.6f, 0.0f, 0.8f}}};
    REQUIRE(add_motion(c, own, {}));
    CHECK(c.clips.front().tracks == own.clip.tracks);
}

TEST_CASE("what hangs beside the body goes with the part it is at") {
    for (const char* part : {"leftHand", "hips", "rightFoot"}) {
        CAPTURE(part);
        Character c = with_prop(part);
        const std::vector<AffineD> rest = rest_world(c.skeleton);
        REQUIRE(add_motion(c, motion_named("run"), {}));
        REQUIRE(validate(c));
        const auto prop = static_cast<size_t>(c.skeleton.find("prop")), at = static_cast<size_t>(c.skeleton.find(part));
        const Vec3d expected = rest[at].inverse() * rest[prop].translation();
        for (const float time : {0.1f, 0.3f, 0.5f}) {
            const auto world = world_at(c, time);
            CHECK((world[at].inverse() * world[prop].translation() - expected).norm() < 1e-3);
        }
    }
}

TEST_CASE("retarget onto a character gives the clip that add_motion puts in front") {
    Character c = with_prop("leftHand");
    const Character before = c;
    const auto clip = retarget(*load_motion("run"), before);
    REQUIRE(clip);
    REQUIRE(add_motion(c, *load_motion("run")));
    CHECK(c.clips.front().tracks == clip->clip.tracks);
    // The prop is carried, which retargeting from skeleton to skeleton cannot know.
    const auto moves = [&](const Clip& of) {
        return std::ranges::any_of(of.tracks, [&](const Track& t) { return t.target == c.skeleton.find("prop"); });
    };
    const Motion run = builtin_motion("run").value();
    CHECK(moves(clip->clip));
    CHECK_FALSE(moves(retarget(run.skeleton, run.clip, before.skeleton)->clip));
}

TEST_CASE("animate in memory and on files write the same bytes") {
    const Folder folder("sinew_animate");
    REQUIRE(write_character(make_humanoid(), folder / "mesh.obj"));
    REQUIRE(write_character(left_running(), folder / "rigged.glb"));
    for (const char* name : {"mesh.obj", "rigged.glb"}) {
        CAPTURE(name);
        const std::vector<std::string> motions = {"walk", "wave"};
        const auto report = animate_file({.input = folder / name, .motions = motions, .output = folder / "files.glb"});
        REQUIRE(report);

        const auto moved = animate(*read_character(folder / name), motions);
        REQUIRE(moved);
        REQUIRE(write_character(moved->character, folder / "memory.glb", moved->write));
        CHECK(*read_file(folder / "memory.glb") == *read_file(folder / "files.glb"));

        CHECK(report->rig.has_value() == (std::string(name) == "mesh.obj"));
        CHECK(moved->character.clips[0].name == "walk");
        CHECK(moved->character.clips[1].name == "wave");
        REQUIRE(report->motions.size() == 2);
        CHECK(report->motions[1].clip == "wave");
        CHECK(report->motions[0].mapped_joints > 15);
    }
}

TEST_CASE("animate_file writes preview and report with the character, or nothing at all") {
    const Folder folder("sinew_animate_files");
    REQUIRE(write_character(hero(), folder / "hero.glb"));
    AnimateJob job{.input = folder / "hero.glb",
                   .motions = {"idle"},
                   .output = folder / "out.glb",
                   .preview = folder / "out.png",
                   .report = folder / "out.json"};
    const auto report = animate_file(job);
    REQUIRE(report);
    const Bytes text = *read_file(folder / "out.json");
    CHECK(as_text(text) == encode_json(*report) + "\n");
    std::vector<std::string> stages;
    for (const auto& [stage, seconds] : report->seconds) stages.push_back(stage);
    CHECK(stages == std::vector<std::string>{"read", "retarget", "write", "preview"});
    CHECK(std::filesystem::file_size(folder / "out.png") > 1000);

    const auto files = [&] {
        std::set<std::string> names;
        for (const auto& entry : std::filesystem::directory_iterator(folder.path))
            names.insert(entry.path().filename().string());
        return names;
    };
    const auto before = files();
    job.output = job.report = folder / "other.glb";  // two outputs of one name, seen when all is made
    job.preview.clear();
    CHECK_FALSE(animate_file(job));
    job.report.clear();
    job.preview = folder / "other.tiff";
    CHECK(animate_file(job).error().where == job.preview);
    CHECK(files() == before);
}

TEST_CASE("errors of jobs name the file to blame") {
    const Folder folder("sinew_animate_errors");
    const std::string file = (folder / "hero.glb").string(), out = (folder / "out.glb").string();
    REQUIRE(write_character(hero(), file));
    const auto where = [](const AnimateJob& job) { return animate_file(job).error().where; };
    CHECK(where({.input = folder / "lost.glb", .motions = {"walk"}, .output = out}) == folder / "lost.glb");
    CHECK(where({.input = file, .motions = {"walk", "wlak"}, .output = out}) == "wlak");
    CHECK(where({.input = file, .motions = {"walk"}, .output = file}) == file);
    CHECK(where({.input = file, .motions = {file}, .output = out}) == file);  // it has no animation
    CHECK(where({.input = file, .motions = {"walk"}, .output = folder / "out.obj"}) == folder / "out.obj");
    CHECK_FALSE(animate(hero(), std::vector<std::string>{}));
    const auto no_map = animate(make_humanoid(), {"walk"}, {.motion = {.joint_map = folder / "lost.json"}});
    CHECK(no_map.error().where == folder / "lost.json");
    CHECK(animate_file({.input = file, .motions = {"walk"}, .output = file, .replace_input = true}));
}

TEST_CASE("what a job warns of is told while it runs and stands in its report") {
    Character c = hero();
    c.warnings = {"of the reader"};
    MotionSource motion = motion_named("walk");
    motion.warnings = {"of the motion's reader"};
    std::vector<std::string> heard, stages;
    AnimateOptions options;
    options.listener.warning = [&](std::string_view file, std::string_view text) {
        heard.push_back(std::string(file) + ": " + std::string(text));
    };
    options.listener.progress = [&](std::string_view stage, double) {
        if (stages.empty() || stages.back() != stage) stages.emplace_back(stage);
    };
    const auto moved = animate(c, std::span(&motion, 1), options);
    REQUIRE(moved);
    CHECK(std::ranges::count(heard, "walk: of the motion's reader") == 1);
    CHECK(moved->report.warnings.front() == "of the reader");
    CHECK(std::ranges::count(moved->report.warnings, "of the motion's reader") == 1);
    CHECK(stages == std::vector<std::string>{"retargeting"});
}
