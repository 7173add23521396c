// What a VRM says of its spring bones. Data flow: Character (its source document) → *here* → physics/spring_bones.
#pragma once

#include <sinew/character/character.h>
#include <sinew/physics/spring_bones/spring_bones.h>

namespace sinew {

// VRM 1.0's VRMC_springBone, or VRM 0.x's secondaryAnimation; empty where the file has neither. References that lead
// nowhere are left out. Writing needs no call: the extension is part of the source document and stays as it is.
SpringBones read_spring_bones(const Character& character);

}  // namespace sinew
