#include <sinew/rig/embed/embed_space.h>

#include <sinew/core/parallel.h>
#include <algorithm>
#include <cmath>

namespace sinew {
namespace {

// On the medial axis the distance to the outside grows slower than one voxel a voxel, whichever way one goes. In the
// middle plane only ways within it count.
bool is_medial(const VoxelBody& body, uint32_t v, bool in_plane) {
    const VoxelIndex at = body.grid.voxel(v);
    for (int k = 0; k < 27; ++k) {
        const int dx = k % 3 - 1, dy = k / 3 % 3 - 1, dz = k / 9 - 1;
        const VoxelIndex n = {at[0] + dx, at[1] + dy, at[2] + dz};
        if (k == 13 || (in_plane && dx != 0) || !body.grid.contains(n)) continue;
        const double steepness = static_cast<double>(body.radius[body.grid.index(n)] - body.radius[v]) /
                                 std::sqrt(static_cast<double>(dx * dx + dy * dy + dz * dz));
        if (steepness > 0.72) return false;
    }
    return true;
}

// Takes the thickest first, and none inside what was taken.
std::vector<uint32_t> pack(const VoxelBody& body, const std::vector<uint32_t>& sorted, double spacing) {
    std::vector<uint32_t> taken;
    for (uint32_t v : sorted) {
        const Vec3d p = body.at(v);
        const bool free = std::all_of(taken.begin(), taken.end(), [&](uint32_t t) {
            const double apart = std::max(spacing, 0.55 * static_cast<double>(body.radius[t]) * body.grid.cell);
            return (body.at(t) - p).squaredNorm() > apart * apart;
        });
        if (free) taken.push_back(v);
        if (taken.size() > 1000) break;
    }
    return taken;
}

std::vector<uint32_t> pack_at_most(const VoxelBody& body, std::vector<uint32_t> voxels, double size, int most) {
    std::stable_sort(voxels.begin(), voxels.end(),
                     [&](uint32_t a, uint32_t b) { return body.radius[a] > body.radius[b]; });
    double spacing = 0.015 * size;
    std::vector<uint32_t> taken = pack(body, voxels, spacing);
    while (static_cast<int>(taken.size()) > most) taken = pack(body, voxels, spacing *= 1.25);
    return taken;
}

}  // namespace

double length_outside(const VoxelBody& body, const Vec3d& from, const Vec3d& to) {
    const double length = (to - from).norm();
    const int steps = std::clamp(static_cast<int>(length / body.grid.cell), 1, 400);
    int out = 0;
    for (int s = 1; s < steps; ++s) out += !body.inside(from + (to - from) * (static_cast<double>(s) / steps));
    return length * out / steps;
}

EmbedSpace find_embed_space(const Upright& upright, const EmbedSpaceOptions& options) {
    const VoxelBody& body = upright.body;
    EmbedSpace space;
    space.size = (body.high - body.low).norm();
    const double cell = body.grid.cell;
    std::vector<uint32_t> middle, left;
    for (uint32_t v : body.voxels) {
        const double x = body.at(v).x();
        const bool in_plane = options.half && std::abs(x) < 0.75 * cell;
        if (options.half && x < -0.75 * cell) continue;
        if (is_medial(body, v, in_plane)) (in_plane ? middle : left).push_back(v);
    }
    std::vector<uint32_t> taken = pack_at_most(body, std::move(middle), space.size, options.most / 2);
    for (uint32_t v : pack_at_most(body, std::move(left), space.size, options.most)) taken.push_back(v);
    for (const Extremity& end : upright.ends.list)
        if (!options.half || end.position.x() > -0.75 * cell) taken.push_back(end.voxel);
    for (uint32_t v : taken) {
        Vec3d p = body.at(v);
        const bool in_plane = std::abs(p.x()) < 0.75 * cell;
        if (options.half && in_plane) p.x() = 0.0;
        double to_tip = INFINITY;
        for (const Extremity& end : upright.ends.list) to_tip = std::min(to_tip, (end.position - p).norm());
        space.place.push_back(p);
        space.radius.push_back(static_cast<double>(body.radius[v]) * cell);
        space.to_tip.push_back(std::min(to_tip, space.size));
        space.side.push_back(static_cast<int8_t>(in_plane ? 0 : p.x() > 0.0 ? 1 : -1));
    }
    const size_t n = space.count();
    space.outside.assign(n * n, 0.0f);
    space.log_away.assign(n * n, 0.0f);
    parallel_for(n, 8, [&](size_t begin, size_t end) {
        for (size_t a = begin; a < end; ++a)
            for (size_t b = 0; b < n; ++b) {
                space.outside[a * n + b] = static_cast<float>(length_outside(body, space.place[a], space.place[b]));
                const double away = (space.place[b] - space.place[a]).norm() / space.size;
                space.log_away[a * n + b] = static_cast<float>(std::log(away + EmbedSpace::slack));
            }
    });
    return space;
}

}  // namespace sinew
