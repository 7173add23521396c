// Worn: the parts of a character that hang loose on it: which vertices, welded, and which of them the body holds.
// Data flow: Character, a name → *here* → worn_cloth.h.
#pragma once

#include <sinew/character/character.h>
#include <sinew/physics/surface_tree.h>
#include <string>
#include <vector>

namespace sinew {

struct Worn {
    std::string name;
    int32_t instance = -1;
    std::vector<std::vector<int32_t>> cloth_vertex;  // per primitive and vertex of the mesh; −1: not part of it
    std::vector<Vec3> in_mesh;                       // per vertex of the cloth: as the mesh has it
    std::vector<Vec3> positions;                     // and where the skeleton at rest puts it
    std::vector<uint32_t> triangles;
    std::vector<int32_t> owners;  // the joint that moves each most
};

// All that is named so, by its node, mesh or material; "auto": whatever a name says is a skirt, cape, dress or the
// like, else open pieces of mesh that hang on the body away from its skin. Fails where nothing has the name; "auto" may
// find nothing.
Result<std::vector<Worn>> find_worn(const Character& character, const std::string& name);

// What the body holds: the rim at the top, and what lies close on the trunk or the arms below it. `skin` is the body
// at rest without the garment. Vertices in order; never none.
std::vector<uint32_t> find_pins(const Worn& worn, const Character& character, const SurfaceTree& skin);

}  // namespace sinew
