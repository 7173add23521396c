// Proportions of people, and of whatever else stands on two legs: where joints lie that the shape does not show.
// Data flow: prior.h → *here* → fit/biped*.cpp, fit/fingers.cpp, fit/tail.cpp.
//
// Shares along a limb are counted from its tip: along an arm from the fingertips to the shoulder, along a leg from the
// toes. [Winter2009] gives adults' segments as shares of the height H: ankle 0.039, knee 0.285, hip joint 0.530,
// shoulder 0.818 and chin 0.870 high; upper arm 0.186, forearm 0.146 and hand 0.108 long; shoulders 0.129 and hips
// 0.096 from the middle. It does not give the crotch, which is at about 0.47.
#pragma once

#include <sinew/rig/priors/prior.h>

namespace sinew::people {

// clang-format off

// Fitted by hand until joints came closest to the artists', on the bipeds of tests/rig/characters.h that are not held
// out: male, zombie, knight, figure, MakeHuman's base.
constexpr std::string_view nearest_to_artists =
    "fitted to the artists' joints of the tests' bipeds, held-out ones left out";
constexpr std::string_view of_adults = "adults [Winter2009], checked on the tests' bipeds";
constexpr std::string_view beyond_all = "chosen: beyond what any of the tests' bipeds has";

// --- Legs.
inline constexpr Proportion ankle_height{
    "ankle height", 0.14, "height of the crotch",
    "height of the ankle, where the shape does not show it",
    PriorOrigin::measured, nearest_to_artists, {0.08, 0.35}};
inline constexpr Proportion highest_ankle{
    "highest ankle", 0.45, "height of the crotch",
    "an ankle is lower than this: what narrows higher up is the cuff of a boot",
    PriorOrigin::chosen, beyond_all};
inline constexpr Proportion ankle_above_heel{
    "ankle above the heel", 0.006, "height",
    "how far the ankle lies behind the slice that reaches the heel",
    PriorOrigin::measured, nearest_to_artists};
inline constexpr Proportion knee_share{
    "knee", 0.49, "ankle to hip, along the leg",
    "where the knee lies on the way from the ankle to the hip",
    PriorOrigin::anthropometry, of_adults, {0.39, 0.55}};
inline constexpr Proportion lowest_knee{
    "lowest knee", 0.3, "ankle to hip, along the leg",
    "a knee that bends lies above this",
    PriorOrigin::chosen, beyond_all};
inline constexpr Proportion highest_knee{
    "highest knee", 0.68, "ankle to hip, along the leg",
    "a knee that bends lies below this",
    PriorOrigin::chosen, beyond_all};
inline constexpr Proportion bent_knee{
    "bent knee", 0.02, "height",
    "a knee farther ahead of the line from hip to ankle than this is seen to bend",
    PriorOrigin::chosen, "chosen: calves and shoes push the middle of a straight leg by less"};
inline constexpr Proportion bent_knee_sure{
    "surely bent knee", 0.015, "height",
    "how much farther ahead the knee is trusted altogether",
    PriorOrigin::chosen, "chosen: a soft change"};
inline constexpr Proportion hip_rise{
    "hip rise", 0.14, "crotch to shoulders",
    "how far the hip joints lie above the crotch",
    PriorOrigin::anthropometry, of_adults, {-0.04, 0.21}};
inline constexpr Proportion ball_share{
    "ball of the foot", 0.45, "toes to ankle, along the foot",
    "where the toes bend",
    PriorOrigin::measured, nearest_to_artists, {0.28, 0.77}};
inline constexpr Proportion highest_ball{
    "highest ball of the foot", 0.5, "height of the ankle",
    "the toes' joint lies no higher than this",
    PriorOrigin::measured, nearest_to_artists};
inline constexpr Proportion highest_crotch{
    "highest crotch", 0.7, "height",
    "no crotch is higher than this",
    PriorOrigin::chosen, beyond_all, {0.16, 0.52}};
inline constexpr Proportion gap_between_legs{
    "gap between the legs", 0.02, "height",
    "legs that are apart for this much of the height are parted: more than a fold",
    PriorOrigin::chosen, "chosen: knees that touch, straps and buckles leave shorter gaps"};
inline constexpr Proportion leg_depth{
    "depth of the legs", 0.05, "height",
    "how far ahead and behind a leg's middle something between the legs can be",
    PriorOrigin::chosen, "chosen: half the depth of a thigh"};

// --- Arms.
inline constexpr Proportion shortest_arm{
    "shortest arm", 0.12, "height",
    "a shoulder is at least this far from the fingertips",
    PriorOrigin::chosen, "chosen: shorter than on any of the tests' bipeds"};
inline constexpr Proportion hand_in_way{
    "hand in the way to the shoulder", 0.4, "way from the fingertips to the body's middle",
    "the shoulder is farther along than this: what widens sooner is the palm behind a finger",
    PriorOrigin::chosen, "chosen: beyond any palm, before any shoulder"};
inline constexpr Proportion fingertip{
    "fingertip", 0.05, "height",
    "slices nearer to the fingertip than this say nothing of the arm's thickness",
    PriorOrigin::chosen, "chosen: half a hand"};
inline constexpr Proportion longest_arm{
    "longest arm", 0.5, "height",
    "slices farther back than this say nothing of the arm's thickness",
    PriorOrigin::anthropometry, "an adult's arm with the hand is 0.44 of the height [Winter2009]"};
inline constexpr Proportion wrist_share{
    "wrist", 0.31, "fingertips to shoulder",
    "where the wrist lies when the hand does not show it; 0.25 in adults [Winter2009]",
    PriorOrigin::measured, nearest_to_artists, {0.2, 0.32}};
inline constexpr Proportion elbow_share{
    "elbow", 0.63, "fingertips to shoulder",
    "where the elbow lies when the arm is straight; 0.58 in adults [Winter2009]",
    PriorOrigin::measured, nearest_to_artists, {0.6, 0.69}};
inline constexpr Proportion upper_arm_share{
    "upper arm", 0.37, "shoulder to fingertips",
    "what an arm that is found to be longer at the shoulder adds to the elbow: the rest of `elbow`",
    PriorOrigin::measured, "1 − 0.63, see elbow"};
inline constexpr Proportion shoulder_above_slice{
    "shoulder above the slice", 0.007, "height",
    "how far the joint lies above the middle of the slice where the arm begins",
    PriorOrigin::measured, nearest_to_artists};
inline constexpr Proportion shoulder_of_hanging_arm{
    "shoulder of a hanging arm", 0.02, "height",
    "how much farther up and in the joint lies when the arm hangs: the armpit pulls the slice down and out",
    PriorOrigin::measured, nearest_to_artists};
inline constexpr Proportion shoulder_below_neck{
    "shoulder below the neck", 0.06, "height",
    "how far the shoulders lie below the narrowest part of the neck",
    PriorOrigin::measured, nearest_to_artists, {0.05, 0.07}};
inline constexpr Proportion highest_raise{
    "highest raise of a shoulder", 0.2, "height",
    "a shoulder is raised by this much at most",
    PriorOrigin::chosen, "chosen: a guard against necks that were not seen"};
inline constexpr Proportion narrowest_shoulders{
    "narrowest shoulders", 0.2, "crotch to shoulders",
    "shoulders are at least this far from the middle; 0.37 in adults [Winter2009]",
    PriorOrigin::measured, nearest_to_artists, {0.19, 0.37}};
inline constexpr Proportion widest_shoulders{
    "widest shoulders", 0.42, "crotch to shoulders",
    "shoulders are about this far from the middle at most: pads and sleeves reach farther",
    PriorOrigin::measured, nearest_to_artists, {0.19, 0.37}};
inline constexpr Proportion narrower_below_large_head{
    "narrower below a large head", 0.11, "crotch to shoulders",
    "how much narrower the widest shoulders are below a large head",
    PriorOrigin::measured, nearest_to_artists};
inline constexpr Proportion large_head{
    "large head", 0.25, "height",
    "a head higher than this is a cartoon's; 0.13 in adults [Winter2009]",
    PriorOrigin::chosen, "chosen: between people and cartoons"};
inline constexpr Proportion largest_head{
    "very large head", 0.15, "height",
    "how much higher still it is altogether a cartoon's",
    PriorOrigin::chosen, "chosen: a soft change up to 0.4, the knight's"};
inline constexpr Proportion arm_to_torso{
    "arm to torso", 1.4, "crotch to shoulders",
    "length of an arm with its hand; 1.26 in adults [Winter2009]",
    PriorOrigin::anthropometry, of_adults, {1.08, 1.42}};
inline constexpr Proportion longest_arm_to_torso{
    "longest arm to torso", 2.2, "crotch to shoulders",
    "an arm that is longer than this holds something in its hand",
    PriorOrigin::chosen, beyond_all};
// Where no arms are seen: they hang beside the body. Shares of the height.
inline constexpr Proportion unseen_shoulder_out{
    "unseen shoulder", 0.1, "height",
    "how far from the middle the shoulders are, where no arm is seen; 0.13 in adults, cloaks hide narrow ones",
    PriorOrigin::chosen, "chosen: inside a cloak", {0.05, 0.12}};
inline constexpr Proportion unseen_elbow_out{
    "unseen elbow, out", 0.03, "height",
    "how far out from the shoulder the elbow is, where no arm is seen",
    PriorOrigin::chosen, "chosen: a hanging arm"};
inline constexpr Proportion unseen_elbow_down{
    "unseen elbow, down", 0.15, "height",
    "how far below the shoulder the elbow is, where no arm is seen; 0.19 in adults [Winter2009]",
    PriorOrigin::anthropometry, "adults, shortened for cartoons", {0.1, 0.17}};
inline constexpr Proportion unseen_hand_out{
    "unseen hand, out", 0.05, "height",
    "how far out from the shoulder wrist and fingertips are, where no arm is seen",
    PriorOrigin::chosen, "chosen: a hanging arm"};
inline constexpr Proportion unseen_wrist_down{
    "unseen wrist, down", 0.28, "height",
    "how far below the shoulder the wrist is, where no arm is seen; 0.33 in adults [Winter2009]",
    PriorOrigin::anthropometry, "adults, shortened for cartoons", {0.25, 0.32}};
inline constexpr Proportion unseen_tip_down{
    "unseen fingertips, down", 0.36, "height",
    "how far below the shoulder the fingertips are, where no arm is seen; 0.44 in adults [Winter2009]",
    PriorOrigin::anthropometry, "adults, shortened for cartoons", {0.34, 0.44}};

// --- Trunk and head.
inline constexpr Proportion collar_out{
    "collar bone, out", 0.22, "distance of the shoulder from the middle",
    "where the collar bone begins, from the middle",
    PriorOrigin::measured, nearest_to_artists, {0.09, 0.27}};
inline constexpr Proportion collar_below_shoulder{
    "collar bone, below the shoulder", 0.01, "height",
    "how far below the shoulder the collar bone begins",
    PriorOrigin::measured, nearest_to_artists, {-0.02, 0.02}};
inline constexpr Proportion unseen_shoulder_height{
    "unseen shoulder height", 0.62, "crotch to the top of the head",
    "height of the shoulders, where no arm is seen; 0.66 in adults [Winter2009]",
    PriorOrigin::anthropometry, of_adults, {0.37, 0.65}};
inline constexpr Proportion pelvis_rise{
    "pelvis", 0.13, "crotch to shoulders",
    "how far the middle of the pelvis lies above the crotch",
    PriorOrigin::measured, nearest_to_artists, {0.02, 0.21}};
inline constexpr Proportion sacrum_behind{
    "sacrum", 0.015, "height",
    "how far the pelvis' joint lies behind the middle of the cut",
    PriorOrigin::measured, nearest_to_artists};
inline constexpr Proportion trunk_half_width{
    "trunk, half its width", 0.25, "height",
    "a trunk is no wider than this to either side: what is farther out is an arm",
    PriorOrigin::chosen, beyond_all};
inline constexpr Proportion head_half_width{
    "head, half its width", 0.3, "height",
    "a head is no wider than this to either side",
    PriorOrigin::chosen, beyond_all};
inline constexpr Proportion head_off_middle{
    "head off the middle", 0.12, "height",
    "the top of a head is no farther from the middle than this",
    PriorOrigin::chosen, "chosen: a head that leans"};
inline constexpr Proportion head_above_shoulders{
    "head above the shoulders", 0.02, "height",
    "the top of a head is at least this far above the shoulders",
    PriorOrigin::chosen, "chosen: hunchbacks have less"};
inline constexpr Proportion head_without_neck{
    "head, the upper part", 0.2, "shoulders to the top of the head",
    "the neck is not looked for in this upper part of the head",
    PriorOrigin::chosen, "chosen: a skull narrows towards its top"};
inline constexpr Proportion highest_neck{
    "highest neck", 0.4, "crotch to shoulders",
    "the neck is no farther above the shoulders than this: hats and hair are narrow, too",
    PriorOrigin::chosen, beyond_all};
inline constexpr Proportion neck_not_seen{
    "unseen neck", 0.3, "shoulders to the top of the head",
    "where the neck is narrowest, when no cut shows it",
    PriorOrigin::anthropometry, of_adults};
inline constexpr Proportion short_neck{
    "short neck", 0.05, "height",
    "how far above the shoulders a head begins that sits on them; 0.05 to the chin in adults [Winter2009]",
    PriorOrigin::anthropometry, of_adults};
inline constexpr Proportion neck_contrast_least{
    "faint neck", 0.1, "share of the area",
    "a neck that narrows by less is not seen",
    PriorOrigin::chosen, "chosen: folds of a collar narrow by less"};
inline constexpr Proportion neck_contrast_sure{
    "sure neck", 0.2, "share of the area",
    "how much more a neck narrows that is trusted altogether",
    PriorOrigin::chosen, "chosen: a soft change"};
inline constexpr Proportion clear_neck{
    "clear neck", 0.3, "share of the area",
    "a neck that narrows by this much decides how high the shoulders are",
    PriorOrigin::chosen, "chosen: the sure end of `sure neck`"};
inline constexpr Proportion neck_share{
    "neck joint", 0.3, "shoulders to the narrowest part of the neck",
    "where the neck's joint lies",
    PriorOrigin::measured, nearest_to_artists};
inline constexpr Proportion head_above_neck{
    "head joint", 0.01, "height",
    "how far the head's joint lies above the narrowest part of the neck",
    PriorOrigin::measured, nearest_to_artists, {-0.02, 0.06}};
inline constexpr Proportion spine_share{
    "spine joint", 0.19, "pelvis to neck",
    "where the first joint of the spine lies",
    PriorOrigin::measured, nearest_to_artists, {0.13, 0.39}};
inline constexpr Proportion chest_share{
    "chest joint", 0.42, "pelvis to neck",
    "where the second joint of the spine lies",
    PriorOrigin::measured, nearest_to_artists, {0.41, 0.89}};
inline constexpr Proportion upper_chest_share{
    "upper chest joint", 0.68, "pelvis to neck",
    "where the third joint of the spine lies",
    PriorOrigin::measured, nearest_to_artists, {0.68, 0.78}};

// --- Hands. Shares of the hand's length, from the wrist to the farthest fingertip.
inline constexpr Proportion hand_behind_wrist{
    "hand, behind the wrist", 0.15, "hand",
    "triangles this far behind the wrist still belong to the hand",
    PriorOrigin::chosen, "chosen: so that the hand is closed at the wrist"};
inline constexpr Proportion hand_beyond_tip{
    "hand, beyond the tip", 1.6, "hand",
    "triangles this far from the wrist still belong to the hand",
    PriorOrigin::chosen, "chosen: fingers that spread reach beyond the farthest one's line"};
inline constexpr Proportion hand_half_width{
    "hand, half its width", 0.9, "hand",
    "triangles this far beside the line to the tip still belong to the hand",
    PriorOrigin::chosen, "chosen: a thumb that is spread"};
inline constexpr Proportion finger_prominence{
    "finger", 0.13, "way from the wrist to the farthest fingertip",
    "what sticks out by less is a knuckle",
    PriorOrigin::chosen, "chosen: the tests' hands show the fingers they have"};
inline constexpr Proportion nearest_fingertip{
    "nearest fingertip", 0.3, "hand",
    "a fingertip is farther from the wrist than this",
    PriorOrigin::chosen, "chosen: a thumb's tip is at about half"};
inline constexpr Proportion shortest_finger{
    "shortest finger", 0.12, "hand",
    "a finger is longer than this",
    PriorOrigin::chosen, "chosen: shorter than on any of the tests' hands"};
inline constexpr Proportion finger_tip_part{
    "tip of a finger", 0.048, "hand",
    "slices nearer to the tip than this say nothing of a finger's thickness",
    PriorOrigin::chosen, "chosen: a fingernail"};
inline constexpr Proportion longest_finger{
    "longest finger", 0.75, "hand",
    "a finger is shorter than this",
    PriorOrigin::chosen, "chosen: longer than on any of the tests' hands"};
inline constexpr Proportion finger_first{
    "finger, first joint", 1.08, "finger, from its tip",
    "where the first joint lies: inside the palm",
    PriorOrigin::measured, nearest_to_artists};
inline constexpr Proportion finger_second{
    "finger, second joint", 0.58, "finger, from its tip",
    "where the second joint lies",
    PriorOrigin::measured, nearest_to_artists};
inline constexpr Proportion finger_third{
    "finger, third joint", 0.28, "finger, from its tip",
    "where the third joint lies",
    PriorOrigin::measured, nearest_to_artists};
inline constexpr Proportion thumb_base{
    "base of the thumb", 0.85, "mean of the other fingers' bases",
    "a thumb leaves the hand nearer to the wrist than this",
    PriorOrigin::chosen, "chosen: without such a finger the hand is not understood"};

// --- Tails.
inline constexpr Proportion shortest_tail_tip{
    "tip of a tail", 0.12, "height",
    "the tip of a tail is at least this far behind the hips, and sticks out as much",
    PriorOrigin::chosen, "chosen: backsides and coat tails reach less far"};
inline constexpr Proportion tail_off_middle{
    "tail off the middle", 0.06, "height",
    "the tip of a short tail is no farther from the middle than this",
    PriorOrigin::chosen, "chosen: half a hip's width"};
inline constexpr Proportion tail_swing{
    "tail's swing", 0.2, "distance behind the hips",
    "how much farther from the middle a longer tail may swing",
    PriorOrigin::chosen, "chosen: about 11 degrees"};
inline constexpr Proportion tail_root_thickness{
    "root of a tail", 0.5, "area of a cut through the hips",
    "a tail begins where it is this much thinner than the trunk",
    PriorOrigin::chosen, "chosen: tails of the tests' animals are thinner still"};
inline constexpr Proportion tail_root_behind{
    "root of a tail, behind the hips", 0.04, "height",
    "a tail begins at least this far behind the hips",
    PriorOrigin::chosen, "chosen: outside the pelvis"};
inline constexpr Proportion shortest_tail{
    "shortest tail", 0.08, "height",
    "a shorter tail gets no joints",
    PriorOrigin::chosen, "chosen: too short to swing"};
inline constexpr Proportion shortest_biped_tail{
    "shortest tail of a biped", 0.15, "height",
    "a shorter tail of a biped gets no joints",
    PriorOrigin::chosen, "chosen: swords, bags and coat tails reach less far"};
inline constexpr Proportion tail_bone{
    "bone of a tail", 0.18, "height",
    "a tail gets one more joint for each of these",
    PriorOrigin::chosen, "chosen: as artists' tails have them"};

}  // namespace sinew::people
