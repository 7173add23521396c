// User templates: puts a template's joints into a body: some where a fit or the search found them, the rest in
// proportion.
// Data flow: rig_template.h + what a fit or embed.h found → *here* → Fit.
#pragma once

#include <sinew/rig/embed/embed.h>
#include <sinew/rig/fit/fit.h>
#include <sinew/rig/template/rig_template.h>

namespace sinew {

// Takes over what the template says about joints that a fitter of its kind has placed: their parents (the nearest that
// was placed), roles, partners, and which way they bend. Other joints stay as they are.
void follow_template(Fit& fit, const RigTemplate& rig_template);

// Where a fit of the template's kind has its joints, matched by role, else by name in any naming scheme.
std::vector<std::optional<Vec3d>> find_anchors(const RigTemplate& rig_template, const Fit& fit);

// Joints with an anchor go there. Those between two anchored ones keep their place in proportion. Those below an
// anchored one move, turn and scale with it. Those above all anchored ones keep their place relative to the first, or
// stand on the ground (a height) if they stood on the template's. Axes turn with the bones. Empty when there is no
// anchor.
Fit carry_template(const RigTemplate& rig_template, const std::vector<std::optional<Vec3d>>& anchors, double ground);

// Removes optional joints that have no anchor, and none below them, from both.
void drop_missing(RigTemplate& rig_template, std::vector<std::optional<Vec3d>>& anchors);

}  // namespace sinew
