// Attempts: the body stood up in the ways it could be read, fitted, and the best fit kept.
// Data flow: reading.h → *here* → fit_skeleton.h makes a skeleton of it.
#pragma once

#include <sinew/rig/fit/fit.h>

namespace sinew {

struct Attempt {
    Upright upright;
    Fit fit;
    double score = 0.0;
};

struct Attempts {
    Attempt best;
    std::vector<uint32_t> triangles;  // those of the body: without what it carries, where that was left out
    // Every way it was read when it stood, best first, in mesh space; and the confidence of its fit, −1: not fitted.
    std::vector<Reading> readings;
    std::vector<double> confidence;
};

// The mesh is seen as it is, stood up in the few ways that look best, and seen again: the second look decides about
// kind and facing, and does not depend on the mesh's axes. Requires a mesh that gives a body.
Attempts attempt_fits(std::span<const Vec3> positions, std::span<const uint32_t> triangles, VoxelBody body,
                      const ReadingOptions& options = {});

}  // namespace sinew
