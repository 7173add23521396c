// Limbs that touch the body or are hidden by cloth: arms_apart.h, legs_apart.h, and the parts that follow from them.
#include <doctest/doctest.h>

#include <mesh/shapes.h>
#include <rig/score.h>
#include <rig/variants.h>
#include <sinew/mesh/geodesic.h>
#include <sinew/rig/body/arms_apart.h>
#include <sinew/rig/body/legs_apart.h>
#include <sinew/rig/fit/biped_parts.h>
#include <sinew/rig/fit_skeleton.h>
#include <sinew/sample/sample.h>

using namespace sinew;
using namespace sinew::test;

namespace {

VoxelBody body_of(const BareCharacter& c) {
    return make_voxel_body(c.positions, c.triangles);
}

// A trunk with a head, and arms that hang beside it and touch it from the armpits to the hands; 1.7 high, on y = 0.
BareCharacter with_arms_at_its_sides(const std::vector<float>& sides = {-1.0f, 1.0f}) {
    BareCharacter c;
    add_tube(c, {0, 0.8f, 0}, 0.17f, {0, 1.45f, 0}, 0.17f, true);
    add_tube(c, {0, 1.45f, 0}, 0.1f, {0, 1.7f, 0}, 0.1f, true);
    for (const float side : {-1.0f, 1.0f})
        add_tube(c, {side * 0.09f, 0, 0}, 0.07f, {side * 0.09f, 0.82f, 0}, 0.07f, true);
    for (const float side : sides) {
        add_tube(c, {side * 0.215f, 0.7f, 0}, 0.05f, {side * 0.215f, 1.4f, 0}, 0.05f, true);
        add_box(c, {side * 0.2f, 1.4f, 0}, {0.06f, 0.045f, 0.05f});
    }
    return c;
}

// How far a place is from another along the inside, beside the straight way.
double detour(const VoxelBody& body, const Vec3d& from, const Vec3d& to) {
    const auto voxel = static_cast<uint32_t>(body.grid.index(body.grid.locate(from)));
    const std::vector<float> away = geodesic_distance(body.grid, body.mask, std::span(&voxel, 1));
    return static_cast<double>(away[body.grid.index(body.grid.locate(to))]) * body.grid.cell / (to - from).norm();
}

// A limb through points, `cell` apart.
TracedLimb limb_along(const std::vector<Vec3d>& points, double cell) {
    TracedLimb limb;
    limb.cell = cell;
    for (size_t i = 0; i + 1 < points.size(); ++i) {
        const double length = (points[i + 1] - points[i]).norm();
        for (double at = 0.0; at < length; at += cell)
            limb.centre.push_back(points[i] + (points[i + 1] - points[i]) * (at / length));
    }
    limb.area.assign(limb.centre.size(), 10.0);
    limb.reach.assign(limb.centre.size(), 0.02);
    return limb;
}

// Feet at y = 0, crotch at 0.5; at the height `knee` they are `forward` of where straight legs would be.
Legs bent_legs(double forward, double knee) {
    Legs legs;
    legs.found = true;
    legs.crotch = {0, 0.5, 0};
    for (size_t k = 0; k < 2; ++k) {
        const double x = k == 0 ? 0.06 : -0.06;
        Leg& leg = legs.side[k];
        leg.limb = limb_along({{x, 0.01, 0.1}, {x, 0.05, 0}, {x, knee, forward}, {x, 0.6, 0}}, 0.01);
        leg.ankle = {x, 0.05, 0};
        leg.ankle_slice = leg.limb.nearest(leg.ankle, 0, 20);
        leg.top_slice = leg.limb.at_height(0.5);
    }
    return legs;
}

}  // namespace

TEST_CASE("part_arms: arms beside the body are taken off it, from the hand to the armpit") {
    VoxelBody body = body_of(with_arms_at_its_sides());
    const Vec3d hip(0, 0.85, 0);
    for (const double side : {1.0, -1.0}) CHECK(detour(body, {side * 0.215, 0.75, 0}, hip) < 1.2);
    REQUIRE(part_arms(body));
    refresh(body);
    for (const double side : {1.0, -1.0}) {
        const Vec3d hand(side * 0.215, 0.75, 0);
        REQUIRE(body.inside(hand));
        CHECK(detour(body, hand, hip) > 3.0);
    }
    for (const double side : {1.0, -1.0}) CHECK(body.inside({side * 0.09, 0.3, 0}));  // the legs stay
    CHECK_FALSE(part_arms(body));                                                     // done
}

