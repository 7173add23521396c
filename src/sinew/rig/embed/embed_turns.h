// The ways to turn a template that the search tries. Data flow: RigTemplate → *here* → embed.h. Internal to it.
#pragma once

#include <sinew/rig/embed/embed_bones.h>

namespace sinew {

// A template with partners has a left: it goes to the body's left or right, turned about that axis in 12 steps. Without
// partners, the 24 turns of a cube. First comes the turn that leaves it as it stands.
std::vector<Mat3d> candidate_turns(const std::vector<EmbedBone>& bones, const RigTemplate& rig_template);

// What a turn's cost is multiplied by: files mostly agree on which way is up, so another turn must be clearly better.
double turn_doubt(const Mat3d& turn);

// In radians.
double angle_between(const Mat3d& a, const Mat3d& b);

}  // namespace sinew
