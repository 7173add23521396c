// RigTemplate: which joints a rig has, how they hang together, what they are called and about where they sit — as data.
// Data flow: templates/*.json, a user's JSON, or a rigged file's Skeleton → *here* → fit_skeleton.h places the joints
// in a mesh.
#pragma once

#include <sinew/rig/joint_names.h>
#include <sinew/rig/stand/reading.h>
#include <sinew/skeleton/skeleton.h>
#include <array>
#include <optional>
#include <string>
#include <vector>

namespace sinew {

struct TemplateJoint {
    std::string name;
    int parent = -1;  // stands before it
    Vec3d position = Vec3d::Zero();
    int mirror = -1;  // its partner on the other side; −1: in the middle
    Role role = Role::count;
    std::optional<Vec3d> tip;                 // where a last bone ends
    std::optional<Vec3d> bend;                // which way its bone swings when it turns by a positive angle about +X
    bool optional = false;                    // left out where the body does not show it
    std::optional<Mat3d> axes;                // its own axes at rest, when a skeleton gave them
    std::array<std::string, 4> scheme_names;  // by NameScheme; empty: spelled from the name
};

// Positions are in any unit. +Y is up and +Z ahead where the template says nothing else; a search finds other ways.
struct RigTemplate {
    std::optional<RigKind> kind;  // placed by what that kind's parts look like; none: by searching the shape
    std::vector<TemplateJoint> joints;

    size_t size() const { return joints.size(); }
    int find(std::string_view name) const;
};

// The joints of a skeleton at rest, with its axes. Partners are found by name ("L", "left", …), and where names are
// silent by what hangs on them: siblings with equal bones. Kind biped when it is a humanoid's.
RigTemplate make_template(const Skeleton& skeleton);

// Sets `mirror` where it is not set yet, as above.
void find_mirror_joints(RigTemplate& rig_template);

}  // namespace sinew
