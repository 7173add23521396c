// Bodies with mass: the ragdolls and walkers of a scene, run before all else, so that what they wear follows them.
// Data flow: Scene, the character with its motion → *here* → a pose per body and frame → Actor, recording.
#pragma once

#include <sinew/character/character.h>
#include <sinew/core/progress.h>
#include <sinew/physics/scene/scene.h>

namespace sinew {

// frames[body][frame], at the scene's rate. The motion is the character's first clip if `clip` says so. Fails where the
// character is no body that can fall, or walk. Warns of walkers that fall before anything pushes them.
using BodyFrames = std::vector<std::vector<Pose>>;
Result<BodyFrames> run_bodies(const Scene& scene, const Character& character, const Clip* clip,
                              const Progress& progress, std::vector<std::string>& warnings);

// The first body is the character itself. Of each further one, joints, skins and instances are added, which share its
// meshes, and tracks in the first clip.
void add_further_bodies(Character& character, const Character& original, const BodyFrames& frames,
                        std::span<const float> times);

}  // namespace sinew
