#include <sinew/rig/body/legs_apart.h>

#include <sinew/rig/body/neighbours.h>
#include <sinew/rig/priors/stances.h>
#include <algorithm>

namespace sinew {
namespace {

// All of these are chosen by us. Legs that touch are joined over less than `thin` of their own depth, and filled over
// less than `narrow`: what is round touches in less than its own depth. Flat sides leave a wall all through; the walls
// within a trunk that is made of pieces are as deep as it, but not whole: `wall`.
constexpr double thin = 0.35, narrow = 0.85, wall = 0.05;
// A leg is at least this many voxels deep.
constexpr int shallowest = 4;
// Columns of voxels that must lie beside the plane, and layers in which legs touch, at least.
constexpr int fewest_columns = 3, fewest_layers = 3;
// The cut may loosen crumbs of one voxel in so many, no more.
constexpr size_t crumbs = 200;

// One horizontal layer of voxels beside the mirror plane.
struct Layer {
    const VoxelBody& body;
    int y = 0, left = 0, right = 0;  // the columns beside the plane

    size_t at(int x, int z) const { return body.grid.index({x, y, z}); }
    bool filled(int x, int z) const { return body.mask[at(x, z)] != 0; }
    bool solid(int x, int z) const { return filled(x, z) && !body.shell[at(x, z)]; }
    // Whether the inside goes on across the plane. Where only surfaces touch, it does not.
    bool joined(int z) const { return solid(left, z) && solid(right, z); }
};

// Where a layer is narrow at the plane.
struct Waist {
    bool found = false, deep = false;  // deep: there is more than surface on both sides
    std::vector<int> z;                // where to cut along the plane
};

// The part of the layer that hangs together with (x, z), and its voxels counted by column.
void flood(const Layer& layer, int x, int z, std::vector<uint8_t>& seen, std::vector<int>& column,
           std::vector<std::pair<int, int>>& part) {
    const VoxelGrid& grid = layer.body.grid;
    const auto mark = [&](int i, int k) -> uint8_t& {
        return seen[static_cast<size_t>(k) * static_cast<size_t>(grid.dims[0]) + static_cast<size_t>(i)];
    };
    part.assign(1, {x, z});
    mark(x, z) = 1;
    for (size_t i = 0; i < part.size(); ++i) {
        const auto [px, pz] = part[i];
        ++column[static_cast<size_t>(px)];
        for (int k = 0; k < cross_size; ++k) {
            const VoxelIndex n = in_cross({px, layer.y, pz}, k);
            if (!grid.contains(n) || !layer.filled(n[0], n[2]) || mark(n[0], n[2])) continue;
            mark(n[0], n[2]) = 1;
            part.push_back({n[0], n[2]});
        }
    }
}

// Whether everything that touches the plane in this layer is thin there and thick on both sides; and where.
Waist find_waist(const Layer& layer, std::vector<uint8_t>& seen) {
    const VoxelGrid& grid = layer.body.grid;
    std::fill(seen.begin(), seen.end(), uint8_t{0});
    std::vector<int> column(static_cast<size_t>(grid.dims[0]));
    std::vector<std::pair<int, int>> part;
    Waist waist{.found = true};
    for (int z = 0; z < grid.dims[2]; ++z) {
        const size_t at = static_cast<size_t>(z) * static_cast<size_t>(grid.dims[0]);
        const int x = layer.filled(layer.left, z) ? layer.left : layer.right;
        if (!layer.filled(x, z) || seen[at + static_cast<size_t>(x)]) continue;
        std::fill(column.begin(), column.end(), 0);
        flood(layer, x, z, seen, column, part);
        int joined = 0;
        for (int k = 0; k < grid.dims[2]; ++k)
            joined +=
                layer.joined(k) &&
                seen[static_cast<size_t>(k) * static_cast<size_t>(grid.dims[0]) + static_cast<size_t>(layer.left)];
        const int l = *std::max_element(column.begin(), column.begin() + layer.left - 1),
                  r = *std::max_element(column.begin() + layer.right + 2, column.end());
        const int filled = std::min(column[static_cast<size_t>(layer.left)], column[static_cast<size_t>(layer.right)]);
        const int side = std::min(l, r);
        bool deep[2] = {false, false};  // a fin or a cape is nothing but its surface
        for (const auto& [px, pz] : part) deep[px > layer.left] |= layer.solid(px, pz);
        if (side >= shallowest && joined < thin * side && (filled < narrow * side || joined <= wall * side)) {
            for (const auto& [px, pz] : part)
                if (px == layer.left || px == layer.right) waist.z.push_back(pz);
            waist.deep |= deep[0] && deep[1];
        } else if (joined > 0) {
            waist.found = false;
        }
    }
    return waist;
}

}  // namespace

bool part_legs(VoxelBody& body) {
    const VoxelGrid& grid = body.grid;
    const double height = body.height();
    const int right = grid.locate({0.5 * grid.cell, 0.0, 0.0})[0], left = grid.locate({-0.5 * grid.cell, 0.0, 0.0})[0];
    if (left < fewest_columns || right + fewest_columns >= grid.dims[0] || body.shell.empty()) return false;
    const int top = grid.locate({0.0, body.low.y() + stances::crotch_below * height, 0.0})[1],
              ground = grid.locate({0.0, body.low.y(), 0.0})[1];
    const int least = std::max(fewest_layers, static_cast<int>(stances::legs_touching * height / grid.cell));
    std::vector<uint8_t> seen(static_cast<size_t>(grid.dims[0]) * static_cast<size_t>(grid.dims[2]));
    std::vector<uint32_t> cut;
    int run = 0, deep = 0;
    for (int y = top; y >= ground; --y) {
        const Waist waist = find_waist({body, y, left, right}, seen);
        run = waist.found ? run + 1 : run >= least ? run : 0;
        if (run == 0) cut.clear(), deep = 0;
        deep += waist.deep;
        for (int z : waist.z)
            for (int x : {left, right}) cut.push_back(static_cast<uint32_t>(grid.index({x, y, z})));
    }
    if (run < least || deep < least) return false;
    std::vector<uint8_t> mask = body.mask;
    size_t removed = 0;
    for (uint32_t v : cut) removed += mask[v], mask[v] = 0;
    if (removed == 0) return false;
    return cut_down_to(body, std::move(mask), removed + body.voxels.size() / crumbs);
}

}  // namespace sinew
