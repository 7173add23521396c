// User templates: the fitted joints on a skeleton of the user's own — his names, his extra joints, his axes.
// Data flow: rig.h's RigResult + a humanoid Skeleton → *here* → RigResult.
#pragma once

#include <sinew/rig/rig.h>

namespace sinew {

// Joints of the template that play a role go where that role was fitted; those between two of them keep their place in
// proportion; those that hang on one move, turn and scale with it. Axes turn with the bones. Fails when the template is
// no humanoid or the rig no biped.
Result<RigResult> apply_template(RigResult rig, const Skeleton& user);

}  // namespace sinew
