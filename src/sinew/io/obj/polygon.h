// Polygons to triangles, concave ones included. Data flow: io/obj/obj_read.cpp → *here* → Mesh::triangles.
#pragma once

#include <sinew/math/types.h>
#include <cstdint>
#include <span>
#include <vector>

namespace sinew {

// Ear clipping [Meisters1975] in the plane of the polygon's Newell normal. Appends corners.size() − 2 triangles, as
// indices into `corners`, with the polygon's own orientation. Convex polygons are fanned from their first corner, O(n);
// others cost O(n²) and up. `budget` counts down point-in-triangle tests; once it is used up polygons are fanned, so
// that a hostile file cannot hang the reader.
class Triangulator {
public:
    explicit Triangulator(uint64_t budget = 500'000'000) : budget_(budget) {}

    void split(std::span<const Vec3> corners, std::vector<uint32_t>& triangles);
    bool out_of_budget() const { return budget_ == 0; }

private:
    bool is_ear(size_t previous, size_t corner, size_t next);

    uint64_t budget_;
    std::vector<Eigen::Vector2d> flat_;  // the polygon seen along its normal
    std::vector<uint32_t> left_;         // corners that no ear has cut off yet, in order
};

}  // namespace sinew
