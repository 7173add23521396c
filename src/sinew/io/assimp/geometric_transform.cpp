#include <assimp/config.h>
#include <assimp/scene.h>

#include <sinew/io/assimp/scene.h>
#include <assimp/Importer.hpp>

// An FBX mesh can lie apart from its node by a "geometric" transform, which nothing below the node inherits (3ds Max
// writes it when an object's pivot was moved). A vertex v of the mesh is at bone · offset · geometric · v. assimp
// multiplies the geometric transform into the node but not into the bones' offsets, so that a skinned mesh would be
// shown without it. Only with pivots preserved does it tell: as nodes of their own above the mesh's.

namespace sinew {
namespace {

constexpr std::string_view marker = "_$AssimpFbx$_Geometric";

// assimp gives the offsets of all bones relative to one bind pose: where the bones still stand in it, they put the mesh
// where its node does, unless something was left out.
bool bones_disagree_with_node(const AssimpScene& scene) {
    const auto world_of = [](const aiNode* node) {
        aiMatrix4x4 world;
        for (; node != nullptr; node = node->mParent) world = node->mTransformation * world;
        return to_affine_d(world);
    };
    for (const aiNode* node : scene.node_of_joint) {
        if (node == nullptr) continue;
        for (unsigned i = 0; i < node->mNumMeshes; ++i) {
            const aiMesh* mesh =
                node->mMeshes[i] < scene.scene.mNumMeshes ? scene.scene.mMeshes[node->mMeshes[i]] : nullptr;
            if (mesh == nullptr || mesh->mNumBones == 0 || mesh->mBones[0] == nullptr) continue;
            const auto bone = scene.joint_of_name.find(mesh->mBones[0]->mName.C_Str());
            if (bone == scene.joint_of_name.end()) continue;
            const AffineD by_bone =
                world_of(scene.node_of_joint[size_t(bone->second)]) * to_affine_d(mesh->mBones[0]->mOffsetMatrix);
            if (!by_bone.isApprox(world_of(node), 1e-4)) return true;
        }
    }
    return false;
}

}  // namespace

void find_geometric_transforms(AssimpScene& scene, ByteSpan file) {
    if (!bones_disagree_with_node(scene)) return;
    Assimp::Importer importer;
    importer.SetPropertyBool(AI_CONFIG_IMPORT_FBX_PRESERVE_PIVOTS, true);
    const aiScene* with_pivots = import_bytes(importer, file, "fbx", 0);
    if (with_pivots == nullptr || with_pivots->mRootNode == nullptr) return;

    std::vector<std::pair<const aiNode*, AffineD>> stack{{with_pivots->mRootNode, AffineD::Identity()}};
    while (!stack.empty()) {
        auto [node, above] = stack.back();
        stack.pop_back();
        const std::string_view name = node->mName.C_Str();
        if (name.find(marker) != std::string_view::npos) {
            above = above * to_affine_d(node->mTransformation);
        } else {
            if (above.matrix().allFinite() && !above.isApprox(AffineD::Identity(), 1e-9))
                scene.geometric_of_node.try_emplace(std::string(name), above);
            above.setIdentity();
        }
        for (unsigned i = 0; i < node->mNumChildren; ++i)
            if (node->mChildren[i] != nullptr) stack.emplace_back(node->mChildren[i], above);
    }
}

}  // namespace sinew
