// Other builds of the sample humanoid: its joints moved apart or together, its skin drawn along.
// Data flow: rigged humanoid → *here* → rigged humanoid of another build.
#pragma once

#include <sinew/character/character.h>
#include <sinew/sample/sample.h>

namespace sinew::shape {

// Changes the lengths and girths of a rigged humanoid whose joints are parallel to the world, as make_rigged_humanoid
// makes it. Triangles, texture and weights stay; the soles stay on y = 0.
void reshape_humanoid(HumanoidBuild build, Character& humanoid);

}  // namespace sinew::shape
