// What bones ask of a surface that may be open, doubled or inside out: am I inside, and how far is it to the skin?
// Data flow: Surface → *here* → bones.cpp.
#pragma once

#include <sinew/weights/surface.h>

namespace sinew {

// How often the surface goes round the point: 1 inside a closed one, 0 outside, between where it is open
// [Jacobson2013].
double winding_number(const Surface& surface, const Vec3d& point);

// The distance along a unit direction to where the ray first leaves the surface; negative when it never does.
double distance_to_skin(const Surface& surface, const Vec3d& from, const Vec3d& direction);

}  // namespace sinew
