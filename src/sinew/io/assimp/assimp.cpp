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

// Direction `axis` (0, 1, 2 for x, y, z) of a scene's settings as a row; `otherwise` where the file does not say.
Eigen::RowVector3d axis_row(const aiMetadata& data, const std::string& name, int otherwise) {
    int32_t axis = otherwise, sign = 1;
    data.Get(name, axis);
    data.Get(name + "Sign", sign);
    if (axis < 0 || axis > 2) axis = otherwise;
    return (sign < 0 ? -1.0 : 1.0) * Eigen::RowVector3d::Unit(axis);
}

double number_of(const aiMetadata& data, const char* name, double otherwise) {
    double as_double = 0;
    float as_float = 0;
    if (data.Get(name, as_double)) return as_double;
    if (data.Get(name, as_float)) return as_float;
    return otherwise;
}

// From an FBX file's own axes and units (a factor to centimetres) to +Y up and metres. assimp reads the settings but
// does not apply them; Collada's it applies itself.
AffineD world_from_file(const aiScene& scene, std::string_view format) {
    AffineD result = AffineD::Identity();
    if (format != "fbx" || scene.mMetaData == nullptr) return result;
    Mat3d axes;
    axes.row(0) = axis_row(*scene.mMetaData, "CoordAxis", 0);
    axes.row(1) = axis_row(*scene.mMetaData, "UpAxis", 1);
    axes.row(2) = axis_row(*scene.mMetaData, "FrontAxis", 2);
    if (std::abs(std::abs(axes.determinant()) - 1) > 1e-6) axes.setIdentity();
    const double centimetres = number_of(*scene.mMetaData, "UnitScaleFactor", 1.0);
    const bool sane = centimetres > 1e-6 && centimetres < 1e6;
    result.linear() = axes * (sane ? centimetres * 0.01 : 0.01);
    return result;
}

// The node tree in depth-first order, below one more joint where the file's axes or units need one.
Result<void> add_joints(AssimpScene& scene, const AffineD& world_from_file) {
    std::vector<std::string> names;
    std::vector<int32_t> parents;
    std::vector<Transform> rest;
    size_t sheared = 0;
    if (!world_from_file.isApprox(AffineD::Identity(), 1e-9)) {
        names.push_back("world");
        parents.push_back(-1);
        rest.push_back(decompose(world_from_file).transform);
        scene.node_of_joint.push_back(nullptr);
    }
    std::vector<std::pair<const aiNode*, int32_t>> stack{{scene.scene.mRootNode, int32_t(names.size()) - 1}};
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

Result<Character> import(const SharedBytes& file, std::string_view format, const ReadOptions& options) {
    Assimp::Importer importer;
    importer.SetPropertyBool(AI_CONFIG_IMPORT_FBX_PRESERVE_PIVOTS, false);
    importer.SetPropertyBool(AI_CONFIG_IMPORT_FBX_READ_CAMERAS, false);
    importer.SetPropertyBool(AI_CONFIG_IMPORT_FBX_READ_LIGHTS, false);
    importer.SetPropertyBool(AI_CONFIG_IMPORT_NO_SKELETON_MESHES, true);  // no mesh made up to show the joints
    importer.SetPropertyBool(AI_CONFIG_IMPORT_COLLADA_USE_COLLADA_NAMES, true);
    const aiScene* scene =
        import_bytes(importer, file.view, format, aiProcess_Triangulate | aiProcess_ValidateDataStructure);
    if (scene == nullptr || scene->mRootNode == nullptr)
        return fail(ErrorCode::invalid_data, explain_assimp(importer.GetErrorString()));

    Character character;
    character.format = format;
    AssimpScene parts{*scene, options, character, {}, {}, {}, {}};
    SINEW_TRY_VOID(add_joints(parts, world_from_file(*scene, format)));
    if (format == "fbx") find_geometric_transforms(parts, file.view);
    add_materials(parts);
    SINEW_TRY_VOID(add_meshes(parts));
    SINEW_TRY_VOID(add_clips(parts));
    SINEW_TRY_VOID(validate(character));
    return character;
}

}  // namespace

const aiScene* import_bytes(Assimp::Importer& importer, ByteSpan file, std::string_view format, unsigned steps) {
    importer.SetIOHandler(
        new Assimp::MemoryIOSystem(reinterpret_cast<const uint8_t*>(file.data()), file.size(), nullptr));
    return importer.ReadFile(fmt::format("{}.{}", AI_MEMORYIO_MAGIC_FILENAME, format), steps);
}

bool assimp_reads(std::string_view format) {
    const std::string_view formats[] = {"fbx", "dae", "ply", "stl", "off"};
    return std::find(std::begin(formats), std::end(formats), format) != std::end(formats);
}

Result<Character> read_with_assimp(SharedBytes file, std::string_view format, const ReadOptions& options) {
    if (!assimp_reads(format))
        return fail(ErrorCode::unsupported,
                    fmt::format("assimp does not read files of type {} for Sinew", in_quotes(format)));
    if (file.view.empty()) return fail(ErrorCode::invalid_data, "the file is empty");
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
