// What stands on which side of a mirror plane: extremities in pairs, and those on the plane.
// Data flow: voxel_body.h, mirror_plane.h → *here* → reading.h.
#pragma once

#include <sinew/rig/body/mirror_plane.h>

namespace sinew {

struct LimbPair {
    int left = -1, right = -1;  // extremities on the plane's positive and negative side
};

struct LimbPairs {
    std::vector<LimbPair> pairs;
    std::vector<int> singles;  // on the plane, or without a partner
};
// `size` is the longest side of the body's bounds. Mirror images first; then, since a raised arm is no mirror image of
// the other, what is as long.
LimbPairs pair_limbs(const Extremities& ends, const MirrorPlane& plane, double size);

}  // namespace sinew
