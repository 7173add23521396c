// User templates: a template's joints at their places in a body — those that were found, and the rest in proportion.
// Data flow: rig_template.h + what a fit or embed.h found → *here* → Fit.
#pragma once

#include <sinew/rig/embed/embed.h>
#include <sinew/rig/fit/fit.h>
#include <sinew/rig/template/rig_template.h>

namespace sinew {

// What the template says about the joints that a fitter of its kind has placed: what they hang on (the nearest of the
// template's that was placed), which role they play, their partners, which way they bend. Others stay as they are.
void follow_template(Fit& fit, const RigTemplate& rig_template);

// Where a fit of the template's own kind has put its joints: by role, else by name in any naming scheme.
std::vector<std::optional<Vec3d>> find_anchors(const RigTemplate& rig_template, const Fit& fit);

// Joints with an anchor go there; those between two anchored ones keep their place in proportion; those that hang on
// one move, turn and scale with it; those above all stay below or above the first, on the `ground` (its height) if they
// stood there. Axes turn with the bones. Empty when there is no anchor.
Fit carry_template(const RigTemplate& rig_template, const std::vector<std::optional<Vec3d>>& anchors, double ground);

// Takes out optional joints that have no anchor and none below them, from both.
void drop_missing(RigTemplate& rig_template, std::vector<std::optional<Vec3d>>& anchors);

}  // namespace sinew
