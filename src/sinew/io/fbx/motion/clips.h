// Clips: animation stacks sampled to the tracks that a Clip can hold.
// Data flow: Animation, Models, ShapeChannel → *here* (sampling.h) → Character::clips.
#pragma once

#include <sinew/io/fbx/motion/animation.h>
#include <sinew/io/fbx/scene.h>

namespace sinew::fbx {

// Whose scale some stack changes, by model.
std::vector<bool> moving_scales(const Models& models, const Animation& animation);

// One clip per stack that moves anything. It starts at 0, wherever its stack begins.
Result<void> add_clips(Scene& scene, const Animation& animation);

}  // namespace sinew::fbx
