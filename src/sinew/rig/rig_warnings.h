// What a user is told about a fit: the cues behind its confidence, and what to look at.
// Data flow: Fit, readings → *here* → RigResult::cues, RigResult::warnings.
#pragma once

#include <sinew/rig/fit/fit.h>
#include <sinew/rig/fit_skeleton.h>

namespace sinew {

// Every cue of the fit in words, as they were weighed.
std::vector<RigCue> tell_cues(const Fit& fit);

// What speaks most against a joint, in words; empty where nothing does.
std::string tell_doubt(const FitJoint& joint);

// Adds warnings where the confidence is too low to accept (why, and which joints to look at), and where the shape could
// be read in two ways. Reads the result's skeleton, confidence and cues; `readings` are best first.
void add_warnings(const std::vector<Reading>& readings, RigResult& result);

// The error of a fit that a caller will not take: how sure it is, why not surer, and what to do.
std::string tell_low_confidence(const RigResult& result, double wanted);

}  // namespace sinew
