// CMU motions on characters of all kinds: what a viewer would notice, measured from outside.
#include <doctest/doctest.h>
#include <fmt/format.h>
#include <sinew/clip/clip.h>
#include <sinew/io/read.h>
#include <sinew/math/interpolate.h>
#include <sinew/motion/builtin.h>
#include <sinew/motion/retarget.h>
#include <sinew/sample/sample.h>
#include <sinew/skeleton/pose.h>
#include <algorithm>
#include <iostream>

#include "support/data_case.h"

using namespace sinew;

namespace {

struct Frames {
    std::vector<std::vector<Vec3d>> position;  // [frame][joint]
    std::vector<std::vector<Quat>> world, local;
};

Frames play(const Skeleton& skeleton, const Clip& clip, float start) {
    Frames frames;
    for (int f = 0; f / 30.0f <= duration(clip); ++f) {
        Pose pose{skeleton.rest(), {}};
        sample(clip, std::max(start, f / 30.0f), pose);
        std::vector<AffineD> world(skeleton.size());
        local_to_world(skeleton.parents(), pose.local, world);
        auto& position = frames.position.emplace_back();
        auto& turned = frames.world.emplace_back();
        auto& local = frames.local.emplace_back();
        for (size_t j = 0; j < skeleton.size(); ++j) {
            const int32_t parent = skeleton.parents()[j];
            position.push_back(world[j].translation());
            local.push_back(pose.local[j].rotation);
            turned.push_back(parent < 0 ? local[j] : Quat(turned[static_cast<size_t>(parent)] * local[j]));
        }
    }
    return frames;
}

// The largest turn of a joint from frame f−1 to f, in degrees.
float turn(const Frames& frames, size_t f, size_t joint) {
    return degrees(std::max(angle_between(frames.world[f - 1][joint], frames.world[f][joint]),
                            angle_between(frames.local[f - 1][joint], frames.local[f][joint])));
}

// How far a role's joint turns beyond 60 degrees where no joint of the source does so about then.
float worst_flip(const Frames& source, const Frames& target, const HumanoidMap& map) {
    float worst = 0;
    std::vector<float> allowed(source.world.size(), 60.0f);
    for (size_t f = 1; f < source.world.size(); ++f)
        for (size_t j = 0; j < source.world[f].size(); ++j)
            for (size_t g = f - 1; g <= std::min(f + 1, source.world.size() - 1); ++g)
                allowed[g] = std::max(allowed[g], turn(source, f, j));
    for (size_t f = 1; f < std::min(allowed.size(), target.world.size()); ++f)
        for (const int32_t joint : map.joint)
            if (joint >= 0) worst = std::max(worst, turn(target, f, static_cast<size_t>(joint)) - allowed[f]);
    return worst;
}

struct Body {
    HumanoidMap map;
    double leg = 0;
    Vec3d at(const std::vector<Vec3d>& p, Role role) const { return p[static_cast<size_t>(map[role])]; }
    double pelvis(const std::vector<Vec3d>& p) const {
        return 0.5 * (at(p, Role::left_upper_leg) + at(p, Role::right_upper_leg)).y();
    }
    double low_ankle(const std::vector<Vec3d>& p) const {
        return std::min(at(p, Role::left_foot).y(), at(p, Role::right_foot).y());
    }
};

Body measure_at_rest(const Skeleton& skeleton) {
    Body body{recognise_humanoid(skeleton), 0};
    REQUIRE(body.map.is_body());
    std::vector<Vec3d> rest;
    for (const AffineD& world : rest_world(skeleton)) rest.push_back(world.translation());
    body.leg = (body.at(rest, Role::left_upper_leg) - body.at(rest, Role::left_lower_leg)).norm() +
               (body.at(rest, Role::left_lower_leg) - body.at(rest, Role::left_foot)).norm();
    return body;
}

// A body whose hips are lower than this, in legs, sits, lies or spins on its back: its feet are where the floor lets
// them.
constexpr double upright = 0.6;

// How high the hip sockets are over a standing ankle, in legs, while the lower foot stands: the median frame.
double pelvis_height(const Frames& frames, const Body& body) {
    std::vector<double> heights;
    for (const auto& p : frames.position) heights.push_back((body.pelvis(p) - body.low_ankle(p)) / body.leg);
    std::ranges::nth_element(heights, heights.begin() + static_cast<std::ptrdiff_t>(heights.size() / 2));
    return heights[heights.size() / 2];
}

constexpr const char* characters[] = {"rigged-gt/m2m_var_human-male.glb", "rigged-gt/m2m_var_human-female.glb",
                                      "rigged-gt/m2m_var_human-zombie.glb", "rigged-gt/kaykit_Knight.glb",
                                      "gltf-khronos/CesiumMan.glb"};

}  // namespace

