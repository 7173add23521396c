// What messages and reports call a joint. Data flow: Skeleton → *here* → warnings, errors, reports.
#pragma once

#include <sinew/skeleton/skeleton.h>
#include <cstdint>
#include <string>
#include <string_view>

namespace sinew {

// The joint's name or, where the file gives it none, its number: "joint 7".
std::string joint_label(std::string_view name, size_t joint);
// Requires 0 ≤ joint < skeleton.size().
std::string joint_label(const Skeleton& skeleton, int32_t joint);

}  // namespace sinew
