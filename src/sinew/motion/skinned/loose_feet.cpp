#include <sinew/motion/skinned/loose_feet.h>

#include <sinew/skeleton/hangs_on.h>
#include <sinew/skeleton/humanoid.h>

namespace sinew {

std::optional<JoinedRig> join_loose_feet(const Skeleton& skeleton) {
    const HumanoidMap roles = recognise_humanoid(skeleton);
    std::vector<int32_t> parents = skeleton.parents();
    for (size_t side = 0; side < 2; ++side) {
        const int32_t knee = roles[side == 0 ? Role::left_lower_leg : Role::right_lower_leg];
        const int32_t foot = roles[side == 0 ? Role::left_foot : Role::right_foot];
        if (knee < 0 || foot < 0 || hangs_on(skeleton, foot, knee) || hangs_on(skeleton, knee, foot)) return {};
        parents[static_cast<size_t>(foot)] = knee;
    }
    return join_rig(skeleton, parents);
}

}  // namespace sinew
