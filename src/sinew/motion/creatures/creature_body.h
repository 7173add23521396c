// CreatureBody: a creature as its motions see it. It stands on y = 0 and faces +Z; its legs are measured.
// Data flow: Skeleton, CreatureMap → *here* → creature_pose.h, and every motion of this room.
#pragma once

#include <sinew/math/types.h>
#include <sinew/skeleton/creature.h>
#include <vector>

namespace sinew {

// Body space: x to the creature's left, y up from the ground, z ahead. Its unit is the file's.
struct CreatureLeg {
    JointChain joints;            // from the trunk to the last toe
    size_t socket = 0, foot = 0;  // into `joints`: the leg bends between these two
    bool front = false;           // of a front pair, where there is more than one
    bool left = false;
    Vec3d home = Vec3d::Zero();  // the foot at rest

    int32_t socket_joint() const { return joints[socket]; }
    int32_t foot_joint() const { return joints[foot]; }
};

struct CreatureBody {
    const Skeleton* skeleton = nullptr;  // must outlive the body
    CreatureMap map;
    std::vector<CreatureLeg> legs;  // those that can carry it: two bones or more. Order as in CreatureMap::legs
    std::vector<Vec3d> rest;        // joints at rest, body space
    Mat3d world_from_body = Mat3d::Identity();
    double hip_height = 0.0;   // mean height of the legs' sockets above their feet
    double length = 0.0;       // largest extent of the joints along the ground; of a body that stands tall, its height
    double real_metres = 1.0;  // metres in a unit of the file, for timing: see creature_body()
};

// Legs of a map of kind `other` are those of its limbs that reach the ground, if there are two or more.
//
// A body larger than any animal is taken to be in centimetres or a hundredth of those (`real_metres`), so that its
// steps take the time that such an animal's take.
CreatureBody creature_body(const Skeleton& skeleton, CreatureMap map);

// The timing length of something that is `length` long in the file, metres.
inline double metres(const CreatureBody& body, double length) {
    return body.real_metres * length;
}

}  // namespace sinew
