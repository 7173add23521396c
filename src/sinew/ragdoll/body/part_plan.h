// PartPlan: which joints of a rig become parts of a ragdoll, and what each may do.
// Data flow: Skeleton, what its skin says → *here* → fit_ragdoll.cpp.
#pragma once

#include <sinew/ragdoll/body/ragdoll_body.h>
#include <sinew/skeleton/creature.h>
#include <sinew/skeleton/humanoid.h>

namespace sinew {

struct PlannedPart {
    int32_t joint = -1;
    PartKind kind = PartKind::limb;
    Side side = Side::none;
};
struct PartPlan {
    std::vector<PlannedPart> parts;  // in order of joints
    Vec3d left, up, ahead;
    bool person = false;
};
// `skinned[j]`: how many vertices follow joint j most.
PartPlan plan_parts(const Skeleton& skeleton, std::span<const size_t> skinned, const RagdollOptions& options);

// Sets frames and limits of all parts, from their places at rest: `world` of the skeleton.
void set_part_limits(RagdollBody& body, std::span<const AffineD> world);

// A matrix's rotation, for matrices that scale alike in all directions; mirrors are turned back.
Quatd rotation_of(const AffineD& world);

}  // namespace sinew
