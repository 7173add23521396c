// RigTemplate: which joints a rig has, how they are connected, what they are called and about where they are — as data.
// Data flow: templates/*.json, a user's JSON, or a rigged file's Skeleton → *here* → fit_skeleton.h places the joints
// in a mesh.
#pragma once

#include <sinew/rig/joint_names.h>
#include <sinew/skeleton/skeleton.h>
#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sinew {

// The kinds of creature that a skeleton can be fitted to. A dinosaur stands on two legs with a level trunk, a tail
// behind and small arms or none; a dragon is a quadruped with wings.
enum class RigKind : uint8_t { biped, quadruped, bird, dinosaur, dragon, generic };
inline constexpr std::array rig_kinds = {RigKind::biped,    RigKind::quadruped, RigKind::bird,
                                         RigKind::dinosaur, RigKind::dragon,    RigKind::generic};

// "biped", "quadruped", "bird", "dinosaur", "dragon", "generic".
std::string_view to_string(RigKind kind);

struct TemplateJoint {
    std::string name;
    int parent = -1;  // comes before it in the list
    Vec3d position = Vec3d::Zero();
    int mirror = -1;  // its partner on the other side; −1: in the middle
    Role role = Role::count;
    std::optional<Vec3d> tip;   // where a last bone ends
    std::optional<Vec3d> bend;  // which way its bone swings when it turns by a positive angle about +X; unit
    bool optional = false;      // left out where the body does not show it
    std::optional<Mat3d> axes;  // its own axes at rest, when a skeleton gave them
    std::array<std::string, 4> scheme_names;  // by NameScheme; empty: spelled from the name
};

// Positions are in any unit. +Y up and +Z ahead are tried first; the search finds other ways, too.
struct RigTemplate {
    std::optional<RigKind> kind;  // its joints go where this kind's parts are found; none: where a search puts them
    std::vector<TemplateJoint> joints;

    size_t size() const { return joints.size(); }
    int find(std::string_view name) const;
};

// The joints of a skeleton at rest, with their axes. Partners are found by name ("L", "left", …), and where names say
// nothing, as siblings with equal bones below them. The kind is biped for a humanoid's skeleton, else none.
RigTemplate make_template(const Skeleton& skeleton);

// Finds partners in the same way, for joints that have none yet.
void find_mirror_joints(RigTemplate& rig_template);

}  // namespace sinew
