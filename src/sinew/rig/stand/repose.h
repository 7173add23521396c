// Repose: limbs that are pieces of their own and held in two ways, an arm raised beside the head and one that hangs by
// the side, where both are lost. On the way from one pose to the other they can be found; their joints go back with
// them.
// Data flow: pieces.h → *here* → attempt.h fits the body so changed.
#pragma once

#include <sinew/rig/body/pieces.h>
#include <sinew/rig/fit/fit.h>

namespace sinew {

struct MovedPiece {
    std::vector<uint32_t> vertices;
    AffineD back = AffineD::Identity();  // from its new place to where the mesh has it; rigid
};

struct Reposed {
    std::vector<Vec3> positions;
    std::vector<MovedPiece> moved;  // none: nothing to do
};

// Long pieces that are congruent to a piece on the other side of the plane, and not where its mirror image is, are
// turned to where on the way between the two poses they hang a little below the level. A limb turns about its root, so
// that stays where it is.
Reposed take_common_pose(std::span<const Vec3> positions, std::span<const uint32_t> triangles, const Pieces& pieces,
                         const MirrorPlane& plane, const Vec3d& up);

// Joints of arms and legs that lie in moved pieces, back to where the mesh has these; the limb's root stays. Returns by
// how much a root would have moved at most, as a share of the height: much, and the pieces were no limb of that joint.
double move_back(const Reposed& reposed, const Reading& reading, double height, Fit& fit);

}  // namespace sinew
