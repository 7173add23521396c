// Built-in motions on bodies that were not made for the test: rigs grown from shapes, and the files of animals at hand.
#include <doctest/doctest.h>

#include <mesh/shapes.h>
#include <sinew/clip/clip.h>
#include <sinew/io/read.h>
#include <sinew/motion/builtin.h>
#include <sinew/motion/creatures/creature_motion.h>
#include <sinew/motion/creatures/gait_table.h>
#include <sinew/rig/fit_skeleton.h>
#include <sinew/skeleton/pose.h>
#include <support/data_case.h>
#include <algorithm>
#include <cmath>

using namespace sinew;
using namespace sinew::test;

namespace {

Mesh snake() {
    std::vector<Vec3> points;
    for (int i = 0; i <= 60; ++i) {
        const float t = static_cast<float>(i) / 60.0f;
        points.push_back({0.15f * std::sin(9.0f * t), 0.06f, 2.0f * t - 1.0f});
    }
    return tube(points, 0.06f);
}

Mesh octopus() {
    Mesh mesh = sphere({0, 0.9f, 0}, 0.35f, 16);
    for (int k = 0; k < 8; ++k) {
        const float a = 2.0f * pi * (static_cast<float>(k) + 0.5f) / 8.0f;
        std::vector<Vec3> arm;
        for (int i = 0; i <= 14; ++i) {
            const float t = static_cast<float>(i) / 14.0f, out = 0.15f + 1.1f * t;
            arm.push_back(
                {std::cos(a) * out, 0.75f - 0.68f * std::sin(0.5f * pi * std::min(1.0f, 1.4f * t)), std::sin(a) * out});
        }
        append(mesh, tube(arm, 0.07f));
    }
    return mesh;
}

Mesh tree() {
    Mesh mesh = tube({{0, 0, 0}, {0, 0.5f, 0}, {0, 1, 0}, {0, 1.5f, 0}}, 0.13f);
    for (int k = 0; k < 5; ++k) {
        const float a = 2.4f * static_cast<float>(k), h = 0.9f + 0.12f * static_cast<float>(k);
        append(mesh, tube({{0, h, 0},
                           {0.45f * std::cos(a), h + 0.4f, 0.45f * std::sin(a)},
                           {0.9f * std::cos(a), h + 0.75f, 0.9f * std::sin(a)}},
                          0.06f));
    }
    return mesh;
}

Mesh table() {
    Mesh mesh = tube({{0, 1, -1.2f}, {0, 1, 1.2f}}, 0.12f);
    for (const float z : {-1.0f, 1.0f}) {
        append(mesh, tube({{-0.9f, 1, z}, {0.9f, 1, z}}, 0.12f));
        for (const float x : {-0.9f, 0.9f}) append(mesh, tube({{x, 1, z}, {x, 0.5f, z}, {x, 0, z}}, 0.08f));
    }
    return mesh;
}

// Finite, of unchanged bones, and something moves.
void check_clip(const Skeleton& skeleton, const Clip& clip) {
    REQUIRE(validate(clip, skeleton.size(), 0));
    Pose pose{skeleton.rest(), {}};
    std::vector<AffineD> world(skeleton.size());
    const std::vector<AffineD> rest = rest_world(skeleton);
    double moved = 0.0, size = 0.0;
    for (const AffineD& r : rest) size = std::max(size, r.translation().norm());
    for (int k = 0; k <= 20; ++k) {
        sample(clip, duration(clip) * static_cast<float>(k) / 20.0f, pose);
        local_to_world(skeleton.parents(), pose.local, world);
        for (size_t j = 0; j < world.size(); ++j) {
            REQUIRE(world[j].translation().allFinite());
            moved = std::max(moved, (world[j].translation() - rest[j].translation()).norm());
        }
    }
    CHECK(moved > 1e-3 * size);
    for (const Track& track : clip.tracks) CHECK(track.path != TrackPath::scale);
}

// The farthest that a planted foot gets from where it came down, as a share of the body's length.
double drift_of(const Skeleton& skeleton, const Clip& clip, double clearance) {
    const CreatureBody body = creature_body(skeleton, recognise_creature(skeleton));
    Pose pose{skeleton.rest(), {}};
    std::vector<AffineD> world(skeleton.size());
    std::vector<Vec3d> anchor(body.legs.size());
    std::vector<bool> was(body.legs.size(), false);
    double drift = 0.0;
    const auto count = static_cast<int>(3 * (clip.tracks.front().times.size() - 1));
    for (int k = 0; k <= count; ++k) {
        sample(clip, duration(clip) * static_cast<float>(k) / static_cast<float>(count), pose);
        local_to_world(skeleton.parents(), pose.local, world);
        for (size_t i = 0; i < body.legs.size(); ++i) {
            const Vec3d at =
                body.world_from_body.transpose() * world[static_cast<size_t>(body.legs[i].foot_joint())].translation();
            const bool down = at.y() - body.map.ground - body.legs[i].home.y() < 0.01 * clearance * body.hip_height;
            if (down && !was[i]) anchor[i] = at;
            if (down) drift = std::max(drift, (at - anchor[i]).norm());
            was[i] = down;
        }
    }
    return drift / body.length;
}

}  // namespace

