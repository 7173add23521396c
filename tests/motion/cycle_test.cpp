// Motions that loop: what is retargeted from them must loop as well.
#include <doctest/doctest.h>
#include <sinew/clip/clip.h>
#include <sinew/io/read.h>
#include <sinew/motion/builtin.h>
#include <sinew/motion/retarget.h>
#include <sinew/motion/retarget/cycle.h>
#include <sinew/pipeline/retarget_character.h>
#include <sinew/sample/sample.h>
#include <sinew/skeleton/pose.h>
#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <string>

#include "support/data_case.h"

using namespace sinew;

namespace {

constexpr double degree = 3.14159265358979323846 / 180;

Quatd key(const Track& track, size_t k) {
    const float* v = track.values.data() + 4 * k;
    return Quatd(double{v[3]}, double{v[0]}, double{v[1]}, double{v[2]}).normalized();
}

// The worst joint's turn from the last key to the first, radians.
double seam(const Clip& clip) {
    double gap = 0;
    for (const Track& track : clip.tracks)
        if (track.path == TrackPath::rotation)
            gap = std::max(gap, key(track, 0).angularDistance(key(track, track.times.size() - 1)));
    return gap;
}

// The turn from key k to the next, as a vector in radians.
Vec3d turn_from(const Track& track, size_t k) {
    Quatd q = key(track, k).conjugate() * key(track, k + 1);
    if (q.w() < 0) q.coeffs() *= -1;
    const Eigen::AngleAxisd turn(q);
    return turn.angle() * turn.axis();
}

// "left" and "right" swapped.
std::string other_side(std::string name) {
    if (name.starts_with("left")) return "right" + name.substr(4);
    if (name.starts_with("right")) return "left" + name.substr(5);
    return name;
}

// By how much a joint's change of turn at the seam exceeds the greatest that it and its partner on the other side show
// within the clip (a foot may meet the ground just at the seam, the other one never does); the worst joint.
double seam_jerk(const Skeleton& skeleton, const Clip& clip) {
    const std::vector<Role> roles = recognise_humanoid(skeleton).roles(skeleton.size());
    std::map<std::string, double> most, here;
    for (const Track& track : clip.tracks) {
        const size_t n = track.times.size(), joint = static_cast<size_t>(track.target);
        if (n < 4 || track.path != TrackPath::rotation) continue;
        const std::string name =
            roles[joint] == Role::count ? skeleton.names()[joint] : std::string(to_string(roles[joint]));
        double& own = most[name];
        for (size_t k = 1; k + 1 < n; ++k) own = std::max(own, (turn_from(track, k) - turn_from(track, k - 1)).norm());
        here[name] = (turn_from(track, 0) - turn_from(track, n - 2)).norm();
    }
    double worst = 0;
    for (const auto& [name, jerk] : here) worst = std::max(worst, jerk - std::max(most[name], most[other_side(name)]));
    return worst;
}

// How much higher the body is at the end than at the beginning, in heights of its hips.
double rise(const Skeleton& skeleton, const Clip& clip) {
    const auto hips = static_cast<size_t>(recognise_humanoid(skeleton)[Role::hips]);
    std::vector<AffineD> world(skeleton.size());
    std::array<double, 2> height = {0, 0};
    for (size_t end = 0; end < 2; ++end) {
        Pose pose{skeleton.rest(), {}};
        sample(clip, end == 0 ? 0.0f : duration(clip), pose);
        local_to_world(skeleton.parents(), pose.local, world);
        height[end] = world[hips].translation().y();
    }
    return std::abs(height[1] - height[0]) / height[0];
}

// Retargets a motion that loops. At the seam no joint jumps by a twentieth of a degree, and none changes its turn from
// key to key by a degree more than elsewhere in the clip.
void check_loops(const MotionSource& motion, const Character& body, const RetargetOptions& options) {
    const auto result = retarget(motion, body, options);
    REQUIRE(result);
    CHECK(seam(result->clip) < 0.05 * degree);
    CHECK(seam_jerk(body.skeleton, result->clip) < 1.0 * degree);
    CHECK(rise(body.skeleton, result->clip) < 1e-4);
    CHECK(duration(result->clip) == doctest::Approx(duration(motion.clip)));
}

bool loops(const Clip& clip) {
    return seam(clip) < 1e-3;
}

}  // namespace

TEST_CASE("continue_cycle: a loop goes on for ever, along its way; what ends elsewhere does not") {
    const Motion walk = builtin_motion("walk").value();
    const int32_t hips = walk.skeleton.find("hips");
    SourceClip clip = make_source_clip(walk.skeleton, walk.clip, 30).value();
    const size_t before = clip.times.size();
    const WorldPose first = clip.pose_at(0), second = clip.pose_at(1), last = clip.pose_at(before - 1);
    continue_cycle(hips, Vec3d::UnitY(), clip);
    REQUIRE(clip.cycle.frames == before - 1);
    REQUIRE(clip.lead > 0);
    CHECK(clip.own_times().size() == before);
    CHECK(clip.own_times().front() == 0.0f);
    CHECK(clip.own_times().back() == duration(walk.clip));
    const auto h = static_cast<size_t>(hips);
    const Vec3d way = last.position[h] - first.position[h];
    CHECK((clip.cycle.shift - way).norm() < 1e-4);
    // A round later and a round earlier all joints are a way farther and nearer.
    for (const int round : {-1, 0, 1}) {
        const size_t frame = clip.lead + 1 + static_cast<size_t>(round + 1) * clip.cycle.frames - clip.cycle.frames;
        const WorldPose pose = clip.pose_at(frame);
        for (size_t j = 0; j < walk.skeleton.size(); ++j)
            CHECK((pose.position[j] - second.position[j] - round * way).norm() < 1e-4);
    }

    Clip cut = walk.clip;
    for (Track& track : cut.tracks) {
        track.times.resize(track.times.size() - 5);
        track.values.resize(track.times.size() * static_cast<size_t>(track.width));
    }
    SourceClip open = make_source_clip(walk.skeleton, cut, 30).value();
    continue_cycle(hips, Vec3d::UnitY(), open);
    CHECK(open.cycle.frames == 0);
    CHECK(open.own_times() == open.times);
}

