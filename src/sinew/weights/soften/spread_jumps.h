// Spread jumps: turns a jump in the weights into a ramp, just as long as the skin needs.
// Data flow: SkinGrowth, SkinPlaces → *here* → soften_weights.cpp.
#pragma once

#include <sinew/weights/soften/skin_growth.h>
#include <span>

namespace sinew {

// `growing` are the edges that grow to more than `stretch` times their length. For each joint that is to blame, what a
// place carries of it is moved half way between the least and the most that the places around it allow [McShane1934].
// Then no edge grows more than `stretch` because of that joint. Places that no steep edge reaches stay as they are.
// Joints are treated one by one, so all of them together may leave a little more than `stretch`.
void spread_jumps(const SkinGrowth& growth, double stretch, std::span<const PlaceEdge> growing, SkinPlaces& places);

}  // namespace sinew
