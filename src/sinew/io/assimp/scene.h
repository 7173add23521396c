// AssimpScene: what the parts of the assimp reader pass to each other. For io/assimp alone.
// Data flow: aiScene → joints (assimp.cpp) → meshes and skins, materials, clips (one file each) → Character.
#pragma once

#include <assimp/matrix4x4.h>
#include <sinew/io/read.h>
#include <string>
#include <unordered_map>
#include <vector>

struct aiNode;
struct aiScene;

namespace sinew {

struct AssimpScene {
    const aiScene& scene;
    const ReadOptions& options;
    Character& character;
    std::vector<const aiNode*> node_of_joint;  // null for a joint that Sinew made
    std::unordered_map<std::string, int32_t> joint_of_name;
    // Which mesh instances show an aiMesh: morph animations name meshes.
    std::vector<std::vector<int32_t>> instances_of_mesh;
};

inline AffineD to_affine_d(const aiMatrix4x4& m) {
    AffineD result;
    result.matrix() << m.a1, m.a2, m.a3, m.a4, m.b1, m.b2, m.b3, m.b4, m.c1, m.c2, m.c3, m.c4;
    return result;
}

// Each checks every index and count that it uses: assimp passes on what files say.
void add_materials(AssimpScene& scene);
Result<void> add_meshes(AssimpScene& scene);
Result<void> add_clips(AssimpScene& scene);

}  // namespace sinew
