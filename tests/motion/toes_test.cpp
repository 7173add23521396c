#include <doctest/doctest.h>

#include <sinew/clip/clip.h>
#include <sinew/motion/clip_writer.h>
#include <sinew/motion/retarget.h>
#include <sinew/sample/sample.h>
#include <sinew/skeleton/pose.h>
#include <support/humanoid.h>

using namespace sinew;
using namespace sinew::test;

// The source rises onto its toes without bending them: its toe bones point into the ground. The target's lie on it.
TEST_CASE("retarget: toes that stand on the ground do not go through it") {
    const NamedHumanoid source = make_humanoid_skeleton(vrm_style());
    const Skeleton target = make_rigged_humanoid().skeleton;
    const auto joint = [&](const char* name) { return source.skeleton.find(name); };
    std::vector<float> times;
    std::vector<Quatd> pitch;
    std::vector<Vec3d> hips;
    const Vec3d from_ankle = Vec3d(0.0, -0.07, 0.13);  // to the ball
    for (int f = 0; f <= 40; ++f) {
        const double angle = 0.9 * std::min(1.0, f / 20.0);
        const Quatd q(Eigen::AngleAxisd(angle, Vec3d::UnitX()));
        times.push_back(static_cast<float>(f) / 30.0f);
        pitch.push_back(q);
        const Vec3d raise = from_ankle - q * from_ankle;  // the ball stays where it is
        hips.push_back(source.skeleton.rest()[static_cast<size_t>(joint("hips"))].translation.cast<double>() + raise);
    }
    Clip clip{"tiptoe", {}, -1};
    clip.tracks.push_back(translation_track(joint("hips"), times, hips));
    for (const char* foot : {"leftFoot", "rightFoot"}) clip.tracks.push_back(rotation_track(joint(foot), times, pitch));
    for (const char* toes : {"leftToes", "rightToes"})
        clip.tracks.push_back(rotation_track(joint(toes), times, std::vector<Quatd>(times.size(), Quatd::Identity())));
    const auto moved = retarget(source.skeleton, clip, target);
    REQUIRE(moved);
    const std::vector<AffineD> rest = rest_world(target);
    const int32_t foot = target.find("leftFoot"), toes = target.find("leftToes");
    REQUIRE(toes >= 0);
    bool rose = false;
    for (const float time : times) {
        Pose pose;
        pose.local = target.rest();
        sample(moved->clip, time, pose);
        std::vector<AffineD> world(target.size());
        local_to_world(target.parents(), pose.local, world);
        const auto turned = [&](int32_t j) {
            const auto i = static_cast<size_t>(j);
            return Mat3d(world[i].linear() * rest[i].linear().inverse());
        };
        rose |= (turned(foot) * Vec3d::UnitZ()).y() < -0.5;
        const double over =
            world[static_cast<size_t>(toes)].translation().y() - rest[static_cast<size_t>(toes)].translation().y();
        CHECK(over > -0.003);
        CHECK((turned(toes) * Vec3d::UnitZ()).y() > -0.1 - 20.0 * std::max(0.0, over));
    }
    CHECK(rose);
}
