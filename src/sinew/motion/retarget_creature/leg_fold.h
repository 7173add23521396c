// Leg fold: brings the foot of a leg of any number of joints to a point, by folding the leg the way it is built.
// Data flow: world positions of a leg's joints + a goal → *here* → turns of its joints. See also ik/.
#pragma once

#include <sinew/math/types.h>
#include <span>
#include <vector>

namespace sinew {

// How a leg folds: per inner joint, from the one below the socket to the one above the foot, which way it bends about
// the leg's lateral axis (+1 or −1).
struct LegFold {
    std::vector<double> sign;
    double reach = 0;       // the length of its bones
    double rest_share = 0;  // straight length at rest, over reach
};

// `leg` holds the world positions from socket to foot at rest. Where the leg is straight at rest, knees bend forward in
// hind legs and backward in front legs, and further joints the other way round.
LegFold measure_fold(std::span<const Vec3d> leg, const Vec3d& lateral, bool front);

// Turns the bones from socket to foot so that the foot comes to `goal`; each keeps its length. All inner joints take
// equal shares of the fold; then the whole leg swings. `turn[i]` (positions − 1 entries) is the world rotation that
// bone i makes; positions are updated. A goal out of reach is approached and never reached, without a jolt on the way.
void fold_leg(const LegFold& fold, const Vec3d& lateral, const Vec3d& goal, std::span<Vec3d> leg,
              std::span<Quatd> turn);

// Goals no farther than this from the leg's first joint are reached.
double firm_length(const LegFold& fold);

}  // namespace sinew
