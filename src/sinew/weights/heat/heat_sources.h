// Heat's sources: which bone warms a vertex, and from how far.
// Data flow: Surface, bones, piece_bones.h → *here* → heat.cpp.
#pragma once

#include <sinew/mesh/solid.h>
#include <sinew/weights/bones/choose_bones.h>
#include <array>

namespace sinew {

// Lengths are in units of the Surface's size. "truth" and "seen" are explained in bones/bone_rules.h.
struct HeatOptions {
    // truth: the strength of the bones against the diffusion, the c of [Baran2007]. A vertex takes up
    // strength · count / distance².
    double strength = 3.6;
    double least_distance = 0.003;  // truth: distances below this count as this
    double outside_cost = 0.25;     // truth: how much dearer a bone is that is seen only through the outside
    double foreign_cost = 2.0;      // truth: how much dearer a bone is that belongs to another piece (piece_bones.h)
    double neck_reach = 1.9;        // seen: a neck's skin is at most so many times as far from it as its thickness
    double clavicle_reach = 1.5;    // seen: the same for a clavicle
    double tie = 1e-4;              // truth: bones whose cost is this near to the best (relative) share a vertex
    double link_distance = 0.01;    // truth: open edges reach this far for another piece
};

// The bones that warm one vertex: one or, where several are equally near, up to four in equal shares.
struct HeatSource {
    std::array<uint32_t, 4> bones{};
    uint32_t count = 0;
    double distance = 0.0;
};

// Each vertex is warmed by the bone that costs least: distance / (½ (cos θ + 1)), where θ is the angle between the way
// from bone to vertex and the vertex normal. So a bone behind the surface is near and one in front of it is far. The
// normal does what visibility should do: a hard test of visibility fails at the first hole or flipped face. Where the
// surface is in shreds (shreds.h), sides mean nothing, and |cos θ| counts.
//
// A bone costs more beyond its reach (choose_bones.h). A neck is thin and the head on it is not: skin that is far from
// the neck, measured by the neck's own thickness, is a chin and follows the head. The same holds for a clavicle beside
// the chest.
//
// `solid` is the Surface's, or empty. It makes bones dearer that are seen through the outside, as a finger is from the
// next finger. It only tips the balance, and is not asked if it leaks.
std::vector<HeatSource> heat_sources(const Surface& surface, const Solid& solid, std::span<const Bone> bones,
                                     const HeatOptions& options);

// The solid that heat_sources wants.
Solid heat_solid(const Surface& surface);

}  // namespace sinew
