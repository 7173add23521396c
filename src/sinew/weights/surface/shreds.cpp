#include <sinew/weights/surface/shreds.h>

#include <algorithm>

namespace sinew {
namespace {

// Chosen on the ruined meshes of tests/weights/damage.h: soups are found, and hair and feathers on a body are not.
constexpr double small_piece = 0.1;  // radius of its box, in the Surface's size
constexpr double mostly_open = 0.5;  // of a piece's vertices lie on open edges
constexpr double good_part = 0.3;    // of the whole area is shreds

struct Piece {
    size_t vertices = 0, open = 0;
    double area = 0.0;
    Eigen::AlignedBox3d box;
};

}  // namespace

Shreds find_shreds(const Surface& surface) {
    std::vector<Piece> pieces(surface.piece_count);
    for (size_t v = 0; v < surface.vertex_count(); ++v) {
        if (surface.piece[v] < 0) continue;
        Piece& piece = pieces[static_cast<size_t>(surface.piece[v])];
        ++piece.vertices;
        piece.open += surface.open[v];
        piece.box.extend(surface.positions[v]);
    }
    double area = 0.0, shreds = 0.0;
    for (size_t i = 0; i < surface.triangles.size(); i += 3) {
        const Vec3d& a = surface.positions[surface.triangles[i]];
        const double here = 0.5 * (surface.positions[surface.triangles[i + 1]] - a)
                                      .cross(surface.positions[surface.triangles[i + 2]] - a)
                                      .norm();
        pieces[static_cast<size_t>(surface.piece[surface.triangles[i]])].area += here;
        area += here;
    }
    Shreds result{.of_piece = std::vector<uint8_t>(surface.piece_count, 0)};
    for (size_t p = 0; p < pieces.size(); ++p) {
        const Piece& piece = pieces[p];
        if (0.5 * piece.box.diagonal().norm() > small_piece ||
            static_cast<double>(piece.open) < mostly_open * static_cast<double>(piece.vertices))
            continue;
        result.of_piece[p] = 1;
        ++result.pieces;
        shreds += piece.area;
    }
    result.area_share = area > 0.0 ? shreds / area : 0.0;
    if (result.area_share < good_part) {
        result.pieces = 0;
        std::fill(result.of_piece.begin(), result.of_piece.end(), uint8_t{0});
    }
    return result;
}

}  // namespace sinew
