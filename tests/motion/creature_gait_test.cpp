// Gaits of creatures, measured on the clip alone: sampled between its keys too, with forward kinematics.
#include <doctest/doctest.h>

#include <sinew/clip/clip.h>
#include <sinew/motion/creatures/creature_motion.h>
#include <sinew/motion/creatures/gait_table.h>
#include <sinew/motion/creatures/leg_solver.h>
#include <sinew/skeleton/pose.h>
#include <algorithm>
#include <cmath>

#include "creature_bodies.h"

using namespace sinew;
using namespace sinew::test;

namespace {

constexpr int finer = 3;  // samples per key

struct Played {
    std::vector<double> time;
    std::vector<std::vector<Vec3d>> at;  // per moment and joint, body space
    double period = 0.0;                 // of the clip
};

Played play(const TestCreature& creature, const Clip& clip) {
    const CreatureBody body = creature_body(creature.skeleton, creature.map);
    Played out;
    const size_t keys = clip.tracks.front().times.size();
    const auto count = static_cast<int>(keys - 1) * finer;
    Pose pose{creature.skeleton.rest(), {}};
    std::vector<AffineD> world(creature.skeleton.size());
    out.period = duration(clip);
    for (int k = 0; k <= count; ++k) {
        out.time.push_back(out.period * k / count);
        sample(clip, static_cast<float>(out.time.back()), pose);
        local_to_world(creature.skeleton.parents(), pose.local, world);
        out.at.emplace_back();
        for (const AffineD& w : world) out.at.back().push_back(body.world_from_body.transpose() * w.translation());
    }
    return out;
}

Clip clip_of(const TestCreature& creature, std::string_view name, bool in_place = false) {
    auto motion = creature_motion(creature.skeleton, creature.map, name, {.in_place = in_place});
    REQUIRE_MESSAGE(motion, (motion ? "" : motion.error().message));
    REQUIRE(validate(motion->clip, creature.skeleton.size(), 0));
    return motion->clip;
}

std::vector<QuadrupedShape> shapes() {
    return {{},
            {.leg_bones = 2},
            {.leg_bones = 4, .blades = true, .toes = 3},
            {.leg_bones = 2, .straight = true, .tail = false},
            {.leg_bones = 3, .straight = true},
            {.leg_bones = 3, .leg = 0.25, .trunk = 1.1},            // a dachshund
            {.leg_bones = 4, .leg = 1.3, .trunk = 1.0, .toes = 1},  // a giraffe
            {.leg_bones = 3, .toes = 2, .twists = true, .heading = 2.1},
            {.scale = 0.05},
            {.leg_bones = 4, .blades = true, .scale = 20.0, .heading = -0.8}};
}

// When the foot is down, seen from outside: it is within a hundredth of the lift of where it stands.
std::vector<bool> planted(const Played& p, const CreatureBody& body, const CreatureLeg& leg, const Gait& gait) {
    std::vector<bool> down;
    for (const auto& at : p.at)
        down.push_back(at[static_cast<size_t>(leg.foot_joint())].y() - leg.home.y() <
                       0.01 * gait.clearance * body.hip_height);
    return down;
}

double segment_distance(const Vec3d& a, const Vec3d& b, const Vec3d& c, const Vec3d& d) {
    double best = INFINITY;
    for (int i = 0; i <= 10; ++i)
        for (int j = 0; j <= 10; ++j) best = std::min(best, (a + 0.1 * i * (b - a) - c - 0.1 * j * (d - c)).norm());
    return best;
}

}  // namespace

TEST_CASE("quadruped gaits: planted feet stay, also between keys, on every body and at every size") {
    for (const QuadrupedShape& shape : shapes()) {
        const TestCreature creature = make_quadruped_body(shape);
        const CreatureBody body = creature_body(creature.skeleton, creature.map);
        for (const Gait& gait : quadruped_gaits()) {
            CAPTURE(gait.name);
            CAPTURE(shape.leg_bones);
            CAPTURE(shape.scale);
            const Played p = play(creature, clip_of(creature, gait.name));
            for (const CreatureLeg& leg : body.legs) {
                const auto down = planted(p, body, leg, gait);
                CHECK(std::ranges::count(down, true) > 0);
                Vec3d anchor = Vec3d::Zero();
                double drift = 0.0;
                // The last toe too: the foot does not turn on the ground.
                const auto toe = static_cast<size_t>(leg.joints.back()), foot = static_cast<size_t>(leg.foot_joint());
                Vec3d toe_anchor = Vec3d::Zero();
                for (size_t k = 0; k < down.size(); ++k) {
                    if (!down[k]) continue;
                    if (k == 0 || !down[k - 1]) anchor = p.at[k][foot], toe_anchor = p.at[k][toe];
                    drift = std::max({drift, (p.at[k][foot] - anchor).norm(), (p.at[k][toe] - toe_anchor).norm()});
                }
                CHECK(drift < 0.005 * body.length);
            }
        }
    }
}

