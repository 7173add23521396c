// Rotations between directions. Data flow: two directions → *here* → ik, motion.
#pragma once

#include <sinew/math/types.h>

namespace sinew {

// The shortest rotation that points `from` along `to`. Neither has to be unit. Opposite directions turn about an
// arbitrary axis across them; where either is zero the result is the identity. Always unit.
Quatd shortest_rotation(const Vec3d& from, const Vec3d& to);

}  // namespace sinew
