// Pieces: the separate parts of a mesh, and which of them a body carries: weapons, shields, bags.
// Data flow: Mesh → *here* → attempt.h, which reads the body without them; repose.h.
#pragma once

#include <sinew/math/types.h>
#include <sinew/rig/body/mirror_plane.h>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace sinew {

// Triangles that hang together once vertices at equal positions are one. Means and moments are over the surface's area.
struct Piece {
    double area = 0.0;
    Vec3d centre = Vec3d::Zero();
    Mat3d spread = Mat3d::Zero();  // second moments about the centre
    Vec3d extent = Vec3d::Zero();  // square roots of the spread's eigenvalues, increasing: standard deviations
    Vec3d axis = Vec3d::UnitX();   // along the largest extent
};

// `touches[i][j]` says whether two pieces touch. Empty for one piece alone, and for a heap of more than 400.
struct Pieces {
    std::vector<uint32_t> of_triangle;  // the piece of each triangle; UINT32_MAX: unusable
    std::vector<Piece> list;
    std::vector<std::vector<char>> touches;
    double area = 0.0;
};
Pieces find_pieces(std::span<const Vec3> positions, std::span<const uint32_t> triangles);

// Pairs of long pieces of about the same shape, one on each side of the plane, that do not mirror each other: limbs in
// two poses. The first of a pair is on the plane's positive side. The most alike first, eight pairs at most.
std::vector<std::pair<uint32_t, uint32_t>> pairs_in_two_poses(const Pieces& pieces, const MirrorPlane& plane);

// Which pieces count as carried, and those that touch nothing else with them:
// plain: pieces that neither mirror themselves nor have a congruent piece on the other side, in whatever pose; and long
//   ones that touch neither trunk nor head and lie across the limb they touch, even when there are two of them.
// paired: also every other long piece that does not continue a limb. A body made of pieces can have limbs like that, so
//   this is a guess that must be tried.
enum class Props : uint8_t { plain, paired };

// The triangles without the carried pieces. Small pieces stay. Empty when nothing is carried, when that would be most
// of the mesh, and when the mesh is a heap of loose triangles.
std::vector<uint32_t> without_props(const Pieces& pieces, std::span<const uint32_t> triangles, const MirrorPlane& plane,
                                    Props props);

}  // namespace sinew