TEST_CASE("quadruped gaits: footfall order and duty factors are those of the table") {
    const TestCreature creature = make_quadruped_body({.leg_bones = 4, .blades = true});
    const CreatureBody body = creature_body(creature.skeleton, creature.map);
    for (const Gait& gait : quadruped_gaits()) {
        CAPTURE(gait.name);
        const Clip clip = clip_of(creature, gait.name);
        const Played p = play(creature, clip);
        const double hips = body.hip_height;
        const auto cycles = std::max(1L, std::lround(p.period / (gait_stride(gait, hips) / gait_speed(gait, hips))));
        for (size_t i = 0; i < 4; ++i) {
            const auto down = planted(p, body, body.legs[i], gait);
            const double share = static_cast<double>(std::ranges::count(down, true)) / static_cast<double>(down.size());
            // "Down" is low: a foot leaves and returns slowly, so it counts for a little longer.
            CHECK(share ==
                  doctest::Approx(i < 2 ? gait.front_duty : gait.hind_duty).epsilon(0.0).scale(1.0).epsilon(0.07));
            for (size_t k = 1; k < down.size(); ++k) {
                if (!down[k] || down[k - 1]) continue;
                const double strike = p.time[k] / p.period * static_cast<double>(cycles);
                CHECK(std::abs(std::remainder(strike - gait.phase[i], 1.0)) < 0.04);
            }
        }
    }
}

TEST_CASE("quadruped gaits: the clip loops, goes ahead by its facing, and stays in place when asked") {
    for (const QuadrupedShape& shape : shapes()) {
        const TestCreature creature = make_quadruped_body(shape);
        const auto root = static_cast<size_t>(creature.map.root);
        for (const Gait& gait : quadruped_gaits()) {
            const Played p = play(creature, clip_of(creature, gait.name));
            const Vec3d way = p.at.back()[root] - p.at.front()[root];
            CHECK(way.z() > 0.0);
            const double size = creature_body(creature.skeleton, creature.map).length;
            CHECK(std::hypot(way.x(), way.y()) < 1e-4 * size);
            for (size_t j = 0; j < p.at[0].size(); ++j)
                if (static_cast<int32_t>(j) >= creature.map.root)
                    CHECK((p.at.back()[j] - p.at.front()[j] - way).norm() < 1e-4 * size);
            const Played still = play(creature, clip_of(creature, gait.name, true));
            CHECK((still.at.back()[root] - still.at.front()[root]).norm() < 1e-4 * size);
        }
    }
}

TEST_CASE("quadruped motions: bones keep their lengths, knees their sides, legs their distance; nothing is NaN") {
    for (const QuadrupedShape& shape : shapes()) {
        const TestCreature creature = make_quadruped_body(shape);
        const CreatureBody body = creature_body(creature.skeleton, creature.map);
        const auto& parents = creature.skeleton.parents();
        for (const std::string_view name : creature_motion_names(CreatureKind::quadruped, true)) {
            CAPTURE(name);
            CAPTURE(shape.leg_bones);
            CAPTURE(shape.leg);
            const Played p = play(creature, clip_of(creature, name));
            double stretched = 0.0, flipped = 0.0, nearest = INFINITY;
            for (const auto& at : p.at) {
                for (size_t j = 0; j < at.size(); ++j) {
                    REQUIRE(at[j].allFinite());
                    if (parents[j] < 0 || static_cast<int32_t>(j) <= body.map.root) continue;
                    const auto q = static_cast<size_t>(parents[j]);
                    const double rest = (body.rest[j] - body.rest[q]).norm();
                    stretched = std::max(stretched, std::abs((at[j] - at[q]).norm() - rest) / body.length);
                }
                for (const CreatureLeg& leg : body.legs) {
                    const LegShape own = leg_shape(body, leg);
                    for (size_t i = 0; i + 1 < own.bones.size(); ++i) {
                        const auto joint = [&](size_t k) {
                            return at[static_cast<size_t>(leg.joints[leg.socket + k])];
                        };
                        const Vec3d a = joint(i + 1) - joint(i), c = joint(i + 2) - joint(i + 1);
                        const double bend =
                            std::asin(std::clamp(own.hinge.dot(a.normalized().cross(c.normalized())), -1.0, 1.0));
                        // A flexed carpus bends the other way from its rest by intent, and only backwards.
                        if (own.flex[i] == 0.0 && std::abs(own.bends[i]) > 0.02 && bend * own.bends[i] < 0)
                            flipped = std::max(flipped, std::abs(bend));
                    }
                }
                for (size_t a = 0; a < body.legs.size(); ++a) {
                    for (size_t b = a + 1; b < body.legs.size(); ++b) {
                        const CreatureLeg &one = body.legs[a], &two = body.legs[b];
                        for (size_t i = one.socket; i < one.foot; ++i)
                            for (size_t k = two.socket; k < two.foot; ++k)
                                nearest =
                                    std::min(nearest, segment_distance(at[static_cast<size_t>(one.joints[i])],
                                                                       at[static_cast<size_t>(one.joints[i + 1])],
                                                                       at[static_cast<size_t>(two.joints[k])],
                                                                       at[static_cast<size_t>(two.joints[k + 1])]));
                    }
                }
            }
            CHECK(stretched < 1e-5);
            CHECK(flipped < 0.02);
            CHECK(nearest > 0.06 * body.hip_height);
        }
    }
}

