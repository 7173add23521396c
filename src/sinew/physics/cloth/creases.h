// Creases: how sharply cloth is bent. Data flow: hinges, positions of one moment → *here* → reports, tests.
#pragma once

#include <sinew/physics/cloth/hinge.h>

namespace sinew {

// Cloth that hangs in a few big waves turns by little from one triangle to the next. What is crumpled does not, though
// no edge is stretched and nothing crosses.
struct Creases {
    double folded = 0.0;    // share of the hinges whose triangles lie on each other: over 150° between their normals
    double creased = 0.0;   // share of those turned by more than 60° from how they are at rest
    double mean_deg = 0.0;  // how far all are turned from rest, in the mean
};

Creases measure_creases(std::span<const Hinge> hinges, std::span<const Vec3> positions);

}  // namespace sinew
