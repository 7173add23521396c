// The steps in which a Surface is made: equal places welded, doubled faces dropped, faces turned outwards, pieces
// found. Data flow: surface.cpp calls these in order.
#pragma once

#include <sinew/weights/surface/surface.h>

namespace sinew {

// Points within 1e-6 of an earlier point are one. Numbered along a curve that fills space, so that what is near in
// space is near in memory, whatever the order in the file.
struct Welded {
    std::vector<uint32_t> vertex_of;  // per point
    std::vector<Vec3d> positions;
};
Welded weld(std::span<const Vec3d> points);

// Keeps one of the triangles that have the same corners.
void drop_doubles(std::vector<uint32_t>& triangles, size_t vertex_count);

// Sets `open`, `piece` and `piece_count`, and winds the triangles.
void connect_faces(Surface& surface);

// Pieces that were one until someone cut them: joins vertices on open edges of different pieces where the gap is narrow
// against the edges beside it. Returns how many; then triangles are to be connected anew.
size_t mend_cracks(Surface& surface);

void make_normals(Surface& surface);

}  // namespace sinew
