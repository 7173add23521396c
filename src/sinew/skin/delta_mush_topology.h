// The points of a delta mush and how they hang together. Internal to skin.
#pragma once

#include <sinew/skin/delta_mush.h>

namespace sinew {

// Fills everything but iterations, slopes and deltas.
DeltaMush mush_topology(const Influences& influences, std::span<const Vec3> positions,
                        std::span<const uint32_t> triangles);

}  // namespace sinew
