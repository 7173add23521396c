// Optimised centres of rotation [Le2016]: the point about which a vertex turns, for every vertex.
// Data flow: rest meshes and Influences → *here*, once per binding → centre_influences.h, deform_centres_of_rotation
// (deform.h).
#pragma once

#include <sinew/skin/influences.h>

namespace sinew {

// A piece of a bound surface at rest. Pieces of one skin belong together: what a material cuts apart, a joint does not.
struct SkinnedSurface {
    const Influences& influences;
    std::span<const Vec3> positions;
    std::span<const uint32_t> triangles;
};

struct Centres {
    std::vector<Vec3> points;  // per vertex, the surfaces one after another
    std::vector<float> radii;  // likewise: root mean square distance of the surface that counts; 0: its own centre
    // The work done, for those who want to see that it grows with the mesh and not with its square.
    size_t samples = 0;
    size_t cells = 0;
    size_t evaluations = 0;
};

// The mean of all surface points, each counting by its area and by how similar its weights are to the vertex's.
// A vertex that shares no pair of joints with any triangle (one influence, or no triangles) is its own centre.
// The centre depends on the vertex's weights alone, so that seams stay closed.
//
// Similarity [Le2016 eq. 4] is a sum over pairs of joints, and for each pair a function of two weights. So the surface
// is gathered per pair into cells of the plane of these two weights, and a vertex looks at cells, not at triangles:
// O(vertices + triangles), up to 1,024 cells per pair. Only the eight largest weights of a point count. Parallel.
Centres find_centres_of_rotation(std::span<const SkinnedSurface> surfaces);

}  // namespace sinew
