// Groups vertices by the joints they follow, so that a kernel can move sixteen, or eight, with one set of matrices.
// Real meshes repeat their joint sets hundreds of times; small sets are merged into unions where that costs less.
// Data flow: Influences → *here* → skin/compiled/compiled_skin.h.
#pragma once

#include <sinew/skin/influences.h>

namespace sinew {

constexpr uint32_t block_size = 16;         // vertices a kernel moves at once
constexpr uint32_t octet_size = 8;          // the same for rarer sets, whose matrices are not worth preparing
constexpr uint32_t largest_union = 8;       // joints of a merged set
constexpr uint32_t largest_run = 16;        // joints of any run; vertices with more are loose
constexpr uint32_t no_joint = 0xffffffffu;  // stands for the identity: the joint of a vertex without influences

// Vertices that share one joint set; a vertex that lacks one of the joints has weight 0 there.
struct JointRun {
    std::vector<uint32_t> joints;    // sorted
    std::vector<uint32_t> vertices;  // sorted within each original set
};

// A vertex whose joint set is so rare that it goes alone. They are sorted by a pair of joints that many of them share.
struct LooseVertex {
    uint32_t vertex = 0;
    uint32_t pair[2] = {0, 0};  // equal for a vertex with one influence
};

struct JointSets {
    std::vector<JointRun> runs;      // fewer joints first
    std::vector<JointRun> octets;    // likewise; their vertices are moved eight at a time, and none lacks influences
    std::vector<LooseVertex> loose;  // fewer influences first, then by pair
};

// Every vertex is in exactly one run or loose. O(n log n); merging looks at a bounded number of candidates per set.
JointSets group_by_joints(const Influences& influences);

}  // namespace sinew
