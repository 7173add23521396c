// Pieces: the separate parts a mesh is made of, and which of them are carried rather than grown.
// Data flow: Mesh → *here* → attempt.h reads the body without its weapons, shields and bags.
#pragma once

#include <sinew/math/types.h>
#include <sinew/rig/body/mirror_plane.h>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace sinew {

// Triangles that hang together once equal positions are one vertex; by area, of the surface.
struct Piece {
    double area = 0.0;
    Vec3d centre = Vec3d::Zero();
    Mat3d spread = Mat3d::Zero();  // second moments about the centre, over the area
    Vec3d extent = Vec3d::Zero();  // square roots of its eigenvalues, increasing
    Vec3d axis = Vec3d::UnitX();   // the long one
};

// `touches` has a row for each piece; nothing is known of a heap of loose triangles, whose rows are left out.
struct Pieces {
    std::vector<uint32_t> of_triangle;  // UINT32_MAX for a triangle that cannot be used
    std::vector<Piece> list;
    std::vector<std::vector<char>> touches;
    double area = 0.0;
};
Pieces find_pieces(std::span<const Vec3> positions, std::span<const uint32_t> triangles);

// Long pieces of the same shape on both sides of the plane that are not where their mirror images are: limbs held in
// two ways. First the one on the plane's positive side; the most alike first, eight at most.
std::vector<std::pair<uint32_t, uint32_t>> pairs_in_two_poses(const Pieces& pieces, const MirrorPlane& plane);

// What is taken for carried. `plain`: pieces that are not mirror images of themselves and have no congruent piece on
// the other side of the plane, in whatever pose; and what is long, though paired, touches neither trunk nor head and
// lies across the limb it touches. `paired`: also every other long piece that is not a limb's continuation; limbs of a
// body that is made of pieces are among them, so this is a guess to be tried. What touches nothing else goes with them.
enum class Props : uint8_t { plain, paired };

// The triangles without them. Small pieces stay. Empty when nothing is carried, when it would be most of the mesh, or
// when the mesh is a heap of loose triangles.
std::vector<uint32_t> without_props(const Pieces& pieces, std::span<const uint32_t> triangles, const MirrorPlane& plane,
                                    Props props);

}  // namespace sinew
