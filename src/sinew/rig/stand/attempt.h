// Attempts: the body is stood up in the ways it can be read, a skeleton is fitted to each, and the best fit is kept.
// Data flow: reading.h → *here* → fit_skeleton.h, which makes a skeleton of it.
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
    std::vector<uint32_t> triangles;  // of the body, without what it carries where that was left out
    // Every way the standing body was read, best first, in mesh space; and the confidence of its fit, −1: not fitted.
    std::vector<Reading> readings;
    std::vector<double> confidence;
};

// Reads the mesh as it is, stands it up in the few ways that look best, and reads it again: the second reading decides
// about kind and facing, and does not depend on the mesh's axes. Requires a body that is not empty.
Attempts attempt_fits(std::span<const Vec3> positions, std::span<const uint32_t> triangles, VoxelBody body,
                      const ReadingOptions& options = {});

}  // namespace sinew