TEST_CASE("grown rigs: a snake crawls, a table crawls on its legs, a tree sways, an octopus moves") {
    const struct {
        std::string name;
        Mesh mesh;
        const char* walk;
    } cases[] = {{"snake", snake(), "crawl"},
                 {"octopus", octopus(), "crawl"},
                 {"table", table(), "crawl"},
                 {"tree", tree(), "sway"}};
    for (const auto& shape : cases) {
        CAPTURE(shape.name);
        const auto rig =
            fit_skeleton(shape.mesh.positions, shape.mesh.triangles, {.kind = RigKind::generic, .up = Vec3(0, 1, 0)});
        REQUIRE(rig);
        const CreatureMap map = recognise_creature(rig->skeleton);
        CAPTURE(to_string(map.kind));
        const auto motion = creature_motion(rig->skeleton, map, "walk");
        REQUIRE(motion);
        CHECK(map.kind == CreatureKind::other);
        CHECK(motion->clip.name == shape.walk);
        check_clip(rig->skeleton, motion->clip);
        if (std::string_view(shape.walk) == "crawl")
            CHECK(drift_of(rig->skeleton, motion->clip, crawl_gait().clearance) < 0.005);
    }
}

DATA_TEST_CASE("animals' files: every built-in motion of their kind, planted feet stay") {
    for (const char* name :
         {"rigged-gt/m2m_rig-fox.glb", "rigged-gt/m2m_rig-horse.glb", "rigged-gt/m2m_rig-bird.glb",
          "rigged-gt/m2m_rig-kaiju.glb", "rigged-gt/m2m_rig-shark.glb", "rigged-gt/m2m_var_bird-eagle.glb",
          "rigged-gt/m2m_var_fox-dog.glb", "rigged-gt/m2m_var_fox-horse.glb", "rigged-gt/m2m_var_fox-panda.glb",
          "gltf-khronos/Fox.glb"}) {
        if (!std::filesystem::exists(data / name)) continue;
        CAPTURE(name);
        const Character character = read_character(data / name).value();
        const BuiltinMotions known = builtin_motions_of(character.skeleton);
        CHECK(known.names.size() >= 2);
        const CreatureMap map = recognise_creature(character.skeleton);
        for (const std::string_view motion_name : known.names) {
            CAPTURE(motion_name);
            const auto motion = creature_motion(character.skeleton, map, motion_name);
            REQUIRE(motion);
            CHECK(motion->warnings.empty());
            check_clip(character.skeleton, motion->clip);
            const Gait* gait =
                find_gait(map.kind == CreatureKind::quadruped ? quadruped_gaits() : two_legged_gaits(), motion_name);
            if (gait) CHECK(drift_of(character.skeleton, motion->clip, gait->clearance) < 0.005);
        }
    }
}
