// Bounded biharmonic weights of a surface: for bones, for points, for a cage, or for all of them together.
// Data flow: Surface, handles → volume.h → bbw_solve.h → *here* → WeightField.
#pragma once

#include <sinew/weights/bbw/bbw_solve.h>
#include <sinew/weights/bones/choose_bones.h>
#include <sinew/weights/field.h>

namespace sinew {

// What weights are made for, in the Surface's units. The handles are the bones' joints (all bones of a joint are one
// handle), then the points, then the corners of the cage. The WeightField names joints by their own numbers, and points
// and corners by counting up from `first_number`.
struct BbwHandles {
    std::span<const Bone> bones = {};
    std::span<const Vec3d> points = {};
    std::span<const Vec3d> cage = {};               // corners of a closed surface around the body or part of it
    std::span<const uint32_t> cage_triangles = {};  // three corners each; weights are linear on them
    uint32_t first_number = 0;
};

struct BbwOptions {
    // Biharmonic weights are smooth, so they need fewer cells than heat does, and the solver's time grows with every
    // cell. Chosen so that bbw takes at most four times as long as voxel (`script/bench weights`). More than 60 handles
    // get fewer cells still.
    VolumeOptions volume = {.resolution = 320, .max_cells = 20000};
    BbwSolveOptions solve;
};

struct BbwResult {
    WeightField field;  // empty if there is no volume or no handle
    size_t cells = 0;
    size_t bridges = 0;
    double leak = 0.0;
    BbwSolution solution;
};

// The cells that a handle touches are held: its weight is 1 there, or shared if several handles meet in one cell. With
// a cage, the volume is that of cage and surface together.
BbwResult bbw_weights(const Surface& surface, const BbwHandles& handles, const BbwOptions& options = {});

}  // namespace sinew
