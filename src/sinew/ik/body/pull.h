// The best turn of one joint: what hangs on it should go from these places to those. Cyclic descent and FABRIK ask for
// it. Data flow: pairs of vectors from the joint → *here* → a world rotation.
#pragma once

#include <sinew/ik/body/ik_body.h>

namespace sinew {

// Σ w · to · fromᵀ over what hangs on a joint: the turn R that suits all best makes the trace of Rᵀ · sum largest.
struct Pull {
    Mat3d sum = Mat3d::Zero();
    int vectors = 0, orientations = 0;
    Vec3d from = Vec3d::Zero(), to = Vec3d::Zero();  // the last pair

    void add(const Vec3d& from_here, const Vec3d& to_there, double weight) {
        from = from_here, to = to_there;
        sum += weight * to * from.transpose();
        ++vectors;
    }
    void add(const Quatd& turn, double weight) {
        sum += weight * turn.toRotationMatrix();
        ++orientations;
    }
    bool empty() const { return vectors + orientations == 0; }
};

// One vector: the shortest rotation. A hinge: the best angle about its axis. Else the rotation nearest to the sum.
Quatd best_turn(const IkBody& body, size_t joint, const Pull& pull);

}  // namespace sinew
