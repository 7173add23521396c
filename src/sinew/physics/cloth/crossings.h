// Crossings: how far cloth pokes through itself. Data flow: positions of one moment → *here* → reports, tests.
#pragma once

#include <sinew/math/types.h>
#include <cstdint>
#include <span>

namespace sinew {

// Of all edges that pierce a triangle, how far the end that is nearer to the triangle's plane is behind it, in metres;
// the largest. Triangles that share a vertex are not compared. 0: it crosses nowhere.
double deepest_crossing(std::span<const Vec3> positions, std::span<const uint32_t> triangles);

}  // namespace sinew