TEST_CASE("continue_cycle: a walk in a circle goes on in its circle") {
    Motion walk = builtin_motion("walk").value();
    const int32_t hips = walk.skeleton.find("hips");
    // Bends the path: the hips turn about the vertical as they go.
    const double radius = 1.5;
    for (Track& track : walk.clip.tracks) {
        if (track.target != hips) continue;
        const size_t n = track.times.size();
        for (size_t k = 0; k < n; ++k) {
            const double angle = 0.6 * static_cast<double>(k) / static_cast<double>(n - 1);
            if (track.path == TrackPath::rotation) {
                const Quatd q = Quatd(Eigen::AngleAxisd(angle, Vec3d::UnitY())) * key(track, k);
                for (int c = 0; c < 4; ++c)
                    track.values[4 * k + static_cast<size_t>(c)] = static_cast<float>(q.coeffs()[c]);
            }
            if (track.path == TrackPath::translation) {
                track.values[3 * k] = static_cast<float>(radius * (1 - std::cos(angle)));
                track.values[3 * k + 2] = static_cast<float>(radius * std::sin(angle));
            }
        }
    }
    SourceClip clip = make_source_clip(walk.skeleton, walk.clip, 30).value();
    continue_cycle(hips, Vec3d::UnitY(), clip);
    REQUIRE(clip.cycle.frames > 0);
    const Vec3d middle(radius, 0, 0);
    for (size_t f = 0; f < clip.times.size(); ++f) {
        Vec3d out = clip.pose_at(f).position[static_cast<size_t>(hips)] - middle;
        out.y() = 0;
        CHECK(std::abs(out.norm() - radius) < 1e-4);
    }
}

TEST_CASE("retarget: built-in motions that loop do so on bodies of every build, moving and in place, at any rate") {
    int looped = 0;
    for (const HumanoidBuild build :
         {HumanoidBuild::average, HumanoidBuild::fat, HumanoidBuild::thin, HumanoidBuild::tall, HumanoidBuild::child}) {
        const Character body = make_rigged_humanoid(build);
        for (const std::string_view name : builtin_motion_names()) {
            const MotionSource motion = load_motion(std::string(name)).value();
            if (!loops(motion.clip)) continue;
            for (const auto& [in_place, fps] : {std::pair{false, 30.0f}, {true, 30.0f}, {false, 24.0f}}) {
                CAPTURE(static_cast<int>(build));
                CAPTURE(std::string(name));
                CAPTURE(in_place);
                CAPTURE(fps);
                check_loops(motion, body, {.fps = fps, .in_place_root = in_place});
                ++looped;
            }
        }
    }
    CHECK(looped >= 5 * 3 * 4);  // walk, run, sneak and idle at least
}

DATA_TEST_CASE("retarget: built-in motions that loop do so on characters of all kinds") {
    for (const char* name : {"rigged-gt/m2m_var_human-male.glb", "rigged-gt/m2m_var_human-female.glb",
                             "rigged-gt/m2m_var_human-zombie.glb", "rigged-gt/kaykit_Knight.glb",
                             "gltf-khronos/CesiumMan.glb", "gltf-khronos/RiggedFigure.glb"}) {
        const auto body = read_character(data / name);
        REQUIRE(body);
        for (const std::string_view motion_name : builtin_motion_names()) {
            const MotionSource motion = load_motion(std::string(motion_name)).value();
            if (!loops(motion.clip)) continue;
            CAPTURE(std::string(name));
            CAPTURE(std::string(motion_name));
            check_loops(motion, *body, {});
        }
    }
}

DATA_TEST_CASE("retarget: animals' gaits that loop do so on other animals") {
    int looped = 0;
    for (const auto& [from, onto] : {std::pair{"m2m_fox-animations.glb", "m2m_var_fox-dog.glb"},
                                     {"m2m_fox-animations.glb", "m2m_rig-horse.glb"},
                                     {"m2m_horse-animations.glb", "m2m_rig-fox.glb"},
                                     {"m2m_bird-animations.glb", "m2m_var_bird-eagle.glb"}}) {
        const auto source = read_character(data / "rigged-gt" / from),
                   target = read_character(data / "rigged-gt" / onto);
        REQUIRE(source);
        REQUIRE(target);
        for (const Clip& clip : source->clips) {
            if (!loops(clip)) continue;
            CAPTURE(std::string(from));
            CAPTURE(std::string(onto));
            CAPTURE(clip.name);
            const auto result = retarget(source->skeleton, clip, target->skeleton);
            REQUIRE(result);
            CHECK(seam(result->clip) < 0.05 * degree);
            ++looped;
        }
    }
    CHECK(looped > 6);
}
