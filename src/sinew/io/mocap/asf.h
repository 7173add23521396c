// AsfSkeleton: the bones of an Acclaim skeleton file as it states them.
// Data flow: text → *here* → Skeleton (asf.cpp), and what the numbers of a motion file mean (amc.cpp).
#pragma once

#include <sinew/io/read.h>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace sinew {

// One degree of freedom: what a number of the motion file means.
struct AsfDof {
    enum class Kind : uint8_t { rotate, translate, length } kind = Kind::length;
    int axis = 0;
};

// A bone starts where its parent ends. `world_from_axis` is the frame that its rotations are given in.
struct AsfBone {
    std::string name;
    int32_t parent = -1;
    Vec3d direction = Vec3d::Zero();  // unit, in the world at rest
    double length = 0;                // as in the file
    Quatd world_from_axis = Quatd::Identity();
    std::vector<AsfDof> dofs;
};

struct AsfSkeleton {
    std::vector<AsfBone> bones;  // parents before children; bones[0] is the root, which has no length
    std::unordered_map<std::string, int32_t> bone_of_name;
    Vec3d root_position = Vec3d::Zero();  // as in the file
    double metres = 0.0254;               // per unit of length in the file
    double radians = 1;                   // per unit of angle in the file
    std::vector<std::string> warnings;
};

Result<AsfSkeleton> parse_asf(std::string_view text, const Limits& limits);

// Each bone is a joint at its start, its frame parallel to the world at rest, followed by the next bone's start. A
// leaf's end is a joint "<bone>_end", so that every end of a bone is a joint.
struct AsfCharacter {
    Character character;
    std::vector<int32_t> joint_of_bone;
};
Result<AsfCharacter> make_character(const AsfSkeleton& asf);

}  // namespace sinew
