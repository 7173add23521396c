// Limbs that are pieces of their own and held in two ways: repose.h.
#include <doctest/doctest.h>

#include <rig/variants.h>
#include <sinew/rig/fit_skeleton.h>
#include <sinew/rig/stand/repose.h>

using namespace sinew;
using namespace sinew::test;

namespace {

const MirrorPlane middle{.normal = Vec3d::UnitX(), .offset = 0.0, .overlap = 1.0};

// An arm from the shoulder at (side 0.2, 1, 0), thicker at the hand, `down` degrees below the level and turned `ahead`.
void add_arm(BareCharacter& c, float side, float down_deg, float ahead_deg) {
    const size_t first = c.positions.size();
    add_tube(c, {0, -0.04f, 0}, 0.07f, {0, 0.3f, 0}, 0.05f, true);
    const size_t hand = c.positions.size();
    add_tube(c, {0, 0.27f, 0}, 0.08f, {0, 0.42f, 0}, 0.06f, true);
    c.triangles.insert(c.triangles.end(), {static_cast<uint32_t>(first), static_cast<uint32_t>(hand),
                                           static_cast<uint32_t>(hand + 1)});  // one piece
    const Eigen::AngleAxisf lie(-0.5f * pi, Vec3::UnitZ()), lower(-radians(down_deg), Vec3::UnitZ()),
        ahead(-radians(ahead_deg), Vec3::UnitY());
    for (size_t v = first; v < c.positions.size(); ++v) {
        Vec3 p = ahead * (lower * (lie * c.positions[v])) + Vec3(0.2f, 1.0f, 0);
        p.x() *= side;
        c.positions[v] = p;
    }
}

// A small body under a large head, with feet; 1.9 high.
BareCharacter figure(float left_down, float left_ahead, float right_down, float right_ahead) {
    BareCharacter c{.name = "figure", .kind = "biped"};
    add_tube(c, {0, 0.42f, 0}, 0.24f, {0, 1.1f, 0}, 0.19f, true);
    add_tube(c, {0, 1.12f, 0}, 0.3f, {0, 1.9f, 0}, 0.34f, true);
    add_tube(c, {0, 1.05f, 0}, 0.12f, {0, 1.2f, 0}, 0.12f, true);
    for (const float side : {1.0f, -1.0f}) {
        add_tube(c, {side * 0.12f, 0, 0}, 0.08f, {side * 0.12f, 0.45f, 0}, 0.09f, true);
        add_box(c, {side * 0.12f, 0.05f, 0.1f}, {0.07f, 0.05f, 0.12f});
    }
    add_arm(c, 1.0f, left_down, left_ahead);
    add_arm(c, -1.0f, right_down, right_ahead);
    return c;
}

Vec3d wrist(float side, float down_deg, float ahead_deg) {
    const Eigen::AngleAxisf lower(-radians(down_deg), Vec3::UnitZ()), ahead(-radians(ahead_deg), Vec3::UnitY());
    Vec3 p = ahead * (lower * Vec3(0.29f, 0, 0)) + Vec3(0.2f, 1.0f, 0);
    p.x() *= side;
    return p.cast<double>();
}

}  // namespace

TEST_CASE("repose: both limbs hang alike, their roots stay, and the way back is exact") {
    const BareCharacter c = figure(60, 10, -70, -5);
    const Pieces pieces = find_pieces(c.positions, c.triangles);
    const Reposed reposed = take_common_pose(c.positions, c.triangles, pieces, middle, Vec3d::UnitY());
    REQUIRE(reposed.moved.size() == 2);
    for (const MovedPiece& piece : reposed.moved) {
        const Vec3d root(reposed.positions[piece.vertices[0]].x() > 0.0f ? 0.2 : -0.2, 1.0, 0.0);
        CHECK((piece.back * root - root).norm() < 0.02);
        CHECK(std::abs(piece.back.linear().determinant() - 1.0) < 1e-9);
        Vec3d hand = Vec3d::Zero();
        for (uint32_t v : piece.vertices) {
            const Vec3d p = reposed.positions[v].cast<double>();
            CHECK((piece.back * p - c.positions[v].cast<double>()).norm() < 1e-5);
            if ((p - root).norm() > (hand - root).norm()) hand = p;
        }
        CHECK((hand - root).normalized().y() == doctest::Approx(-0.5).epsilon(0.5));
    }
    // Mirror images of each other.
    for (uint32_t v : reposed.moved[0].vertices) {
        double least = INFINITY;
        for (uint32_t w : reposed.moved[1].vertices)
            least = std::min(
                least,
                (middle.mirror(reposed.positions[w].cast<double>()) - reposed.positions[v].cast<double>()).norm());
        CHECK(least < 0.02);
    }
}

TEST_CASE("repose: what is held alike on both sides is left alone") {
    const BareCharacter c = figure(40, 10, 40, 10);
    const Reposed reposed =
        take_common_pose(c.positions, c.triangles, find_pieces(c.positions, c.triangles), middle, Vec3d::UnitY());
    CHECK(reposed.moved.empty());
}

TEST_CASE("rig: an arm raised into a large head, the other by the side") {
    for (const bool swapped : {false, true}) {
        const float left = swapped ? 60.0f : -65.0f, right = swapped ? -65.0f : 60.0f;
        const BareCharacter c = figure(left, 5, right, 5);
        const RigResult rig = fit_skeleton(c.positions, c.triangles).value();
        CAPTURE(swapped);
        CHECK(rig.kind == RigKind::biped);
        CHECK(rig.confidence >= accepted_confidence);
        for (size_t j = 0; j < rig.roles.size(); ++j) {
            const Vec3d at = rig.positions[j].cast<double>();
            if (rig.roles[j] == Role::left_hand) CHECK((at - wrist(1.0f, left, 5)).norm() < 0.08 * 1.9);
            if (rig.roles[j] == Role::right_hand) CHECK((at - wrist(-1.0f, right, 5)).norm() < 0.08 * 1.9);
        }
    }
}
