#include <sinew/motion/builtin.h>

#include <doctest/doctest.h>

#include <sinew/clip/clip.h>
#include <sinew/math/interpolate.h>
#include <sinew/motion/builtin/actions.h>
#include <sinew/motion/builtin/gait.h>
#include <sinew/skeleton/humanoid.h>
#include <sinew/skeleton/pose.h>
#include <algorithm>
#include <cmath>

using namespace sinew;

namespace {

constexpr double fps = 30;

struct Frames {
    Motion motion;
    std::vector<std::vector<Transform>> local;  // per key
    std::vector<std::vector<AffineD>> world;

    Vec3d at(size_t frame, std::string_view joint, const Vec3d& point = Vec3d::Zero()) const {
        return world[frame][motion.skeleton.find(joint)] * point;
    }
};

Frames frames_of(std::string_view name) {
    Frames f{builtin_motion(name).value(), {}, {}};
    auto count = static_cast<size_t>(std::lround(duration(f.motion.clip) * fps)) + 1;
    for (size_t i = 0; i < count; ++i) {
        Pose pose{f.motion.skeleton.rest(), {}};
        sample(f.motion.clip, static_cast<float>(i / fps), pose);
        std::vector<AffineD> world(pose.local.size());
        local_to_world(f.motion.skeleton.parents(), pose.local, world);
        f.local.push_back(pose.local);
        f.world.push_back(world);
    }
    return f;
}

const BodySize size;
const Vec3d heel_point(0, -size.ankle_height, -size.heel_length), ball_point(0, -size.toe_height, 0),
    tip_point(0, -size.toe_height, size.toe_length);

// Sole points of one foot: heel, ball, tip of the toes.
std::array<Vec3d, 3> sole(const Frames& f, size_t frame, const std::string& side) {
    return {f.at(frame, side + "Foot", heel_point), f.at(frame, side + "Toes", ball_point),
            f.at(frame, side + "Toes", tip_point)};
}

}  // namespace

TEST_CASE("builtin_motion: every name gives a valid clip on the reference skeleton") {
    Skeleton reference = humanoid_reference_skeleton();
    CHECK(recognise_humanoid(reference).is_body());
    for (std::string_view name : builtin_motion_names()) {
        CAPTURE(name);
        Motion motion = builtin_motion(name).value();
        CHECK(motion.skeleton.names() == reference.names());
        CHECK(validate(motion.clip, motion.skeleton.size(), 0).has_value());
        CHECK(motion.clip.name == name);
    }
}

