#include <fmt/format.h>

#include <sinew/io/fbx/fbx.h>
#include <sinew/io/gltf/gltf.h>
#include <sinew/io/mocap/bvh.h>
#include <sinew/io/obj/obj.h>
#include <sinew/io/text_scan.h>
#include <sinew/io/write.h>
#include <sinew/skeleton/humanoid.h>
#include <algorithm>
#include <initializer_list>

namespace sinew {

namespace {

bool has_type(const std::filesystem::path& path, std::initializer_list<std::string_view> types) {
    return std::ranges::any_of(
        types, [&](std::string_view type) { return equals_ignoring_case(path.extension().string(), type); });
}

}  // namespace

Result<void> check_writable_type(const std::filesystem::path& path) {
    if (path == "-" || has_type(path, {".glb", ".gltf", ".vrm", ".fbx", ".obj", ".bvh"})) return {};
    return fail(ErrorCode::unsupported,
                fmt::format("files of type {} cannot be written; choose .glb, .gltf, .vrm, .fbx, .obj or .bvh",
                            in_quotes(path.extension().string())));
}

Result<void> check_skin_type(const std::filesystem::path& path) {
    SINEW_TRY_VOID(check_writable_type(path));
    if (!has_type(path, {".obj", ".bvh"})) return {};
    return fail(ErrorCode::unsupported,
                fmt::format("a {} file cannot hold a skinned character; choose .glb, .gltf, .vrm or .fbx",
                            path.extension().string()));
}

Result<std::vector<OutputFile>> encode_character(const Character& character, const std::filesystem::path& path,
                                                 const WriteOptions& options) {
    SINEW_TRY_VOID(check_writable_type(path));
    if (has_type(path, {".fbx"})) return encode_fbx(character, path);
    if (has_type(path, {".obj"})) return encode_obj(character, path);
    if (has_type(path, {".bvh"})) return encode_bvh(character, options.clip, path);
    if (!has_type(path, {".vrm"})) return encode_gltf(character, path, options);
    WriteOptions vrm = options;
    if (!vrm.humanoid) vrm.humanoid = recognise_humanoid(character.skeleton);
    if (const std::vector<Role> missing = missing_for_vrm(*vrm.humanoid); !missing.empty())
        return fail(ErrorCode::unsupported,
                    fmt::format("a VRM file needs a humanoid, and this one has no {}; rig it first (sinew rig), or "
                                "write .glb",
                                to_string(missing.front())));
    return encode_gltf(character, path, vrm);
}

Result<void> write_character(const Character& character, const std::filesystem::path& path,
                             const WriteOptions& options) {
    SINEW_TRY(const std::vector<OutputFile> files, encode_character(character, path, options));
    return write_files(files);
}

}  // namespace sinew
