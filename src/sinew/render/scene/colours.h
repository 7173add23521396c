// Colours: sRGB and linear light, one colour per joint, the heat map of a weight, the tone curve.
// Data flow: shade.h and figure.h ask for them.
#pragma once

#include <sinew/math/types.h>
#include <cstdint>
#include <vector>

namespace sinew {

float linear_from_srgb(float encoded);  // both in 0..1
float srgb_from_linear(float linear);
float linear_from_srgb8(uint8_t encoded);  // by table
Vec3 linear_from_srgb(const Vec3& encoded);

// Linear RGB of the OKLCH colour [Ottosson2020]: lightness 0..1, chroma, hue in radians; clipped to the gamut.
Vec3 linear_from_oklch(float lightness, float chroma, float hue);

// Colours that stay apart: hues step by the golden angle, lightness and chroma alternate, so that neighbours in the
// list (a joint and its child) differ most. Linear RGB.
std::vector<Vec3> joint_colors(size_t count);

// 0 dark slate, then blue, green, yellow, red at 1. Linear RGB.
Vec3 heat_color(float weight);

// Leaves light below 0.8 as it is and rolls the rest off towards white, losing saturation as it does.
Vec3 tone_curve(const Vec3& linear);

}  // namespace sinew