TEST_CASE("builtin_motion: an unknown name lists the closest known one first") {
    auto motion = builtin_motion("wakl");
    REQUIRE(!motion);
    CHECK(motion.error().code == ErrorCode::not_found);
    CHECK(motion.error().message.find("did you mean walk") != std::string::npos);
    CHECK(!builtin_motion(std::string(100'000, 'x')));
}

TEST_CASE("reference skeleton: 1.75 m, T-pose, on the ground, symmetric") {
    Skeleton skeleton = humanoid_reference_skeleton();
    auto world = rest_world(skeleton);
    auto at = [&](std::string_view name) { return Vec3d(world[skeleton.find(name)].translation()); };
    CHECK(at("leftToes").y() == doctest::Approx(size.toe_height));
    CHECK(at("head").y() > 1.5);
    CHECK(at("head").y() < 1.6);
    CHECK(at("leftHand").y() == doctest::Approx(at("leftUpperArm").y()));
    CHECK(at("leftHand").x() > 0.6);
    CHECK(at("leftToes").z() > at("leftFoot").z());
    for (const std::string& name : skeleton.names()) {
        if (name.rfind("left", 0) != 0) continue;
        Vec3d left = at(name), right = at("right" + name.substr(4));
        CHECK((left - Vec3d(-right.x(), right.y(), right.z())).norm() < 1e-6);
    }
}

TEST_CASE("gaits: a sole point that stays on the ground does not slide, and none goes below it") {
    for (std::string_view name : {"walk", "run", "sneak", "idle", "wave", "jump"}) {
        CAPTURE(name);
        Frames f = frames_of(name);
        double worst_skate = 0, lowest = 0;
        int planted = 0;
        for (size_t i = 0; i < f.world.size(); ++i) {
            for (const char* side : {"left", "right"}) {
                auto here = sole(f, i, side);
                for (int k = 0; k < 3; ++k) lowest = std::min(lowest, here[k].y());
                if (i == 0) continue;
                auto before = sole(f, i - 1, side);
                double slowest = 1e9;
                for (int k = 0; k < 3; ++k) {
                    if (here[k].y() > 0.001 || before[k].y() > 0.001) continue;
                    Vec3d move = here[k] - before[k];
                    slowest = std::min(slowest, std::hypot(move.x(), move.z()) * fps);
                }
                // Grounded in both keys: the point it stands on is the one that moves least.
                if (slowest < 1e8) {
                    ++planted;
                    worst_skate = std::max(worst_skate, slowest);
                }
            }
        }
        CHECK(planted > 10);
        CHECK(worst_skate < 0.01);
        CHECK(lowest > -0.005);
    }
}

TEST_CASE("gaits: a foot that stands flat keeps its ankle in place between keys too") {
    Motion motion = builtin_motion("walk").value();
    GaitOptions o = walk_options();
    double cycle = o.frames_per_cycle / o.fps;
    Vec3d first = Vec3d::Zero();
    double worst = 0;
    for (int i = 0; i <= 40; ++i) {
        double phase = o.flat_from + 0.02 + (o.heel_off - o.flat_from - 0.04) * i / 40.0;
        Pose pose{motion.skeleton.rest(), {}};
        sample(motion.clip, static_cast<float>((1 + phase) * cycle), pose);
        std::vector<AffineD> world(pose.local.size());
        local_to_world(motion.skeleton.parents(), pose.local, world);
        Vec3d ankle = world[motion.skeleton.find("leftFoot")].translation();
        if (i == 0) first = ankle;
        worst = std::max(worst, (ankle - first).norm());
    }
    CHECK(worst < 0.002);
}

TEST_CASE("gaits: the last pose is the first one, moved on at the stated speed") {
    for (std::string_view name : {"walk", "run", "sneak", "idle", "wave"}) {
        CAPTURE(name);
        Frames f = frames_of(name);
        int32_t hips = f.motion.skeleton.find("hips");
        Vec3 travel = f.local.back()[hips].translation - f.local.front()[hips].translation;
        for (size_t j = 0; j < f.motion.skeleton.size(); ++j) {
            CHECK(angle_between(f.local.front()[j].rotation, f.local.back()[j].rotation) < 1e-3f);
            CHECK((f.local.front()[j].rotation.toRotationMatrix() - f.local.back()[j].rotation.toRotationMatrix())
                      .norm() < 1e-4f);
        }
        double speed = name == "walk" ? 1.4 : name == "run" ? 3.5 : name == "sneak" ? 0.6 : 0.0;
        CHECK(std::abs(travel.z() - speed * duration(f.motion.clip)) < 1e-4);
        CHECK(std::abs(travel.x()) < 1e-4f);
        CHECK(std::abs(travel.y()) < 1e-4f);
    }
}

TEST_CASE("gaits: half a cycle later the other side does the same") {
    for (std::string_view name : {"walk", "run", "sneak"}) {
        CAPTURE(name);
        Frames f = frames_of(name);
        GaitOptions o = name == "walk" ? walk_options() : name == "run" ? run_options() : sneak_options();
        size_t half = static_cast<size_t>(o.frames_per_cycle) / 2;
        double stride = o.speed * o.frames_per_cycle / o.fps;
        for (size_t i = 0; i + half < f.world.size(); ++i) {
            for (const char* joint : {"UpperLeg", "LowerLeg", "Foot", "Toes", "UpperArm", "LowerArm", "Hand"}) {
                Vec3d left = f.at(i, std::string("left") + joint);
                Vec3d right = f.at(i + half, std::string("right") + joint);
                CHECK((left - Vec3d(-right.x(), right.y(), right.z() - stride / 2)).norm() < 1e-4);
            }
        }
    }
}

TEST_CASE("motions: knees and elbows bend the way they can, and nothing jumps") {
    for (std::string_view name : builtin_motion_names()) {
        CAPTURE(name);
        Frames f = frames_of(name);
        for (size_t i = 0; i < f.local.size(); ++i) {
            for (const char* side : {"left", "right"}) {
                Quat knee = f.local[i][f.motion.skeleton.find(std::string(side) + "LowerLeg")].rotation;
                if (knee.w() < 0) knee.coeffs() = -knee.coeffs();
                CHECK(knee.x() > 0);  // about +X: the shin goes back
                CHECK(std::hypot(knee.y(), knee.z()) < 1e-4f);
                Vec3d shoulder = f.at(i, std::string(side) + "UpperArm"),
                      elbow = f.at(i, std::string(side) + "LowerArm"), hand = f.at(i, std::string(side) + "Hand");
                CHECK((shoulder - elbow).norm() + (elbow - hand).norm() > (shoulder - hand).norm());
            }
            if (i == 0) continue;
            for (size_t j = 0; j < f.motion.skeleton.size(); ++j) {
                CHECK(degrees(angle_between(f.local[i - 1][j].rotation, f.local[i][j].rotation)) < 30.0f);
            }
        }
    }
}

TEST_CASE("run: there is a time when both feet are in the air; walk: there is none") {
    auto airborne = [](std::string_view name) {
        Frames f = frames_of(name);
        int count = 0;
        for (size_t i = 0; i < f.world.size(); ++i) {
            double low = 1e9;
            for (const char* side : {"left", "right"}) {
                for (const Vec3d& p : sole(f, i, side)) low = std::min(low, p.y());
            }
            count += low > 0.008;
        }
        return count;
    };
    CHECK(airborne("run") >= 6);
    CHECK(airborne("walk") == 0);
}

TEST_CASE("jump: the hips fly on a parabola under gravity") {
    JumpOptions options;
    JumpTimes times = jump_times(options);
    Frames f = frames_of("jump");
    int checked = 0;
    double start = f.at(0, "hips").y(), highest = 0;
    for (size_t i = 1; i + 1 < f.world.size(); ++i) {
        highest = std::max(highest, f.at(i, "hips").y());
        if ((i - 1) / fps < times.take_off || (i + 1) / fps > times.landing) continue;
        double second = (f.at(i + 1, "hips").y() - 2 * f.at(i, "hips").y() + f.at(i - 1, "hips").y()) * fps * fps;
        CHECK(second == doctest::Approx(-9.81).epsilon(0.01));
        ++checked;
    }
    CHECK(checked >= 12);
    CHECK(highest > start + options.height);
    CHECK(f.at(f.world.size() - 1, "hips").y() == doctest::Approx(start).epsilon(0.001));
}

TEST_CASE("sole_drop: flat, on the heel, on the toes") {
    CHECK(sole_drop(size, 0, 0) == doctest::Approx(size.ankle_height));
    double up = -0.3, down = 0.6;
    CHECK(sole_drop(size, up, 0) ==
          doctest::Approx(size.ankle_height * std::cos(up) - size.heel_length * std::sin(up)));
    CHECK(sole_drop(size, down, down) == doctest::Approx((size.ankle_height - size.toe_height) * std::cos(down) +
                                                         size.foot_length * std::sin(down) + size.toe_height));
}
