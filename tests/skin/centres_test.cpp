#include <doctest/doctest.h>

#include <sinew/core/parallel.h>
#include <sinew/skin/deformers/centres_of_rotation.h>
#include <cmath>

#include "skin/tube.h"

using namespace sinew;
using namespace sinew::test;

namespace {

double weight_of(std::span<const Influence> list, uint32_t joint) {
    for (const Influence& influence : list)
        if (influence.joint == joint) return influence.weight;
    return 0.0;
}

// The paper's sum as it stands, over all triangles for one vertex.
Vec3 slow_centre(const Tube& tube, size_t vertex) {
    double mass = 0.0;
    Vec3d moment = Vec3d::Zero();
    const auto mine = tube.influences.of(vertex);
    for (size_t t = 0; t < tube.triangles.size(); t += 3) {
        const uint32_t* c = &tube.triangles[t];
        const Vec3d a = tube.positions[c[0]].cast<double>(), b = tube.positions[c[1]].cast<double>(),
                    d = tube.positions[c[2]].cast<double>();
        double similarity = 0.0;
        for (const Influence& j : mine) {
            for (const Influence& k : mine) {
                if (j.joint == k.joint) continue;
                double wj = 0.0, wk = 0.0;
                for (int i = 0; i < 3; ++i) {
                    wj += weight_of(tube.influences.of(c[i]), j.joint) / 3.0;
                    wk += weight_of(tube.influences.of(c[i]), k.joint) / 3.0;
                }
                const double apart = (j.weight * wk - k.weight * wj) / 0.1;
                similarity += double{j.weight} * k.weight * wj * wk * std::exp(-apart * apart);
            }
        }
        const double share = similarity * 0.5 * (b - a).cross(d - a).norm();
        mass += share;
        moment += share * (a + b + d) / 3.0;
    }
    return mass > 0.0 ? Vec3((moment / mass).cast<float>()) : tube.positions[vertex];
}

}  // namespace

TEST_CASE("centres of rotation: as the sum over all triangles gives them") {
    const Tube tube = make_tube({.rings = 120, .segments = 16, .joints = 4, .per_vertex = 3});
    const Centres centres = find_centres_of_rotation({{tube.surface()}});
    float worst = 0.0f;
    for (size_t v = 0; v < tube.positions.size(); v += 5)
        worst = std::max(worst, (centres.points[v] - slow_centre(tube, v)).norm());
    CHECK(worst < 0.01f * tube.length);
}

TEST_CASE("centres of rotation: on the axis of a tube, whatever the side; a mesh in pieces has the same ones") {
    const Tube tube = make_tube({.rings = 60, .segments = 24, .joints = 3, .per_vertex = 2});
    const Centres whole = find_centres_of_rotation({{tube.surface()}});
    for (size_t v = 0; v < tube.positions.size(); ++v) {
        if (tube.influences.of(v).size() < 2) {
            CHECK(whole.points[v] == tube.positions[v]);
            CHECK(whole.radii[v] == 0.0f);
            continue;
        }
        CHECK(std::hypot(whole.points[v].y(), whole.points[v].z()) < 1e-4f);
        CHECK(whole.radii[v] > 0.29f);
        CHECK(whole.radii[v] < 0.4f);
        CHECK(std::abs(whole.points[v].x() - tube.positions[v].x()) < 0.1f * tube.length);
    }
    const size_t cut = tube.triangles.size() / 6 * 3;
    const std::span<const uint32_t> triangles = tube.triangles;
    const SkinnedSurface pieces[2] = {{tube.influences, tube.positions, triangles.first(cut)},
                                      {tube.influences, tube.positions, triangles.subspan(cut)}};
    const Centres both = find_centres_of_rotation(pieces);
    REQUIRE(both.points.size() == 2 * whole.points.size());
    for (size_t v = 0; v < whole.points.size(); ++v) {
        CHECK((both.points[v] - whole.points[v]).norm() < 1e-5f);
        CHECK((both.points[whole.points.size() + v] - whole.points[v]).norm() < 1e-5f);
    }
}

TEST_CASE("centres of rotation: the work grows with the mesh, not with its square; threads change no bit") {
    const TubeShape small{.rings = 100, .segments = 50, .joints = 12, .per_vertex = 4};
    TubeShape large = small;
    large.rings *= 16;
    const Tube few = make_tube(small), many = make_tube(large);
    const Centres a = find_centres_of_rotation({{few.surface()}}), b = find_centres_of_rotation({{many.surface()}});
    const double growth = static_cast<double>(many.positions.size()) / static_cast<double>(few.positions.size());
    CHECK(static_cast<double>(b.samples) < 1.1 * growth * static_cast<double>(a.samples));
    CHECK(b.cells < 3 * a.cells);  // more points find more of the cells, of which there are only so many
    CHECK(static_cast<double>(b.evaluations) < 3.0 * growth * static_cast<double>(a.evaluations));
    set_thread_count(1);
    const Centres alone = find_centres_of_rotation({{many.surface()}});
    set_thread_count(0);
    CHECK(alone.points == b.points);
    CHECK(alone.radii == b.radii);
}

TEST_CASE("centres of rotation: meshes without triangles, of no size, or of one joint are their own centres") {
    Tube tube = make_tube({.rings = 4, .segments = 3, .joints = 2, .per_vertex = 2});
    const auto own = [&] { return find_centres_of_rotation({{tube.surface()}}).points == tube.positions; };
    std::vector<uint32_t> triangles;
    std::swap(triangles, tube.triangles);
    CHECK(own());
    std::swap(triangles, tube.triangles);
    for (Vec3& p : tube.positions) p = Vec3(1, 2, 3);
    CHECK(own());
}