TEST_CASE("leg solver: reaches what is within reach, exactly, and says what is not") {
    for (const QuadrupedShape& shape : shapes()) {
        const TestCreature creature = make_quadruped_body(shape);
        const CreatureBody body = creature_body(creature.skeleton, creature.map);
        for (const CreatureLeg& leg : body.legs) {
            const LegShape own = leg_shape(body, leg);
            CHECK(own.longest >= (leg.home - body.rest[static_cast<size_t>(leg.socket_joint())]).norm() * (1.0 - 1e-9));
            CreaturePose pose(body);
            PlacedCreature placed;
            place(body, pose, placed);
            const Vec3d socket = placed.at(leg.socket_joint());
            for (const double share : {0.2, 0.5, 0.9, 0.999}) {
                for (const double angle : {-0.7, 0.0, 0.6}) {
                    const double reach = own.shortest + share * (own.longest - own.shortest);
                    const Vec3d target = socket + reach * Vec3d(0.05, -std::cos(angle), std::sin(angle)).normalized();
                    CHECK(solve_leg(leg, own, socket, target, 0.0, pose) < 1e-9 * own.longest);
                    place(body, pose, placed);
                    CHECK((placed.at(leg.foot_joint()) - target).norm() < 1e-9 * own.longest);
                }
            }
            const Vec3d far = socket - Vec3d(0, 2.0 * own.longest, 0);
            CHECK(solve_leg(leg, own, socket, far, 0.0, pose) == doctest::Approx(own.longest).epsilon(1e-6));
        }
    }
}

TEST_CASE("sit and shake: all feet stay where they are, and the rump comes down") {
    for (const QuadrupedShape& shape : shapes()) {
        const TestCreature creature = make_quadruped_body(shape);
        const CreatureBody body = creature_body(creature.skeleton, creature.map);
        for (const char* name : {"sit", "shake", "idle"}) {
            CAPTURE(name);
            CAPTURE(shape.leg_bones);
            const Played p = play(creature, clip_of(creature, name));
            double drift = 0.0, lowest = INFINITY;
            for (const auto& at : p.at) {
                for (const CreatureLeg& leg : body.legs)
                    drift = std::max(drift, (at[static_cast<size_t>(leg.foot_joint())] - leg.home).norm());
                lowest = std::min(lowest, at[static_cast<size_t>(body.map.root)].y());
            }
            CHECK(drift < 0.005 * body.length);
            if (std::string_view(name) == "sit")
                CHECK(lowest < 0.85 * body.rest[static_cast<size_t>(body.map.root)].y());
        }
    }
}

TEST_CASE("speed and stride follow the Froude number: time grows with the root of size") {
    for (const Gait& gait : quadruped_gaits()) {
        CHECK(gait_speed(gait, 4.0) == doctest::Approx(2.0 * gait_speed(gait, 1.0)));
        CHECK(gait_stride(gait, 4.0) == doctest::Approx(4.0 * gait_stride(gait, 1.0)));
        const double v = gait_speed(gait, 0.7);
        CHECK(v * v / (gravity * 0.7) == doctest::Approx(gait.froude));
    }
    const Clip small = clip_of(make_quadruped_body({.scale = 0.05}), "walk");
    const Clip large = clip_of(make_quadruped_body({.scale = 5.0}), "walk");
    CHECK(duration(small) > 0.0f);
    CHECK(small.tracks.front().times[1] < large.tracks.front().times[1] + 1e-6f);
}
