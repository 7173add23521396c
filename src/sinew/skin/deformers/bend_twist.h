// Bend and twist apart: the weights by which a vertex follows the bending and the twisting of its joints.
// Data flow: Influences and skin_bones.h → *here*, once per binding → deform_bend_twist (deform.h).
#pragma once

#include <sinew/skin/deformers/skin_bones.h>

namespace sinew {

// In the spirit of [Kavan2012]: a vertex follows joint j and all below it by W(j), the sum of their weights. Twist is
// spread along the limb by W itself; bending by the smooth step of W, which keeps it close to the joint and so does
// not bulge as much.
struct BendTwist {
    Influences bend;              // the influences, sharpened
    std::vector<uint32_t> first;  // twists of vertex v: [first[v], first[v + 1]), deepest joint first
    std::vector<Influence>
        twists;  // what is missing of the joint's twist when the bend weights are used; may be negative
    std::vector<SkinBone> bones;

    std::span<const Influence> twists_of(size_t v) const {
        return std::span(twists).subspan(first[v], first[v + 1] - first[v]);
    }
};

BendTwist make_bend_twist(const Influences& influences, std::vector<SkinBone> bones);

}  // namespace sinew
