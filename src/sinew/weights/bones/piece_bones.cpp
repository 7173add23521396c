#include <sinew/weights/bones/piece_bones.h>

#include <sinew/core/parallel.h>
#include <sinew/mesh/winding.h>
#include <algorithm>
#include <numeric>

namespace sinew {
namespace {

// "truth" and "seen" are explained in bone_rules.h.
constexpr size_t pieces_asked = 256;    // chosen: the largest; asking takes time, and small pieces hold no bones
constexpr size_t least_triangles = 16;  // chosen: a piece of fewer encloses no bone
constexpr int samples = 9;              // along a bone. Chosen: shares are then known to a ninth
constexpr double most_of_it = 0.5;      // of a bone's length: then a piece holds the bone
constexpr double as_well = 0.7;         // truth: with this part of the largest share a piece holds the bone as well
// A bone that continues those of a piece is no stranger there if this share of it lies in the piece:
constexpr double runs_out = 0.1;       // seen: where it leaves by an opening (the hips, in trousers)
constexpr double runs_through = 0.3;   // seen: where it runs through the skin (a puppet's hip, in the leg)
constexpr double half_enclosed = 0.1;  // chosen: a winding number this far from 0 and from 1 tells of an opening

// What a piece holds of the bones. An open piece (a face under hair) half holds what it half encloses.
struct Holding {
    std::vector<double> shares;       // of each bone's length
    std::vector<uint8_t> by_opening;  // the bone leaves the piece through an opening, not through its skin
    std::vector<uint8_t> own;         // the piece holds the bone, and no other piece holds more of it
};

Holding held_by(std::vector<Vec3d> corners, std::span<const Bone> bones) {
    Vec3d low = corners[0], high = corners[0];
    for (const Vec3d& c : corners) {
        low = low.cwiseMin(c);
        high = high.cwiseMax(c);
    }
    const WindingTree tree(std::move(corners));
    Holding held{.shares = std::vector<double>(bones.size(), 0.0),
                 .by_opening = std::vector<uint8_t>(bones.size(), 0),
                 .own = std::vector<uint8_t>(bones.size(), 0)};
    for (size_t b = 0; b < bones.size(); ++b) {
        double inside = 0.0;
        for (int k = 0; k < samples; ++k) {
            const Vec3d p = bones[b].head + (k + 0.5) / samples * (bones[b].tail - bones[b].head);
            if ((p.array() < low.array()).any() || (p.array() > high.array()).any()) continue;
            const double turns = std::clamp(tree.at(p), 0.0, 1.0);
            inside += turns;
            if (std::min(turns, 1.0 - turns) > half_enclosed) held.by_opening[b] = 1;
        }
        held.shares[b] = inside / samples;
    }
    return held;
}

// Whether a bone continues one of the piece's own bones inside the piece. Where a piece is open (trousers, a face under
// hair) another piece begins, and the two share the bones there. A closed piece (a puppet's leg, stuck into its hips)
// shares only the bone that carries it.
bool goes_on_in(const Holding& piece, std::span<const Bone> bones, size_t b) {
    const bool open = piece.by_opening[b];
    if (piece.shares[b] < (open ? runs_out : runs_through) || (!open && bones[b].side)) return false;
    for (size_t c = 0; c < bones.size(); ++c) {
        if (!piece.own[c]) continue;
        if (bones[c].joint == bones[b].joint || bones[c].parent == bones[b].joint) return true;
        if (open && bones[b].parent == bones[c].joint) return true;
    }
    return false;
}

}  // namespace

PieceBones piece_bones(const Surface& surface, std::span<const Bone> bones) {
    if (surface.piece_count < 2) return PieceBones(0, 0);
    std::vector<size_t> triangles(surface.piece_count, 0);
    for (size_t i = 0; i < surface.triangles.size(); i += 3)
        ++triangles[static_cast<size_t>(surface.piece[surface.triangles[i]])];
    std::vector<size_t> asked(surface.piece_count);
    std::iota(asked.begin(), asked.end(), size_t{0});
    std::stable_sort(asked.begin(), asked.end(), [&](size_t a, size_t b) { return triangles[a] > triangles[b]; });
    if (asked.size() > pieces_asked) asked.resize(pieces_asked);
    std::erase_if(asked, [&](size_t p) { return triangles[p] < least_triangles; });
    if (asked.empty()) return PieceBones(0, 0);

    std::vector<int32_t> slot(surface.piece_count, -1);
    for (size_t i = 0; i < asked.size(); ++i) slot[asked[i]] = static_cast<int32_t>(i);
    std::vector<std::vector<Vec3d>> corners(asked.size());
    for (uint32_t v : surface.triangles)
        if (const int32_t s = slot[static_cast<size_t>(surface.piece[v])]; s >= 0)
            corners[static_cast<size_t>(s)].push_back(surface.positions[v]);
    std::vector<Holding> pieces(asked.size());
    parallel_for(asked.size(), 1, [&](size_t begin, size_t end) {
        for (size_t i = begin; i < end; ++i) pieces[i] = held_by(std::move(corners[i]), bones);
    });

    std::vector<double> largest(bones.size(), 0.0);
    for (const Holding& piece : pieces)
        for (size_t b = 0; b < bones.size(); ++b) largest[b] = std::max(largest[b], piece.shares[b]);
    PieceBones result(surface.piece_count, bones.size());
    for (size_t i = 0; i < asked.size(); ++i) {
        Holding& piece = pieces[i];
        result.set_holds(asked[i], *std::max_element(piece.shares.begin(), piece.shares.end()));
        bool any = false;
        for (size_t b = 0; b < bones.size(); ++b)
            any |= (piece.own[b] = largest[b] > most_of_it && piece.shares[b] >= largest[b]) != 0;
        for (size_t b = 0; b < bones.size() && any; ++b)
            if (largest[b] > most_of_it && piece.shares[b] < as_well * largest[b] && !goes_on_in(piece, bones, b))
                result.set_foreign(asked[i], b);
    }
    return result;
}

}  // namespace sinew
