// Runs a scene: all of its worlds, tick by tick. Data flow: Scene, an Actor → *here* → Recording, and how it went.
#pragma once

#include <sinew/core/progress.h>
#include <sinew/physics/scene/scene.h>
#include <sinew/pipeline/simulate/actor.h>
#include <sinew/pipeline/simulate/recording.h>
#include <sinew/pipeline/simulate/simulate.h>

namespace sinew {

// `actor` may be null. Fills the report's figures. Fails when a cloth cannot be worn, and when something flies apart.
Result<Recording> run_scene(const Scene& scene, Actor* actor, SimulateReport& report, const Progress& progress);

}  // namespace sinew
