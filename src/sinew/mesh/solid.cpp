#include <sinew/mesh/solid.h>

#include <sinew/core/parallel.h>
#include <sinew/mesh/orient.h>
#include <sinew/mesh/solid_steps.h>
#include <sinew/mesh/voxel_work.h>
#include <sinew/mesh/winding.h>

namespace sinew {
namespace {

constexpr int border = 2;  // outside layers around the mesh

SolidFaces usable_faces(std::span<const Vec3> positions, std::span<const uint32_t> triangles) {
    SolidFaces faces;
    faces.positions.assign(positions.begin(), positions.end());
    for (Vec3& p : faces.positions)
        if (!p.allFinite()) p.setZero();
    for (size_t i = 0; i + 2 < triangles.size(); i += 3) {
        bool good = true;
        for (size_t k = 0; k < 3 && good; ++k)
            good = triangles[i + k] < positions.size() && positions[triangles[i + k]].allFinite();
        if (!good) continue;
        for (size_t k = 0; k < 3; ++k) {
            faces.triangles.push_back(triangles[i + k]);
            faces.box.add(positions[triangles[i + k]]);
        }
    }
    return faces;
}

// The area of the faces' bounds and the length of their sides, over all faces. area / cell² + sides / cell is about how
// many voxels must be looked at.
struct Spread {
    double area = 0.0, sides = 0.0;
};

Spread spread_of(const SolidFaces& faces) {
    Spread spread;
    for (size_t i = 0; i + 2 < faces.triangles.size(); i += 3) {
        Box box;
        for (size_t k = 0; k < 3; ++k) box.add(faces.positions[faces.triangles[i + k]]);
        const Vec3d size = (box.max - box.min).cast<double>();
        const double longest = size.maxCoeff(), least = size.minCoeff(), sum = size.sum();
        spread.area += longest * (sum - longest - least);
        spread.sides += sum - least;
    }
    return spread;
}

VoxelGrid make_grid(const SolidFaces& faces, const SolidOptions& options) {
    constexpr double most_work = 1 << 22;
    VoxelGrid grid;
    const Box& box = faces.box;
    const Spread spread = spread_of(faces);
    const Vec3d low = box.min.cast<double>(), size = box.max.cast<double>() - low;
    const double longest = size.maxCoeff();
    const int resolution = std::clamp(options.resolution, 4, 1024);
    // A mesh that is one point still gets voxels around it.
    const double least = std::max(1e-30, 1e-6 * low.cwiseAbs().maxCoeff());
    // A little larger, so that the far side lies inside the last voxel and not on its edge.
    grid.cell = std::max(longest, least) * (1.0 + 1e-6) / resolution;
    const auto lay_out = [&] {
        for (int k = 0; k < 3; ++k) {
            // Centred, so that a mirror-symmetric mesh gets a mirror-symmetric grid.
            const int inner = std::max(1, static_cast<int>(std::ceil(size[k] * (1.0 + 5e-7) / grid.cell)));
            grid.dims[static_cast<size_t>(k)] = inner + 2 * border;
            grid.origin[k] = low[k] + 0.5 * size[k] - 0.5 * grid.cell * (inner + 2 * border);
        }
    };
    lay_out();
    const auto work = [&] { return spread.area / (grid.cell * grid.cell) + spread.sides / grid.cell; };
    while (grid.count() > std::max<size_t>(options.max_voxels, 1000) || (work() > most_work && grid.count() > 1000)) {
        grid.cell *= 1.1;
        lay_out();
    }
    return grid;
}

std::vector<Vec3d> grid_corners(const SolidFaces& faces, const VoxelGrid& grid) {
    std::vector<Vec3d> corners(faces.triangles.size());
    for (size_t i = 0; i < corners.size(); ++i) {
        const size_t k = i % 3;
        const size_t from = k > 0 && faces.flip[i / 3] ? i - k + (3 - k) : i;
        corners[i] = (faces.positions[faces.triangles[from]].cast<double>() - grid.origin) / grid.cell;
    }
    return corners;
}

// A cube of voxels (cut off at the grid's end) about which the rays do not agree.
struct Doubt {
    VoxelIndex low;
    int size;
};

// The winding number changes slowly away from the surface, so one answer serves a whole block that no triangle touches.
struct WindingBlocks {
    const VoxelGrid& grid;
    std::span<const uint8_t> touched, reached;
    std::span<uint8_t> votes;  // in: 0…6 rays; out: 1 inside, 0 not

