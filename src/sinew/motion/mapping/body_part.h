// Parts of a body: which joints a partial motion moves. Data flow: "upper", "lower" or joint names → *here* →
// RetargetOptions::only → retarget.cpp.
#pragma once

#include <sinew/clip/clip.h>
#include <sinew/skeleton/skeleton.h>
#include <string_view>
#include <vector>

namespace sinew {

// "upper": the trunk above the hips, with arms, neck and head. "lower": the hips with legs and tail. Anything else:
// names of joints with commas between them; each stands for itself and all below it. Fails on a name that the skeleton
// does not have, listing the closest, and where a skeleton has no such part. The result is sorted.
Result<std::vector<int32_t>> find_part(const Skeleton& skeleton, std::string_view part);

// Removes the tracks of all other joints, and of morphs.
void keep_only(const std::vector<int32_t>& joints, Clip& clip);

}  // namespace sinew
