// MTL: the materials of an OBJ file. Data flow: text → *here* → Material, Image; and back.
#pragma once

#include <sinew/character/character.h>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace sinew {

struct MtlMaterial {
    Material material;
    // As written after map_Kd and the like, options left out; empty: none.
    std::string base_color_map, emissive_map, roughness_map, metalness_map;
    std::string normal_map;  // norm
    std::string bump_map;    // map_Bump or bump: heights, or normals
};

// Statements that Sinew has no use for are skipped, broken ones (a Kd without numbers) too: a look is never a reason to
// refuse a mesh. Adds to `materials`; the first definition of a name counts.
void parse_mtl(std::string_view text, std::map<std::string, MtlMaterial, std::less<>>& materials);

// Phong's exponent as Beckmann roughness [Walter2007]: alpha² = 2 / (Ns + 2), and roughness = sqrt(alpha).
float roughness_from_exponent(float exponent);
float exponent_from_roughness(float roughness);

// image_names[i] is the file that image i is written to; empty when it has no bytes.
std::string format_mtl(const std::vector<Material>& materials, const std::vector<std::string>& material_names,
                       const std::vector<std::string>& image_names);

}  // namespace sinew
