// Repose: turns limbs that are separate pieces to where they can be seen. An arm raised beside the head and one that
// hangs by the side are both hard to find; on the way from one pose to the other they are not. The joints that are
// found there are turned back afterwards. Data flow: pieces.h → *here* → attempt.h, which fits the reposed body.
#pragma once

#include <sinew/rig/body/pieces.h>
#include <sinew/rig/fit/fit.h>

namespace sinew {

struct MovedPiece {
    std::vector<uint32_t> vertices;
    AffineD back = AffineD::Identity();  // from its new place to its place in the mesh; rigid
};

struct Reposed {
    std::vector<Vec3> positions;
    std::vector<MovedPiece> moved;  // none: nothing to do
};

// Takes pairs of long pieces, one on each side of the plane, that are congruent but do not mirror each other, and turns
// both along the motion between their two poses to where they hang a little below the level. A limb turns about its
// root, so the root stays where it is.
Reposed take_common_pose(std::span<const Vec3> positions, std::span<const uint32_t> triangles, const Pieces& pieces,
                         const MirrorPlane& plane, const Vec3d& up);

// Moves joints of arms and legs that lie in moved pieces back with them; the first joint of each limb stays. Returns
// the farthest that a first joint would have moved, as a share of the height: if it is far, the pieces were no limbs.
double move_back(const Reposed& reposed, const Reading& reading, double height, Fit& fit);

}  // namespace sinew
