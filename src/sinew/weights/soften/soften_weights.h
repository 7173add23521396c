// Soften: takes jumps out of skin weights where a bending joint would tear the skin.
// Data flow: bound meshes of one skin → *here* → the same meshes with softer weights.
#pragma once

#include <sinew/skin/influences.h>
#include <span>

namespace sinew {

// One mesh that follows the skin, in its bind pose.
struct BoundMesh {
    std::span<const Vec3> positions;
    std::span<const uint32_t> triangles;
    Influences* influences = nullptr;  // one list per position; softened in place
};

struct SoftenOptions {
    // An edge may grow to this many times its length when one joint bends by a right angle. Chosen a little below the 3
    // that bench/rig_motion_bench.cpp allows in motion, where several joints bend at once.
    double stretch = 2.6;
    // At most so many rounds of evening out edge by edge, once the jumps are spread. Chosen as a bound on the time: it
    // ends as soon as no edge grows too long.
    int rounds = 12;
    int influences = 4;  // joints per vertex, at most
};

// Where the two ends of an edge follow a joint so differently that the edge would grow too long, their weights are
// drawn together, over as wide a neighbourhood as that takes. All other weights stay as they are. Vertices at exactly
// the same place keep equal weights, across meshes too. `parents` are the skeleton's (a parent stands before its
// children, −1: none). The result does not depend on the order of the vertices. Returns how many places changed.
size_t soften_weights(std::span<const BoundMesh> meshes, const Skin& skin, std::span<const int32_t> parents,
                      const SoftenOptions& options = {});

}  // namespace sinew
