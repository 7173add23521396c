// Pose: one moment of a character: a local Transform per joint, and the weights of its morph targets.
// Data flow: clip/sample.h → *here* → forward_kinematics.h (joints), morph/morph.h (weights).
#pragma once

#include <sinew/math/transform.h>
#include <vector>

namespace sinew {

// `morphs` holds the weights of all mesh instances one after another (Character::instances[i].first_morph).
struct Pose {
    std::vector<Transform> local;
    std::vector<float> morphs;
};

}  // namespace sinew
