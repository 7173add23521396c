#include <sinew/rig/body/voxel_body.h>

#include <sinew/mesh/distance_transform.h>
#include <sinew/mesh/geodesic.h>
#include <sinew/mesh/solid.h>
#include <algorithm>
#include <cmath>

namespace sinew {
namespace {

// Steps per voxel along a bridge: no voxel on the line is missed.
constexpr double bridge_steps = 3.0;
// Parts with a smaller share of the voxels are specks; more rounds of bridges than this are a cloud.
constexpr double speck = 0.002;
constexpr int most_bridges = 64;
// Most loose parts are near: they are looked for within these many voxels of the largest one, then farther out. Where
// the bridges to parts that are farther still begin and end matters little: so many voxels of each are compared.
constexpr float bridge_reach[] = {6.0f, 24.0f};
constexpr size_t bridge_samples = 512;
// The first guess at a resolution, for bodies and for hands, which need fewer voxels than `few`; the final one is
// between these factors of it, and the grid is made again only when it differs by more than an eighth.
constexpr int few_voxels = 10000, body_resolution = 128, hand_resolution = 72, worth_redoing = 8;
constexpr double least_resolution = 0.35, most_resolution = 2.5;
// Voxels of the whole grid for each on the surface, at most: of a tree or a spider nearly all are outside, and each is
// looked at all the same. Chosen: a person with arms spread has as many.
constexpr size_t most_cells = 64;

// Fills the straight line between two voxels, with a neighbour along each axis so that the voxels share faces.
void draw_bridge(const VoxelGrid& grid, size_t from, size_t to, std::vector<uint8_t>& mask) {
    const Vec3d a = grid.centre(from), b = grid.centre(to);
    const int steps = static_cast<int>(std::ceil((b - a).norm() / grid.cell * bridge_steps)) + 1;
    for (int s = 0; s <= steps; ++s) {
        const VoxelIndex v = grid.locate(a + (b - a) * (static_cast<double>(s) / steps));
        mask[grid.index(v)] = 1;
        for (size_t k = 0; k < 3; ++k) {
            VoxelIndex n = v;
            n[k] += n[k] + 1 < grid.dims[k] ? 1 : -1;
            if (grid.contains(n)) mask[grid.index(n)] = 1;
        }
    }
}

// The nearest two of a few hundred voxels of two parts.
std::pair<uint32_t, uint32_t> nearest_of_samples(const VoxelGrid& grid, const std::vector<uint32_t>& a,
                                                 const std::vector<uint32_t>& b) {
    std::pair<uint32_t, uint32_t> best{a.front(), b.front()};
    double least = INFINITY;
    for (size_t i = 0; i < a.size(); i += a.size() / bridge_samples + 1)
        for (size_t j = 0; j < b.size(); j += b.size() / bridge_samples + 1)
            if (const double d = (grid.centre(a[i]) - grid.centre(b[j])).squaredNorm(); d < least)
                least = d, best = {a[i], b[j]};
    return best;
}

// Drops the specks and joins the other parts to the largest one. Returns the share of voxels outside the largest part.
double join_parts(const VoxelGrid& grid, std::vector<uint8_t>& mask) {
    VoxelParts parts = connected_parts(grid, mask);
    size_t total = 0;
    for (size_t size : parts.sizes) total += size;
    const double apart = total > 0 ? 1.0 - static_cast<double>(parts.sizes[0]) / static_cast<double>(total) : 0.0;
    for (size_t i = 0; i < mask.size(); ++i)
        if (mask[i] &&
            static_cast<double>(parts.sizes[static_cast<size_t>(parts.label[i])]) < speck * static_cast<double>(total))
            mask[i] = 0;
    const std::vector<uint8_t> everywhere(grid.count(), 1);
    for (int round = 0; round < most_bridges; ++round) {
        parts = connected_parts(grid, mask);
        if (parts.sizes.size() <= 1) break;
        std::vector<uint32_t> main;
        for (size_t i = 0; i < mask.size(); ++i)
            if (parts.label[i] == 0) main.push_back(static_cast<uint32_t>(i));
        std::vector<float> away;
        std::vector<size_t> nearest;
        for (const float reach : bridge_reach) {
            away = geodesic_distance(grid, everywhere, main, {.limit = reach});
            nearest.assign(parts.sizes.size(), SIZE_MAX);
            for (size_t i = 0; i < mask.size(); ++i) {
                if (parts.label[i] <= 0 || !(away[i] < INFINITY)) continue;
                size_t& best = nearest[static_cast<size_t>(parts.label[i])];
                if (best == SIZE_MAX || away[i] < away[best]) best = i;
            }
            if (std::find(nearest.begin() + 1, nearest.end(), SIZE_MAX) == nearest.end()) break;
        }
        for (size_t label = 1; label < nearest.size(); ++label) {
            if (nearest[label] == SIZE_MAX) {
                std::vector<uint32_t> part;
                for (size_t i = 0; i < mask.size(); ++i)
                    if (parts.label[i] == static_cast<int32_t>(label)) part.push_back(static_cast<uint32_t>(i));
                const auto [from, to] = nearest_of_samples(grid, main, part);
                draw_bridge(grid, from, to, mask);
                continue;
            }
            const std::vector<uint32_t> path = descend(grid, away, static_cast<uint32_t>(nearest[label]));
            draw_bridge(grid, path.front(), path.back(), mask);
        }
    }
    return apart;
}

}  // namespace

bool VoxelBody::inside(const Vec3d& point) const {
    const Vec3d g = (point - grid.origin) / grid.cell;
    for (int k = 0; k < 3; ++k)
        if (!(g[k] >= 0.0 && g[k] < grid.dims[static_cast<size_t>(k)])) return false;
    return mask[grid.index(grid.locate(point))] != 0;
}

void refresh(VoxelBody& body) {
    body.voxels.clear();
    for (size_t i = 0; i < body.mask.size(); ++i)
        if (body.mask[i]) body.voxels.push_back(static_cast<uint32_t>(i));
    body.radius = distance_to_outside(body.grid, body.mask);
    Vec3d low = Vec3d::Constant(INFINITY), high = Vec3d::Constant(-INFINITY);
    for (uint32_t v : body.voxels) {
        low = low.cwiseMin(body.at(v));
        high = high.cwiseMax(body.at(v));
    }
    // The surface passes through the outermost voxels, on average through their middles.
    body.low = low;
    body.high = high;
}

bool cut_down_to(VoxelBody& body, std::vector<uint8_t> mask, size_t most) {
    const VoxelParts parts = connected_parts(body.grid, mask);
    if (parts.sizes.empty() || parts.sizes[0] + most < body.voxels.size()) return false;
    for (size_t i = 0; i < mask.size(); ++i) mask[i] = parts.label[i] == 0;
    body.mask = std::move(mask);
    return true;
}

VoxelBody make_voxel_body(std::span<const Vec3> positions, std::span<const uint32_t> triangles,
                          const BodyOptions& options) {
    const int first = options.surface_voxels < few_voxels ? hand_resolution : body_resolution;
    VoxelBody body;
    const SolidFaces faces = find_solid_faces(positions, triangles);
    const size_t cells = most_cells * static_cast<size_t>(options.surface_voxels);
    Solid solid = fill_solid(faces, {.resolution = first, .max_voxels = cells});
    if (solid.empty()) return body;
    size_t surface = 0;
    for (Fill fill : solid.fill) surface += fill == Fill::surface;
    const size_t filled =
        solid.fill.size() - static_cast<size_t>(std::count(solid.fill.begin(), solid.fill.end(), Fill::outside));
    const double by_surface = std::sqrt(options.surface_voxels / static_cast<double>(std::max<size_t>(surface, 1))),
                 by_volume = std::cbrt(options.most_volume * options.surface_voxels /
                                       static_cast<double>(std::max<size_t>(filled, 1)));
    const double wanted = first * std::min(by_surface, by_volume);
    const int resolution = static_cast<int>(std::clamp(wanted, least_resolution * first, most_resolution * first));
    if (std::abs(resolution - first) > first / worth_redoing)
        solid = fill_solid(faces, {.resolution = resolution, .max_voxels = cells});
    body.grid = solid.grid;
    body.leak = solid.leak;
    body.mask = solid_mask(solid);
    body.shell.resize(body.mask.size());
    for (size_t i = 0; i < body.shell.size(); ++i) body.shell[i] = solid.fill[i] == Fill::surface;
    if (options.join) {
        body.apart = join_parts(body.grid, body.mask);
    } else {
        const VoxelParts parts = connected_parts(body.grid, body.mask);
        for (size_t i = 0; i < body.mask.size(); ++i) body.mask[i] = parts.label[i] == 0;
    }
    refresh(body);
    return body;
}

}  // namespace sinew
