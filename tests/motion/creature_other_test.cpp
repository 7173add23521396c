// Motions of creatures without four legs: waves along a backbone, wings, swaying branches, tails; and the names.
#include <doctest/doctest.h>

#include <sinew/clip/clip.h>
#include <sinew/motion/builtin.h>
#include <sinew/motion/builtin_on_body.h>
#include <sinew/motion/creatures/creature_motion.h>
#include <sinew/motion/creatures/follow_along.h>
#include <sinew/skeleton/pose.h>
#include <algorithm>
#include <cmath>

#include "creature_bodies.h"

using namespace sinew;
using namespace sinew::test;

namespace {

std::vector<Vec3d> joints_at(const Skeleton& skeleton, const Clip& clip, double time) {
    Pose pose{skeleton.rest(), {}};
    sample(clip, static_cast<float>(time), pose);
    std::vector<AffineD> world(skeleton.size());
    local_to_world(skeleton.parents(), pose.local, world);
    std::vector<Vec3d> at;
    for (const AffineD& w : world) at.push_back(w.translation());
    return at;
}

Clip clip_of(const TestCreature& creature, std::string_view name) {
    auto motion = creature_motion(creature.skeleton, creature.map, name);
    REQUIRE_MESSAGE(motion, (motion ? "" : motion.error().message));
    REQUIRE(validate(motion->clip, creature.skeleton.size(), 0));
    return motion->clip;
}

// A trunk with three branches, its root in the fork, as a grown rig has it.
TestCreature make_tree() {
    CreatureBuilder b;
    CreatureMap map;
    const int32_t fork = b.add("hips", -1, {0, 1.0, 0});
    int32_t down = fork;
    for (int i = 0; i < 3; ++i) down = b.add("trunk", down, {0, 0.7 - 0.33 * i, 0});
    map.limbs.push_back({fork, down});
    for (int k = 0; k < 3; ++k) {
        JointChain limb;
        int32_t parent = fork;
        for (int i = 1; i <= 3; ++i)
            limb.push_back(parent = b.add("branch", parent,
                                          {0.2 * i * std::cos(2.1 * k), 1.0 + 0.3 * i, 0.2 * i * std::sin(2.1 * k)}));
        map.limbs.push_back(limb);
    }
    map.root = fork;
    return b.finish(map);
}

// A body with `legs` legs all around, each of three bones that go up, out and down.
TestCreature make_spider(int legs) {
    CreatureBuilder b;
    CreatureMap map;
    map.root = b.add("hips", -1, {0, 0.5, 0});
    for (int k = 0; k < legs; ++k) {
        const double angle = 2.0 * M_PI * (k + 0.5) / legs;
        const Vec3d out(std::cos(angle), 0, std::sin(angle));
        JointChain limb;
        int32_t parent = map.root;
        const double radius[] = {0.1, 0.35, 0.6, 0.7}, height[] = {0.5, 0.7, 0.35, 0.02};
        for (int i = 0; i < 4; ++i)
            limb.push_back(parent = b.add("limb", parent, radius[i] * out + Vec3d(0, height[i], 0)));
        map.limbs.push_back(limb);
    }
    return b.finish(map);
}

TestCreature make_bird() {
    CreatureBuilder b;
    CreatureMap map;
    map.kind = CreatureKind::bird;
    const int32_t hips = b.add("hips", -1, {0, 0.5, -0.1});
    const int32_t chest = b.add("chest", hips, {0, 0.55, 0.2});
    const int32_t neck = b.add("neck", chest, {0, 0.65, 0.35});
    const int32_t head = b.add("head", neck, {0, 0.75, 0.45});
    map.root = hips;
    map.spine = {hips, chest};
    map.neck = {neck};
    map.head = {head};
    for (const double side : {1.0, -1.0}) {
        CreatureLimb leg{{}, side > 0 ? Side::left : Side::right, 0, 3};
        int32_t parent = hips;
        for (const Vec3d& at :
             {Vec3d(0.05, 0.45, -0.1), Vec3d(0.08, 0.38, 0.0), Vec3d(0.08, 0.2, -0.12), Vec3d(0.08, 0.02, -0.04)})
            leg.joints.push_back(parent = b.add("leg", parent, {side * at.x(), at.y(), at.z()}));
        map.legs.push_back(leg);
        CreatureLimb wing{{}, leg.side, 0, 3};
        parent = chest;
        for (const double x : {0.1, 0.4, 0.8, 1.3})
            wing.joints.push_back(parent = b.add("wing", parent, {side * x, 0.58, 0.15}));
        map.wings.push_back(wing);
    }
    return b.finish(map);
}

// Loops, up to `way`, finite, no bone longer.
void check_sound(const TestCreature& creature, const Clip& clip) {
    const auto& parents = creature.skeleton.parents();
    const auto rest = joints_at(creature.skeleton, {}, 0.0);
    const auto first = joints_at(creature.skeleton, clip, 0.0),
               last = joints_at(creature.skeleton, clip, duration(clip));
    const auto root = static_cast<size_t>(creature.map.root);
    const Vec3d way = last[root] - first[root];
    for (size_t j = 0; j < rest.size(); ++j)
        if (static_cast<int32_t>(j) >= creature.map.root) CHECK((last[j] - first[j] - way).norm() < 1e-4);
    for (int k = 0; k <= 50; ++k) {
        const auto at = joints_at(creature.skeleton, clip, duration(clip) * k / 50.0);
        for (size_t j = 0; j < at.size(); ++j) {
            REQUIRE(at[j].allFinite());
            if (parents[j] < 0 || static_cast<int32_t>(j) <= creature.map.root) continue;
            const auto p = static_cast<size_t>(parents[j]);
            CHECK(std::abs((at[j] - at[p]).norm() - (rest[j] - rest[p]).norm()) < 1e-5);
        }
    }
}

}  // namespace

