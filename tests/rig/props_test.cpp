// Bodies as games have them: made of pieces, legs that touch, things in the hands. No files needed.
#include <doctest/doctest.h>

#include <rig/variants.h>
#include <sinew/rig/body/legs_apart.h>
#include <sinew/rig/body/pieces.h>
#include <sinew/rig/fit_skeleton.h>

using namespace sinew;
using namespace sinew::test;

namespace {

// A figure of boxes in a T-pose, 2 tall; each box overlaps the next. `gap` is between the legs.
BareCharacter box_figure(float gap = 0.1f) {
    BareCharacter c{.name = "boxes", .kind = "biped"};
    c.height = 2.0;
    add_box(c, {0, 1.25f, 0}, {0.25f, 0.3f, 0.13f});  // trunk
    add_box(c, {0, 1.58f, 0}, {0.08f, 0.08f, 0.08f});
    add_box(c, {0, 1.8f, 0}, {0.16f, 0.2f, 0.16f});  // head
    for (const float side : {-1.0f, 1.0f}) {
        add_box(c, {0.6f * side, 1.45f, 0}, {0.4f, 0.07f, 0.07f});
        const float x = side * (0.11f + 0.5f * gap);
        add_box(c, {x, 0.5f, 0}, {0.11f, 0.5f, 0.11f});
        add_box(c, {x, 0.06f, 0.14f}, {0.1f, 0.06f, 0.14f});  // feet, ahead
    }
    return c;
}

const MirrorPlane middle{.normal = Vec3d::UnitX(), .offset = 0.0, .overlap = 1.0};
constexpr size_t box_corners = 36;

size_t left_without(const BareCharacter& c, Props props) {
    return without_props(find_pieces(c.positions, c.triangles), c.triangles, middle, props).size();
}

Vec3 joint(const RigResult& rig, const std::string& name) {
    const int32_t j = rig.skeleton.find(name);
    REQUIRE(j >= 0);
    return rig.positions[static_cast<size_t>(j)];
}

}  // namespace

TEST_CASE("pieces: limbs stay, what one hand holds goes, in whatever pieces it comes") {
    const BareCharacter bare = box_figure();
    CHECK(find_pieces(bare.positions, bare.triangles).list.size() == 9);
    CHECK(left_without(bare, Props::plain) == 0);  // nothing is carried
    BareCharacter armed = bare;
    add_box(armed, {0.95f, 1.45f, 0.3f}, {0.02f, 0.03f, 0.4f});
    add_box(armed, {0.95f, 1.45f, 0.1f}, {0.1f, 0.02f, 0.02f});  // its guard
    CHECK(left_without(armed, Props::plain) == bare.triangles.size());
    // A second one like it in the other hand.
    add_box(armed, {-0.95f, 1.45f, 0.3f}, {0.02f, 0.03f, 0.4f});
    add_box(armed, {-0.95f, 1.45f, 0.1f}, {0.1f, 0.02f, 0.02f});
    CHECK(left_without(armed, Props::plain) == bare.triangles.size());
    // An arm in another pose is still an arm.
    BareCharacter waving = bare;
    for (size_t v = 3 * 8; v < 4 * 8; ++v) {
        Vec3& p = waving.positions[v];
        p = Vec3(-0.25f, 1.45f, 0) + Vec3(p.y() - 1.45f, -(p.x() + 0.25f), p.z());
    }
    CHECK(left_without(waving, Props::plain) == 0);
}

TEST_CASE("pieces: forearms that are pieces of their own stay when the hands hold axes") {
    BareCharacter c = box_figure();
    for (const float side : {-1.0f, 1.0f}) add_box(c, {1.25f * side, 1.45f, 0}, {0.3f, 0.06f, 0.06f});
    const size_t bare = c.triangles.size();
    CHECK(left_without(c, Props::plain) == 0);
    for (const float side : {-1.0f, 1.0f}) add_box(c, {1.45f * side, 1.45f, 0.5f}, {0.03f, 0.03f, 0.7f});
    CHECK(left_without(c, Props::plain) == bare);
}

TEST_CASE("pieces: broken meshes have an answer") {
    CHECK(find_pieces({}, {}).list.empty());
    const std::vector<Vec3> points = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {NAN, 0, 0}};
    const std::vector<uint32_t> triangles = {0, 1, 2, 0, 1, 3, 0, 0, 0, 0, 1, 99};
    const Pieces pieces = find_pieces(points, triangles);
    CHECK(pieces.list.size() == 1);
    CHECK(pieces.of_triangle[1] == UINT32_MAX);
    CHECK(pieces.of_triangle[3] == UINT32_MAX);
    CHECK(without_props(pieces, triangles, middle, Props::paired).empty());
}

