// Japanese names: the words of MMD's joints in English, so that one parser reads all names.
// Data flow: Skeleton::names → *here* → joint_name.cpp.
#pragma once

#include <string>
#include <string_view>

namespace sinew {

// "左足首" → " left ankle". What is not Japanese stays as it is.
std::string from_japanese(std::string_view name);

}  // namespace sinew
