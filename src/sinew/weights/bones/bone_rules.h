// What is known of rigs: the numbers by which joints and their bones are judged, and where each comes from.
// Data flow: → bone_fates.cpp (who owns skin), bone_segments.cpp (along which bones), bone_reach.cpp (how far).
#pragma once

#include <array>
#include <cstddef>

// Lengths are in units of the Surface's size, about the diagonal of a figure. Cosines are between two directions.
//
// Each row names its origin:
//   truth   set by the mean distance to the weights that 16 rigged glTFs came with (tests/weights/models.h;
//           `script/bench weight_quality truth` measures it)
//   seen    set while looking at eleven more characters: KayKit, Mixamo, Ready Player Me and others (docs/weights.md)
//   chosen  by the reason given; no file measured depends on the exact value
namespace sinew::bone_rules {

// Which joints own skin ------------------------------------------------------------------------------------------

// truth: joints nearer to each other than this stand for one place. IK and control joints repeat the places of others.
constexpr double same_place = 0.01;
// seen: a root inside the body and at least this far from its only child may be a bone: the foot of a bust.
constexpr double long_root = 0.1;
// chosen: "nearer" means nearer by more than rounding and a little.
constexpr double clearly_nearer = 0.99;
// chosen: this many "DEF-" joints are no accident, and in Rigify's three parallel chains they are at least one in
// eight.
constexpr size_t least_deform_joints = 4;
constexpr size_t deform_joint_in = 8;
// The winding number is 1 inside a closed surface and 0 outside; one half is the usual border.
constexpr double inside = 0.5;
// truth: a root counts as outside only where the surface is sure. What an open mesh half encloses may be inside.
constexpr double clearly_outside = 0.3;
// chosen: a surface that encloses fewer than one in four joints is in shreds and cannot tell inside from outside. So
// many joints are asked.
constexpr size_t joint_inside_in = 4;
constexpr size_t joints_asked = 16;

// How bones run --------------------------------------------------------------------------------------------------

// truth: a child lies on the bone axis within 6°.
constexpr double on_axis = 0.995;
// truth: a child within 60° of the axis still tells how long a bone along the axis is.
constexpr double near_axis = 0.5;
// seen: an axis that points more than 120° away from the chain belongs to a mirrored side.
constexpr double backwards = -0.5;
// truth: seven of ten joints with children agree on an axis, and at least three joints were asked.
constexpr int axis_voters = 3;
constexpr int axis_agree = 7, axis_agree_of = 10;
// chosen: a child within 30° of the chain's direction carries the chain on.
constexpr double carries_on = 0.866;
// truth: the main child is the one with the best sum of its cosine to the chain, `tree_bonus` for each doubling of the
// joints behind it, and `lone_bonus` if it has no twin.
constexpr double tree_bonus = 0.5;
constexpr double lone_bonus = 1.0;

// Ends of chains -------------------------------------------------------------------------------------------------

// truth: the tail of an end joint covers this share of the way to the skin.
constexpr double tail_share = 0.8;
// truth: an end joint whose tail is shorter than this share of its parent's bone only marks where the parent ends.
constexpr double marker_share = 0.2;
// chosen: without skin ahead, a tail is as long as its parent's bone, but no shorter than the first number; a root's
// has the second. A way to the skin of more than four times that leads into another part of the body.
constexpr double least_tail = 0.02;
constexpr double root_tail = 0.1;
constexpr double longest_tail = 4.0;
// seen: toes are looked for at these angles (in radians) from the direction of the shin, in so many directions around.
constexpr std::array<double, 2> toe_tilts = {0.6, 1.1};
constexpr int toe_directions = 8;

// Side branches --------------------------------------------------------------------------------------------------

// truth: with this many children a joint is a palm, a foot or a face.
constexpr size_t fan_children = 5;
// seen: a palm owns this share of the way to each finger,
constexpr double fan_share = 0.9;
// truth: and this share where bones are segments, because the palm's own bone is one of them.
constexpr double explicit_fan_share = 0.7;
// seen: a chest owns half the way to each arm, being about that wide.
constexpr double chest_share = 0.5;
// seen: of two twins, one has at least this share of the joints of the other. Files drop fingertips.
constexpr double twin_share = 0.75;
// truth: twins are equally far from their parent, to a tenth, and apart from each other by three tenths of that.
constexpr double twin_length = 0.1;
constexpr double twin_apart = 0.3;
// truth: a limb has at least three joints, starts within twice the length of the main bone, and does not run back
// along it (within 37°).
constexpr int limb_joints = 3;
constexpr double limb_start = 2.0;
constexpr double limb_backwards = -0.8;
// truth: a limb leaves a gap if it starts farther off than three tenths of its first bone, and to the side: its twin
// is 1.3 times as far from it as its parent.
constexpr double gap_start = 0.3;
constexpr double gap_sideways = 1.3;

// How far a bone reaches -----------------------------------------------------------------------------------------

// seen, on MakeHuman's face: all of a detail (a lid, a lip, a brow) measures at most this share of the bone it is on,
constexpr double detail_share = 0.3;
// and it owns skin up to this share of its own extent.
constexpr double detail_reach = 0.6;
// chosen: a child within a tenth of a bone's length from its end carries the bone on and is no detail.
constexpr double at_the_end = 0.1;

// chosen: a bone this short is a point.
constexpr double no_length = 1e-4;

}  // namespace sinew::bone_rules
