#include <sinew/skin/skinning.h>

#include <sinew/core/closest.h>
#include <algorithm>
#include <array>

namespace sinew {
namespace {

constexpr std::array<std::string_view, 6> names = {"rigid", "lbs", "dqs", "bulge-free", "bend-twist", "cor"};
constexpr std::array<Deformer*, 6> deformers = {deform_rigid,      deform_linear_blend, deform_dual_quaternion,
                                                deform_bulge_free, deform_bend_twist,   deform_centres_of_rotation};

}  // namespace

std::span<const std::string_view> skinning_names() {
    return names;
}

std::string_view to_string(Skinning skinning) {
    return names[static_cast<size_t>(skinning)];
}

Result<Skinning> find_skinning(std::string_view name) {
    const auto found = std::find(names.begin(), names.end(), name);
    if (found == names.end()) return fail(ErrorCode::invalid_argument, unknown_name("skinning", name, names));
    return static_cast<Skinning>(found - names.begin());
}

Deformer& deformer(Skinning skinning) {
    return *deformers[static_cast<size_t>(skinning)];
}

}  // namespace sinew
