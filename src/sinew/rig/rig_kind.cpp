#include <sinew/rig/rig_kind.h>

#include <cstddef>

namespace sinew {

std::string_view to_string(RigKind kind) {
    constexpr std::string_view names[] = {"biped", "quadruped", "bird", "generic"};
    return names[static_cast<size_t>(kind)];
}

}  // namespace sinew
