// What lowers the confidence of a biped, and which ends of a body belong together: confidence.h, limb_pairs.h.
#include <doctest/doctest.h>

#include <sinew/rig/body/limb_pairs.h>
#include <sinew/rig/fit/confidence.h>
#include <sinew/rig/fit_skeleton.h>
#include <sinew/sample/sample.h>

using namespace sinew;

namespace {

// The sample character as a fitter would have it: in canonical space, with the joints that fit_skeleton.h finds.
struct Seen {
    Upright upright;
    Legs legs;
    Arms arms;
    BipedTrunk trunk;
    Fit fit;

    Vec3d& at(std::string_view name) { return fit.joints[static_cast<size_t>(fit.find(name))].position; }
    double sure() {
        rate_biped(upright, legs, arms, trunk, fit);
        return fit.sure_of_kind;
    }
};

Seen see_sample() {
    const Character sample = make_humanoid();
    const Mesh& mesh = sample.meshes.front().primitives.front().mesh;
    const RigResult rig = fit_skeleton(mesh.positions, mesh.triangles, {.root = false}).value();
    Seen seen;
    seen.upright.body = make_voxel_body(mesh.positions, mesh.triangles);
    seen.upright.height = seen.upright.body.height();
    seen.upright.reading.overlap = seen.upright.reading.facing_score = seen.upright.reading.up_score = 1.0;
    for (size_t j = 0; j < rig.positions.size(); ++j)
        seen.fit.add(rig.skeleton.names()[j], rig.skeleton.parents()[j], rig.positions[j].cast<double>());
    seen.legs.crotch = 0.5 * (seen.at("leftUpperLeg") + seen.at("rightUpperLeg")) - Vec3d(0.0, 0.05, 0.0);
    seen.trunk.top = Vec3d(0.0, seen.upright.body.high.y(), 0.0);
    seen.trunk.narrow = seen.at("neck");
    seen.trunk.neck_contrast = 0.5;
    return seen;
}

Extremity end_at(const Vec3d& tip, const Vec3d& root, double distance) {
    return {.position = tip, .cap = tip, .root = root, .distance = distance, .prominence = 0.6 * distance};
}

}  // namespace

TEST_CASE("confidence: a biped stands on both feet and has its head on") {
    const double good = see_sample().sure();
    CHECK(good > 0.3);
    Seen kicking = see_sample();
    kicking.at("leftFoot").y() += 0.3 * kicking.upright.height;
    CHECK(kicking.sure() < 0.5 * good);
    Seen headless = see_sample();
    headless.at("head").y() += 0.5 * headless.upright.height;
    CHECK(headless.sure() < 0.6 * good);
}

TEST_CASE("limb pairs: a raised hand belongs to the hand that hangs, and not to the hair of a turned head") {
    Extremities ends;
    ends.list = {end_at({0.1, 0, 0.1}, {0.08, 0.8, 0}, 0.9),      // feet
                 end_at({-0.1, 0, 0.1}, {-0.08, 0.8, 0}, 0.9),    //
                 end_at({0.25, 1.9, 0.1}, {0.15, 1.35, 0}, 1.0),  // raised
                 end_at({-0.5, 0.8, 0.1}, {-0.15, 1.35, 0}, 0.9),
                 end_at({-0.15, 1.85, -0.2}, {0.01, 1.45, 0}, 0.95)};  // a knot of hair
    const LimbPairs found = pair_limbs(ends, {.normal = Vec3d::UnitX(), .offset = 0.0, .overlap = 1.0}, 1.9);
    REQUIRE(found.pairs.size() == 2);
    CHECK(found.pairs[1].left == 2);
    CHECK(found.pairs[1].right == 3);
    CHECK(found.singles == std::vector<int>{4});
}

TEST_CASE("limb pairs: what differs much is a pair only where there are but legs") {
    Extremities ends;
    ends.list = {end_at({0.1, 0, 0.1}, {0.08, 0.8, 0}, 0.9), end_at({-0.1, 0, 0.1}, {-0.08, 0.8, 0}, 0.9),
                 end_at({0.65, 1.93, 0.1}, {0.2, 1.4, 0}, 1.15), end_at({-0.4, 0.75, 0.1}, {-0.2, 1.3, 0}, 0.85)};
    const MirrorPlane plane{.normal = Vec3d::UnitX(), .offset = 0.0, .overlap = 1.0};
    CHECK(pair_limbs(ends, plane, 1.93).pairs.size() == 2);
    ends.list.push_back(end_at({0.6, 1.2, 0}, {0.2, 1.3, 0}, 0.6));
    ends.list.push_back(end_at({-0.6, 1.2, 0}, {-0.2, 1.3, 0}, 0.6));
    CHECK(pair_limbs(ends, plane, 1.93).pairs.size() == 2);  // the legs and these
}
