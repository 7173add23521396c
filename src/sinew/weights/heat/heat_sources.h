// Heat's sources: which bone warms a vertex, and from how far.
// Data flow: Surface, bones → *here* → heat.cpp.
#pragma once

#include <sinew/mesh/solid.h>
#include <sinew/weights/bones/choose_bones.h>
#include <array>

namespace sinew {

struct HeatOptions {
    double strength = 3.6;  // of the bones against the diffusion: heat taken up is strength · count / distance²
    double least_distance = 0.003;  // distances below this count as this; in the Surface's size
    double outside_cost = 0.25;     // how much dearer a bone is that is seen wholly through the outside
    double foreign_cost = 2.0;      // how much dearer a bone is that belongs to another piece (piece_bones.h)
    double neck_reach = 1.9;        // a neck's skin is at most this many times as far off as most of it
    double clavicle_reach = 1.5;    // the same for a clavicle
    double tie = 1e-4;              // bones this near to the best (relative) share a vertex
    double link_distance = 0.01;    // open edges reach this far for another piece
};

// The bones that warm one vertex: one, or several that are equally near, in equal shares.
struct HeatSource {
    std::array<uint32_t, 4> bones{};
    uint32_t count = 0;
    double distance = 0.0;
};

// The normal does what visibility should: a bone behind the surface (bone → vertex along the normal) is near, one in
// front of it far. cost = distance / (½ (cos θ + 1)). Hard visibility breaks on the first hole or flipped face. Where
// the surface is in shreds (shreds.h) its sides mean nothing, and |cos θ| counts.
//
// A bone's reach (choose_bones.h) is where it begins to cost more. A neck is thin and the head on it is not: what is
// far from a neck, measured by its own thickness, is a chin, and follows the head. So is a clavicle beside the chest.
//
// The solid (of the Surface; may be empty) makes bones dearer that are seen through the outside: a finger from the next
// finger. It only tilts the balance, and is not asked at all where it leaks.
std::vector<HeatSource> heat_sources(const Surface& surface, const Solid& solid, std::span<const Bone> bones,
                                     const HeatOptions& options);

// The solid that heat_sources asks.
Solid heat_solid(const Surface& surface);

}  // namespace sinew