    template <class Visit>
    void each(const VoxelIndex& low, int size, const Visit& visit) const {
        for (int z = low[2]; z < std::min(low[2] + size, grid.dims[2]); ++z)
            for (int y = low[1]; y < std::min(low[1] + size, grid.dims[1]); ++y)
                for (int x = low[0]; x < std::min(low[0] + size, grid.dims[0]); ++x) visit(grid.index({x, y, z}));
    }

    // Settles the voxels about which all rays agree, and lists the rest. Voxels that the flood did not reach need no
    // answer.
    void find(const VoxelIndex& low, int size, std::vector<Doubt>& doubts) const {
        bool free = true, agree = true;
        each(low, size, [&](size_t i) {
            free = free && !touched[i];
            agree = agree && (touched[i] || !reached[i] || votes[i] == 0 || votes[i] == 6);
        });
        if (agree) return each(low, size, [&](size_t i) { votes[i] = !touched[i] && votes[i] == 6; });
        if (free || size == 1) return doubts.push_back({low, size});
        const int half = size / 2;
        for (int k = 0; k < 8; ++k)
            find({low[0] + half * (k & 1), low[1] + half * (k >> 1 & 1), low[2] + half * (k >> 2)}, half, doubts);
    }

    void settle(const Doubt& doubt, bool within) const {
        each(doubt.low, doubt.size,
             [&](size_t i) { votes[i] = !touched[i] && (votes[i] == 6 || (votes[i] > 0 && within)); });
    }
    void settle_by_majority(const Doubt& doubt) const {
        each(doubt.low, doubt.size, [&](size_t i) { votes[i] = !touched[i] && votes[i] > 3; });
    }
};

Vec3d middle_of(const Doubt& doubt) {
    return Vec3d(doubt.low[0], doubt.low[1], doubt.low[2]).array() + 0.5 * doubt.size;
}

// Whether winding numbers would take too long, judged by a sample. Among thousands of long triangles that cross each
// other, each number looks at all of them, and means nothing.
bool too_dear(const WindingTree& tree, std::span<const Doubt> doubts) {
    constexpr size_t sample = 64;
    constexpr double most = 5e7;  // triangles looked at, in all
    size_t seen = 0, asked = 0;
    for (size_t i = 0; i < doubts.size(); i += 1 + doubts.size() / sample, ++asked)
        seen += tree.near(middle_of(doubts[i]));
    return asked > 0 &&
           static_cast<double>(seen) / static_cast<double>(asked) * static_cast<double>(doubts.size()) > most;
}

// The voxels that the flood reached although they lie inside an open surface.
std::vector<uint8_t> find_leaked(const VoxelGrid& grid, const std::vector<Vec3d>& corners,
                                 std::span<const uint8_t> touched, std::span<const uint8_t> reached) {
    constexpr int size = 4;
    std::vector<uint8_t> votes = count_ray_votes(grid, corners);
    const WindingBlocks blocks{grid, touched, reached, votes};
    const auto layers = static_cast<size_t>((grid.dims[2] + size - 1) / size);
    std::vector<std::vector<Doubt>> layer_doubts(layers);
    parallel_for(layers, 1, [&](size_t layer, size_t) {
        for (int y = 0; y < grid.dims[1]; y += size)
            for (int x = 0; x < grid.dims[0]; x += size)
                blocks.find({x, y, size * static_cast<int>(layer)}, size, layer_doubts[layer]);
    });
    std::vector<Doubt> doubts;
    for (const std::vector<Doubt>& layer : layer_doubts) doubts.insert(doubts.end(), layer.begin(), layer.end());
    if (doubts.empty()) return votes;
    const WindingTree tree(corners);
    const bool rays_only = too_dear(tree, doubts);
    parallel_for(doubts.size(), 256, [&](size_t begin, size_t end) {
        for (size_t i = begin; i < end; ++i) {
            if (rays_only)
                blocks.settle_by_majority(doubts[i]);
            else
                blocks.settle(doubts[i], tree.at(middle_of(doubts[i])) > 0.5);
        }
    });
    return votes;
}

// Drops places that are wide open, such as the space under a skirt: a twelfth of their boundary or more is open to the
// outside. A place that is most of the body is kept all the same.
void drop_open_places(const VoxelGrid& grid, std::span<const uint8_t> touched, std::span<const uint8_t> reached,
                      std::vector<uint8_t>& leaked) {
    size_t inside = 0;
    for (size_t i = 0; i < leaked.size(); ++i) {
        leaked[i] = leaked[i] && reached[i];
        inside += !touched[i] && (leaked[i] || !reached[i]);
    }
    std::vector<uint8_t> seen(leaked.size(), 0);
    std::vector<uint32_t> place;
    for (size_t seed = 0; seed < leaked.size(); ++seed) {
        if (!leaked[seed] || seen[seed]) continue;
        place.assign(1, static_cast<uint32_t>(seed));
        seen[seed] = 1;
        size_t open = 0, boundary = 0;
        for (size_t i = 0; i < place.size(); ++i) {
            const VoxelIndex v = grid.voxel(place[i]);
            for (int axis = 0; axis < 3; ++axis) {
                for (const int step : {-1, 1}) {
                    VoxelIndex n = v;  // never beyond the grid: its outer layers are outside
                    n[static_cast<size_t>(axis)] += step;
                    const size_t j = grid.contains(n) ? grid.index(n) : place[i];
                    boundary += !leaked[j];
                    open += !leaked[j] && !touched[j];
                    if (leaked[j] && !seen[j]) seen[j] = 1, place.push_back(static_cast<uint32_t>(j));
                }
            }
        }
        if (12 * open > boundary && 2 * place.size() < inside)
            for (uint32_t v : place) leaked[v] = 2;
    }
    for (uint8_t& l : leaked) l = l == 1;
}

}  // namespace

SolidFaces find_solid_faces(std::span<const Vec3> positions, std::span<const uint32_t> triangles) {
    SolidFaces faces = usable_faces(positions, triangles);
    OrientedFaces oriented = orient_faces(faces.positions, faces.triangles, {.closed_too = false});
    faces.flip = std::move(oriented.flip);
    faces.open_edges = oriented.open_edges;
    return faces;
}

Solid make_solid(std::span<const Vec3> positions, std::span<const uint32_t> triangles, const SolidOptions& options) {
    return fill_solid(find_solid_faces(positions, triangles), options);
}

Solid fill_solid(const SolidFaces& faces, const SolidOptions& options) {
    Solid solid;
    if (faces.triangles.empty()) return solid;
    solid.grid = make_grid(faces, options);
    count_voxel_work(solid.grid.count() / cells_per_visit);
    solid.open_edges = faces.open_edges;
    const std::vector<Vec3d> corners = grid_corners(faces, solid.grid);
    const std::vector<uint8_t> touched = touch_voxels(solid.grid, corners);
    const std::vector<uint8_t> reached = flood_from_border(solid.grid, touched);
    std::vector<uint8_t> leaked;
    if (solid.open_edges) {
        leaked = find_leaked(solid.grid, corners, touched, reached);
        drop_open_places(solid.grid, touched, reached, leaked);
    }
    solid.fill.resize(solid.grid.count());
    size_t inside = 0, found = 0;
    for (size_t i = 0; i < solid.fill.size(); ++i) {
        const bool by_opinion = reached[i] && !leaked.empty() && leaked[i];
        solid.fill[i] = touched[i] ? Fill::surface : !reached[i] || by_opinion ? Fill::inside : Fill::outside;
        inside += solid.fill[i] == Fill::inside;
        found += by_opinion;
    }
    solid.leak = inside > 0 ? static_cast<double>(found) / static_cast<double>(inside) : 0.0;
    return solid;
}

std::vector<uint8_t> solid_mask(const Solid& solid) {
    std::vector<uint8_t> mask(solid.fill.size());
    for (size_t i = 0; i < mask.size(); ++i) mask[i] = solid.filled(i);
    return mask;
}

}  // namespace sinew
