// Puppets: bodies of blocks whose arms and legs are one part each.
#include <doctest/doctest.h>

#include <sinew/motion/builtin.h>
#include <sinew/motion/builtin_on_body.h>
#include <sinew/motion/skinned/puppet_rig.h>
#include <sinew/motion/skinned/retarget_skinned.h>
#include <sinew/skeleton/pose.h>
#include <algorithm>

#include "creature_bodies.h"
#include "world_at.h"

using namespace sinew;
using namespace sinew::test;

namespace {

// Joints by name and place, and a block on each: low and high corner in world space.
struct Block {
    const char* name;
    int32_t parent;
    Vec3d at, low, high;
};
const std::vector<Block> blocks = {{"character", -1, {0, 0, 0}, {0, 0, 0}, {0, 0, 0}},
                                   {"root", 0, {0, 0.75, 0}, {0, 0, 0}, {0, 0, 0}},
                                   {"leg-left", 1, {0.12, 0.75, 0}, {0.02, 0, -0.1}, {0.22, 0.75, 0.1}},
                                   {"leg-right", 1, {-0.12, 0.75, 0}, {-0.22, 0, -0.1}, {-0.02, 0.75, 0.1}},
                                   {"torso", 1, {0, 0.75, 0}, {-0.25, 0.75, -0.12}, {0.25, 1.5, 0.12}},
                                   {"arm-left", 4, {0.3, 1.45, 0}, {0.25, 0.75, -0.1}, {0.45, 1.5, 0.1}},
                                   {"arm-right", 4, {-0.3, 1.45, 0}, {-0.45, 0.75, -0.1}, {-0.25, 1.5, 0.1}},
                                   {"head", 4, {0, 1.5, 0}, {-0.25, 1.5, -0.25}, {0.25, 2.0, 0.25}}};

struct Puppet {
    Skeleton skeleton;
    SkinnedSkeleton body() const {
        SkinnedSkeleton made{skeleton, {}, {}, std::vector<bool>(skeleton.size(), true), {}};
        const auto world = rest_world(skeleton);
        for (size_t j = 2; j < blocks.size(); ++j)
            for (int corner = 0; corner < 8; ++corner) {
                Vec3d at;
                for (int axis = 0; axis < 3; ++axis)
                    at[axis] = (corner >> axis & 1 ? blocks[j].high : blocks[j].low)[axis];
                made.points.push_back(
                    {{static_cast<int32_t>(j)}, {1.0f}, {Vec3((world[j].inverse() * at).cast<float>())}});
            }
        return made;
    }
};

Puppet make_puppet() {
    CreatureBuilder b;
    for (const Block& block : blocks) b.add(block.name, block.parent, block.at);
    return {b.finish({}).skeleton};
}

// The height of the lowest corner of the legs.
double lowest_of_legs(const SkinnedSkeleton& body, const std::vector<AffineD>& world) {
    double lowest = INFINITY;
    for (const SkinPoint& point : body.points)
        if (point.joint[0] == 2 || point.joint[0] == 3)
            lowest = std::min(lowest, (world[static_cast<size_t>(point.joint[0])] * point.place[0].cast<double>()).y());
    return lowest;
}

}  // namespace

TEST_CASE("recognise_puppet: one part per limb, by name; knees, lost sides and parts at one place are none") {
    const Puppet puppet = make_puppet();
    const auto map = recognise_puppet(puppet.skeleton);
    REQUIRE(map);
    CHECK(map->hips == 1);
    CHECK(map->leg == std::array<int32_t, 2>{2, 3});
    CHECK(map->arm == std::array<int32_t, 2>{5, 6});
    CHECK(map->torso == 4);
    CHECK(map->head == 7);
    CHECK(builtin_motions_of(puppet.skeleton).kind == "person");

    CreatureBuilder knees;
    for (const Block& block : blocks) knees.add(block.name, block.parent, block.at);
    knees.add("shin-left", 2, {0.12, 0.35, 0});
    CHECK_FALSE(recognise_puppet(knees.finish({}).skeleton));

    CreatureBuilder sideless, heap;
    for (const Block& block : blocks) {
        sideless.add(std::string(block.name).substr(0, 3), block.parent, block.at);
        heap.add(block.name, block.parent, {0, 0, 0});
    }
    CHECK_FALSE(recognise_puppet(sideless.finish({}).skeleton));
    CHECK_FALSE(recognise_puppet(heap.finish({}).skeleton));
}

TEST_CASE("a puppet walks: on the floor, ahead, arms against legs; and jumps off it") {
    const Puppet puppet = make_puppet();
    const SkinnedSkeleton body = puppet.body();
    const auto walk = builtin_on_body("walk", body);
    REQUIRE(walk);
    REQUIRE(validate(walk->clip, puppet.skeleton.size(), 0));
    const float length = duration(walk->clip);
    double together = 0, highest = -INFINITY;
    constexpr int moments = 60;
    for (int k = 0; k < moments; ++k) {
        const auto world = world_at(puppet.skeleton, walk->clip, static_cast<float>(k) / moments * length);
        const double floor = lowest_of_legs(body, world);
        // A corner of the sole dips below the middle of a block that is turned.
        CHECK(floor > -0.08);
        highest = std::max(highest, floor);
        const auto ahead = [&](size_t joint) {
            const auto rest = rest_world(puppet.skeleton);
            return ((world[joint].linear() * rest[joint].linear().inverse()) * Vec3d(0, -1, 0)).z();
        };
        together += ahead(2) * ahead(5) + ahead(3) * ahead(6);
    }
    CHECK(highest < 0.03);
    CHECK(together < 0);
    const auto start = world_at(puppet.skeleton, walk->clip, 0), end = world_at(puppet.skeleton, walk->clip, length);
    CHECK((end[1].translation() - start[1].translation()).z() > 0.5);
    for (size_t j = 1; j < puppet.skeleton.size(); ++j) CHECK((end[j].linear() - start[j].linear()).norm() < 1e-3);

    const auto jump = builtin_on_body("jump", body);
    REQUIRE(jump);
    double most = 0;
    for (int k = 0; k < moments; ++k)
        most = std::max(most, lowest_of_legs(body, world_at(puppet.skeleton, jump->clip,
                                                            static_cast<float>(k) / moments * duration(jump->clip))));
    CHECK(most > 0.1);
}

TEST_CASE("a puppet's limbs point where hands and feet of the motion go") {
    const Puppet puppet = make_puppet();
    const SkinnedSkeleton body = puppet.body();
    const auto rig = make_puppet_rig(body);
    REQUIRE(rig);
    const auto wave = builtin_motion("wave");
    REQUIRE(wave);
    RetargetOptions how;
    how.skin = rig->points;
    const auto whole = retarget(wave->skeleton, wave->clip, rig->skeleton, how);
    REQUIRE(whole);
    const Clip clip = on_puppet(*rig, puppet.skeleton, whole->clip);
    const auto rest = rest_world(puppet.skeleton);
    for (int k = 0; k <= 20; ++k) {
        const float time = 0.05f * static_cast<float>(k) * duration(clip);
        const auto bent = world_at(rig->skeleton, whole->clip, time), stiff = world_at(puppet.skeleton, clip, time);
        for (const PuppetLimb& limb : rig->limbs) {
            const auto joint = static_cast<size_t>(limb.joint);
            const Vec3d wanted =
                (bent[static_cast<size_t>(limb.end)].translation() - bent[joint].translation()).normalized();
            const Vec3d points = stiff[joint].linear() * rest[joint].linear().inverse() * limb.tip.normalized();
            CHECK(points.dot(wanted) > 0.9999);
        }
    }
}