TEST_CASE("swim: a wave goes from head to tail and grows; the body advances") {
    for (const int root : {0, 3, 6}) {
        CAPTURE(root);
        const TestCreature fish = make_worm(CreatureKind::fish, 12, root);
        const Clip clip = clip_of(fish, "swim");
        check_sound(fish, clip);
        const auto root_joint = static_cast<size_t>(fish.map.root);
        CHECK(joints_at(fish.skeleton, clip, duration(clip))[root_joint].z() >
              joints_at(fish.skeleton, clip, 0)[root_joint].z() + 0.3);
        // When does each joint of the tail pass furthest to the left? Later, the farther back.
        const auto period = 1.0 / (1.3 / 1.0);
        std::vector<double> width, when;
        for (const int32_t joint : fish.map.tail) {
            double best = -INFINITY, least = INFINITY, at_time = 0.0;
            for (int k = 0; k < 200; ++k) {
                const double t = period * k / 200.0;
                const double x = joints_at(fish.skeleton, clip, t)[static_cast<size_t>(joint)].x();
                if (x > best) best = x, at_time = t;
                least = std::min(least, x);
            }
            width.push_back(best - least);
            when.push_back(at_time / period);
        }
        CHECK(width.back() > 0.12);
        CHECK(width.back() < 0.35);
        CHECK(width.back() > width[width.size() / 2]);
        const double later = when.back() - when[when.size() - 3];
        CHECK(later - std::floor(later) < 0.5);
    }
}

TEST_CASE("crawl of a snake: every joint follows the way of its head") {
    const TestCreature snake = make_worm(CreatureKind::serpent, 40, 12, 2.0);
    const Clip clip = clip_of(snake, "crawl");
    check_sound(snake, clip);
    std::vector<Vec3d> way;
    constexpr int samples = 600;
    for (int k = 0; k <= samples; ++k)
        way.push_back(
            joints_at(snake.skeleton, clip, duration(clip) * k / samples)[static_cast<size_t>(snake.map.head.front())]);
    // At the end the neck has come to where the head went before it. Straight bones cut the curve: allow 2% of the
    // length.
    const auto end = joints_at(snake.skeleton, clip, duration(clip));
    for (size_t i = 1; i < snake.map.neck.size(); ++i) {
        double nearest = INFINITY;
        for (const Vec3d& p : way)
            nearest = std::min(nearest, (p - end[static_cast<size_t>(snake.map.neck[i])]).norm());
        CHECK(nearest < 0.04);
    }
    CHECK((way.back() - way.front()).z() > 0.5);
}

TEST_CASE("sway: the foot of a tree stays, its branches move, the ends most") {
    const TestCreature tree = make_tree();
    const Clip clip = clip_of(tree, "sway");
    check_sound(tree, clip);
    const auto rest = joints_at(tree.skeleton, {}, 0.0);
    const auto foot = static_cast<size_t>(tree.map.limbs[0].back());
    double foot_moved = 0.0, tip = 0.0, inner = 0.0;
    for (int k = 0; k <= 60; ++k) {
        const auto at = joints_at(tree.skeleton, clip, duration(clip) * k / 60.0);
        foot_moved = std::max(foot_moved, (at[foot] - rest[foot]).norm());
        for (size_t limb = 1; limb < tree.map.limbs.size(); ++limb) {
            const auto last = static_cast<size_t>(tree.map.limbs[limb].back()),
                       first = static_cast<size_t>(tree.map.limbs[limb].front());
            tip = std::max(tip, (at[last] - rest[last]).norm());
            inner = std::max(inner, (at[first] - rest[first]).norm());
        }
    }
    CHECK(foot_moved < 1e-3);  // between keys the root's way is a chord
    CHECK(tip > 0.05);
    CHECK(tip > 2.0 * inner);
}

TEST_CASE("crawl on any number of legs: planted feet stay") {
    for (const int legs : {3, 4, 6, 8}) {
        CAPTURE(legs);
        const TestCreature spider = make_spider(legs);
        const Clip clip = clip_of(spider, "walk");
        CHECK(clip.name == "crawl");
        check_sound(spider, clip);
        double drift = 0.0;
        for (const JointChain& limb : spider.map.limbs) {
            const auto foot = static_cast<size_t>(limb.back());
            Vec3d anchor = Vec3d::Zero();
            bool was = false;
            int landed = 0;
            for (int k = 0; k <= 400; ++k) {
                const Vec3d at = joints_at(spider.skeleton, clip, duration(clip) * k / 400.0)[foot];
                const bool down = at.y() < 0.02 + 5e-4;
                if (down && !was) anchor = at, ++landed;
                if (down) drift = std::max(drift, (at - anchor).norm());
                was = down;
            }
            CHECK(landed > 0);
        }
        CHECK(drift < 0.005 * 1.4);
    }
}

