#include <sinew/weights/piece_bones.h>

#include <sinew/core/parallel.h>
#include <sinew/mesh/winding.h>
#include <algorithm>
#include <numeric>

namespace sinew {
namespace {

constexpr size_t pieces_asked = 256;
constexpr size_t least_triangles = 16;
constexpr int samples = 9;          // along a bone
constexpr double most_of_it = 0.5;  // of a bone's length
constexpr double as_well = 0.7;     // of the largest share

// The share of each bone's length within a piece. An open piece (a face under hair) holds what it half encloses by
// half.
std::vector<double> shares_within(std::vector<Vec3d> corners, std::span<const Bone> bones) {
    Vec3d low = corners[0], high = corners[0];
    for (const Vec3d& c : corners) {
        low = low.cwiseMin(c);
        high = high.cwiseMax(c);
    }
    const WindingTree tree(std::move(corners));
    std::vector<double> shares(bones.size(), 0.0);
    for (size_t b = 0; b < bones.size(); ++b) {
        double inside = 0.0;
        for (int k = 0; k < samples; ++k) {
            const Vec3d p = bones[b].head + (k + 0.5) / samples * (bones[b].tail - bones[b].head);
            if ((p.array() >= low.array()).all() && (p.array() <= high.array()).all())
                inside += std::clamp(tree.at(p), 0.0, 1.0);
        }
        shares[b] = inside / samples;
    }
    return shares;
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
    std::vector<std::vector<double>> shares(asked.size());
    parallel_for(asked.size(), 1, [&](size_t begin, size_t end) {
        for (size_t i = begin; i < end; ++i) shares[i] = shares_within(std::move(corners[i]), bones);
    });

    std::vector<double> largest(bones.size(), 0.0);
    std::vector<uint8_t> has_bones(asked.size(), 0);
    for (size_t b = 0; b < bones.size(); ++b) {
        for (const auto& share : shares) largest[b] = std::max(largest[b], share[b]);
        for (size_t i = 0; i < asked.size(); ++i)
            if (largest[b] > most_of_it && shares[i][b] >= largest[b]) has_bones[i] = 1;
    }
    PieceBones result(surface.piece_count, bones.size());
    for (size_t i = 0; i < asked.size(); ++i)
        result.set_holds(asked[i], *std::max_element(shares[i].begin(), shares[i].end()));
    for (size_t i = 0; i < asked.size(); ++i)
        for (size_t b = 0; b < bones.size() && has_bones[i]; ++b)
            if (largest[b] > most_of_it && shares[i][b] < as_well * largest[b]) result.set_foreign(asked[i], b);
    return result;
}

}  // namespace sinew
