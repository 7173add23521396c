// Worn cloth: a character's own garments, simulated on its moving body and written into its clips as joints and keys.
// Data flow: Character with clips → worn.h (which parts) → physics/cloth → *here* → the same Character.
#pragma once

#include <sinew/character/character.h>
#include <sinew/core/progress.h>
#include <sinew/physics/spring_bones/spring_bones.h>
#include <sinew/pipeline/simulate/simulate.h>
#include <string>
#include <vector>

namespace sinew {

// In the first `clips` clips. `name` is that of a node, mesh or material, or "auto". A clip that loops still does.
// The garments get joints below those of the body, so that other clips carry them along. Returns how each came out;
// empty where "auto" found nothing. Fails on unknown names, on cloth that flies apart, and where a garment's mesh is
// used twice.
Result<std::vector<ClothReport>> simulate_worn(Character& character, size_t clips, const std::string& name,
                                               const Progress& progress);

// Leaves out the bones that move nothing but such garments: these are simulated as cloth.
void leave_out_worn(const Character& character, const std::string& name, SpringBones& bones);

}  // namespace sinew
