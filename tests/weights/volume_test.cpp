#include <doctest/doctest.h>

#include <sinew/weights/volume/flow_solve.h>
#include <sinew/weights/volume/volume_bones.h>
#include <sinew/weights/volume/volume_surface.h>
#include <algorithm>
#include <numeric>
#include "solids.h"

using namespace sinew;
using namespace sinew::test;

namespace {

// Two fingers of radius 0.1, a gap of 0.04 apart, on a palm.
Shape two_fingers() {
    Shape s = box({-0.5f, -1.0f, -0.2f}, {0.5f, 0.0f, 0.2f});
    s.add(tube({-0.12f, -0.3f, 0}, {-0.12f, 2, 0}, 0.1f, 20, 24));
    s.add(tube({0.12f, -0.3f, 0}, {0.12f, 2, 0}, 0.1f, 20, 24));
    return s;
}

uint32_t cell_at(const Volume& volume, const Surface& surface, const Vec3d& p) {
    return volume.at(surface.to_surface(p));
}

}  // namespace

TEST_CASE("make_volume: cells fill the body, and what flows one way flows the other") {
    const Surface surface = box({0, 0, 0}, {1, 2, 3}).surface();
    const Volume volume = make_volume(surface, {.resolution = 96});
    const double filled = static_cast<double>(
        std::count_if(volume.cell_of.begin(), volume.cell_of.end(), [](uint32_t c) { return c != Volume::no_cell; }));
    const double sum = std::accumulate(volume.volumes.begin(), volume.volumes.end(), 0.0);
    CHECK(sum == doctest::Approx(filled * std::pow(volume.grid.cell, 3)));
    CHECK(sum ==
          doctest::Approx(6.0 / std::pow(surface.size, 3)).epsilon(0.15));  // touched voxels make it a little thicker
    CHECK(volume.size() < filled / 20);                                     // large cells within
    for (uint32_t c = 0; c < volume.size(); ++c)
        for (uint32_t i = volume.first[c]; i < volume.first[c + 1]; ++i) {
            const uint32_t other = volume.others[i];
            const auto begin = volume.others.begin() + volume.first[other],
                       end = volume.others.begin() + volume.first[other + 1];
            const auto back = std::find(begin, end, c);
            REQUIRE(back != end);
            CHECK(volume.flows[static_cast<size_t>(back - volume.others.begin())] == volume.flows[i]);
            CHECK(volume.flows[i] > 0.0);
        }
}

TEST_CASE("make_volume: thin parts have cells of a quarter of their thickness, and stay apart") {
    const Surface surface = two_fingers().surface();
    const Volume volume = make_volume(surface);
    const uint32_t left = cell_at(volume, surface, {-0.12, 1.5, 0}), right = cell_at(volume, surface, {0.12, 1.5, 0});
    REQUIRE(left != Volume::no_cell);
    REQUIRE(right != Volume::no_cell);
    CHECK(volume.sizes[left] * surface.size <= 0.2 / 4 + 1e-9);
    CHECK(cell_at(volume, surface, {0, -0.5, 0}) != Volume::no_cell);
    CHECK(volume.sizes[cell_at(volume, surface, {0, -0.5, 0})] > volume.sizes[left]);
    CHECK(cell_at(volume, surface, {0, 1.5, 0}) == Volume::no_cell);
    CHECK_FALSE(volume.sees(surface.to_surface({-0.12, 1.5, 0}), surface.to_surface({0.12, 1.5, 0})));
    CHECK(volume.sees(surface.to_surface({-0.12, 1.5, 0}), surface.to_surface({-0.12, -0.5, 0})));
}

TEST_CASE("nearest_bones: by the way inside, round the corner") {
    const Surface surface = two_fingers().surface();
    const Volume volume = make_volume(surface);
    // One bone in the left finger's tip, one far down in the palm.
    const std::vector<Bone> bones = {bone(surface, 0, {-0.12, 1.6, 0}, {-0.12, 1.9, 0}),
                                     bone(surface, 1, {0, -0.9, 0}, {0, -0.8, 0})};
    const auto cells = bone_cells(volume, bones);
    const std::vector<NearBones> near = nearest_bones(volume, bones, cells);
    const NearBones& right = near[cell_at(volume, surface, {0.12, 1.7, 0})];
    REQUIRE(right.count == 2);
    CHECK(right.bones[0] == 1);  // although the left tip is only 0.24 away
    CHECK(right.distances[0] * surface.size == doctest::Approx(2.5).epsilon(0.02));
    CHECK(right.distances[1] * surface.size == doctest::Approx(3.3).epsilon(0.06));  // down the one, up the other
    const NearBones& left = near[cell_at(volume, surface, {-0.12, 0.6, 0})];
    CHECK(left.bones[0] == 0);
    CHECK(left.distances[0] * surface.size == doctest::Approx(1.0).epsilon(0.03));
}

