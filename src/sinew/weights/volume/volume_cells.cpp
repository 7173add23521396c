#include <sinew/weights/volume/volume_cells.h>

#include <sinew/core/parallel.h>
#include <algorithm>
#include <cmath>

namespace sinew {
namespace {

constexpr int largest_allowed = 64, finest_allowed = 16;  // bounds on the options
// A cell that fills less of its cube than this is a sliver, unless the cube is a single voxel. Chosen: slivers make the
// matrix stiff and add nothing.
constexpr double sliver_share = 0.2, one_voxel = 1.5;
constexpr double least_distance_share = 0.5;  // of the smaller cube, between two middles: bounds the flow of odd shapes

// For each aligned cube of 2^level voxels: are all of its voxels filled, and is any?
struct PyramidLevel {
    VoxelIndex dims = {0, 0, 0};
    std::vector<uint8_t> full, any;

    size_t index(int x, int y, int z) const {
        return (static_cast<size_t>(z) * static_cast<size_t>(dims[1]) + static_cast<size_t>(y)) *
                   static_cast<size_t>(dims[0]) +
               static_cast<size_t>(x);
    }
    bool holds(int x, int y, int z) const {
        return x >= 0 && y >= 0 && z >= 0 && x < dims[0] && y < dims[1] && z < dims[2];
    }
};

PyramidLevel halve(const PyramidLevel& below) {
    PyramidLevel level;
    for (size_t k = 0; k < 3; ++k) level.dims[k] = (below.dims[k] + 1) / 2;
    const size_t count =
        static_cast<size_t>(level.dims[0]) * static_cast<size_t>(level.dims[1]) * static_cast<size_t>(level.dims[2]);
    level.full.assign(count, 0);
    level.any.assign(count, 0);
    parallel_for(static_cast<size_t>(level.dims[2]), 4, [&](size_t begin, size_t end) {
        for (int z = static_cast<int>(begin); z < static_cast<int>(end); ++z)
            for (int y = 0; y < level.dims[1]; ++y)
                for (int x = 0; x < level.dims[0]; ++x) {
                    uint8_t full = 1, any = 0;
                    for (int k = 0; k < 8; ++k) {
                        const int cx = 2 * x + (k & 1), cy = 2 * y + (k >> 1 & 1), cz = 2 * z + (k >> 2);
                        const bool there = below.holds(cx, cy, cz);
                        const size_t i = there ? below.index(cx, cy, cz) : 0;
                        full = full && there && below.full[i];
                        any = any || (there && below.any[i]);
                    }
                    level.full[level.index(x, y, z)] = full;
                    level.any[level.index(x, y, z)] = any;
                }
    });
    return level;
}

struct Block {
    VoxelIndex low;
    int level;
};

class CellBuilder {
public:
    CellBuilder(std::vector<uint8_t> filled, const VolumeOptions& options, Volume& volume) : volume_(volume) {
        const int largest = std::clamp(options.largest_cell, 1, largest_allowed),
                  fineness = std::clamp(options.fineness, 1, finest_allowed);
        while ((2 << top_) <= largest) ++top_;
        while ((2 << finer_) <= fineness) ++finer_;
        PyramidLevel base{volume.grid.dims, std::move(filled), {}};
        base.any = base.full;
        pyramid_.push_back(std::move(base));
        for (int l = 1; l <= top_ + finer_; ++l) pyramid_.push_back(halve(pyramid_.back()));
    }

    void build() {
        volume_.cell_of.assign(volume_.grid.count(), Volume::no_cell);
        const VoxelIndex dims = pyramid_[static_cast<size_t>(top_)].dims;
        for (int z = 0; z < dims[2]; ++z)
            for (int y = 0; y < dims[1]; ++y)
                for (int x = 0; x < dims[0]; ++x) divide(x, y, z, top_);
        measure();
        join_slivers();
        connect();
    }

private:
    struct Contact {
        uint32_t a, b;
        int axis;
        double faces;
    };

    bool filled(size_t voxel) const { return pyramid_[0].full[voxel] != 0; }

    // A part is thick enough for cubes of this size if a filled cube `fineness` times as large is near.
    bool thick(int x, int y, int z, int level) const {
        const PyramidLevel& above = pyramid_[static_cast<size_t>(level + finer_)];
        for (int dz = -1; dz <= 1; ++dz)
            for (int dy = -1; dy <= 1; ++dy)
                for (int dx = -1; dx <= 1; ++dx) {
                    const int ax = (x >> finer_) + dx, ay = (y >> finer_) + dy, az = (z >> finer_) + dz;
                    if (above.holds(ax, ay, az) && above.full[above.index(ax, ay, az)]) return true;
                }
        return false;
    }

