// The joints that a method solves for: one column per joint that owns bones, however many bones it owns.
// Data flow: bones → *here* → voxel.cpp, bbw.cpp.
#pragma once

#include <sinew/weights/bones/choose_bones.h>
#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

namespace sinew {

struct JointColumns {
    std::vector<int32_t> joints;           // in the order of their first bones
    std::vector<uint32_t> column_of_bone;  // into joints
};

inline JointColumns joint_columns(std::span<const Bone> bones) {
    JointColumns columns;
    for (const Bone& bone : bones) {
        const auto found = std::find(columns.joints.begin(), columns.joints.end(), bone.joint);
        columns.column_of_bone.push_back(static_cast<uint32_t>(found - columns.joints.begin()));
        if (found == columns.joints.end()) columns.joints.push_back(bone.joint);
    }
    return columns;
}

}  // namespace sinew
