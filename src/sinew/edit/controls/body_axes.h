// Body axes: what "to its left", "curl" and "spread" mean on a given body. Data flow: Skeleton, rest pose → *here* →
// control_rig.cpp.
#pragma once

#include <sinew/edit/controls/controls.h>
#include <sinew/math/types.h>
#include <array>

namespace sinew {

struct BodyAxes {
    HumanoidMap roles;
    std::vector<AffineD> world;                 // the joints at rest
    Mat3d frame = Mat3d::Identity();            // columns: to its left, up, ahead
    std::vector<Vec3d> curl_axis, spread_axis;  // of each joint, in model space; x and z where it is no finger
};
BodyAxes find_body_axes(const ControlBody& body);

// The axis of a joint in model space, unit.
Vec3d model_axis(const BodyAxes& axes, size_t joint, ControlAxis axis);

// A joint by its name or its role; −1 where there is none.
int32_t find_control_joint(const Skeleton& skeleton, const HumanoidMap& roles, std::string_view name);

}  // namespace sinew
