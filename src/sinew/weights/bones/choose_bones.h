// Which joints own skin, and the segment along which each owns it. This matters more than how the weights are solved.
// Data flow: Skeleton, Surface → *here* → the methods; the table goes into the report.
#pragma once

#include <sinew/skeleton/skeleton.h>
#include <sinew/weights/surface/surface.h>
#include <cmath>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sinew {

// A segment that skin follows, in the Surface's units. One joint may own several.
struct Bone {
    int32_t joint = 0;
    Vec3d head = Vec3d::Zero();
    Vec3d tail = Vec3d::Zero();
    double reach = INFINITY;  // what is further off belongs to others rather (bone_reach.cpp)
    int32_t parent = -1;      // the joint that carries its joint
    bool side = false;        // not its joint's main bone: a way to something that hangs on that
    bool neck = false;        // it carries a head, and is thinner than that
    bool clavicle = false;    // it carries an arm, and is thinner than the chest that it lies on
};

// A skeleton as it stood when the mesh was made. All but the skeleton may be left empty.
struct WeightRig {
    const Skeleton* skeleton = nullptr;
    std::vector<AffineD> mesh_from_joint;  // at bind time; empty: the skeleton's rest, the meshes being in world space
    std::vector<int32_t> joints;           // those a skin may use, as the file says; empty: all
    std::vector<std::optional<Vec3>> tails;  // where a file says where bones end, in the meshes' space
    std::vector<uint8_t> deform;             // 0: the file says that this joint moves no skin
};

struct BoneOptions {
    // By hand: "name" – exactly the joints named so own skin; "+name" and "-name" – besides or except those chosen.
    std::vector<std::string> choose;
};

// What became of a joint, and why.
struct JointUse {
    int32_t joint = 0;
    int32_t segments = 0;  // that it owns; 0: none
    std::string why;       // "to spine_02", "tail to the surface", "left out: control joint", …
};

// A joint that a piece may turn about: an eye in its socket, the ball of a puppet's knee.
struct Pivot {
    int32_t joint = 0;
    Vec3d place = Vec3d::Zero();  // in the Surface's units
    bool eye = false;
};

struct BoneChoice {
    std::vector<Bone> bones;
    std::vector<Pivot> pivots;    // the joints that own skin, and the eyes
    std::vector<JointUse> table;  // one per joint of WeightRig::joints (or of the skeleton), in that order
    std::string axis;             // the local axis along which the rig's bones run ("+Y"), where it has one
};

// Always gives at least one bone when there is at least one joint. Fails only when `choose` names unknown joints.
Result<BoneChoice> choose_bones(const WeightRig& rig, const Surface& surface, const BoneOptions& options = {});

// The nearest point of a segment to p, as a fraction of the way from head to tail; 0 where it has no length.
double nearest_on(const Bone& bone, const Vec3d& p);

}  // namespace sinew
