// Settle body: raises and tilts a character whose trunk, head or knees would go below the floor.
// Data flow: the target's poses and shape → *here* → the hips' path and turn, before contacts of the feet are planned.
#pragma once

#include <sinew/motion/touch/touches.h>

namespace sinew {

// How the whole body is moved in one frame.
struct BodyShift {
    double lift = 0;             // of the hips, along up
    Vec3d tilt = Vec3d::Zero();  // a turn about the hips: a rotation vector, horizontal
    bool stays() const { return lift == 0 && tilt.isZero(0); }
};
PosedShape shifted(const PosedShape& pose, const BodyShift& shift, const Vec3d& up);

// One per frame: nothing where no skin is below the floor, and smooth over time. What is near the floor stays there as
// far as it can: a body that stands on a head taller than the source's leans, so that its feet still stand. Without
// `tilts` bodies are only raised.
std::vector<BodyShift> settle_body(const BodyMotion& target, double fps, bool tilts = true);

}  // namespace sinew
