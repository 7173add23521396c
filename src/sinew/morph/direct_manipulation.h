// Direct manipulation: drag vertices of a face, and the morph weights follow [Lewis2010].
// Data flow: neutral shape, MorphTargets, dragged vertices → *here* → weights for morph/morph.h.
#pragma once

#include <sinew/morph/morph.h>
#include <span>
#include <vector>

namespace sinew {

// A vertex and where it should go, in the mesh's own space (before skinning).
struct DragHandle {
    uint32_t vertex = 0;
    Vec3 position = Vec3::Zero();
    float importance = 1.0f;  // relative to the other handles
};

struct DirectManipulationOptions {
    float low = 0.0f;   // bounds of every weight …
    float high = 1.0f;  // … unless the spans below give each its own (equal: that weight is held)
    std::span<const float> lows = {};
    std::span<const float> highs = {};
    // How strongly weights stay as they are, relative to how the targets move the handles. Larger values
    // move fewer weights and leave handles short of their goal; 1e-6 lets every reachable handle arrive.
    float stay = 1e-6f;
};

struct DirectManipulationReport {
    std::vector<float> distance_before;  // of each handle from where it should be
    std::vector<float> distance_after;
    float residual = 0.0f;  // root of the importance-weighted mean of distance_after²
    size_t at_bounds = 0;   // weights that ended on a bound they are not held at
    int iterations = 0;
    bool converged = false;
};

struct DirectManipulation {
    std::vector<float> weights;
    DirectManipulationReport report;
};

// Minimises Σ importance · |handle's distance|² + stay · |w − current|² within the bounds. `current` may be shorter
// than `targets` (missing weights are 0). Handles whose vertex is not in `neutral`, or that are not finite, count for
// nothing and report an infinite distance. O(handles · targets² + targets³).
DirectManipulation solve_weights(std::span<const Vec3> neutral, std::span<const MorphTarget> targets,
                                 std::span<const float> current, std::span<const DragHandle> handles,
                                 const DirectManipulationOptions& options = {});

}  // namespace sinew