TEST_CASE("part_arms: one arm alone, when the other is raised") {
    VoxelBody body = body_of(with_arms_at_its_sides({-1.0f}));
    const Vec3d hip(0, 0.85, 0), hand(-0.215, 0.75, 0);
    REQUIRE(part_arms(body));
    refresh(body);
    REQUIRE(body.inside(hand));
    CHECK(detour(body, hand, hip) > 3.0);
    CHECK(body.inside({0.15, 0.9, 0}));                                               // the other side is as it was
    for (const double side : {1.0, -1.0}) CHECK(body.inside({side * 0.09, 0.3, 0}));  // and so are the legs
}

TEST_CASE("part_arms: what has nothing at its sides stays as it is") {
    BareCharacter c;
    add_tube(c, {0, 0.8f, 0}, 0.17f, {0, 1.7f, 0}, 0.17f, true);
    for (const float side : {-1.0f, 1.0f})
        add_tube(c, {side * 0.09f, 0, 0}, 0.07f, {side * 0.09f, 0.82f, 0}, 0.07f, true);
    VoxelBody body = body_of(c);
    CHECK_FALSE(part_arms(body));
}

TEST_CASE("clear_between_legs: a closed cloth between the legs goes, the legs and what is short stay") {
    for (const float bottom : {0.4f, 0.76f}) {
        BareCharacter c = with_arms_at_its_sides();
        add_box(c, {0, 0.5f * (bottom + 0.85f), 0.02f}, {0.03f, 0.5f * (0.85f - bottom), 0.09f});
        VoxelBody body = body_of(c);
        REQUIRE(body.inside({0, 0.78, 0.02}));
        const bool cleared = clear_between_legs(body);
        CAPTURE(bottom);
        CHECK(cleared == (bottom < 0.7f));
        CHECK(body.inside({0, 0.5, 0.02}) == false);
        CHECK(body.inside({0, 0.78, 0.02}) == !cleared);
        for (const double side : {1.0, -1.0}) CHECK(body.inside({side * 0.09, 0.5, 0}));
    }
}

TEST_CASE("rig: the sample character with its arms at its sides") {
    BareCharacter c{.name = "sample", .kind = "biped"};
    take_posed(make_rigged_humanoid(), "arms85", c);
    const RigResult rig = fit_skeleton(c.positions, c.triangles).value();
    const Score score = compare(c, rig);
    MESSAGE("arms at its sides: confidence " << rig.confidence << ", mean " << score.mean << "%:" << score.text);
    CHECK(rig.kind == RigKind::biped);
    CHECK(rig.confidence >= accepted_confidence);
    CHECK(score.mean < 3.5);
    CHECK(score.worst_limb < 8.0);
}

TEST_CASE("rig: one arm raised, the other by the side, whichever is which") {
    for (const std::string pose : {"raised", "waving"})
        for (const bool mirrored_pose : {false, true}) {
            BareCharacter c{.name = "sample", .kind = "biped"};
            take_posed(make_rigged_humanoid(), pose, c);
            if (mirrored_pose) {
                for (Vec3& p : c.positions) p.x() = -p.x();
                for (size_t t = 0; t < c.triangles.size(); t += 3) std::swap(c.triangles[t], c.triangles[t + 1]);
                std::map<std::string, Vec3> truth;
                for (const auto& [name, at] : c.truth) {
                    const bool left = name.rfind("left", 0) == 0, right = name.rfind("right", 0) == 0;
                    truth[left    ? "right" + name.substr(4)
                          : right ? "left" + name.substr(5)
                                  : name] = Vec3(-at.x(), at.y(), at.z());
                }
                c.truth = truth;
            }
            const RigResult rig = fit_skeleton(c.positions, c.triangles).value();
            const Score score = compare(c, rig);
            CAPTURE(pose);
            CAPTURE(mirrored_pose);
            MESSAGE(pose << ": confidence " << rig.confidence << ", mean " << score.mean << "%:" << score.text);
            CHECK(rig.kind == RigKind::biped);
            CHECK(score.mean < 3.5);
        }
}

