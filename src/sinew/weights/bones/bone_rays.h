// What bones ask of a surface that may be open, doubled or inside out: am I inside, and how far is it to the skin?
// Data flow: Surface → *here* → choose_bones.cpp.
#pragma once

#include <sinew/weights/surface/surface.h>

namespace sinew {

double longest_edge(const Surface& surface);

// The distance along a unit direction to where the ray first leaves the surface, whose longest edge is given; negative
// when it never does.
double distance_to_skin(const Surface& surface, double longest_edge, const Vec3d& from, const Vec3d& direction);

}  // namespace sinew