TEST_CASE("birds: walking folds the wings, flapping beats them alike, in the air") {
    const TestCreature bird = make_bird();
    for (const std::string_view name : creature_motion_names(CreatureKind::bird, true)) {
        CAPTURE(name);
        check_sound(bird, clip_of(bird, name));
    }
    const auto tip = [&](size_t wing) { return static_cast<size_t>(bird.map.wings[wing].joints.back()); };
    const auto walking = joints_at(bird.skeleton, clip_of(bird, "walk"), 0.0);
    CHECK(std::abs(walking[tip(0)].x()) < 0.6);
    const Clip flap = clip_of(bird, "flap");
    double high = -INFINITY, low = INFINITY, uneven = 0.0, lowest = INFINITY;
    for (int k = 0; k <= 100; ++k) {
        const auto at = joints_at(bird.skeleton, flap, duration(flap) * k / 100.0);
        const double lift = at[tip(0)].y() - at[static_cast<size_t>(bird.map.root)].y();
        high = std::max(high, lift);
        low = std::min(low, lift);
        uneven = std::max(uneven, std::abs(at[tip(0)].y() - at[tip(1)].y()));
        for (const Vec3d& p : at) lowest = std::min(lowest, p.y());
    }
    CHECK(high - low > 0.8);
    CHECK(uneven < 1e-4);
    CHECK(lowest > 0.0);
}

TEST_CASE("names: the nearest meaning, told; an unknown one lists what the body has") {
    const TestCreature fish = make_worm(CreatureKind::fish, 8, 2);
    const auto walk = creature_motion(fish.skeleton, fish.map, "walk");
    REQUIRE(walk);
    CHECK(walk->clip.name == "swim");
    REQUIRE(walk->warnings.size() == 1);
    CHECK(walk->warnings[0].find("swim") != std::string::npos);
    const auto sit = creature_motion(fish.skeleton, fish.map, "sit");
    REQUIRE(!sit);
    CHECK(sit.error().code == ErrorCode::not_found);
    CHECK(sit.error().message.find("swim, idle") != std::string::npos);
    const TestCreature horse = make_quadruped_body({});
    CHECK(creature_motion(horse.skeleton, horse.map, "run")->clip.name == "gallop");
    CHECK(creature_motion(horse.skeleton, horse.map, "trot")->warnings.empty());
    CHECK(!creature_motion(horse.skeleton, horse.map, "wave"));
    const TestCreature tree = make_tree();
    CHECK(creature_motion(tree.skeleton, tree.map, "walk")->clip.name == "sway");
    CHECK(!creature_motion(Skeleton{}, CreatureMap{}, "walk"));
    CHECK(nearest_motion("gallop", builtin_motion_names()) == "run");
    CHECK(check_builtin_name("rotary-gallop"));
    const auto unknown = check_builtin_name("galop");
    REQUIRE(!unknown);
    CHECK(unknown.error().message.find("gallop") != std::string::npos);
    for (const BuiltinMotions& kind : builtin_motions_by_kind())
        for (const std::string_view name : kind.names) CHECK(check_builtin_name(name));
}

TEST_CASE("a tail follows a person's hips: later, further, and in a loop") {
    Motion walk = builtin_motion("walk").value();
    std::vector<std::string> names = walk.skeleton.names();
    std::vector<int32_t> parents = walk.skeleton.parents();
    std::vector<Transform> rest = walk.skeleton.rest();
    CreatureMap map;
    map.kind = CreatureKind::biped;
    int32_t parent = map.root = walk.skeleton.find("hips");
    for (int i = 0; i < 4; ++i) {
        Transform t;
        t.translation = {0, 0, -0.2f};
        names.push_back("tail");
        parents.push_back(parent);
        rest.push_back(t);
        parent = static_cast<int32_t>(parents.size()) - 1;
        map.tail.push_back(parent);
    }
    const Skeleton skeleton = Skeleton::create(names, parents, rest).value();
    const size_t before = walk.clip.tracks.size();
    follow_with_tail(skeleton, map, walk.clip);
    CHECK(walk.clip.tracks.size() == before + 4);
    REQUIRE(validate(walk.clip, skeleton.size(), 0));
    const auto tip = static_cast<size_t>(map.tail.back()), hips = static_cast<size_t>(map.root);
    double swing = 0.0;
    const auto side = [&](double t) {
        const auto at = joints_at(skeleton, walk.clip, t);
        return (at[tip] - at[hips]).x();
    };
    for (int k = 0; k < 60; ++k) swing = std::max(swing, std::abs(side(duration(walk.clip) * k / 60.0)));
    CHECK(swing > 0.05);
    CHECK(std::abs(side(0.0) - side(duration(walk.clip))) < 0.02);
}
