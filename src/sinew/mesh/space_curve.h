// Order along a curve that fills space (Morton's), so that what is near in space is near in memory, whatever the order
// in the file. Data flow: points → *here* → weights/surface/surface_weld.cpp, pipeline/soften_weights.cpp.
#pragma once

#include <sinew/math/types.h>
#include <cstdint>
#include <span>
#include <vector>

namespace sinew {

// The points' indices in the order in which a curve through the cube from `low` comes to them; those that it does not
// tell apart, within a two-millionth of the width, as they were. Points outside count as at the cube's sides. Points
// are finite, and the width is positive.
std::vector<uint32_t> order_on_curve(std::span<const Vec3d> points, const Vec3d& low, double width);

}  // namespace sinew
