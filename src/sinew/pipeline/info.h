// Info: what is in a character, as numbers and names.
// Data flow: Character → *here* → the `info` verb.
#pragma once

#include <sinew/character/character.h>
#include <sinew/skeleton/humanoid.h>
#include <string>
#include <vector>

namespace sinew {

struct MeshInfo {
    std::string name;
    size_t vertices = 0;
    size_t triangles = 0;
    size_t pieces = 0;
    bool watertight = false;
    bool skinned = false;
    size_t max_influences = 0;
    size_t unweighted_vertices = 0;
    size_t morphs = 0;
};

struct JointInfo {
    std::string name;
    int32_t parent = -1;
    Vec3 position = Vec3::Zero();  // world space
    Role role = Role::count;       // Role::count: none was recognised
};

struct CharacterInfo {
    std::vector<MeshInfo> meshes;
    std::vector<JointInfo> joints;
    Box bounds;  // of the visible vertices in world space; of the joints where there are no meshes
};

// At rest, or at `time` of `clip`.
CharacterInfo describe(const Character& character, const Clip* clip = nullptr, float time = 0.0f);

}  // namespace sinew
