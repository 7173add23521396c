// Closest names: what the user may have meant by a name that does not exist.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace sinew {

// Up to `most` of `known`, nearest first by edit distance (case ignored); ties keep their order in `known`.
std::vector<std::string_view> closest_names(std::string_view name, std::span<const std::string_view> known,
                                            size_t most = 3);

// "unknown WHAT "NAME"; did you mean A, B or C?" — or what there is, when nothing is near, or that there is nothing.
std::string unknown_name(std::string_view what, std::string_view name, std::span<const std::string_view> all);

}  // namespace sinew