    void divide(int x, int y, int z, int level) {
        const PyramidLevel& here = pyramid_[static_cast<size_t>(level)];
        if (!here.holds(x, y, z) || !here.any[here.index(x, y, z)]) return;
        if (level > 0 && !thick(x, y, z, level)) {
            for (int k = 0; k < 8; ++k) divide(2 * x + (k & 1), 2 * y + (k >> 1 & 1), 2 * z + (k >> 2), level - 1);
            return;
        }
        const Block block{{x << level, y << level, z << level}, level};
        blocks_.push_back(block);
        label(block);
    }

    template <class Visit>
    void each_voxel(const Block& block, const Visit& visit) const {
        const int size = 1 << block.level;
        const VoxelIndex& d = volume_.grid.dims;
        for (int z = block.low[2]; z < std::min(block.low[2] + size, d[2]); ++z)
            for (int y = block.low[1]; y < std::min(block.low[1] + size, d[1]); ++y)
                for (int x = block.low[0]; x < std::min(block.low[0] + size, d[0]); ++x) visit(VoxelIndex{x, y, z});
    }

    // Makes a cell for each part of the block whose voxels are connected by their faces.
    void label(const Block& block) {
        const int size = 1 << block.level;
        each_voxel(block, [&](const VoxelIndex& seed) {
            const size_t start = volume_.grid.index(seed);
            if (!filled(start) || volume_.cell_of[start] != Volume::no_cell) return;
            const auto cell = static_cast<uint32_t>(volume_.sizes.size());
            volume_.sizes.push_back(size * volume_.grid.cell);
            stack_.assign(1, seed);
            volume_.cell_of[start] = cell;
            while (!stack_.empty()) {
                const VoxelIndex v = stack_.back();
                stack_.pop_back();
                for (size_t axis = 0; axis < 3; ++axis)
                    for (const int step : {-1, 1}) {
                        VoxelIndex n = v;
                        n[axis] += step;
                        if (n[axis] < block.low[axis] ||
                            n[axis] >= std::min(block.low[axis] + size, volume_.grid.dims[axis]))
                            continue;
                        const size_t i = volume_.grid.index(n);
                        if (!filled(i) || volume_.cell_of[i] != Volume::no_cell) continue;
                        volume_.cell_of[i] = cell;
                        stack_.push_back(n);
                    }
            }
        });
    }

    void measure() {
        volume_.centres.assign(volume_.sizes.size(), Vec3d::Zero());
        volume_.volumes.assign(volume_.sizes.size(), 0.0);
        for (const Block& block : blocks_)
            each_voxel(block, [&](const VoxelIndex& v) {
                const uint32_t cell = volume_.cell_of[volume_.grid.index(v)];
                if (cell == Volume::no_cell) return;
                volume_.centres[cell] += volume_.grid.centre(v);
                volume_.volumes[cell] += 1.0;
            });
        for (size_t c = 0; c < volume_.size(); ++c) volume_.centres[c] /= volume_.volumes[c];
        for (const Block& block : blocks_) find_contacts(block);
    }

    // Counts the faces between this block's cells and those beyond its three upper sides.
    void find_contacts(const Block& block) {
        const int size = 1 << block.level;
        const VoxelIndex& d = volume_.grid.dims;
        const size_t begin = contacts_.size();
        for (size_t axis = 0; axis < 3; ++axis) {
            const size_t u = (axis + 1) % 3, w = (axis + 2) % 3;
            VoxelIndex v = block.low;
            v[axis] = block.low[axis] + size - 1;
            if (v[axis] + 1 >= d[axis]) continue;
            for (v[u] = block.low[u]; v[u] < std::min(block.low[u] + size, d[u]); ++v[u])
                for (v[w] = block.low[w]; v[w] < std::min(block.low[w] + size, d[w]); ++v[w]) {
                    const size_t i = volume_.grid.index(v);
                    const uint32_t a = volume_.cell_of[i],
                                   b = volume_.cell_of[i + volume_.grid.stride(static_cast<int>(axis))];
                    if (a == Volume::no_cell || b == Volume::no_cell) continue;
                    const auto same = std::find_if(
                        contacts_.begin() + static_cast<std::ptrdiff_t>(begin), contacts_.end(),
                        [&](const Contact& c) { return c.a == a && c.b == b && c.axis == static_cast<int>(axis); });
                    if (same != contacts_.end())
                        same->faces += 1.0;
                    else
                        contacts_.push_back({a, b, static_cast<int>(axis), 1.0});
                }
        }
    }

