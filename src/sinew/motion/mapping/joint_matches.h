// Joint matches: the list of which joint moves which, for people to read.
// Data flow: the drives of a retargeting → *here* → RetargetResult::map → reports, tables.
#pragma once

#include <sinew/motion/retarget.h>
#include <sinew/motion/retarget/reference_stance.h>

namespace sinew {

// One entry per drive. A joint whose name tells what it is was matched by role, another by structure; joints without
// either that merely share their name were matched by name.
std::vector<JointMatch> list_matches(const Skeleton& source, const Skeleton& target, const std::vector<Drive>& drives);
std::vector<JointMatch> list_matches(const Skeleton& source, const Skeleton& target,
                                     const std::vector<std::pair<int32_t, int32_t>>& pairs);

}  // namespace sinew