TEST_CASE("bridge_parts: every part is joined to one that has a bone, by its nearest end") {
    Shape s = box({0, 0, 0}, {1, 1, 1});
    s.add(box({1.5f, 0, 0}, {2, 1, 1}));
    s.add(box({2.4f, 0, 0}, {3, 1, 1}));
    const Surface surface = s.surface();
    Volume volume = make_volume(surface, {.resolution = 96});
    const std::vector<Bone> bones = {bone(surface, 0, {0.2, 0.5, 0.5}, {0.8, 0.5, 0.5})};
    const auto cells = bone_cells(volume, bones);
    const uint32_t far = cell_at(volume, surface, {2.8, 0.5, 0.5});
    CHECK(nearest_bones(volume, bones, cells)[far].count == 0);
    CHECK(bridge_parts(volume, cells) >= 2);
    CHECK(nearest_bones(volume, bones, cells)[far].count == 1);
    CHECK(bridge_parts(volume, cells) == 0);
}

TEST_CASE("solve_heat: along a bar it is the exponential of the one-dimensional equation") {
    const Surface surface = box({0, 0, 0}, {8, 0.5f, 0.5f}).surface();
    const Volume volume = make_volume(surface, {.resolution = 256});
    // u'' = k² u, held at 1 at the low end by a strong uptake there: u = cosh k(8 − x) / cosh 8k.
    const double k = 0.8 * surface.size;
    std::vector<double> uptake(volume.size()), values(volume.size() * flow_lanes, 0.0);
    for (size_t c = 0; c < volume.size(); ++c) {
        uptake[c] = k * k * volume.volumes[c];
        if (surface.from_surface(volume.centres[c]).x() > 0.15) continue;
        uptake[c] += 1e4 * volume.sizes[c];
        values[c * flow_lanes] = 1e4 * volume.sizes[c];
    }
    const FlowSolve solved = solve_heat(volume.graph(), uptake, values);
    CHECK(solved.residual <= 1e-5);
    for (size_t c = 0; c < volume.size(); ++c) {
        const double x = surface.from_surface(volume.centres[c]).x();
        if (x > 0.5)
            CHECK(values[c * flow_lanes] ==
                  doctest::Approx(std::cosh(0.8 * (8.0 - x)) / std::cosh(0.8 * 7.9)).epsilon(0.04));
        CHECK(values[c * flow_lanes + 1] == 0.0);
    }
}

TEST_CASE("vertex_cells: coefficients sum to 1 and give back linear functions") {
    const Surface surface = two_fingers().surface();
    const Volume volume = make_volume(surface);
    const VertexCells map = vertex_cells(volume, surface);
    REQUIRE(map.first.size() == surface.vertex_count() + 1);
    double mean = 0.0;
    for (size_t v = 0; v < surface.vertex_count(); ++v) {
        double sum = 0.0;
        Vec3d place = Vec3d::Zero();
        double size = 0.0;
        for (uint32_t i = map.first[v]; i < map.first[v + 1]; ++i) {
            sum += map.coefficients[i];
            place += map.coefficients[i] * volume.centres[map.cells[i]];
            size = std::max(size, volume.sizes[map.cells[i]]);
        }
        CHECK(sum == doctest::Approx(1.0));
        const double miss = (place - surface.positions[v]).norm() / size;
        CHECK(miss < 0.4);
        mean += miss / static_cast<double>(surface.vertex_count());
    }
    CHECK(mean < 0.1);  // of a cell
}

TEST_CASE("make_volume: nothing to fill is an empty volume") {
    CHECK(make_volume(Surface{}).empty());
    Shape points;
    points.positions = {{0, 0, 0}, {1, 1, 1}};
    CHECK(make_volume(points.surface()).empty());
}
