// RigKind: the kinds of creature a skeleton can be fitted to. Data flow: used by all of rig and by its callers.
#pragma once

#include <cstdint>
#include <string_view>

namespace sinew {

enum class RigKind : uint8_t { biped, quadruped, bird, generic };

// "biped", "quadruped", "bird", "generic".
std::string_view to_string(RigKind kind);

}  // namespace sinew
