// Which joints own skin, and the segments along which they own it. This matters more than how the weights are solved.
// Data flow: WeightRig, Surface → *here* → the methods; the table goes into the report.
#pragma once

#include <sinew/weights/surface/surface.h>
#include <cmath>
#include <string>
#include <vector>

namespace sinew {

// A segment that skin follows, in the Surface's units. One joint may own several.
struct Bone {
    int32_t joint = 0;
    Vec3d head = Vec3d::Zero();
    Vec3d tail = Vec3d::Zero();
    double reach = INFINITY;  // skin further off rather follows other bones (bone_reach.cpp)
    int32_t parent = -1;      // the joint that carries this bone's joint
    bool side = false;        // not the main bone of its joint: it leads to something that hangs on the joint
    bool neck = false;        // it carries a head, and is thinner than the head
    bool clavicle = false;    // it carries an arm, and is thinner than the chest that it lies on
};

// A joint about which a whole piece may turn: an eye in its socket, the ball of a puppet's knee.
struct Pivot {
    int32_t joint = 0;
    Vec3d place = Vec3d::Zero();  // in the Surface's units
    bool eye = false;
};

struct BoneChoice {
    std::vector<Bone> bones;
    std::vector<Pivot> pivots;    // the joints that own skin, and the eyes'
    std::vector<JointUse> table;  // one per joint of WeightRig::joints (or of the skeleton), in that order
    std::string axis;             // the local axis along which the rig's bones run ("+Y"), if it has one
};

// Gives at least one bone if there is at least one joint. Fails only if `choose` names a joint that does not exist.
Result<BoneChoice> choose_bones(const WeightRig& rig, const Surface& surface, const BoneOptions& options = {});

// The nearest point of a segment to p, as a fraction of the way from head to tail; 0 where it has no length.
double nearest_on(const Bone& bone, const Vec3d& p);

}  // namespace sinew