    // Joins each sliver, a corner of a cube that the surface cuts off, to the neighbour it touches most.
    void join_slivers() {
        const size_t n = volume_.size();
        const double voxel = volume_.grid.cell;
        std::vector<uint8_t> sliver(n, 0);
        for (size_t c = 0; c < n; ++c) {
            const double cube = std::pow(volume_.sizes[c] / voxel, 3);
            sliver[c] = cube > one_voxel && volume_.volumes[c] < sliver_share * cube;
        }
        std::vector<uint32_t> into(n, Volume::no_cell);
        std::vector<double> most(n, 0.0);
        const auto offer = [&](uint32_t from, uint32_t to, double faces) {
            if (!sliver[from] || sliver[to] || faces <= most[from]) return;
            most[from] = faces;
            into[from] = to;
        };
        for (const Contact& c : contacts_) offer(c.a, c.b, c.faces), offer(c.b, c.a, c.faces);
        std::vector<uint32_t> number(n);
        uint32_t kept = 0;
        for (size_t c = 0; c < n; ++c)
            if (into[c] == Volume::no_cell) number[c] = kept++;
        for (size_t c = 0; c < n; ++c) {
            if (into[c] == Volume::no_cell) continue;
            const uint32_t to = into[c];
            const double sum = volume_.volumes[to] + volume_.volumes[c];
            volume_.centres[to] =
                (volume_.centres[to] * volume_.volumes[to] + volume_.centres[c] * volume_.volumes[c]) / sum;
            volume_.volumes[to] = sum;
            number[c] = number[to];
        }
        for (size_t c = 0; c < n; ++c) {
            if (into[c] != Volume::no_cell) continue;
            volume_.centres[number[c]] = volume_.centres[c];
            volume_.sizes[number[c]] = volume_.sizes[c];
            volume_.volumes[number[c]] = volume_.volumes[c] * voxel * voxel * voxel;
        }
        volume_.centres.resize(kept), volume_.sizes.resize(kept), volume_.volumes.resize(kept);
        for (uint32_t& cell : volume_.cell_of)
            if (cell != Volume::no_cell) cell = number[cell];
        for (Contact& c : contacts_) c.a = number[c.a], c.b = number[c.b];
    }

    void connect() {
        struct Flow {
            uint32_t a, b;
            double flow;
        };
        std::vector<Flow> list;
        const double area = volume_.grid.cell * volume_.grid.cell;
        for (const Contact& c : contacts_) {
            if (c.a == c.b) continue;
            const double least = least_distance_share * std::min(volume_.sizes[c.a], volume_.sizes[c.b]);
            const double distance =
                std::max(std::abs(volume_.centres[c.a][c.axis] - volume_.centres[c.b][c.axis]), least);
            list.push_back({c.a, c.b, c.faces * area / distance});
            list.push_back({c.b, c.a, c.faces * area / distance});
        }
        std::stable_sort(list.begin(), list.end(),
                         [](const Flow& x, const Flow& y) { return x.a != y.a ? x.a < y.a : x.b < y.b; });
        volume_.first.assign(volume_.size() + 1, 0);
        for (size_t i = 0; i < list.size(); ++i) {
            if (i > 0 && list[i].a == list[i - 1].a && list[i].b == list[i - 1].b) {
                volume_.flows.back() += list[i].flow;
                continue;
            }
            volume_.others.push_back(list[i].b);
            volume_.flows.push_back(list[i].flow);
            ++volume_.first[list[i].a + 1];
        }
        for (size_t c = 0; c < volume_.size(); ++c) volume_.first[c + 1] += volume_.first[c];
    }

    Volume& volume_;
    std::vector<PyramidLevel> pyramid_;
    int top_ = 0, finer_ = 0;
    std::vector<Block> blocks_;
    std::vector<Contact> contacts_;
    std::vector<VoxelIndex> stack_;
};

}  // namespace

void build_cells(std::vector<uint8_t> filled, const VolumeOptions& options, Volume& volume) {
    CellBuilder(std::move(filled), options, volume).build();
}

}  // namespace sinew
