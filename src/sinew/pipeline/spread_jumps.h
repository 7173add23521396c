// Spread jumps: where the ends of an edge follow a joint too differently, the difference is spread over as wide a
// neighbourhood as it needs. Data flow: skin_growth.h → *here* → soften_weights.cpp.
#pragma once

#include <sinew/pipeline/skin_growth.h>
#include <span>

namespace sinew {

// `growing`: the edges that grow to more than `stretch` times their length. What a place carries of a joint is, from
// there on, half way between the least and the most that the places around it allow [McShane1934], so that no edge
// grows more on account of that joint; what is steep nowhere stays as it is. The joints see nothing of each other, so
// that a little more than `stretch` may be left.
void spread_jumps(const SkinGrowth& growth, double stretch, std::span<const std::array<int, 2>> growing,
                  SkinPlaces& places);

}  // namespace sinew