DATA_TEST_CASE("retarget: CMU motions on six characters") {
    std::vector<std::pair<std::string, Skeleton>> targets;
    for (const char* name : characters) {
        const auto character = read_character(data / name);
        REQUIRE(character);
        targets.emplace_back(std::filesystem::path(name).stem().string(), character->skeleton);
    }
    targets.emplace_back("sample", make_rigged_humanoid().skeleton);
    std::vector<std::filesystem::path> clips;
    for (const auto& entry : std::filesystem::directory_iterator(data / "bvh-cmu"))
        if (entry.path().extension() == ".bvh") clips.push_back(entry.path());
    std::ranges::sort(clips);
    std::cout << fmt::format("{:>8} {:>20} {:>6} {:>14} {:>11} {:>10} {:>10}\n", "motion", "character", "joints",
                             "pelvis src/tgt", "skate cm/s", "ground cm", "worst flip");
    for (const auto& path : clips) {
        const auto motion = read_character(path);
        REQUIRE(motion);
        REQUIRE(motion->clips.size() == 1);
        const Frames source = play(motion->skeleton, motion->clips[0], 1 / 60.0f);
        const Body source_body = measure_at_rest(motion->skeleton);
        const double source_pelvis = pelvis_height(source, source_body);
        for (const auto& [name, skeleton] : targets) {
            INFO(path.stem().string() << " on " << name);
            const auto result = retarget(motion->skeleton, motion->clips[0], skeleton);
            REQUIRE(result);
            REQUIRE(validate(result->clip, skeleton.size(), 0));
            const Frames frames = play(skeleton, result->clip, 0);
            const Body body = measure_at_rest(skeleton);
            const double pelvis = pelvis_height(frames, body);
            const float flip = worst_flip(source, frames, body.map);
            std::cout << fmt::format("{:>8} {:>20} {:>6} {:>6.3f} {:>7.3f} {:>11.2f} {:>10.2f} {:>10.0f}\n",
                                     path.stem().string(), name, result->mapped_joints, source_pelvis, pelvis,
                                     result->foot_skate_cm_per_s, result->ground_error_cm, flip);
            // A character with fewer joints adds up the turns of those it lacks: a few degrees more than any one of
            // them.
            CHECK(flip < 4);
            if (source_pelvis > upright) CHECK(std::abs(pelvis - source_pelvis) < 0.06);
            CHECK(result->foot_skate_cm_per_s < 0.1f);
            CHECK(result->ground_error_cm < 0.3f);
            // The ankles come down to where they rest, and lower only where the foot lies on its side: never under the
            // floor.
            std::vector<double> low;
            for (const auto& p : frames.position) low.push_back(body.low_ankle(p));
            std::vector<Vec3d> rest;
            for (const AffineD& world : rest_world(skeleton)) rest.push_back(world.translation());
            CHECK(*std::ranges::min_element(low) > 0.0);
            CHECK(*std::ranges::min_element(low) < body.low_ankle(rest) + 0.08 * body.leg);
        }
    }
}

DATA_TEST_CASE("retarget: built-in motions on five characters stand on the ground") {
    for (const std::string_view motion_name : builtin_motion_names()) {
        const auto motion = builtin_motion(motion_name);
        REQUIRE(motion);
        const Frames source = play(motion->skeleton, motion->clip, 0);
        for (const char* name : characters) {
            INFO(motion_name << " on " << name);
            const auto character = read_character(data / name);
            REQUIRE(character);
            const auto result = retarget(motion->skeleton, motion->clip, character->skeleton);
            REQUIRE(result);
            const Frames frames = play(character->skeleton, result->clip, 0);
            CHECK(worst_flip(source, frames, recognise_humanoid(character->skeleton)) <= 0);
            CHECK(result->foot_skate_cm_per_s < 0.6f);
            CHECK(result->ground_error_cm < 0.5);
        }
    }
}
