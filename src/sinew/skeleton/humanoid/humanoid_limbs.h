// Limbs: finds arms and legs in a tree of joints, by name and by shape. Internal to humanoid.cpp.
// Data flow: Skeleton + JointName → *here* → HumanoidMap.
#pragma once

#include <sinew/skeleton/humanoid.h>
#include <sinew/skeleton/joint_name.h>
#include <array>
#include <optional>
#include <span>
#include <vector>

namespace sinew {

// A skeleton and what the searches need to know of it: parsed names, world positions at rest, children, depths.
struct BodyTree {
    const Skeleton& skeleton;
    std::vector<JointName> names;
    std::vector<Vec3d> position;
    std::vector<std::vector<int32_t>> children;
    std::vector<int32_t> depth;
    // Where the body is seen moving: the joints' places at some moments; `position` is one of them then.
    std::vector<std::vector<Vec3d>> moments = {};

    int32_t parent(int32_t joint) const { return skeleton.parents()[static_cast<size_t>(joint)]; }
    const JointName& name(int32_t joint) const { return names[static_cast<size_t>(joint)]; }
    const Vec3d& at(int32_t joint) const { return position[static_cast<size_t>(joint)]; }
};
BodyTree make_body_tree(const Skeleton& skeleton);
// For a skeleton whose rest pose tells nothing. `position` is the moment in which the body is stretched out most.
BodyTree make_body_tree(const Skeleton& skeleton, std::span<const std::vector<Vec3d>> moments);

// Of the box around all places.
double diagonal(std::span<const Vec3d> places);

bool is_ancestor_or_self(const BodyTree& tree, int32_t ancestor, int32_t joint);
// −1 when the two belong to different trees.
int32_t common_ancestor(const BodyTree& tree, int32_t a, int32_t b);
// The joints from `top` down to `joint`: without `top`, with `joint`.
std::vector<int32_t> path_below(const BodyTree& tree, int32_t top, int32_t joint);

enum class LimbKind : uint8_t { arm, leg };

// Arm: shoulder, upper arm, lower arm, hand. Leg: upper leg, lower leg, foot, toes. A missing joint is −1; the middle
// two of an arm and the first two of a leg are never missing.
struct Limb {
    std::array<int32_t, 4> joint = {-1, -1, -1, -1};
    double score = -1e9;
    int32_t first(LimbKind kind) const { return joint[0] >= 0 || kind == LimbKind::leg ? joint[0] : joint[1]; }
    int32_t upper(LimbKind kind) const { return joint[kind == LimbKind::arm ? 1 : 0]; }
};

struct Limbs {
    std::optional<Limb> leg[2], arm[2];  // left, right
    bool legs() const { return leg[0] && leg[1]; }
    bool arms() const { return arm[0] && arm[1]; }
};

// Reads a chain of joints, from trunk to tip, as a limb: the best fit by names and by lengths of segments. Nothing when
// the chain is too short.
std::optional<Limb> fit_limb(const BodyTree& tree, LimbKind kind, const std::vector<int32_t>& chain);

// The same for chains that mirror each other: joints of equal place play equal parts. Nothing when one is too short.
std::vector<Limb> fit_alike(const BodyTree& tree, LimbKind kind, std::span<const std::vector<int32_t>> chains);

// The best limb of that side among the joints whose names suggest one.
std::optional<Limb> find_named_limb(const BodyTree& tree, LimbKind kind, Side side);

// Finds limbs by shape alone: two pairs of similar chains on an upright trunk, of which the lower pair reaches the
// ground. The way the feet point tells left from right. Nothing for bodies with four legs or none.
struct ShapeLimbs {
    std::array<Limb, 2> legs, arms;  // left, right
    int32_t hips = -1, chest = -1;
    Vec3d up = Vec3d::UnitY();
};
std::optional<ShapeLimbs> find_limbs_by_shape(const BodyTree& tree);

// The same from the moments of a clip, whatever pose each shows: lengths of bones make the pairs, most moments tell
// legs from arms; toes, knees, elbows and the way it goes tell left from right. Stands the tree up: see stand_up().
std::optional<ShapeLimbs> find_limbs_by_motion(BodyTree& tree);
// Makes the moment in which the body stands straightest the tree's `position`, and returns what is up. Needs legs.
Vec3d stand_up(BodyTree& tree, const Limbs& limbs);

// Feet and hands of rigs for IK, which hang on controls of their own: fills in those that limbs lack, where a joint
// beside the limb lies at its end. Both sides or neither.
void find_loose_ends(const BodyTree& tree, Limbs& limbs);

// Finds the fingers of a hand by name and writes their roles into `map`.
void find_fingers(const BodyTree& tree, Side side, int32_t hand, HumanoidMap& map);

}  // namespace sinew
