// How far is it from a joint to the skin? The surface may be open, doubled or inside out.
// Data flow: Surface → *here* → bone_segments.cpp.
#pragma once

#include <sinew/weights/surface/surface.h>

namespace sinew {

double longest_edge(const Surface& surface);

// How far a ray (unit direction) runs until it leaves the last piece that it is in; negative if it never leaves.
// `longest_edge` is the surface's: triangles farther from the ray than that are skipped.
double distance_to_skin(const Surface& surface, double longest_edge, const Vec3d& from, const Vec3d& direction);

}  // namespace sinew
