#include <sinew/pipeline/job/unbound_body.h>

#include <sinew/mesh/winding.h>
#include <sinew/pipeline/job/shown_triangles.h>
#include <sinew/skeleton/hangs_on.h>
#include <sinew/skeleton/humanoid.h>
#include <sinew/skeleton/pose.h>
#include <algorithm>
#include <array>
#include <cmath>

namespace sinew {
namespace {

// Hips and limbs lie in the solid that the meshes enclose, but for a few: the meshes stand as the joints do.
bool stands_inside(const Character& character, const HumanoidMap& roles) {
    constexpr std::array marks = {Role::hips,       Role::left_lower_arm, Role::right_lower_arm, Role::left_hand,
                                  Role::right_hand, Role::left_lower_leg, Role::right_lower_leg, Role::left_foot,
                                  Role::right_foot};
    constexpr double most_outside = 0.25;
    const ShownTriangles shown = shown_triangles(character);
    std::vector<Vec3d> positions;
    for (const Vec3& point : shown.positions) positions.push_back(point.cast<double>());
    const std::vector<AffineD> world = rest_world(character.skeleton);
    double asked = 0, outside = 0;
    for (const Role role : marks) {
        if (roles[role] < 0) continue;
        const Vec3d at = world[static_cast<size_t>(roles[role])].translation();
        asked += 1;
        outside += std::abs(winding_number(positions, shown.triangles, at)) < 0.5;
    }
    return outside <= most_outside * asked;
}

}  // namespace

bool moves_no_mesh(const Character& character) {
    if (!character.skins.empty() || character.instances.empty()) return false;
    const HumanoidMap roles = recognise_humanoid(character.skeleton);
    return roles.is_body() && std::ranges::none_of(character.instances, [&](const MeshInstance& instance) {
               return hangs_on(character.skeleton, instance.joint, roles[Role::hips]);
           });
}

std::vector<int32_t> find_unbound_body(const Character& character) {
    if (!moves_no_mesh(character)) return {};
    const HumanoidMap roles = recognise_humanoid(character.skeleton);
    if (!stands_inside(character, roles)) return {};
    std::vector<int32_t> joints;
    for (int32_t j = roles[Role::hips]; j < static_cast<int32_t>(character.skeleton.size()); ++j)
        if (hangs_on(character.skeleton, j, roles[Role::hips])) joints.push_back(j);
    return joints;
}

}  // namespace sinew
