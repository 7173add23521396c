// The ways to turn a template into a body's frame. Data flow: RigTemplate → *here* → embed.h. Internal to it.
#pragma once

#include <sinew/rig/embed/embed_bones.h>

namespace sinew {

// With partners the template's left is the body's left or right, and the angle about that axis is free; without, the 24
// turns of a cube. First the one that trusts both to stand upright.
std::vector<Mat3d> candidate_turns(const std::vector<EmbedBone>& bones, const RigTemplate& rig_template);

// Files mostly agree on which way is up: another turn must be clearly better.
double turn_doubt(const Mat3d& turn);

double angle_between(const Mat3d& a, const Mat3d& b);

}  // namespace sinew
