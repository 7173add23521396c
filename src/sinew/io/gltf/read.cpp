#include <sinew/io/gltf/gltf.h>

#include <sinew/io/text_scan.h>
#include <algorithm>
#include <array>
#include <cmath>
#include <new>

#include <fmt/format.h>
#include <sinew/io/gltf/parts.h>

namespace sinew {
namespace {

using namespace gltf;

Result<void> read_meshes(Context& context, Character& character, const Progress& progress) {
    const Json& meshes = array_at(context.document.json, "meshes");
    const std::vector<size_t> skin_joints = skin_joints_per_mesh(context.document);
    for (size_t m = 0; m < meshes.size(); ++m) {
        report(progress, "reading", static_cast<double>(m) / static_cast<double>(meshes.size()));
        MeshGroup group = read_mesh_header(context, m);
        const PrimitiveOptions options{.skin_joints = skin_joints[m], .targets = target_count(meshes[m])};
        const std::vector<std::string> names = target_names(meshes[m], options.targets);
        for (size_t p = 0; p < meshes[m]["primitives"].size(); ++p) {
            SINEW_TRY(Primitive primitive, read_primitive(context, m, p, options));
            for (size_t t = 0; t < names.size(); ++t) primitive.morphs[t].name = names[t];
            group.primitives.push_back(std::move(primitive));
        }
        character.meshes.push_back(std::move(group));
    }
    return {};
}

}  // namespace

namespace gltf {

Result<std::vector<MeshInstance>> read_instances(Context& context, const Nodes& nodes) {
    std::vector<MeshInstance> instances;
    const Json& json = array_at(context.document.json, "nodes");
    int32_t next_morph = 0;
    for (size_t n = 0; n < json.size(); ++n) {
        const int32_t mesh = index_at(json[n], "mesh");
        if (mesh < 0) continue;
        MeshInstance instance{.joint = nodes.joint_of_node[n],
                              .mesh = mesh,
                              .skin = index_at(json[n], "skin"),
                              .first_morph = next_morph,
                              .in_scene = nodes.in_scene[n]};
        const size_t targets = target_count(context.document.json["meshes"][static_cast<size_t>(mesh)]);
        if (targets > context.limits.max_keys - static_cast<size_t>(next_morph)) {
            return fail(ErrorCode::limit_exceeded, "the file has too many morph targets; remove some",
                        fmt::format("/nodes/{}", n));
        }
        const Json& weights = array_at(json[n], "weights");
        if (!weights.empty() && weights.size() != targets) {
            context.repaired(
                fmt::format("/nodes/{}/weights", n),
                "the number of weights is not the number of morph targets; weights were cut off or added as 0");
        }
        if (!weights.empty() && targets > 0) {
            instance.morph_weights.assign(targets, 0.0f);
            for (size_t t = 0; t < std::min(targets, weights.size()); ++t) {
                const auto weight = static_cast<float>(weights[t].get<double>());
                if (std::isfinite(weight)) instance.morph_weights[t] = weight;
            }
        }
        next_morph += static_cast<int32_t>(targets);
        instances.push_back(std::move(instance));
    }
    return instances;
}

ClipTargets clip_targets(const GltfDocument& document, const Nodes& nodes, const std::vector<MeshInstance>& instances) {
    ClipTargets targets{nodes.joint_of_node, std::vector<MorphRange>(nodes.joint_of_node.size())};
    for (const MeshInstance& instance : instances) {
        const auto node = static_cast<size_t>(nodes.joint_source[static_cast<size_t>(instance.joint)]);
        const size_t count = target_count(document.json["meshes"][static_cast<size_t>(instance.mesh)]);
        targets.morphs_of_node[node] = {instance.first_morph, static_cast<int32_t>(count)};
    }
    return targets;
}

}  // namespace gltf

namespace {

// Extensions that change what the file shows and that Sinew reads; looks alone (materials, textures, lights) are kept
// and passed on.
bool is_understood(std::string_view extension) {
    constexpr std::array<std::string_view, 4> read = {"KHR_mesh_quantization", "KHR_draco_mesh_compression",
                                                      "EXT_meshopt_compression", "KHR_meshopt_compression"};
    constexpr std::array<std::string_view, 7> looks = {
        "KHR_materials_", "KHR_texture_", "EXT_texture_", "MSFT_texture_", "KHR_lights_", "VRM", "KHR_xmp"};
    return std::ranges::find(read, extension) != read.end() ||
           std::ranges::any_of(looks, [&](std::string_view start) { return extension.starts_with(start); });
}

void note_required(const Json& root, std::vector<std::string>& warnings) {
    for (const Json& name : array_at(root, "extensionsRequired")) {
        const auto extension = name.get<std::string>();
        if (is_understood(extension)) continue;
        warnings.push_back(
            fmt::format("/extensionsRequired: Sinew does not know {}; what it adds is left out", in_quotes(extension)));
    }
}

Result<Character> read_document(const GltfDocument& document, const ReadOptions& options,
                                std::vector<std::string> warnings) {
    Context context{.document = document, .limits = options.limits, .warnings = std::move(warnings)};
    const Json& root = document.json;
    note_required(root, context.warnings);
    Character character;
    character.format = document.binary ? "glb" : "gltf";
    SINEW_TRY(const Nodes nodes, read_nodes(context));
    character.skeleton = nodes.skeleton;
    character.joint_source = nodes.joint_source;
    for (size_t s = 0; s < array_at(root, "skins").size(); ++s) {
        SINEW_TRY(character.skins.emplace_back(), read_skin(context, nodes, s));
    }
    for (size_t i = 0; i < array_at(root, "images").size(); ++i) character.images.push_back(read_image(document, i));
    for (size_t m = 0; m < array_at(root, "materials").size(); ++m) {
        character.materials.push_back(read_material(document, m));
    }
    SINEW_TRY_VOID(read_meshes(context, character, options.progress));
    SINEW_TRY(character.instances, read_instances(context, nodes));
    const ClipTargets targets = clip_targets(document, nodes, character.instances);
    for (size_t a = 0; a < array_at(root, "animations").size(); ++a) {
        SINEW_TRY(character.clips.emplace_back(), read_clip(context, targets, a));
    }
    const Json& scenes = array_at(root, "scenes");
    if (!scenes.empty()) character.name = text_at(scenes[count_at(root, "scene")], "name");
    character.warnings = std::move(context.warnings);
    return character;
}

}  // namespace

Result<Character> read_gltf(SharedBytes file, const ReadOptions& options) {
    // Draco and the standard library throw when memory ends; nothing else here does.
    try {
        std::vector<std::string> warnings;
        SINEW_TRY(GltfDocument loaded, load_document(std::move(file), options, warnings));
        const auto document = std::make_shared<const GltfDocument>(std::move(loaded));
        SINEW_TRY(Character character, read_document(*document, options, std::move(warnings)));
        character.source = document;
        return character;
    } catch (const std::bad_alloc&) {
        return fail(ErrorCode::limit_exceeded, "the file needs more memory than there is; split it into smaller files");
    } catch (const std::exception& exception) {
        return fail(ErrorCode::invalid_data,
                    fmt::format("the file cannot be read ({}); export it again", exception.what()));
    }
}

}  // namespace sinew
