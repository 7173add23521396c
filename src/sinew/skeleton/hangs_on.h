// Which joints hang on which. Data flow: Skeleton → *here* → whoever asks for a part of a body.
#pragma once

#include <sinew/skeleton/skeleton.h>

namespace sinew {

// The joint is `above`, or hangs on it. Parents stand before their children, so the way up ends soon.
inline bool hangs_on(const Skeleton& skeleton, int32_t joint, int32_t above) {
    while (joint > above) joint = skeleton.parents()[static_cast<size_t>(joint)];
    return joint == above;
}

}  // namespace sinew