TEST_CASE("knees: where the leg bends forward; a bend backward is a heel in the air, and the knee is halfway") {
    Upright upright;
    upright.height = 1.0;
    const Vec3d shoulders(0, 0.8, 0);
    Legs ahead = bent_legs(0.08, 0.22), straight = bent_legs(0.0, 0.22), behind = bent_legs(-0.08, 0.22);
    for (Legs* legs : {&ahead, &straight, &behind}) place_hips(upright, shoulders, *legs);
    for (size_t k = 0; k < 2; ++k) {
        CHECK(ahead.side[k].knee.y() == doctest::Approx(0.22).epsilon(0.05));
        CHECK(ahead.side[k].knee.z() > 0.07);
        CHECK(straight.side[k].knee.y() == doctest::Approx(0.292).epsilon(0.05));
        const Leg& leg = behind.side[k];
        const double halfway = leg.ankle_slice + 0.49 * (leg.limb.at_height(leg.hip.y()) - leg.ankle_slice);
        CHECK((leg.knee - leg.limb.at(halfway)).norm() < 0.02);
    }
}

TEST_CASE("mend_shoulders: too far out, too far in, at different places") {
    Upright upright;
    upright.height = 1.0;
    Legs legs;
    legs.crotch = {0, 0.45, 0};
    BipedTrunk trunk;
    trunk.top = {0, 1, 0};
    trunk.narrow = {0, 0.86, 0};
    const auto arms_at = [](const Vec3d& left, const Vec3d& right) {
        Arms arms;
        arms.found = true;
        for (size_t k = 0; k < 2; ++k) {
            Arm& arm = arms.side[k];
            const Vec3d& shoulder = k == 0 ? left : right;
            arm.limb = limb_along({shoulder + Vec3d((k == 0 ? 1 : -1) * 0.4, 0, 0), shoulder, {0, 0.8, 0}}, 0.01);
            arm.shoulder = shoulder;
            arm.shoulder_slice = 40, arm.elbow_slice = 25;
            arm.elbow = arm.limb.at(25);
        }
        return arms;
    };
    const double torso = 0.35;
    Arms wide = arms_at({0.25, 0.8, 0}, {-0.25, 0.8, 0});
    mend_shoulders(upright, legs, trunk, wide);
    CHECK(wide.side[0].shoulder.x() == doctest::Approx(0.42 * torso + 0.5 * (0.25 - 0.42 * torso)));
    CHECK(wide.side[0].elbow.x() < 0.4);  // the elbow keeps its share
    Arms narrow = arms_at({0.02, 0.8, 0}, {-0.02, 0.8, 0});
    mend_shoulders(upright, legs, trunk, narrow);
    CHECK(narrow.side[0].shoulder.x() == doctest::Approx(0.2 * torso));
    Arms right = arms_at({0.1, 0.8, 0}, {-0.1, 0.8, 0});
    mend_shoulders(upright, legs, trunk, right);
    CHECK(right.side[0].shoulder.x() == doctest::Approx(0.1));
    Arms apart = arms_at({0.1, 0.7, 0}, {-0.1, 0.9, 0});  // one arm raised, one hanging
    mend_shoulders(upright, legs, trunk, apart);
    CHECK((apart.side[0].shoulder - mirrored(apart.side[1].shoulder)).norm() < 1e-12);
    CHECK(apart.side[0].shoulder.y() == doctest::Approx(0.8));
    for (const Arms* arms : {&wide, &narrow, &right})
        CHECK((arms->side[0].shoulder - mirrored(arms->side[1].shoulder)).norm() < 1e-12);
    // Narrow where the head is large.
    trunk.narrow = {0, 0.55, 0};
    Arms large = arms_at({0.2, 0.8, 0}, {-0.2, 0.8, 0});
    mend_shoulders(upright, legs, trunk, large);
    CHECK(large.side[0].shoulder.x() == doctest::Approx(0.31 * torso));
}
