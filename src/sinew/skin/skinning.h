// Skinning: the ways to bend a skin, by name.
// Data flow: cli, options → *here* → one of the deformers of deform.h.
#pragma once

#include <sinew/core/result.h>
#include <sinew/skin/deform.h>
#include <string_view>

namespace sinew {

enum class Skinning : uint8_t { rigid, linear_blend, dual_quaternion, bulge_free, bend_twist, centres_of_rotation };

// "rigid", "lbs", "dqs", "bulge-free", "bend-twist", "cor": as numbered in the enum.
std::span<const std::string_view> skinning_names();
std::string_view to_string(Skinning skinning);
// Unknown: the closest names.
Result<Skinning> find_skinning(std::string_view name);

Deformer& deformer(Skinning skinning);

}  // namespace sinew
