// Bounded biharmonic weights of a surface: for bones, for points, for a cage, or for all of them together.
// Data flow: Surface, handles → volume.h → bbw_solve.h → *here* → WeightField.
#pragma once

#include <sinew/weights/bbw/bbw_solve.h>
#include <sinew/weights/bones/choose_bones.h>
#include <sinew/weights/field.h>

namespace sinew {

// What weights are made for, in the Surface's units. The columns of the result are the bones' joints first (a joint's
// bones are one handle), then the points, then the cage's corners; a WeightField names them by number: joints by
// theirs, the others by counting on from `first_number`.
struct BbwHandles {
    std::span<const Bone> bones = {};
    std::span<const Vec3d> points = {};
    std::span<const Vec3d> cage = {};               // corners of a closed surface around the body, or around part of it
    std::span<const uint32_t> cage_triangles = {};  // on them, weights are linear
    uint32_t first_number = 0;
};

struct BbwOptions {
    // Biharmonic weights are smooth: they need fewer cells than heat does, and their solver feels every one of them.
    // With more than 60 handles there are fewer still.
    VolumeOptions volume = {.resolution = 320, .max_cells = 20000};
    BbwSolveOptions solve;
};

struct BbwResult {
    WeightField field;  // empty when there is no volume or no handle
    size_t cells = 0;
    size_t bridges = 0;
    double leak = 0.0;
    BbwSolution solution;
};

// The cells that handles touch are held: bones and points have weight 1 there (shared where several meet in one cell).
// Where there is a cage, the volume is that of cage and surface together.
BbwResult bbw_weights(const Surface& surface, const BbwHandles& handles, const BbwOptions& options = {});

}  // namespace sinew
