// Volume: the inside of a surface as cells of different sizes, and how heat flows between them.
// Data flow: Surface → mesh/solid.h → *here* → volume_bones.h, voxel.h, bbw.h → volume_surface.h → vertices.
#pragma once

#include <sinew/mesh/solid.h>
#include <sinew/weights/surface/surface.h>
#include <sinew/weights/volume/flow_solve.h>
#include <cstdint>
#include <span>
#include <vector>

namespace sinew {

struct VolumeOptions {
    // Voxels along the longest side. Chosen: at 128 fingers grow together.
    int resolution = 448;
    // Bounds on memory and time. Chosen: 16 million voxels take some 100 MB.
    size_t max_voxels = size_t{1} << 24;
    // The resolution shrinks until there are no more cells than this. Chosen: the solver's time grows with them.
    size_t max_cells = 50000;
    // A part is at least about 2 · fineness cells thick, where voxels allow it. Chosen: weights vary across a finger.
    int fineness = 2;
    // In voxels. Chosen: there are few large cells, and larger ones would save little.
    int largest_cell = 16;
};

// The inside of the surface is filled with small voxels, and voxels are joined to cells: cubes of 1, 2, 4 … voxels,
// small in fingers and large in a belly. A cube has one cell for each connected part in it, so that two fingers in one
// cube stay apart. A cell stands at the middle of its voxels. Heat flows where voxels of two cells share a face, in
// proportion to the shared area over the distance of the middles (finite volumes, two-point fluxes).
struct Volume {
    VoxelGrid grid;                 // in the Surface's units
    std::vector<uint32_t> cell_of;  // per voxel; no_cell outside
    std::vector<Vec3d> centres;
    std::vector<double> sizes;    // the edge of the cube
    std::vector<double> volumes;  // of the filled part
    std::vector<uint32_t> first;  // the neighbours of cell c are [first[c], first[c + 1])
    std::vector<uint32_t> others;
    std::vector<double> flows;  // area over distance
    double leak = 0.0;          // of the solid (mesh/solid.h)

    static constexpr uint32_t no_cell = UINT32_MAX;
    size_t size() const { return centres.size(); }
    bool empty() const { return centres.empty(); }
    FlowGraph graph() const { return {first, others, flows}; }
    // The cell at a point; no_cell outside the solid.
    uint32_t at(const Vec3d& point) const;
    // Whether the straight way between two points stays in the solid (sampled at every voxel).
    bool sees(const Vec3d& from, const Vec3d& to) const;
};

// Voxels per cell of a search grid over the centres: the volume's cells have 1 to 16.
constexpr double centre_grid_cells = 4.0;

// Empty if no triangle is usable. Deterministic; O(voxels + triangles).
Volume make_volume(const Surface& surface, const VolumeOptions& options = {});

// Lays flows between the nearest cells of parts that do not touch, until every part holds one of `cells` or is joined
// to a part that does. Returns how many flows were laid. O(n log n).
size_t bridge_parts(Volume& volume, std::span<const std::vector<uint32_t>> cells);

}  // namespace sinew
