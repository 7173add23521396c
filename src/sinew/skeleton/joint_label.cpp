#include <sinew/skeleton/joint_label.h>

namespace sinew {

std::string joint_label(std::string_view name, size_t joint) {
    return name.empty() ? "joint " + std::to_string(joint) : std::string(name);
}

std::string joint_label(const Skeleton& skeleton, int32_t joint) {
    const auto j = static_cast<size_t>(joint);
    return joint_label(skeleton.names()[j], j);
}

}  // namespace sinew
