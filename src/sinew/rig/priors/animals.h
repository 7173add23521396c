// Proportions of four-legged animals: where joints lie that the shape does not show.
// Data flow: prior.h → *here* → fit/quadruped.cpp, fit/quadruped_legs.cpp.
//
// C is the height at which the two legs of a pair meet, "back" the height of the back, H the height of the body. Many
// rows come twice: `slender` for legs like a horse's, `paw` for legs of animals that walk on paws, whose upper joints
// are hidden in the trunk.
#pragma once

#include <sinew/rig/priors/prior.h>

namespace sinew::animals {

// clang-format off

// Fitted by hand on the quadrupeds of tests/rig/characters.h that are not held out: fox, panda, horse, Khronos' fox.
constexpr std::string_view nearest_to_artists =
    "fitted to the artists' joints of the tests' quadrupeds, held-out ones left out";

inline constexpr Proportion slender_leg{
    "slender leg", 0.08, "C",
    "half the depth of a leg that is slender, as a horse's",
    PriorOrigin::measured, nearest_to_artists};
inline constexpr Proportion paw_leg{
    "thicker leg", 0.03, "C",
    "how much more it is on animals that walk on paws, as a fox",
    PriorOrigin::measured, nearest_to_artists};
inline constexpr Proportion lowest_back{
    "lowest back", 1.2, "C",
    "a back is at least this high",
    PriorOrigin::chosen, "chosen: a sag between the legs must not put the back below the belly"};

// --- Front legs.
inline constexpr Proportion front_upper_slender{
    "front upper joint, slender", 0.12, "C to the back",
    "height of a front leg's first joint above C",
    PriorOrigin::measured, nearest_to_artists, {0.09, 0.25}};
inline constexpr Proportion front_upper_paw{
    "front upper joint, paw", 0.33, "C to the back",
    "height of a front leg's first joint above C",
    PriorOrigin::measured, nearest_to_artists, {0.24, 0.54}};
inline constexpr Proportion front_upper_ahead_slender{
    "front upper joint ahead, slender", 0.015, "H",
    "how far the first joint lies ahead of the leg's line",
    PriorOrigin::measured, nearest_to_artists};
inline constexpr Proportion front_upper_ahead_paw{
    "front upper joint ahead, paw", 0.03, "H",
    "how far the first joint lies ahead of the leg's line",
    PriorOrigin::measured, nearest_to_artists};
inline constexpr Proportion front_lower_slender{
    "front lower joint, slender", 0.6, "C",
    "height of a front leg's second joint",
    PriorOrigin::measured, nearest_to_artists, {0.58, 0.61}};
inline constexpr Proportion front_lower_paw{
    "front lower joint, paw", 0.735, "C",
    "height of a front leg's second joint",
    PriorOrigin::measured, nearest_to_artists, {0.7, 0.83}};
inline constexpr Proportion front_foot_slender{
    "front foot, slender", 0.235, "C",
    "height of a front foot's joint",
    PriorOrigin::measured, nearest_to_artists, {0.17, 0.25}};
inline constexpr Proportion front_foot_paw{
    "front foot, paw", 0.2, "C",
    "height of a front foot's joint",
    PriorOrigin::measured, nearest_to_artists, {0.17, 0.21}};
inline constexpr Proportion front_shin{
    "front shin", 0.35, "C",
    "height at which the shin stands over its foot",
    PriorOrigin::chosen, "chosen: above the foot, below the second joint"};
inline constexpr Proportion front_toes{
    "front toes", 0.08, "C",
    "height of a front foot's toes",
    PriorOrigin::measured, nearest_to_artists};
inline constexpr Proportion thigh{
    "thigh", 0.9, "C",
    "height at which a leg's line is still the leg's own",
    PriorOrigin::chosen, "chosen: a little below where the legs meet"};

// --- Hind legs.
inline constexpr Proportion hip_rise{
    "hind upper joint", 0.39, "C to the back",
    "height of the hip joints above C",
    PriorOrigin::measured, nearest_to_artists, {0.34, 0.52}};
inline constexpr Proportion hip_behind{
    "hind upper joint behind", 0.045, "H",
    "how far the hip joints lie behind the thigh's front",
    PriorOrigin::measured, nearest_to_artists};
inline constexpr Proportion knee_slender{
    "hind lower joint, slender", 0.8, "height of the hips",
    "height of the knee",
    PriorOrigin::measured, nearest_to_artists, {0.72, 0.82}};
inline constexpr Proportion knee_paw{
    "hind lower joint, paw", 0.68, "height of the hips",
    "height of the knee",
    PriorOrigin::measured, nearest_to_artists, {0.61, 0.7}};
inline constexpr Proportion hock_slender{
    "hind foot, slender", 0.46, "height of the hips",
    "height of the hock",
    PriorOrigin::measured, nearest_to_artists, {0.46, 0.51}};
inline constexpr Proportion hock_paw{
    "hind foot, paw", 0.335, "height of the hips",
    "height of the hock",
    PriorOrigin::measured, nearest_to_artists, {0.32, 0.35}};
inline constexpr Proportion hock_behind{
    "hind foot behind", 0.01, "H",
    "how far the hock's joint lies behind the leg's line",
    PriorOrigin::measured, nearest_to_artists};
inline constexpr Proportion hind_toes{
    "hind toes", 0.115, "C",
    "height of a hind foot's toes",
    PriorOrigin::measured, nearest_to_artists, {0.02, 0.19}};

// --- Trunk, neck and head.
inline constexpr Proportion hips_above_legs{
    "hips above the legs", 0.06, "H",
    "how far the spine's first joint lies above the hip joints",
    PriorOrigin::measured, nearest_to_artists, {0.03, 0.09}};
inline constexpr Proportion hips_ahead_of_legs{
    "hips ahead of the legs", 0.045, "H",
    "how far the spine's first joint lies ahead of the hip joints",
    PriorOrigin::measured, nearest_to_artists};
// The height of the withers is the mean of two rules: by where the legs meet, and by the height of the back.
inline constexpr Proportion withers_by_legs{
    "withers, by the legs", 1.3, "C",
    "height of the withers, first rule",
    PriorOrigin::measured, nearest_to_artists};
inline constexpr Proportion withers_by_height{
    "withers, by the height", 0.13, "H",
    "what the first rule adds",
    PriorOrigin::measured, nearest_to_artists};
inline constexpr Proportion withers_by_back{
    "withers, by the back", 0.7, "C to the back",
    "height of the withers above C, second rule",
    PriorOrigin::measured, nearest_to_artists, {0.49, 0.87}};
inline constexpr Proportion withers_ahead{
    "withers ahead", 0.015, "H",
    "how far the withers lie ahead of the front legs' first joints",
    PriorOrigin::measured, nearest_to_artists};
inline constexpr Proportion spine_step{
    "spine", 0.25, "hips to withers",
    "how far apart the spine's joints are",
    PriorOrigin::chosen, "chosen: three joints in equal steps"};
inline constexpr Proportion head_share{
    "head", 0.6, "nose to withers",
    "where the head's joint lies, when no narrower neck shows it",
    PriorOrigin::measured, nearest_to_artists};
inline constexpr Proportion head_share_most{
    "head, at most", 0.62, "nose to withers",
    "the thickest slice of the head is nearer to the nose than this",
    PriorOrigin::measured, nearest_to_artists};
inline constexpr Proportion nose{
    "nose", 0.2, "nose to withers",
    "the thickest slice of the head is farther from the nose than this",
    PriorOrigin::chosen, "chosen: nostrils and beaks are nearer"};
inline constexpr Proportion neck_narrows{
    "neck narrows", 0.9, "area of the head's thickest slice",
    "a slice smaller than this is the neck",
    PriorOrigin::chosen, "chosen: fur and voxels vary by less"};
inline constexpr Proportion round_head_ahead{
    "round head", 0.08, "H",
    "what lies this far ahead of the withers and above them is head",
    PriorOrigin::chosen, "chosen: outside the chest"};
inline constexpr Proportion round_head_bulk{
    "round head, bulk", 0.02, "body",
    "less than this is no head",
    PriorOrigin::chosen, "chosen: smaller than any head of the tests' animals"};
inline constexpr Proportion round_head_share{
    "round head, joint", 0.8, "withers to the head's middle",
    "where the joint of a round head lies",
    PriorOrigin::measured, nearest_to_artists};
inline constexpr Proportion unseen_head_up{
    "unseen head, up", 0.15, "H",
    "how far above the withers a head is put that is not seen",
    PriorOrigin::chosen, "chosen: about where a fox has it"};
inline constexpr Proportion unseen_head_ahead{
    "unseen head, ahead", 0.2, "H",
    "how far ahead of the withers a head is put that is not seen",
    PriorOrigin::chosen, "chosen: about where a fox has it"};
inline constexpr Proportion lowest_trunk_end{
    "lowest head or tail", 0.12, "H",
    "what ends lower is a paw",
    PriorOrigin::chosen, "chosen: grazing heads are higher, toes are lower"};
inline constexpr Proportion tail_off_middle{
    "tail off the middle", 0.05, "longest side",
    "the tip of a tail is no farther from the middle than this",
    PriorOrigin::chosen, "chosen: a hind foot is farther out"};

}  // namespace sinew::animals
