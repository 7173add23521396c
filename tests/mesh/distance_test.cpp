#include <doctest/doctest.h>

#include <sinew/core/random.h>
#include <sinew/mesh/distance_transform.h>
#include <sinew/mesh/geodesic.h>

using namespace sinew;

namespace {

VoxelGrid grid_of(int x, int y, int z) {
    return {.origin = Vec3d::Zero(), .cell = 1.0, .dims = {x, y, z}};
}

}  // namespace

TEST_CASE("distance_to_outside: equals the brute force on random masks") {
    Random random(5);
    const VoxelGrid grid = grid_of(13, 9, 11);
    for (const double share : {0.0, 0.03, 0.5, 1.0}) {
        std::vector<uint8_t> mask(grid.count());
        for (uint8_t& m : mask) m = random.uniform() >= share;
        const auto distance = distance_to_outside(grid, mask);
        for (size_t i = 0; i < mask.size(); ++i) {
            const VoxelIndex a = grid.voxel(i);
            int best = mask[i] ? INT32_MAX : 0;
            for (size_t k = 0; k < 3; ++k)  // beyond the grid
                best = std::min({best, (a[k] + 1) * (a[k] + 1), (grid.dims[k] - a[k]) * (grid.dims[k] - a[k])});
            if (!mask[i]) best = 0;
            for (size_t j = 0; j < mask.size() && best > 0; ++j) {
                if (mask[j]) continue;
                const VoxelIndex b = grid.voxel(j);
                const int dx = a[0] - b[0], dy = a[1] - b[1], dz = a[2] - b[2];
                best = std::min(best, dx * dx + dy * dy + dz * dz);
            }
            CHECK(static_cast<double>(distance[i]) == doctest::Approx(std::sqrt(static_cast<double>(best))));
        }
    }
}

TEST_CASE("geodesic_distance: straight in the open, around the wall, never through it") {
    const VoxelGrid grid = grid_of(41, 41, 41);
    std::vector<uint8_t> mask(grid.count(), 1);
    const auto middle = static_cast<uint32_t>(grid.index({20, 20, 20}));
    const auto open = geodesic_distance(grid, mask, std::span(&middle, 1));
    for (size_t i = 0; i < mask.size(); ++i) {
        const double exact = (grid.centre(i) - grid.centre(middle)).norm();
        CHECK(std::abs(static_cast<double>(open[i]) - exact) <= 0.6 + 0.045 * exact);
    }
    // A wall at x = 20 with a slit at y = 40: from (10, 0) to (30, 0) is twice from (10, 0) to (20, 40).
    for (size_t i = 0; i < mask.size(); ++i)
        if (grid.voxel(i)[0] == 20 && grid.voxel(i)[1] < 40) mask[i] = 0;
    const auto seed = static_cast<uint32_t>(grid.index({10, 0, 20}));
    const auto around = geodesic_distance(grid, mask, std::span(&seed, 1));
    const auto goal = static_cast<uint32_t>(grid.index({30, 0, 20}));
    CHECK(static_cast<double>(around[goal]) == doctest::Approx(2.0 * std::hypot(10.0, 40.0)).epsilon(0.03));
    CHECK(around[grid.index({20, 10, 20})] == INFINITY);
    const auto path = descend(grid, around, goal);
    CHECK(path.front() == goal);
    CHECK(path.back() == seed);
    for (uint32_t v : path) CHECK(mask[v] == 1);
    CHECK(descend(grid, around, static_cast<uint32_t>(grid.index({20, 10, 20}))).empty());
}

TEST_CASE("geodesic_distance: speed divides the time, and parts that touch by a corner are one") {
    const VoxelGrid grid = grid_of(20, 3, 3);
    const std::vector<uint8_t> mask(grid.count(), 1);
    const std::vector<float> speed(grid.count(), 2.0f);
    const auto seed = static_cast<uint32_t>(grid.index({0, 1, 1}));
    const auto slow = geodesic_distance(grid, mask, std::span(&seed, 1));
    const auto fast = geodesic_distance(grid, mask, std::span(&seed, 1), {.speed = speed});
    for (size_t i = 0; i < mask.size(); ++i) CHECK(fast[i] == doctest::Approx(0.5f * slow[i]));

    const VoxelGrid corner = grid_of(4, 4, 4);
    std::vector<uint8_t> diagonal(corner.count(), 0);
    for (int k = 0; k < 4; ++k) diagonal[corner.index({k, k, k})] = 1;
    const uint32_t zero = 0;
    CHECK(static_cast<double>(geodesic_distance(corner, diagonal, std::span(&zero, 1))[corner.index({3, 3, 3})]) ==
          doctest::Approx(3.0 * std::sqrt(3.0)));
    CHECK(connected_parts(corner, diagonal).sizes == std::vector<size_t>{4});
}

TEST_CASE("connected_parts: numbered by size") {
    const VoxelGrid grid = grid_of(10, 1, 1);
    const std::vector<uint8_t> mask = {1, 0, 1, 1, 1, 0, 0, 1, 1, 0};
    const VoxelParts parts = connected_parts(grid, mask);
    CHECK(parts.sizes == std::vector<size_t>{3, 2, 1});
    CHECK(parts.label == std::vector<int32_t>{2, -1, 0, 0, 0, -1, -1, 1, 1, -1});
}
