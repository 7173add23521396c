// How a metallic-roughness surface is said in Phong's terms: what the FBX reader and the writer agree on.
// Data flow: materials.cpp and write/materials_out.cpp use it.
#pragma once

#include <sinew/character/character.h>
#include <algorithm>
#include <cmath>
#include <string_view>

namespace sinew::fbx {

constexpr std::string_view our_name = "Sinew";  // as a file's creator

// Blender's own relation, in both directions: a shininess of 0 to 100 for a roughness of 1 to 0.
inline double shininess_from_roughness(double roughness) {
    const double smooth = 10.0 * (1.0 - std::clamp(roughness, 0.0, 1.0));
    return smooth * smooth;
}
inline double roughness_from_shininess(double shininess) {
    return std::clamp(1.0 - std::sqrt(std::max(shininess, 0.0)) / 10.0, 0.0, 1.0);
}

// What FBX has no word for, as properties of our own. Other programs show them as custom properties.
constexpr std::string_view alpha_mode_property = "alphaMode", alpha_cutoff_property = "alphaCutoff",
                           double_sided_property = "doubleSided";

constexpr std::string_view alpha_mode_name(AlphaMode mode) {
    return mode == AlphaMode::mask ? "MASK" : mode == AlphaMode::blend ? "BLEND" : "OPAQUE";
}

}  // namespace sinew::fbx
