#include <doctest/doctest.h>

#include <sinew/skin/deformers/bend_twist.h>
#include <sinew/skin/deformers/centre_influences.h>
#include <sinew/skin/deformers/delta_mush.h>
#include <sinew/skin/skinning.h>

#include "skin/shapes.h"
#include "skin/tube.h"

using namespace sinew;
using namespace sinew::test;

// A million vertices on forty joints that wind up into a helix. The ends, which follow one joint, go exactly there; all
// else is smooth: neighbours along the tube stay neighbours.
TEST_CASE("a million vertices: every deformer and delta mush give a whole surface") {
    const Tube tube = make_tube({.rings = 10000, .segments = 100, .joints = 40, .per_vertex = 2});
    REQUIRE(tube.positions.size() == 1'000'000);
    Skin skin;
    std::vector<int32_t> parents;
    std::vector<Affine> palette;
    Affine turn = Affine::Identity();
    for (int32_t j = 0; j < 40; ++j) {
        skin.joints.push_back(j);
        parents.push_back(j - 1);
        const Vec3 place(static_cast<float>(j), 0, 0);
        skin.inverse_bind.push_back(Affine(Eigen::Translation3f(-place)));
        turn = turn * Affine(Eigen::Translation3f(place) * Eigen::AngleAxisf(0.3f, Vec3(1, 0, 1).normalized()) *
                             Eigen::Translation3f(-place));
        palette.push_back(turn);
    }
    const std::vector<SkinBone> bones = make_bones(skin, parents);
    const BendTwist bend_twist = make_bend_twist(tube.influences, bones);
    const Centres centres = find_centres_of_rotation({{tube.surface()}});
    CHECK(centres.evaluations < 100 * tube.positions.size());
    const Influences carrying = centre_influences(tube.influences, centres.points, centres.radii, bones);
    const DeformBinding binding{.influences = tube.influences,
                                .bones = bones,
                                .bend_twist = &bend_twist,
                                .centres = centres.points,
                                .centre_influences = &carrying};
    const DeltaMush mush = make_delta_mush(tube.influences, tube.positions, tube.triangles, 2);
    const float edge = (tube.positions[100] - tube.positions[0]).norm();
    std::vector<Vec3> out(tube.positions.size());
    for (size_t s = 0; s <= skinning_names().size(); ++s) {
        const bool mushed = s == skinning_names().size();
        CAPTURE(s);
        if (mushed)
            apply_delta_mush(mush, {}, {.positions_in = out, .positions_out = out});
        else
            deformer(static_cast<Skinning>(s))(palette, binding,
                                               {.positions_in = tube.positions, .positions_out = out});
        if (!mushed) CHECK((out[0] - palette[0] * tube.positions[0]).norm() == 0.0f);
        if (!mushed) CHECK((out.back() - palette[39] * tube.positions.back()).norm() == 0.0f);
        if (static_cast<Skinning>(s) == Skinning::rigid) continue;
        float longest = 0.0f;
        for (size_t v = 100; v < out.size(); ++v) longest = std::max(longest, (out[v] - out[v - 100]).norm());
        CHECK(longest < 2.5f * edge);
    }
}
