#include <doctest/doctest.h>

#include <sinew/clip/sample.h>
#include <sinew/motion/builtin.h>
#include <sinew/pipeline/animate.h>
#include <sinew/pipeline/stance.h>
#include <sinew/sample/sample.h>
#include <sinew/skeleton/forward_kinematics.h>

using namespace sinew;

namespace {

MotionSource motion_named(const char* name) {
    Motion motion = builtin_motion(name).value();
    return {.skeleton = std::move(motion.skeleton), .clip = std::move(motion.clip), .warnings = {}};
}

std::vector<AffineD> world_at(const Character& c, float time) {
    Pose pose = rest_pose(c);
    sample(c.clips.front(), time, pose);
    std::vector<AffineD> world(c.skeleton.size());
    local_to_world(c.skeleton.parents(), pose.local, world);
    return world;
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

}  // namespace

TEST_CASE("a character whose file rests in mid-run walks as one that stands") {
    Character standing = make_rigged_humanoid(), running = left_running();
    CHECK_FALSE(bind_stance(standing));
    REQUIRE(bind_stance(running));
    REQUIRE(add_motion(standing, motion_named("walk"), {}));
    REQUIRE(add_motion(running, motion_named("walk"), {}));
    REQUIRE(validate(running));
    double worst = 0.0;
    for (const float time : {0.0f, 0.25f, 0.5f, 0.9f}) {
        const auto expected = world_at(standing, time), got = world_at(running, time);
        for (size_t j = 0; j < expected.size(); ++j)
            worst = std::max(worst, (expected[j].translation() - got[j].translation()).norm());
    }
    CHECK(worst < 0.005);  // metres
}

TEST_CASE("a motion of the very same rig is not touched by how its skin was bound") {
    Character c = left_running();
    MotionSource own{.skeleton = c.skeleton, .clip = motion_named("walk").clip, .warnings = {}};
    own.clip.tracks = {Track{c.skeleton.find("leftLowerArm"), TrackPath::rotation, Interpolation::linear, 4, {0.0f},
                             {0.0f, 0.6f, 0.0f, 0.8f}}};
    REQUIRE(add_motion(c, own, {}));
    CHECK(c.clips.front().tracks == own.clip.tracks);
}
