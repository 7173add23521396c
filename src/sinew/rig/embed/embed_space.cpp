#include <sinew/rig/embed/embed_space.h>

#include <sinew/core/parallel.h>
#include <sinew/rig/body/neighbours.h>
#include <algorithm>
#include <cmath>

namespace sinew {
namespace {

// All of these are chosen by us. On the medial axis the distance to the outside grows by less than this, voxel by
// voxel.
constexpr double medial_steepness = 0.72;
// Balls are apart by this share of the larger one's radius, and by this share of the body's size; the latter grows by
// the factor until there are few enough.
constexpr double ball_spacing = 0.55, least_spacing = 0.015, wider_spacing = 1.25;
constexpr size_t most_balls = 1000;
// A voxel this near to the mirror plane, in voxels, is on it.
constexpr double on_plane = 0.75;
// Steps along a straight way, at most: one a voxel.
constexpr int most_steps = 400;
constexpr size_t places_per_task = 8;

// Whether a voxel is on the medial axis: the distance to the outside grows slowly, whichever way one goes. For voxels
// on the mirror plane only ways within the plane count.
bool is_medial(const VoxelBody& body, uint32_t v, bool in_plane) {
    const VoxelIndex at = body.grid.voxel(v);
    for (int k = 0; k < cube_size; ++k) {
        const VoxelIndex n = in_cube(at, k);
        const int dx = n[0] - at[0], dy = n[1] - at[1], dz = n[2] - at[2];
        if (k == cube_middle || (in_plane && dx != 0) || !body.grid.contains(n)) continue;
        const double steepness = static_cast<double>(body.radius[body.grid.index(n)] - body.radius[v]) /
                                 std::sqrt(static_cast<double>(dx * dx + dy * dy + dz * dz));
        if (steepness > medial_steepness) return false;
    }
    return true;
}

// Takes voxels from the thickest on, none inside the ball of one that was taken.
std::vector<uint32_t> pack(const VoxelBody& body, const std::vector<uint32_t>& sorted, double spacing) {
    std::vector<uint32_t> taken;
    for (uint32_t v : sorted) {
        const Vec3d p = body.at(v);
        const bool free = std::all_of(taken.begin(), taken.end(), [&](uint32_t t) {
            const double apart = std::max(spacing, ball_spacing * static_cast<double>(body.radius[t]) * body.grid.cell);
            return (body.at(t) - p).squaredNorm() > apart * apart;
        });
        if (free) taken.push_back(v);
        if (taken.size() > most_balls) break;
    }
    return taken;
}

std::vector<uint32_t> pack_at_most(const VoxelBody& body, std::vector<uint32_t> voxels, double size, int most) {
    std::stable_sort(voxels.begin(), voxels.end(),
                     [&](uint32_t a, uint32_t b) { return body.radius[a] > body.radius[b]; });
    double spacing = least_spacing * size;
    std::vector<uint32_t> taken = pack(body, voxels, spacing);
    while (static_cast<int>(taken.size()) > most) taken = pack(body, voxels, spacing *= wider_spacing);
    return taken;
}

}  // namespace

double length_outside(const VoxelBody& body, const Vec3d& from, const Vec3d& to) {
    const double length = (to - from).norm();
    const int steps = std::clamp(static_cast<int>(length / body.grid.cell), 1, most_steps);
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
        const bool in_plane = options.half && std::abs(x) < on_plane * cell;
        if (options.half && x < -on_plane * cell) continue;
        if (is_medial(body, v, in_plane)) (in_plane ? middle : left).push_back(v);
    }
    std::vector<uint32_t> taken = pack_at_most(body, std::move(middle), space.size, options.most / 2);
    for (uint32_t v : pack_at_most(body, std::move(left), space.size, options.most)) taken.push_back(v);
    for (const Extremity& end : upright.ends.list)
        if (!options.half || end.position.x() > -on_plane * cell) taken.push_back(end.voxel);
    for (uint32_t v : taken) {
        Vec3d p = body.at(v);
        const bool in_plane = std::abs(p.x()) < on_plane * cell;
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
    parallel_for(n, places_per_task, [&](size_t begin, size_t end) {
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
