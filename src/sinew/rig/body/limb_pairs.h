// Limb pairs: which extremities on the two sides of a mirror plane belong together, and which are alone.
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
// Pairs mirror images first, then limbs of about equal length, since a raised arm is no mirror image of the other.
// `size` is the longest side of the body's bounds.
LimbPairs pair_limbs(const Extremities& ends, const MirrorPlane& plane, double size);

}  // namespace sinew