TEST_CASE("rig: a figure with things in its hands gets the joints it has without") {
    const BareCharacter bare = box_figure();
    const auto rig = fit_skeleton(bare.positions, bare.triangles);
    REQUIRE(rig);
    REQUIRE(rig->kind == RigKind::biped);
    for (const bool both : {false, true}) {
        BareCharacter armed = bare;
        add_box(armed, {0.95f, 1.45f, 0.4f}, {0.02f, 0.03f, 0.6f});
        if (both) add_box(armed, {-0.95f, 1.45f, 0.4f}, {0.02f, 0.03f, 0.6f});
        const auto other = fit_skeleton(armed.positions, armed.triangles);
        REQUIRE(other);
        CHECK(other->kind == RigKind::biped);
        CHECK(other->confidence >= accepted_confidence);
        for (const char* name : {"hips", "head", "leftHand", "rightHand", "leftLowerArm", "rightFoot", "leftLowerLeg"})
            CHECK((joint(*other, name) - joint(*rig, name)).norm() < 0.02 * bare.height);
    }
}

TEST_CASE("rig: legs that touch are taken apart at the crotch") {
    const BareCharacter closed = box_figure(0.0f), apart = box_figure(0.1f);
    const auto rig = fit_skeleton(closed.positions, closed.triangles),
               wide = fit_skeleton(apart.positions, apart.triangles);
    REQUIRE(rig);
    REQUIRE(wide);
    REQUIRE(rig->kind == RigKind::biped);
    for (const char* name : {"hips", "leftUpperLeg", "rightUpperLeg", "leftLowerLeg", "rightLowerLeg"})
        CHECK(std::abs(joint(*rig, name).y() - joint(*wide, name).y()) < 0.04 * closed.height);
    CHECK(joint(*rig, "leftLowerLeg").x() == doctest::Approx(0.11).epsilon(0.2));

    VoxelBody body = make_voxel_body(closed.positions, closed.triangles);
    CHECK(part_legs(body));
    refresh(body);
    CHECK_FALSE(body.inside({0.0, 0.5, 0.0}));
    CHECK(body.inside({0.11, 0.5, 0.0}));
    CHECK(body.inside({0.0, 1.3, 0.0}));
    CHECK_FALSE(part_legs(body));  // once is enough
}

TEST_CASE("rig: a fin or a tail in the middle is not cut") {
    BareCharacter c{.name = "fish", .kind = "generic"};
    add_box(c, {0, 0.5f, 0}, {0.2f, 0.2f, 0.8f});
    add_box(c, {0, 0.15f, 0}, {0.02f, 0.15f, 0.2f});
    VoxelBody body = make_voxel_body(c.positions, c.triangles);
    CHECK_FALSE(part_legs(body));
}

TEST_CASE("rig: what is no single body says so") {
    const BareCharacter one = box_figure();
    BareCharacter two = one;
    const auto count = static_cast<uint32_t>(one.positions.size());
    for (const Vec3& p : one.positions) two.positions.push_back(p + Vec3(2.6f, 0, 0));
    for (uint32_t v : one.triangles) two.triangles.push_back(count + v);
    const std::vector<Vec3> square = {{0, 0, 0}, {1, 0, 0}, {1, 0, 1}, {0, 0, 1}};
    const auto several = fit_skeleton(two.positions, two.triangles),
               flat = fit_skeleton(square, std::vector<uint32_t>{0, 1, 2, 0, 2, 3});
    REQUIRE(several);
    REQUIRE(flat);
    for (const auto* rig : {&*several, &*flat}) {
        CHECK(rig->confidence < accepted_confidence);
        CHECK_FALSE(rig->warnings.empty());
    }
}

TEST_CASE("rig: a table of boxes has bones in its legs and its top, and none outside") {
    BareCharacter c{.name = "table", .kind = "generic"};
    add_box(c, {0, 1, 0}, {1, 0.05f, 0.6f});
    for (const float x : {-0.9f, 0.9f})
        for (const float z : {-0.5f, 0.5f}) add_box(c, {x, 0.475f, z}, {0.05f, 0.475f, 0.05f});
    const auto rig = fit_skeleton(c.positions, c.triangles, {.kind = RigKind::generic, .root = false});
    REQUIRE(rig);
    const VoxelBody body = make_voxel_body(c.positions, c.triangles);
    for (const Vec3& p : rig->positions) CHECK(body.inside(p.cast<double>()));
    for (const float x : {-0.9f, 0.9f})
        for (const float z : {-0.5f, 0.5f}) {
            int in_leg = 0;
            for (const Vec3& p : rig->positions) in_leg += p.y() < 0.9f && std::hypot(p.x() - x, p.z() - z) < 0.1f;
            CHECK(in_leg >= 2);
        }
}

TEST_CASE("rig: nothing is left out of a shape that is no creature") {
    BareCharacter c{.name = "bough", .kind = "generic"};
    add_box(c, {0, 1, 0}, {0.1f, 1, 0.1f});
    add_box(c, {0.6f, 1.2f, 0}, {0.55f, 0.05f, 0.05f});
    add_box(c, {-0.3f, 1.6f, 0.3f}, {0.05f, 0.05f, 0.4f});
    add_box(c, {-0.2f, 1.6f, 0}, {0.2f, 0.05f, 0.05f});
    const auto rig = fit_skeleton(c.positions, c.triangles);
    REQUIRE(rig);
    CHECK(rig->kind == RigKind::generic);
    float nearest = INFINITY;
    for (const Vec3& p : rig->positions) nearest = std::min(nearest, (p - Vec3(0.8f, 1.2f, 0)).norm());
    CHECK(nearest < 0.35f);
}
