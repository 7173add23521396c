// Joint maps: a JSON file that says which joint of a motion moves which joint of a character.
// Data flow: {"source joint": "target joint", …} → *here* → motion/retarget.h.
#pragma once

#include <sinew/core/bytes.h>
#include <sinew/core/result.h>
#include <sinew/skeleton/skeleton.h>
#include <utility>
#include <vector>

namespace sinew {

// Pairs of joint numbers. Names that a skeleton does not have fail, listing the closest ones.
Result<std::vector<std::pair<int32_t, int32_t>>> parse_joint_map(ByteSpan json, const Skeleton& source,
                                                                 const Skeleton& target);

}  // namespace sinew
