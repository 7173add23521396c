#include <new>

#include <fmt/format.h>
#include <sinew/io/gltf/gltf.h>
#include <sinew/io/gltf/write/draft.h>

namespace sinew {
namespace {

using namespace gltf;

void write_asset(Draft& draft, bool is_new) {
    Json& asset = draft.json["asset"];
    if (!asset.is_object()) asset = Json::object();
    if (!asset.contains("version")) asset["version"] = "2.0";
    if (is_new) asset["generator"] = "Sinew";
}

void drop_empty_arrays(Json& root) {
    for (const char* key : {"accessors", "animations", "bufferViews", "images", "materials", "meshes", "nodes",
                            "scenes", "skins", "textures"}) {
        const auto it = root.find(key);
        if (it != root.end() && it->empty()) root.erase(it);
    }
}

Result<std::vector<OutputFile>> encode(const Character& character, const std::filesystem::path& path,
                                       const WriteOptions& options) {
    static const GltfDocument empty{.json = Json::object()};
    Draft draft(character.source ? *character.source : empty);
    Numbers numbers;
    write_asset(draft, !character.source);
    write_images(draft, character, numbers);
    write_materials(draft, character, numbers);
    SINEW_TRY_VOID(write_meshes(draft, character, numbers));
    SINEW_TRY_VOID(write_nodes(draft, character, numbers));
    SINEW_TRY_VOID(write_skins(draft, character, numbers));
    SINEW_TRY_VOID(write_clips(draft, character, numbers));
    if (options.humanoid) write_humanoid(draft, *options.humanoid, numbers);
    drop_abandoned(draft, numbers);
    drop_empty_arrays(draft.json);
    return finish(draft, path);
}

}  // namespace

Result<std::vector<OutputFile>> encode_gltf(const Character& character, const std::filesystem::path& path,
                                            const WriteOptions& options) {
    SINEW_TRY_VOID(validate(character));
    try {
        return encode(character, path, options);
    } catch (const std::bad_alloc&) {
        return fail(ErrorCode::limit_exceeded, "needs more memory than there is");
    } catch (const std::exception& exception) {
        return fail(ErrorCode::invalid_data,
                    fmt::format("the character cannot be written as glTF ({})", exception.what()));
    }
}

}  // namespace sinew
