#include <assimp/MemoryIOWrapper.h>
#include <assimp/ai_assert.h>
#include <assimp/config.h>
#include <assimp/postprocess.h>
#include <assimp/scene.h>
#include <fmt/format.h>

#include <sinew/io/assimp/assimp.h>
#include <sinew/io/assimp/guard.h>
#include <sinew/io/assimp/scene.h>
#include <sinew/io/text_scan.h>
#include <algorithm>
#include <assimp/Importer.hpp>
#include <cmath>
#include <stdexcept>

// Distributions build assimp with its assertions on, and broken files trip them. The library would abort the process;
// this stands in for its function and throws instead. Weak, so that an assimp linked statically keeps its own.
namespace Assimp {
__attribute__((weak)) void aiAssertViolation(const char* expression, const char*, int) {
    throw std::runtime_error(std::string("its check failed: ") + expression);
}
}  // namespace Assimp

namespace sinew {
namespace {

// The node tree in depth-first order.
Result<void> add_joints(AssimpScene& scene) {
    std::vector<std::string> names;
    std::vector<int32_t> parents;
    std::vector<Transform> rest;
    size_t sheared = 0;
    std::vector<std::pair<const aiNode*, int32_t>> stack{{scene.scene.mRootNode, -1}};
    while (!stack.empty()) {
        const auto [node, parent] = stack.back();
        stack.pop_back();
        if (names.size() >= scene.options.limits.max_joints)
            return fail(ErrorCode::limit_exceeded, fmt::format("the file has more than {} nodes, which is the limit",
                                                               scene.options.limits.max_joints));
        const AffineD local = to_affine_d(node->mTransformation);
        if (!local.matrix().allFinite())
            return fail(ErrorCode::invalid_data,
                        fmt::format("node {} has a transform with a number that is not finite; export the file again",
                                    in_quotes(node->mName.C_Str())));
        const Decomposition parts = decompose(local);
        if (parts.shear_error > 1e-4) ++sheared;
        const int32_t joint = int32_t(names.size());
        names.emplace_back(node->mName.C_Str());
        parents.push_back(parent);
        rest.push_back(parts.transform);
        scene.node_of_joint.push_back(node);
        scene.joint_of_name.try_emplace(names.back(), joint);
        for (unsigned i = node->mNumChildren; i-- > 0;)
            if (node->mChildren[i] != nullptr) stack.emplace_back(node->mChildren[i], joint);
    }
    if (sheared > 0)
        scene.character.warnings.push_back(
            fmt::format("{} nodes are sheared; joints cannot be, so their shear was left out", sheared));
    SINEW_TRY(scene.character.skeleton, Skeleton::create(std::move(names), std::move(parents), std::move(rest)));
    return {};
}

// From these bytes alone: whatever else the file names is fetched through options.resources, or not at all. Null where
// assimp cannot read it; the importer keeps the scene.
const aiScene* import_bytes(Assimp::Importer& importer, ByteSpan file, std::string_view format, unsigned steps) {
    importer.SetIOHandler(
        new Assimp::MemoryIOSystem(reinterpret_cast<const uint8_t*>(file.data()), file.size(), nullptr));
    return importer.ReadFile(fmt::format("{}.{}", AI_MEMORYIO_MAGIC_FILENAME, format), steps);
}

Result<Character> import(const SharedBytes& file, std::string_view format, const ReadOptions& options) {
    Assimp::Importer importer;
    importer.SetPropertyBool(AI_CONFIG_IMPORT_NO_SKELETON_MESHES, true);  // no mesh made up to show the joints
    importer.SetPropertyBool(AI_CONFIG_IMPORT_COLLADA_USE_COLLADA_NAMES, true);
    const aiScene* scene =
        import_bytes(importer, file.view, format, aiProcess_Triangulate | aiProcess_ValidateDataStructure);
    if (scene == nullptr || scene->mRootNode == nullptr)
        return fail(ErrorCode::invalid_data, explain_assimp(importer.GetErrorString()));

    Character character;
    character.format = format;
    AssimpScene parts{*scene, options, character, {}, {}, {}};
    SINEW_TRY_VOID(add_joints(parts));
    add_materials(parts);
    SINEW_TRY_VOID(add_meshes(parts));
    SINEW_TRY_VOID(add_clips(parts));
    SINEW_TRY_VOID(validate(character));
    return character;
}

}  // namespace

bool assimp_reads(std::string_view format) {
    const std::string_view formats[] = {"dae", "ply", "stl", "off"};
    return std::find(std::begin(formats), std::end(formats), format) != std::end(formats);
}

Result<Character> read_with_assimp(SharedBytes file, std::string_view format, const ReadOptions& options) {
    if (!assimp_reads(format))
        return fail(ErrorCode::unsupported,
                    fmt::format("assimp does not read files of type {} for Sinew", in_quotes(format)));
    if (file.view.empty()) return fail(ErrorCode::invalid_data, "the file is empty; export or copy it again");
    SINEW_TRY_VOID(check_for_assimp(file.view, format, options.limits));
    try {
        return import(file, format, options);
    } catch (const std::exception& error) {
        return fail(ErrorCode::invalid_data, explain_assimp(error.what()));
    } catch (...) {
        return fail(ErrorCode::invalid_data, "assimp cannot read it; export it again, or as glTF");
    }
}

}  // namespace sinew
