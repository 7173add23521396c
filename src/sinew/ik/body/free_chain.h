// A free chain: one goal for the place of its tip, no limits. Points say all of it, and lengths say what it can reach.
// Data flow: IkBody → *here* → points → *here* → IkBody, turned with the least twist.
#pragma once

#include <sinew/ik/body/ik_body.h>

namespace sinew {

bool is_free_chain(const IkBody& body);

// The joints that turn for the goal, root first, and at the end the goal's joint; and the distances between them.
void chain_points(const IkBody& body, std::vector<Vec3d>& points, std::vector<double>& lengths);

// Turns the joints, root first, each by the shortest rotation that points its bone where the points say. The points
// must keep the distances. Places the joints.
void turn_to_points(IkBody& body, std::span<const Vec3d> points);

// Where the lengths say that the goal is out of reach, or right at its end: stretches the chain towards it, or folds
// it, which is the nearest that any solver could come. False where this is not the case. A chain reaches distances up
// to the sum of its bones; and where one is longer than all others together, not nearer than it is longer.
bool answer_out_of_reach(IkBody& body, const IkOptions& options, std::vector<Vec3d>& points,
                         std::vector<double>& lengths);

}  // namespace sinew
