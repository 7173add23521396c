// Confidence: how far a fit can be trusted, from how well it agrees with itself and with how creatures are built.
// Data flow: Fit and what the fitters saw, priors/cues.h → *here* → Fit::confidence, Fit::cues, FitJoint::confidence.
#pragma once

#include <sinew/rig/fit/biped_parts.h>
#include <sinew/rig/priors/prior.h>

namespace sinew {

// Measures a fit by a cue and notes the outcome in Fit::cues. Returns what the cue leaves of the confidence; the caller
// multiplies it in.
double weigh(Fit& fit, const Cue& cue, double measured);
// The same for a question: 1 for yes, what the cue leaves for no.
double weigh(Fit& fit, const Cue& cue, bool yes);
// Starts anew: the confidence is `value`, and this cue alone is why.
void settle_confidence(Fit& fit, const Cue& cue, double measured, double value);
// Makes the result doubtful without making the fit worse than others: multiplies Fit::caution and notes it in
// Fit::doubts.
void doubt(Fit& fit, const Cue& cue, double measured);

// How much of each level of the body its image covers when front and back (along z) change places, at the levels where
// that is least: feet, a nose, a tail. The plane between them is where the whole body covers itself best.
double front_like_back(const VoxelBody& body);

// The share of the bones' length that lies inside the solid.
double bones_inside(const Upright& upright, const Fit& fit);

// Sets the confidence of the fit (a product of cues) and of its joints (those that the weak cues are about). `arms` as
// they were seen, before mend_shoulders moved anything.
void rate_biped(const Upright& upright, const Legs& legs, const Arms& arms, const BipedTrunk& trunk, Fit& fit);
void rate_quadruped(const Upright& upright, Fit& fit);
void rate_bird(const Upright& upright, Fit& fit);
void rate_dinosaur(const Upright& upright, Fit& fit);
// After rate_quadruped.
void rate_wings(Fit& fit);

}  // namespace sinew
