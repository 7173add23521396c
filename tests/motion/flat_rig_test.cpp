// Rigs all of whose joints hang on one, side by side: they move as the same body does whose joints hang on each other.
#include <doctest/doctest.h>

#include <sinew/motion/builtin.h>
#include <sinew/motion/builtin_on_body.h>
#include <sinew/motion/skinned/flat_rig.h>
#include <sinew/motion/skinned/retarget_skinned.h>
#include <sinew/sample/sample.h>
#include <sinew/skeleton/pose.h>
#include <algorithm>

#include "world_at.h"

using namespace sinew;
using namespace sinew::test;

namespace {

// All joints below a root of their own, in another order; `name` says how each is called.
template <class Name>
Skeleton flattened(const Skeleton& whole, const Name& name) {
    const std::vector<AffineD> world = rest_world(whole);
    std::vector<std::string> names = {"Armature"};
    std::vector<int32_t> parents = {-1};
    std::vector<Transform> rest(1);
    for (size_t i = whole.size(); i-- > 0;) {
        names.push_back(name(whole.names()[i]));
        parents.push_back(0);
        rest.push_back(decompose(world[i]).transform);
    }
    return *Skeleton::create(names, parents, rest);
}
size_t flat_place(const Skeleton& whole, size_t joint) {
    return whole.size() - joint;
}
std::string same(const std::string& name) {
    return name;
}

SkinnedSkeleton bare(const Skeleton& skeleton) {
    return {skeleton, {}, {}, std::vector<bool>(skeleton.size(), true)};
}

// How far joints are from where those of the whole body are, at worst over the clips.
double apart(const Skeleton& whole, const Clip& expected, const Skeleton& flat, const Clip& clip) {
    double worst = 0;
    for (int k = 0; k <= 20; ++k) {
        const float time = static_cast<float>(k) / 20.0f * duration(expected);
        const auto a = world_at(whole, expected, time), b = world_at(flat, clip, time);
        for (size_t j = 0; j < whole.size(); ++j)
            worst = std::max(worst, (a[j].matrix() - b[flat_place(whole, j)].matrix()).norm());
    }
    return worst;
}

}  // namespace

TEST_CASE("flat rig: built-in and other motions move it as they move the body whose joints hang on each other") {
    const Skeleton whole = make_rigged_humanoid().skeleton, flat = flattened(whole, same);
    const SkinnedSkeleton body = bare(whole), side_by_side = bare(flat);
    for (const char* name : {"walk", "wave"}) {
        const auto expected = builtin_on_body(name, body), moved = builtin_on_body(name, side_by_side);
        REQUIRE(expected.has_value());
        REQUIRE(moved.has_value());
        CHECK(moved->clip.name == name);
        REQUIRE(validate(moved->clip, flat.size(), 0).has_value());
        CHECK(apart(whole, expected->clip, flat, moved->clip) < 5e-3);  // between keys each joint goes straight
        CHECK(std::ranges::any_of(moved->warnings, [](const auto& w) { return w.find("hang on one") != w.npos; }));
    }
    CHECK(builtin_motions_of(flat).names == builtin_motions_of(whole).names);

    const auto motion = builtin_motion("run");
    REQUIRE(motion.has_value());
    const auto expected = retarget_skinned(motion->skeleton, motion->clip, body, {});
    const auto moved = retarget_skinned(motion->skeleton, motion->clip, side_by_side, {});
    REQUIRE(expected.has_value());
    REQUIRE(moved.has_value());
    CHECK(apart(whole, expected->clip, flat, moved->clip) < 5e-3);  // between keys each joint goes straight
    REQUIRE(moved->map.size() == expected->map.size());
    for (const JointMatch& match : moved->map) {
        const auto own = std::ranges::find(expected->map, match.source, &JointMatch::source);
        REQUIRE(own != expected->map.end());
        CHECK(match.target == static_cast<int32_t>(flat_place(whole, static_cast<size_t>(own->target))));
    }
}

TEST_CASE("join_flat_rig: nothing to join on a body that is whole, or where names say nothing") {
    const Skeleton whole = make_rigged_humanoid().skeleton;
    CHECK_FALSE(join_flat_rig(whole));
    CHECK(join_flat_rig(flattened(whole, same)));
    CHECK_FALSE(join_flat_rig(flattened(whole, [](const std::string&) { return "joint"; })));
    CHECK_FALSE(join_flat_rig(flattened(make_quadruped().skeleton, same)));
}
