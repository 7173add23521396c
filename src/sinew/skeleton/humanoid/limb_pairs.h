// Limb pairs: branches of a skeleton that are alike and hang on one joint: arms, legs, ears. Internal to the room.
// Data flow: BodyTree → *here* → humanoid_shape.cpp (one pose), humanoid_motion.cpp (a whole clip).
#pragma once

#include <sinew/skeleton/humanoid/humanoid_limbs.h>

namespace sinew {

constexpr size_t fewest_body_joints = 9, most_pairs = 256;
constexpr double least_limb = 0.12;  // of the body's size: shorter pairs are fingers and ears

// Two sibling branches of similar shape, each with its longest chain of joints.
struct LikeLimbs {
    int32_t base = -1;
    std::vector<int32_t> a, b;
    double length = 0;
};

struct Branches {
    std::vector<double> bone;        // from a joint's parent to it; in a clip, half of the time longer
    std::vector<double> reach;       // length of the longest path down from a joint
    std::vector<int32_t> next;       // the next joint on that path, −1 at a tip
    std::vector<int32_t> branching;  // how many children are more than a single tip
};
Branches measure_branches(const BodyTree& tree);
// The diagonal of the box around all joints, unless cameras and lights far away make it larger than any body in it.
double body_size(const Branches& branches, double diagonal);

// The pairs at least that long. In one pose, their first joints are equally far out; in a clip, where limbs bend, their
// first bones are equally long. What the ends hold (a sword, a shield) may differ.
std::vector<LikeLimbs> like_pairs(const BodyTree& tree, const Branches& branches, double least_length);

// False where the tree says no: what hangs below a leg is no arm, and a leg hangs near the root.
bool may_be_legs_and_arms(const BodyTree& tree, const LikeLimbs& legs, const LikeLimbs& arms);
// How human the two pairs look as legs and arms with the joints at `place`; negative: not at all. The feet are below
// the hips by `least_down` of a leg, at least.
constexpr double standing_legs = 0.6, sitting_legs = 0.25;
double upright_score(const LikeLimbs& legs, const LikeLimbs& arms, const Vec3d& up, std::span<const Vec3d> place,
                     double least_down = standing_legs);

// How many chains about as long as a leg the body has besides these limbs. A head and a tail are usual; more are the
// arms of an octopus or the legs of a spider.
size_t count_other_limbs(const BodyTree& tree, const Branches& branches, const LikeLimbs& legs, const LikeLimbs& arms);
constexpr size_t most_other_limbs = 3;

// Ends an arm's chain at the hand, where the fingers branch off.
std::vector<int32_t> arm_chain(const Branches& branches, std::vector<int32_t> chain);

// Of five toes none is "the toes".
void drop_many_toes(const BodyTree& tree, Limb& leg);

}  // namespace sinew
