// Colours: sRGB and linear light, a colour for each joint, the heat map of a weight, the tone curve.
// Data flow: *here* → shade.h, figure.h.
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

// Colours that are easy to tell apart, in linear RGB. Hues step by the golden angle and lightness and chroma alternate,
// so that neighbours in the list (a joint and its child) differ most.
std::vector<Vec3> joint_colors(size_t count);

// From dark slate at 0 through blue, green and yellow to red at 1; linear RGB.
Vec3 heat_color(float weight);

// Leaves light below 0.8 unchanged. Brighter light rolls off towards white and loses saturation on the way.
Vec3 tone_curve(const Vec3& linear);

}  // namespace sinew
