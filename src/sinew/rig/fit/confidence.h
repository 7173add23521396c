// Confidence: how far a fit can be trusted, from how well it agrees with itself and with how creatures are built.
// Data flow: Fit and what the fitters saw → *here* → Fit::confidence, FitJoint::confidence.
#pragma once

#include <sinew/rig/fit/biped_parts.h>

namespace sinew {

// 1 within [low, high], falling to `least` over `slack` on either side.
double plausible(double value, double low, double high, double slack, double least = 0.3);

// The share of the bones' length that lies inside the solid.
double bones_inside(const Upright& upright, const Fit& fit);

// Sets the confidence of the fit (a product of cues) and of its joints (those that the weak cues are about). `arms` as
// they were seen, before anything was mended.
void rate_biped(const Upright& upright, const Legs& legs, const Arms& arms, const BipedTrunk& trunk, Fit& fit);
void rate_quadruped(const Upright& upright, Fit& fit);
void rate_bird(const Upright& upright, Fit& fit);

}  // namespace sinew
