// A walk tried: from standing, on a plane, pushed on the way; the figures that tell how it went.
// Data flow: RagdollBody, WalkStyle → *here* (walker.h) → learn_walk.h, learn_balance.h.
#pragma once

#include <sinew/ragdoll/control/walker.h>
#include <vector>

namespace sinew {

// A walk of `seconds` on a plane that rises by `slope` (radians) ahead, pushed on the way; the figures that tell how it
// went. Deterministic.
struct WalkPush {
    double at = 1.0, seconds = 0.2;
    Vec3d force = Vec3d::Zero();  // on the chest
};
struct WalkTrial {
    double seconds = 10.0;
    int steps = 1 << 30;  // it ends after so many
    double slope = 0.0;
    std::vector<WalkPush> pushes;
};
// How a walk went, up to some moment.
struct WalkFigures {
    int steps = 0;
    double seconds = 0.0, distance = 0.0;  // ahead, metres
    double worst_yaw = 0.0, sideways = 0.0;
    double effort = 0.0;  // mean squared spin of the chest: how restless it is
};
struct WalkOutcome : WalkFigures {
    WalkFigures calm;  // up to the first push; all of it where there is none
    bool fell = false;
    std::vector<PartState> last;
};
Result<WalkOutcome> try_walk(const RagdollBody& body, const WalkStyle& style, const WalkTrial& trial = {});

}  // namespace sinew
