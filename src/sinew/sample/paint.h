// Painting: makes a small base-colour texture by asking for the colour of each texel's point on the surface.
// Data flow: charts.h → *here* → surface.cpp, which makes it the sample's image.
#pragma once

#include <sinew/mesh/mesh.h>
#include <array>
#include <cstdint>
#include <functional>
#include <vector>

namespace sinew::shape {

// 8-bit sRGB, row by row from the top.
struct Picture {
    int size = 0;  // square
    std::vector<std::array<uint8_t, 3>> pixels;
};

// `color` gives sRGB components in 0..1. Colours extend beyond the charts' edges, so that filtering shows no seams.
Picture paint(const Mesh& mesh, int size, const std::function<Vec3(const Vec3d& position)>& color);

}  // namespace sinew::shape
