#include <sinew/skeleton/pose.h>

#include <sinew/core/check.h>
#include <sinew/math/affine_product.h>
#include <sinew/skeleton/skeleton.h>

namespace sinew {

void local_to_world(std::span<const int32_t> parents, std::span<const Transform> local,
                    std::span<AffineD> world_from_joint) {
    SINEW_CHECK(parents.size() == local.size() && local.size() == world_from_joint.size());
    for (size_t j = 0; j < parents.size(); ++j) {
        const AffineD parent_from_joint = to_affine_d(local[j]);
        if (parents[j] < 0)
            world_from_joint[j] = parent_from_joint;
        else
            multiply(world_from_joint[static_cast<size_t>(parents[j])], parent_from_joint, world_from_joint[j]);
    }
}

std::vector<AffineD> rest_world(const Skeleton& skeleton) {
    std::vector<AffineD> world(skeleton.size());
    local_to_world(skeleton.parents(), skeleton.rest(), world);
    return world;
}

}  // namespace sinew
