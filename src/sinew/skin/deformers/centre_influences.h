// By how much each joint carries a vertex's centre of rotation.
// Data flow: centres_of_rotation.h, skin_bones.h → *here*, once per binding → deform_centres_of_rotation (deform.h),
// and compile_skin.
#pragma once

#include <sinew/skin/deformers/centres_of_rotation.h>
#include <sinew/skin/deformers/skin_bones.h>

namespace sinew {

// Weights that carry centres are whole multiples of this, so that sixteen bits hold them exactly and they add up to
// just 1.
constexpr float centre_weight_unit = 1.0f / 32768.0f;

// [Le2016] carries a centre by its vertex's own weights w. Linear blending rounds the bones' line off at a bend, to the
// outer side; centres go there with it, and the skin around them bulges. Here a joint hands some of its weight to those
// whose bones are nearer to the centre at rest:
//   wᵢ' = wᵢ (1 + Σⱼ wⱼ exp(−3 min(dᵢⱼ, dⱼᵢ)² / r²) tanh(1.5 (dⱼᵢ − dᵢⱼ) / r)),
// dᵢⱼ the distance from the bones on i's side of the way to j, r the radius of the surface around the centre. So a
// centre on a bone keeps close to that bone: a limb whose weights change over 3 r bulges by 4 % of r instead of 14 %,
// over 6 r by 6 % instead of 32 %. A centre off the bones (under an arm, behind a knee) goes as in the paper: it has no
// place on them to keep. The sum stays 1; no weight becomes negative or more than doubles. Bones between i and j are on
// both sides: near them, neither gains. A centre without radius keeps its weights.
//
// `centres` and `radii` are those of the vertices of `influences`. Parallel.
Influences centre_influences(const Influences& influences, std::span<const Vec3> centres, std::span<const float> radii,
                             std::span<const SkinBone> bones);

}  // namespace sinew
