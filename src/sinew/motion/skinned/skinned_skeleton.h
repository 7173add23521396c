// SkinnedSkeleton: a skeleton and what it carries. Retargeting needs both: the skin knows how the body stood when it
// was bound, and shows which joints move something. Data flow: Character → *here* → bind_stance.h, carry.h.
#pragma once

#include <sinew/motion/retarget.h>
#include <sinew/skeleton/skeleton.h>
#include <sinew/skin/influences.h>
#include <span>
#include <vector>

namespace sinew {

// A mesh that follows a skin, and the joint it hangs on in the file.
struct SkinnedMeshPlace {
    int32_t skin = 0;
    int32_t joint = 0;
};

// The skeleton and the skins must outlive it.
struct SkinnedSkeleton {
    const Skeleton& skeleton;
    std::span<const Skin> skins;
    std::vector<SkinnedMeshPlace> meshes;
    std::vector<bool> moves;  // per joint: a vertex or a whole mesh follows it
    std::vector<SkinPoint> points = {};
};

}  // namespace sinew
