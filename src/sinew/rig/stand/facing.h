// Facing: what tells the front of a body from its back, beside toes and head.
// Data flow: stance.h, points of a face → *here* → reading.h.
#pragma once

#include <sinew/rig/stand/stance.h>
#include <span>

namespace sinew {

// About −1…1; positive speaks for `forward`, negative for the opposite:
// whether the soles lie ahead of the shins, as people's feet, paws and hooves do;
double soles_forward(const MirroredBody& seen, const Stance& stance, std::span<const LimbPair> legs);
// whether points of a face (eyes, a nose, a mouth) lie ahead of the middle of the body at their height.
double face_forward(const VoxelBody& body, const Stance& stance, std::span<const Vec3d> face);

}  // namespace sinew
