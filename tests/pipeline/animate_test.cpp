#include <doctest/doctest.h>

#include <sinew/clip/sample.h>
#include <sinew/io/write.h>
#include <sinew/motion/builtin.h>
#include <sinew/pipeline/animate.h>
#include <sinew/pipeline/bind_stance.h>
#include <sinew/sample/sample.h>
#include <sinew/skeleton/forward_kinematics.h>
#include <filesystem>

using namespace sinew;

namespace {

MotionSource motion_named(const char* name) {
    Motion motion = builtin_motion(name).value();
    return {.skeleton = std::move(motion.skeleton), .clip = std::move(motion.clip), .stance = {}, .warnings = {}};
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
    Character c = make_rigged_humanoid();
    REQUIRE(add_motion(c, motion_named("run"), {}));
    Pose pose = rest_pose(c);
    sample(c.clips.front(), 0.2f, pose);
    c.clips.clear();
    c.skeleton = Skeleton::create(c.skeleton.names(), c.skeleton.parents(), pose.local).value();
    return c;
}

// A joint beside the hips, at the place of `at`, that owns one vertex.
Character with_prop(const char* at) {
    Character c = make_rigged_humanoid();
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

}  // namespace

TEST_CASE("a character whose file rests in mid-run walks as one that stands") {
    Character standing = make_rigged_humanoid(), running = left_running();
    CHECK_FALSE(bind_stance(standing));
    REQUIRE(bind_stance(running));
    REQUIRE(add_motion(standing, motion_named("walk"), {}));
    REQUIRE(add_motion(running, motion_named("walk"), {}));
    REQUIRE(validate(running));
    CHECK(farthest_apart(standing, running) < 0.005);  // metres
}

TEST_CASE("a motion file that rests in mid-run moves others as it moves itself") {
    Character running = left_running(), standing = make_rigged_humanoid(), expected = make_rigged_humanoid();
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
