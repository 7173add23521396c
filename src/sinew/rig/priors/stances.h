// What limbs look like before it is known whose they are: what stands, what hangs, what belongs together.
// Data flow: prior.h → *here* → stand/stance.cpp, stand/reading.cpp, body/limb_pairs.cpp, body/arms_apart.cpp,
// body/between_legs.cpp, body/legs_apart.cpp.
//
// "Size" is the longest side of the body's bounds, "height" its extent along up. How far a limb sticks out is
// Extremity::prominence.
#pragma once

#include <sinew/rig/priors/prior.h>

namespace sinew::stances {

// clang-format off

constexpr std::string_view on_tests =
    "chosen: the tests' characters, turned, posed and damaged, are read right most often";

// --- Legs and arms.
inline constexpr Proportion ground_reach{
    "ground reach", 0.2, "height",
    "a limb that ends higher above the ground is no leg",
    PriorOrigin::chosen, on_tests};
inline constexpr Proportion ground_contact{
    "ground contact", 0.1, "height",
    "how far below that it surely stands on the ground",
    PriorOrigin::chosen, "chosen: raised heels and lifted feet are lower"};
inline constexpr Proportion least_rise{
    "least rise", 0.15, "length of the limb",
    "a leg rises at least this much on its way to the body's middle",
    PriorOrigin::chosen, on_tests};
inline constexpr Proportion steep_rise{
    "steep rise", 0.6, "length of the limb",
    "a leg that rises this much is surely one",
    PriorOrigin::chosen, on_tests};
inline constexpr Proportion first_part_rise{
    "rise of the first part", 0.75, "factor",
    "how much the rise of a limb's outer part counts beside that of the whole: the legs of insects and lizards go "
    "up before they go down",
    PriorOrigin::chosen, on_tests};
inline constexpr Proportion long_leg{
    "long leg", 0.15, "size",
    "a limb that sticks out this far is surely a leg",
    PriorOrigin::chosen, on_tests};
inline constexpr Proportion long_arm{
    "long arm", 0.1, "size",
    "a limb that sticks out this far is surely an arm",
    PriorOrigin::chosen, on_tests};
inline constexpr Proportion arm_spread{
    "arm spread", 0.15, "height",
    "an arm whose hand is this far from the mirror plane stands out clearly",
    PriorOrigin::chosen, on_tests};
inline constexpr Proportion low_hand{
    "low hand", 0.15, "size",
    "a limb near the ground that sticks out farther is an arm that hangs low, as an ape's; toes and heels do not",
    PriorOrigin::chosen, on_tests};
inline constexpr Proportion legs_a_body_apart{
    "legs a body apart", 0.25, "height",
    "two pairs of legs that stand farther apart are a quadruped's",
    PriorOrigin::chosen, on_tests};
inline constexpr Proportion wing_prominence{
    "wing", 0.25, "size",
    "a pair that sticks out farther are wings or long arms",
    PriorOrigin::chosen, on_tests};

// --- Kinds.
inline constexpr Proportion upright_body{
    "upright body", 1.2, "height over depth",
    "a body that is higher than deep by this factor stands upright, arms or not",
    PriorOrigin::chosen, on_tests};
inline constexpr Proportion wing_span{
    "wing span", 2.0, "height",
    "arms that span more are wings; a person's span is as large as the height [Winter2009]",
    PriorOrigin::anthropometry, "twice a person's"};
inline constexpr Proportion span_in_flight{
    "wing span in flight", 1.8, "height",
    "the same for a bird in the air, whose legs hang down",
    PriorOrigin::chosen, on_tests};
inline constexpr Proportion span_to_length{
    "wing span to length", 0.6, "length",
    "a bird's wings span at least this much of its length",
    PriorOrigin::chosen, on_tests};
inline constexpr Proportion wings_of_dragon{
    "wings of a quadruped", 0.2, "size",
    "a pair between its legs that sticks out farther are wings",
    PriorOrigin::chosen, "chosen: ears and humps stick out less"};
inline constexpr Proportion wings_beyond_legs{
    "wings beyond the legs", 0.2, "distance between the pairs of legs",
    "wings begin no farther ahead of the front legs or behind the hind legs; antlers do",
    PriorOrigin::chosen, "chosen: shoulders lie above the front legs, heads a neck ahead of them"};
inline constexpr Proportion level_body{
    "level body", 1.3, "depth over height",
    "a body on two legs that is deeper than high by this factor has a level trunk, with a tail behind",
    PriorOrigin::chosen, "chosen: T. rex is three times as long as its hips are high, a person a fifth as deep as tall"};
inline constexpr Proportion tail_behind{
    "tail behind the legs", 0.35, "height",
    "a tail that balances a level trunk reaches this far behind the feet",
    PriorOrigin::chosen, "chosen: more than any coat or cape, less than a chicken's tail"};
inline constexpr Proportion head_ahead{
    "head ahead of the legs", 0.35, "height",
    "the head of a level trunk reaches this far ahead of the feet",
    PriorOrigin::chosen, "chosen: more than an upright kaiju's snout"};

// --- Which way it looks.
inline constexpr Proportion toe_part{
    "toes", 0.12, "way from the toes to the body's middle",
    "the direction of this part of a leg is where the toes point",
    PriorOrigin::chosen, on_tests};
inline constexpr Proportion toes_lie{
    "toes lie", 0.45, "share",
    "toes whose way is this much shorter along up than in all lie on the ground; spikes stand on it",
    PriorOrigin::chosen, on_tests};
inline constexpr Proportion clear_toes{
    "clear toes", 0.04, "size",
    "toes that reach this far ahead of the foot are clear",
    PriorOrigin::chosen, on_tests};
inline constexpr Proportion head_off_plane{
    "head off the plane", 0.06, "size",
    "heads and tails end nearer to the mirror plane; others are half of a pair",
    PriorOrigin::chosen, on_tests};
inline constexpr Proportion head_lift{
    "head lift", 0.25, "height",
    "an end that is higher than the other by this much is the head",
    PriorOrigin::chosen, on_tests};
inline constexpr Proportion ear_height{
    "ears", 0.25, "height",
    "a pair that is this far above the body's middle are ears or horns",
    PriorOrigin::chosen, on_tests};
inline constexpr Proportion ear_ahead{
    "ears ahead", 0.2, "size",
    "ears this far ahead of the middle say that the head is there",
    PriorOrigin::chosen, on_tests};

// --- Which ends belong together (limb_pairs.h).
inline constexpr Proportion on_plane{
    "on the plane", 0.045, "size",
    "an end nearer to the mirror plane has no partner",
    PriorOrigin::chosen, on_tests};
inline constexpr Proportion turned_head{
    "turned head", 0.15, "size",
    "hair or a hat of a head that is turned ends this near to the plane",
    PriorOrigin::chosen, on_tests};
inline constexpr Proportion neck_on_plane{
    "neck on the plane", 0.02, "size",
    "the neck below a turned head is this near to the plane",
    PriorOrigin::chosen, on_tests};
inline constexpr Proportion partner_reach{
    "partner's reach", 1.2, "distance from the plane",
    "two ends near the plane, one on each side, are partners when their mirror gap is smaller",
    PriorOrigin::chosen, on_tests};
inline constexpr Proportion partner_slack{
    "partner's slack", 0.015, "size",
    "what is added to that",
    PriorOrigin::chosen, "chosen: a voxel or two"};
inline constexpr Proportion mirror_gap{
    "mirror gap", 0.08, "size",
    "ends that are nearer to each other's mirror image are a pair",
    PriorOrigin::chosen, on_tests};
inline constexpr Proportion gap_weight{
    "mirror gap, weight", 0.15, "factor",
    "how much the mirror gap counts beside the difference in length, for limbs in two poses",
    PriorOrigin::chosen, on_tests};
inline constexpr Proportion two_poses{
    "limbs in two poses", 0.2, "size",
    "limbs in two poses differ by less",
    PriorOrigin::chosen, on_tests};
inline constexpr Proportion far_out{
    "limbs far out", 0.2, "size",
    "what sticks out farther can be an arm in any pose",
    PriorOrigin::chosen, on_tests};
inline constexpr Proportion two_poses_far_out{
    "limbs far out in two poses", 0.3, "size",
    "arms of which one is raised differ by less",
    PriorOrigin::chosen, on_tests};

// --- Arms that rest against the body, legs that touch.
inline constexpr Proportion highest_shoulder{
    "highest armpit", 0.92, "height",
    "arms leave the trunk below this",
    PriorOrigin::anthropometry, "above any shoulder: 0.82 in adults [Winter2009]"};
inline constexpr Proportion lowest_shoulder{
    "lowest armpit", 0.25, "height",
    "arms leave the trunk above this",
    PriorOrigin::chosen, "chosen: below the shoulders of cartoons two heads tall"};
inline constexpr Proportion cuff{
    "cuff", 0.03, "height",
    "an arm goes on below a cuff or bracelet no higher than this",
    PriorOrigin::chosen, on_tests};
inline constexpr Proportion sleeve_overlap{
    "sleeve", 0.06, "height",
    "a hand begins no higher than this above the end of its sleeve",
    PriorOrigin::chosen, on_tests};
inline constexpr Proportion sleeve_width{
    "width of a sleeve", 0.04, "height",
    "a hand is no farther beside the end of its sleeve",
    PriorOrigin::chosen, on_tests};
inline constexpr Proportion hands_above_ground{
    "hands above the ground", 0.08, "height",
    "what hangs lower than this is no arm",
    PriorOrigin::chosen, on_tests};
inline constexpr Proportion shortest_hanging_pair{
    "shortest hanging arms", 0.1, "height",
    "two arms that hang are longer than this, and begin within it",
    PriorOrigin::chosen, on_tests};
inline constexpr Proportion hanging_lengths{
    "hanging arms, lengths", 1.7, "ratio",
    "two arms that hang differ in length by less",
    PriorOrigin::chosen, on_tests};
inline constexpr Proportion shortest_hanging_arm{
    "shortest hanging arm", 0.15, "height",
    "one arm alone that hangs is longer than this",
    PriorOrigin::chosen, on_tests};
inline constexpr Proportion hand_length{
    "hand", 0.12, "height",
    "a hand reaches no farther below the last inner part of its arm; 0.11 in adults [Winter2009]",
    PriorOrigin::anthropometry, "adults"};
inline constexpr Proportion arm_skin{
    "skin of an arm", 0.03, "height",
    "voxels farther from the arm's inner part are not its surface",
    PriorOrigin::chosen, on_tests};
inline constexpr Proportion crotch_below{
    "crotch", 0.65, "height",
    "the crotch is looked for below this",
    PriorOrigin::anthropometry, "0.47 in adults [Winter2009], with room for long legs"};
inline constexpr Proportion legs_touching{
    "legs touching", 0.02, "height",
    "legs that touch do so for longer than this",
    PriorOrigin::chosen, on_tests};
inline constexpr Proportion shin_height{
    "shins", 0.12, "height",
    "legs are seen apart at this height",
    PriorOrigin::anthropometry, "above the ankles, below the knees: 0.04 and 0.29 in adults [Winter2009]"};
inline constexpr Proportion shins_mirrored{
    "shins mirrored", 0.05, "height",
    "the two legs mirror each other this well there",
    PriorOrigin::chosen, on_tests};
inline constexpr Proportion legs_followed{
    "legs followed", 0.03, "height",
    "legs that are lost sooner on the way up say nothing",
    PriorOrigin::chosen, on_tests};
inline constexpr Proportion cloth_height{
    "cloth between the legs", 0.06, "height",
    "what lies between the legs for longer is cloth, not the lowest part of the trunk",
    PriorOrigin::chosen, on_tests};

}  // namespace sinew::stances
