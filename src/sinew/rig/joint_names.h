// Joint names as engines and tools spell them. Data flow: Sinew's names and roles → *here* → Skeleton::names.
#pragma once

#include <sinew/skeleton/humanoid.h>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sinew {

enum class NameScheme : uint8_t { vrm, mixamo, unreal, humanik };

// A scheme by its name, "vrm", "mixamo", "unreal" or "humanik"; none for any other. And all these names.
std::optional<NameScheme> find_name_scheme(std::string_view name);
std::vector<std::string_view> name_scheme_names();

// "leftUpperArm" → "leftUpperArm", "mixamorig:LeftArm", "upperarm_l", "LeftArm". Joints that are no humanoid role keep
// their words in the scheme's spelling: "leftFrontFoot" → "mixamorig:LeftFrontFoot", "front_foot_l".
std::string scheme_name(std::string_view sinew_name, NameScheme scheme);

// The Sinew name that a name in any of the schemes means; empty when it means none.
std::string sinew_name(std::string_view any_name);

}  // namespace sinew
