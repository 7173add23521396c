// Tails: what joint sets have left over, joined into unions so that a few can share a block or an octet.
// Data flow: skin/compiled/joint_sets.cpp → *here* → skin/compiled/joint_sets.cpp.
#pragma once

#include <sinew/skin/compiled/joint_layout.h>

namespace sinew {

// The vertices that do not fill their set's blocks or octets, and may share some with those of other sets.
struct JointTail {
    std::vector<uint32_t> joints;
    std::vector<uint32_t> vertices;
    int32_t run = -1;  // a run of exactly these joints that exists anyway: joining it costs no new run
};

SetLayout layout_of(const JointTail& tail, Looseness looseness);

// Joins tails, the two that save most first, until nothing is saved any more; those that went into others are gone.
// Looks at a bounded number of candidates per tail.
void merge_tails(std::vector<JointTail>& tails, Looseness looseness);

}  // namespace sinew
