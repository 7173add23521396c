#include <sinew/core/check.h>
#include <sinew/math/affine_product.h>
#include <sinew/skin/deform.h>

namespace sinew {

void make_palette(const Skin& skin, std::span<const AffineD> world_from_joint, std::span<Affine> world_from_bind) {
    SINEW_CHECK(world_from_bind.size() == skin.joints.size() && skin.inverse_bind.size() == skin.joints.size());
    for (size_t i = 0; i < skin.joints.size(); ++i)
        multiply(world_from_joint[static_cast<size_t>(skin.joints[i])], skin.inverse_bind[i], world_from_bind[i]);
}

}  // namespace sinew
