// Curve fill: a smooth curve through what is known of it, which fades to zero away from that.
// Data flow: offsets at some frames → *here* → offsets at all frames → foot_turns.h.
#pragma once

#include <sinew/math/types.h>
#include <span>
#include <vector>

namespace sinew {

// Minimises ∫|x″|² + fade⁻⁴|x|² over time, where x is `values` at the frames that are `known`. `fade` is in seconds:
// about how long an offset takes to die away.
std::vector<Vec3d> fill_curve(std::span<const Vec3d> values, const std::vector<bool>& known, double fade, double fps);

}  // namespace sinew
