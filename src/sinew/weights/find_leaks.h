// Leak suspects: weight that lies apart from the rest of its joint's.
// Data flow: WeightField, Surface → *here* → WeightReport.
#pragma once

#include <sinew/weights/field.h>
#include <sinew/weights/weights.h>
#include <sinew/weights/surface/surface.h>

namespace sinew {

// An island is a connected set of vertices on one piece that follow the same joint by at least 0.1. It is a suspect if
// it holds at most half the weight of the joint's largest island on that piece, and at least a thousandth of all
// weight. Largest first, at most 20.
std::vector<LeakSuspect> find_leaks(const WeightField& field, const Surface& surface, const Neighbours& neighbours);

}  // namespace sinew
