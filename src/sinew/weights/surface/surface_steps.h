// The steps that make a Surface: weld equal places, drop doubled faces, turn faces outwards, find pieces, mend cracks.
// Data flow: surface.cpp calls these in order.
#pragma once

#include <sinew/weights/surface/surface.h>

namespace sinew {

// Points within 1e-6 of an earlier point become one vertex. Vertices are numbered along a curve that fills space, so
// that neighbours in space are neighbours in memory, whatever the order in the file.
struct Welded {
    std::vector<uint32_t> vertex_of;  // per point
    std::vector<Vec3d> positions;
};
Welded weld(std::span<const Vec3d> points);

// Keeps one of the triangles that have the same corners.
void drop_doubles(std::vector<uint32_t>& triangles, size_t vertex_count);

// Sets `open`, `piece` and `piece_count`, and winds the triangles.
void connect_faces(Surface& surface);

// Joins pieces that were one until someone cut them: vertices on the open edges of different pieces become one if the
// gap is narrow beside their edges. Returns how many vertices went; if any did, the faces must be connected again.
size_t mend_cracks(Surface& surface);

void make_normals(Surface& surface);

}  // namespace sinew
