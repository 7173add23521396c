// Creatures: tells which joints are the legs, spine, neck, head, tail, wings and fins of any body, whatever they are
// called. Data flow: Skeleton → *here* → motion/ (built-in motions, retargeting animals).
#pragma once

#include <sinew/skeleton/humanoid.h>
#include <sinew/skeleton/joint_name.h>
#include <sinew/skeleton/skeleton.h>
#include <string_view>
#include <vector>

namespace sinew {

enum class CreatureKind : uint8_t { biped, quadruped, bird, fish, serpent, other };
std::string_view to_string(CreatureKind kind);

using JointChain = std::vector<int32_t>;  // from the trunk to the tip; each joint is a descendant of the one before

struct CreatureLimb {
    JointChain joints;
    Side side = Side::none;  // by position: left is up × forward
    // Of a leg: `socket` is where it begins to go down (a pelvis or shoulder blade may come before), `foot` the joint
    // that meets the ground (toes may follow). Indices into `joints`. For other limbs 0 and the last.
    size_t socket = 0, foot = 0;
};

struct CreatureMap {
    CreatureKind kind = CreatureKind::other;
    int32_t root = -1;  // the joint that carries the whole body, below any plain root; −1: an empty skeleton
    JointChain spine;   // from the joint that carries the hind legs to the one that carries the front ones. Where
                        // the root lies in between, neighbours are parent and child in either direction
    JointChain neck;    // between the spine and the head
    JointChain head;    // the head, then its tip
    JointChain tail;    // from its first joint to the tip
    JointChain jaw;
    // Legs: pairs, left before right, from front to back: a quadruped's are front left, front right, hind left, hind
    // right; a biped's and a bird's left, right. Arms, wings and fins in the same order.
    std::vector<CreatureLimb> legs, arms, wings, fins;
    // Of a body of another kind: all its chains. An octopus's arms, an insect's legs, the branches of a tree.
    std::vector<JointChain> limbs;

    Vec3d up = Vec3d::UnitY(), forward = Vec3d::UnitZ();  // unit, at right angles; in world space at rest
    double ground = 0;  // height along `up` of the lowest feet; of the lowest joint where there are no legs

    Vec3d left() const { return up.cross(forward); }
};

// By structure first: mirrored pairs of branches, tips on the ground, what hangs ahead and behind. Names (Rigify,
// Unreal, Mixamo-like, 3ds Max, plain English, German) tell head from tail, wings from arms, and which joints are only
// controls. A human body is what recognise_humanoid says; with a tail it is a biped that has one.
// Deterministic; never fails: what cannot be told is `other` with its chains in `limbs`.
CreatureMap recognise_creature(const Skeleton& skeleton);

}  // namespace sinew
