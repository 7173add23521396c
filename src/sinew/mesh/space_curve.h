// Order along a space-filling curve (Morton's), so that neighbours in space are neighbours in memory, whatever the
// order in the file. Data flow: points → *here* → weights/surface/surface_weld.cpp, weights/soften/skin_places.cpp.
#pragma once

#include <sinew/math/types.h>
#include <cstdint>
#include <span>
#include <vector>

namespace sinew {

// The indices of the points in the order in which the curve through the cube [low, low + width]³ visits them. Points
// that it cannot tell apart, within a two-millionth of the width, keep their order. Points outside count as on the
// cube's sides. Requires finite points and width > 0.
std::vector<uint32_t> order_on_curve(std::span<const Vec3d> points, const Vec3d& low, double width);

}  // namespace sinew
