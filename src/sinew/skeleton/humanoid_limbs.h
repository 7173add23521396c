// Limbs of a body: finding arms and legs in a tree of joints, by name and by shape. Internal to humanoid.cpp.
// Data flow: Skeleton + JointName → *here* → HumanoidMap.
#pragma once

#include <sinew/skeleton/humanoid.h>
#include <sinew/skeleton/joint_name.h>
#include <array>
#include <optional>
#include <vector>

namespace sinew {

// A skeleton with everything the searches ask of it: parsed names, rest positions in world space, children.
struct BodyTree {
    const Skeleton& skeleton;
    std::vector<JointName> names;
    std::vector<Vec3d> position;
    std::vector<std::vector<int32_t>> children;
    std::vector<int32_t> depth;

    int32_t parent(int32_t joint) const { return skeleton.parents()[static_cast<size_t>(joint)]; }
    const JointName& name(int32_t joint) const { return names[static_cast<size_t>(joint)]; }
    const Vec3d& at(int32_t joint) const { return position[static_cast<size_t>(joint)]; }
};
BodyTree make_body_tree(const Skeleton& skeleton);

bool is_ancestor_or_self(const BodyTree& tree, int32_t ancestor, int32_t joint);
// −1 when the two hang in different trees.
int32_t common_ancestor(const BodyTree& tree, int32_t a, int32_t b);
// From below `top` down to `joint`, which is the last entry.
std::vector<int32_t> path_below(const BodyTree& tree, int32_t top, int32_t joint);

enum class LimbKind : uint8_t { arm, leg };

// Arm: shoulder, upper arm, lower arm, hand. Leg: upper leg, lower leg, foot, toes. −1 where there is none; the middle
// two of an arm and the first two of a leg are always there.
struct Limb {
    std::array<int32_t, 4> joint = {-1, -1, -1, -1};
    double score = -1e9;
    int32_t first(LimbKind kind) const { return joint[0] >= 0 || kind == LimbKind::leg ? joint[0] : joint[1]; }
    int32_t upper(LimbKind kind) const { return joint[kind == LimbKind::arm ? 1 : 0]; }
};

// The best reading of a chain of joints (from trunk to tip) as a limb, by the names' meaning and the segments' lengths;
// nothing when the chain is too short.
std::optional<Limb> fit_limb(const BodyTree& tree, LimbKind kind, const std::vector<int32_t>& chain);

// The best limb of that side among the joints whose names speak of it.
std::optional<Limb> find_named_limb(const BodyTree& tree, LimbKind kind, Side side);

// Limbs by shape alone: two pairs of like chains on an upright trunk, the lower pair reaching the ground. Sides are
// told apart by the way the feet point. Nothing for four-legged and legless bodies.
struct ShapeLimbs {
    std::array<Limb, 2> legs, arms;  // left, right
    int32_t hips = -1, chest = -1;
    Vec3d up = Vec3d::UnitY();
};
std::optional<ShapeLimbs> find_limbs_by_shape(const BodyTree& tree);

// The fingers below a hand, by name; writes their roles.
void find_fingers(const BodyTree& tree, Side side, int32_t hand, HumanoidMap& map);

}  // namespace sinew
