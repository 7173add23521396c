// Painting weights: one dab of a brush on the surface of a body.
// Data flow: Surface, WeightField, Brush → *here* → WeightField.
#pragma once

#include <sinew/weights/field.h>
#include <sinew/weights/surface/surface.h>

namespace sinew {

// add, subtract: the joint's weight goes towards 1 or 0. replace: towards `strength`. smooth: all weights go towards
// the mean of the vertices around.
enum class BrushMode : uint8_t { add, subtract, replace, smooth };

struct Brush {
    BrushMode mode = BrushMode::add;
    uint32_t joint = 0;
    Vec3d center = Vec3d::Zero();  // in the surface's units (Surface::to_surface)
    double radius = 0.0;
    double strength = 1.0;                 // how far a dab goes in its middle, 0 … 1
    std::span<const uint8_t> locked = {};  // per joint: 1 keeps its weights. Empty: none does
    size_t influences = 4;                 // joints per vertex, at most
};

// What a brush touches: vertices within the radius, measured along the surface from the vertex nearest to the center,
// so that a brush on the hand does not paint the hip behind it. `amount` falls smoothly from 1 to 0 at the radius.
struct Dab {
    std::vector<uint32_t> vertices;
    std::vector<float> amount;
};
Dab find_dab(const Surface& surface, const Neighbours& neighbours, const Vec3d& center, double radius);

// Paints, and returns the vertices of the dab. The others of a vertex's joints share what the painted one leaves, as
// they did before; where there are none, it stays. Where a vertex has too many joints, the smallest unlocked one gives
// way. Rows sum to 1. O(vertices) to find the nearest, then O(dab).
std::vector<uint32_t> paint(const Brush& brush, const Surface& surface, const Neighbours& neighbours,
                            WeightField& field);

}  // namespace sinew
