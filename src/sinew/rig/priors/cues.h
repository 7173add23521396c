// The reasons to trust a fit or to doubt it. Confidence is the product of what they leave (prior.h, plausible).
// Data flow: prior.h → *here* → fit/confidence.h weighs a fit with them; RigResult::cues tells the user.
#pragma once

#include <sinew/rig/priors/prior.h>
#include <limits>

namespace sinew::cues {

// clang-format off

constexpr double unbounded = std::numeric_limits<double>::infinity();

// Where rows say "tuned": on the characters of tests/rig/characters.h that are not held out, in the poses and with the
// things worn of tests/rig/variants.h, so that wrong fits fall below accepted_confidence and right ones do not.
constexpr std::string_view tuned = "tuned: wrong fits of the tests' characters fall below the accepted confidence";
constexpr std::string_view warns_alone = "chosen: this alone is worth a warning";
constexpr std::string_view warns_with_another = "chosen: with another doubt this is worth a warning";

// A question with the answers 1 (yes) and 0 (no); `left` is what a no leaves of the confidence.
constexpr Cue yes_or_no(std::string_view name, double left, std::string_view meaning, std::string_view no,
                        std::string_view source) {
    return {name, 1.0, 1.0, 1.0, left, "yes or no", meaning, no, "", PriorOrigin::chosen, source};
}

// --- The reading: which way is up, which way is ahead, where the mirror plane lies. Every kind.
inline constexpr Cue mirror_overlap{
    "mirror image", 0.85, unbounded, 0.3, 0.5, "share of the body",
    "how much of the body its mirror image covers",
    "the left and the right side look different", "",
    PriorOrigin::chosen, tuned};
inline constexpr Cue facing_margin{
    "facing", 0.25, unbounded, 0.25, 0.45, "score",
    "how much more speaks for the facing direction than for its opposite",
    "front and back look alike", "",
    PriorOrigin::chosen, "tuned: where nothing speaks for either way, one of two is wrong, and the confidence is below one half"};
inline constexpr Cue front_like_back{
    "front and back", 0.0, 0.88, 0.06, 0.45, "share of a level",
    "how much its image covers when front and back change places, where that is least",
    "", "front and back are the same shape, so it may face either way; give its facing direction",
    PriorOrigin::chosen, "chosen: a doll of tubes that is the same on both sides covers itself; people cover less"};
inline constexpr Cue up_score{
    "up", 0.6, unbounded, 0.5, 0.4, "score",
    "how clearly it stands on legs and has arms",
    "it is not clear which way is up", "",
    PriorOrigin::chosen, tuned};
inline constexpr Cue bones_inside{
    "bones inside", 0.92, 1.0, 0.3, 0.3, "share of the bones' length",
    "how much of the bones' length lies inside the solid",
    "bones leave the body", "",
    PriorOrigin::chosen, tuned};

// --- Biped.
inline constexpr Cue crotch_to_shoulders{
    "crotch height", 0.3, 0.68, 0.15, 0.3, "share of the shoulders' height",
    "height of the crotch over the height of the shoulders; 0.57 in adults [Winter2009]",
    "the legs look much too short for the body", "the legs look much too long for the body",
    PriorOrigin::anthropometry, "adults, widened to cartoons two heads tall and to long-legged figures",
    {0.34, 0.63}};
inline constexpr Cue thigh_to_shin{
    "thigh to shin", 0.72, 2.0, 0.3, 0.7, "ratio",
    "length of the thigh over the length of the shin; 1.0 in adults [Winter2009]. A thigh that is much shorter "
    "begins too low: something hides where the legs part",
    "the thighs look much shorter than the shins", "the thighs look much longer than the shins",
    PriorOrigin::anthropometry, "adults, widened to what artists' rigs show", {0.83, 1.52}};
inline constexpr Cue feet_level{
    "feet level", 0.0, 0.15, 0.15, 0.3, "share of the height",
    "difference in height between the two ankles: both feet stand on the ground",
    "", "one foot is much higher than the other",
    PriorOrigin::chosen, tuned, {0, 0.12}};
inline constexpr Cue arms_found = yes_or_no(
    "arms found", 0.5,
    "whether a pair of arms was found",
    "no arms were found",
    warns_alone);
inline constexpr Cue left_arm_to_torso{
    "left arm to torso", 0.6, 1.6, 0.5, 0.3, "ratio",
    "length of the arm to the wrist over the height from crotch to shoulders; 0.95 in adults [Winter2009]",
    "the left arm looks much too short for the torso", "the left arm looks much too long for the torso",
    PriorOrigin::anthropometry, "adults, widened to what artists' rigs show", {0.8, 0.97}};
inline constexpr Cue left_upper_arm_share{
    "left upper arm", 0.4, 0.65, 0.2, 0.3, "share of the arm's length",
    "length of the upper arm over the length of the arm to the wrist; 0.56 in adults [Winter2009]",
    "the left elbow is too close to the shoulder", "the left elbow is too close to the wrist",
    PriorOrigin::anthropometry, "adults, widened to what artists' rigs show", {0.42, 0.57}};

// The same row for the other arm.
constexpr Cue of_right_arm(Cue cue, std::string_view name, std::string_view too_low, std::string_view too_high) {
    cue.name = name, cue.too_low = too_low, cue.too_high = too_high;
    return cue;
}
inline constexpr Cue right_arm_to_torso = of_right_arm(
    left_arm_to_torso, "right arm to torso", "the right arm looks much too short for the torso",
    "the right arm looks much too long for the torso");
inline constexpr Cue right_upper_arm_share = of_right_arm(
    left_upper_arm_share, "right upper arm", "the right elbow is too close to the shoulder",
    "the right elbow is too close to the wrist");

inline constexpr Cue arms_equal{
    "arms equal", 0.87, 1.15, 0.2, 0.3, "ratio",
    "length of the left arm over the length of the right",
    "the left arm looks much shorter than the right", "the left arm looks much longer than the right",
    PriorOrigin::chosen, tuned, {1, 1}};
inline constexpr Cue shoulders_mirrored{
    "shoulders mirrored", 0.0, 0.03, 0.08, 0.3, "share of the height",
    "how far one shoulder is from the mirror image of the other",
    "", "the shoulders are at different places on the left and on the right",
    PriorOrigin::chosen, tuned, {0, 0.01}};
inline constexpr Cue shoulders_beside_chest{
    "shoulders beside the chest", 0.42, unbounded, 0.15, 0.4, "share of half the chest's width",
    "how far out the shoulders are beside the chest. Arms that were followed deep into a broad body end near its "
    "middle",
    "the shoulders lie too deep inside the chest", "",
    PriorOrigin::chosen, tuned, {0.56, 1.36}};
inline constexpr Cue shoulder_width{
    "shoulder width", 0.15, 0.5, 0.15, 0.3, "ratio",
    "how far out the shoulders are over the height from crotch to shoulders; 0.37 in adults [Winter2009]",
    "the shoulders look much too narrow for the torso", "the shoulders look much too wide for the torso",
    PriorOrigin::anthropometry, "adults, widened to what artists' rigs show", {0.19, 0.37}};
inline constexpr Cue head_height{
    "head size", 0.07, 0.55, 0.1, 0.3, "share of the height",
    "height of the head above the narrowest part of the neck; 0.13 in adults [Winter2009], half in cartoons",
    "the head looks much too small", "the head looks much too large",
    PriorOrigin::anthropometry,
    "adults, widened to small heads of monsters (0.07) and to cartoons two heads tall (0.55)"};
inline constexpr Cue neck_seen{
    "neck", 0.12, 1.0, 0.12, 0.8, "share of the area",
    "how much smaller a cut through the neck is than through head and shoulders",
    "no neck can be seen between head and shoulders", "",
    PriorOrigin::chosen, tuned};
inline constexpr Cue shoulder_height{
    "shoulder height", 0.4, 0.9, 0.1, 0.3, "share of the height",
    "height of the shoulders; 0.82 in adults [Winter2009]",
    "the shoulders look much too low", "the shoulders look much too high",
    PriorOrigin::anthropometry, "adults, widened to cartoons two heads tall (0.4)", {0.47, 0.82}};
inline constexpr Cue head_inside = yes_or_no(
    "head inside", 0.5,
    "whether the head's joint lies inside the solid",
    "the head's joint is outside the body",
    warns_alone);
inline constexpr Cue torso_height{
    "torso height", 0.2, 0.5, 0.12, 0.3, "share of the height",
    "height from crotch to shoulders; 0.35 in adults [Winter2009]",
    "the torso looks much too short", "the torso looks much too long",
    PriorOrigin::anthropometry, "adults, widened to what artists' rigs show", {0.29, 0.35}};
inline constexpr Cue depth{
    "depth", 0.0, 0.9, 0.6, 0.55, "share of the height",
    "how far the body reaches from back to front. With a long tail or snout it is no person, and people's "
    "proportions say little",
    "", "it reaches far forward or back, as no person does",
    PriorOrigin::chosen, tuned};

// --- Quadruped.
inline constexpr Cue front_legs_equal{
    "front legs equal", 0.8, 1.25, 0.3, 0.3, "ratio",
    "length of the left front leg over the length of the right",
    "the left front leg looks much shorter than the right", "the left front leg looks much longer than the right",
    PriorOrigin::chosen, tuned};
inline constexpr Cue hind_legs_equal{
    "hind legs equal", 0.8, 1.25, 0.3, 0.3, "ratio",
    "length of the left hind leg over the length of the right",
    "the left hind leg looks much shorter than the right", "the left hind leg looks much longer than the right",
    PriorOrigin::chosen, tuned};
inline constexpr Cue front_leg_length{
    "front leg length", 0.15, 0.9, 0.15, 0.3, "share of the height",
    "length of a front leg from its first joint to the foot",
    "the front legs look much too short", "the front legs look much too long",
    PriorOrigin::measured, "artists' quadrupeds, widened", {0.34, 0.54}};
inline constexpr Cue hind_leg_length{
    "hind leg length", 0.15, 0.9, 0.15, 0.3, "share of the height",
    "length of a hind leg from the hip to the foot",
    "the hind legs look much too short", "the hind legs look much too long",
    PriorOrigin::measured, "artists' quadrupeds, widened", {0.3, 0.44}};
inline constexpr Cue animal_trunk_length{
    "trunk length", 0.3, 2.5, 0.25, 0.3, "share of the height",
    "distance from the hips to the withers",
    "the trunk looks much too short", "the trunk looks much too long",
    PriorOrigin::measured, "artists' quadrupeds, widened", {0.5, 0.8}};
inline constexpr Cue legs_apart{
    "legs apart", 0.36, 9.0, 0.1, 0.3, "share of the height",
    "how far the front legs stand ahead of the hind legs. The corners of a cape are no hind legs: they are too "
    "close",
    "the front and hind legs stand too close together", "the front and hind legs stand too far apart",
    PriorOrigin::measured, "artists' quadrupeds; capes on the tests' bipeds stay below 0.36", {0.45, 0.91}};
inline constexpr Cue animal_head_found = yes_or_no(
    "head found", 0.7,
    "whether a head was found ahead of the withers",
    "no head was found",
    "chosen: legs and trunk are right more often than not");

// --- Dinosaur.
inline constexpr Cue dinosaur_leg_length{
    "leg length", 0.2, 0.85, 0.15, 0.3, "share of the height",
    "length of a leg of a beast on two legs from the hip to the foot",
    "the legs look much too short", "the legs look much too long",
    PriorOrigin::chosen, "chosen: from ducks to ostriches"};
inline constexpr Cue tail_found = yes_or_no(
    "tail found", 0.6,
    "whether a tail was found behind a level trunk on two legs",
    "no tail was found to balance the trunk",
    warns_with_another);

// --- Bird.
inline constexpr Cue placed_by_search = yes_or_no(
    "placed by its parts", 0.9,
    "whether the joints were placed by parts that are seen: a bird's are placed by search",
    "a bird's joints are placed by search",
    "chosen: the tests' birds are placed well, but there are only two");
inline constexpr Cue wings_equal{
    "wings equal", 0.85, 1.18, 0.3, 0.3, "ratio",
    "length of the left wing over the length of the right",
    "the left wing looks much shorter than the right", "the left wing looks much longer than the right",
    PriorOrigin::chosen, tuned};
inline constexpr Cue bird_facing{
    "head or tail", 0.6, unbounded, 0.3, 0.45, "score",
    "how much more speaks for the facing direction than for its opposite. In flight a tail looks as much like a "
    "head as the head does",
    "it is not clear which end is the head and which the tail", "",
    PriorOrigin::chosen, tuned};
inline constexpr Cue bird_joints_inside{
    "joints inside", 0.7, 1.0, 0.5, 0.3, "share of the joints",
    "how many of the joints lie inside the solid: wings are thin",
    "joints lie outside the body", "",
    PriorOrigin::chosen, tuned};
inline constexpr Cue bird_complete = yes_or_no(
    "bird complete", 0.7,
    "whether all parts of a bird were found",
    "parts of a bird are missing",
    warns_with_another);
inline constexpr Cue like_the_template{
    "like a bird", 0.5, 1.0, 0.4, 0.35, "confidence of the search",
    "how much the body looks like the bird's template. A person who lies face down has two legs and a wing span, "
    "too",
    "its shape differs much from a bird's", "",
    PriorOrigin::chosen, tuned};

// --- How it was found. These make a fit less sure, but no worse than others of the same body.
inline constexpr Cue seen_at_first = yes_or_no(
    "seen at first sight", 0.9,
    "whether arms and legs were seen without cutting or reposing the body",
    "arms or legs were only found on a closer look",
    "chosen: right a little less often on the tests' characters");
inline constexpr Cue stands_straight = yes_or_no(
    "stands straight", 0.7,
    "whether up is one of the mesh's axes when left is one",
    "it seems to stand tilted; give its up direction if it does not",
    "chosen: meshes are rarely modelled tilted");
inline constexpr Cue stands_as_told = yes_or_no(
    "stands as told", 0.54,
    "whether up is what the file says it is: +Y in glTF",
    "it seems to stand another way than its file says; give its up direction",
    warns_alone);
inline constexpr Cue walks_upright = yes_or_no(
    "walks upright", 0.54,
    "whether hands and feet of a person do not lie in one plane ahead of the chest, as those of a frog do",
    "it may crawl on all fours rather than stand; give its up direction",
    warns_alone);
inline constexpr Cue kind_known = yes_or_no(
    "kind known", 0.8,
    "whether a body with pairs of long limbs is of a known kind",
    "it has pairs of limbs, but looks like no known kind of creature",
    "chosen: it is likely a creature in a hard pose");
inline constexpr Cue kind_as_asked = yes_or_no(
    "kind as asked", 0.75,
    "whether the body shows the parts of the kind that was asked for",
    "the parts of the kind that was asked for were not found",
    warns_with_another);
inline constexpr Cue encloses_volume = yes_or_no(
    "volume", 0.75,
    "whether the mesh encloses anything",
    "the mesh encloses nothing",
    warns_with_another);
inline constexpr Cue one_body = yes_or_no(
    "one body", 0.75,
    "whether the mesh is one body",
    "the mesh is made of parts that lie apart",
    warns_with_another);

// --- Rigs that are not fitted to a kind.
inline constexpr Cue grown = yes_or_no(
    "fitted to a kind", 0.7,
    "whether the joints are those of a known kind, and not grown from the shape's branches",
    "the rig is grown from the shape's branches",
    "chosen: above the accepted confidence, since no answer is wrong");
inline constexpr Cue some_kind = yes_or_no(
    "some kind", 0.54,
    "whether it looks like any known kind of creature, where nobody said that it is none",
    "it looks like no known kind of creature",
    "chosen: 0.9 of the accepted confidence, so that a person whom it does not see is never accepted without a look");
inline constexpr Cue clear_kind = yes_or_no(
    "clear kind", 0.54,
    "whether it is clearly the kind of creature it looks most like",
    "it looks like a creature of a known kind, but not clearly",
    "chosen: 0.9 of the accepted confidence, so that it is never accepted without a look");
inline constexpr Cue template_found{
    "template found", 1.0, 1.0, 1.0, 0.05, "confidence of the search",
    "how well the template's bones lie in the body, and how much better than turned another way",
    "the template lies badly in the body, or another way round as well", "",
    PriorOrigin::chosen, tuned};

}  // namespace sinew::cues
