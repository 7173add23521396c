// Options whose values are three numbers, with or without a name before them.
#pragma once

#include <sinew/pipeline/pose_character.h>
#include <optional>
#include <string_view>

#include "cli.h"

namespace sinew::cli {

// "x,y,z"; nothing where the text is not three numbers.
std::optional<Vec3> parse_vector(std::string_view text);

// "NAME=x,y,z", each. Fails naming the option, and shows the example.
Result<std::vector<NamedVector>> parse_named_vectors(const char* option, const std::vector<std::string>& texts,
                                                     const char* example);

}  // namespace sinew::cli
