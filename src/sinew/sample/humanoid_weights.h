// The sample humanoid's skeleton and its skin weights, which follow from where each joint's part of the body begins.
// Data flow: humanoid_shape.h → *here* → humanoid.cpp.
#pragma once

#include <sinew/sample/humanoid_shape.h>
#include <sinew/sample/sample_rig.h>

namespace sinew::shape {

// A root on the ground and 52 joints named by their VRM roles.
JointList humanoid_joint_list(const HumanoidJoints& joints);

// Smooth weights of a mesh on the field's surface: weights[v * list.size() + j].
std::vector<double> humanoid_weights(const Mesh& mesh, const Field& field, const HumanoidJoints& joints,
                                     const JointList& list);

}  // namespace sinew::shape
