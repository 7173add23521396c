#include <fmt/format.h>

#include <sinew/io/bvh.h>
#include <sinew/io/gltf.h>
#include <sinew/io/obj.h>
#include <sinew/io/text_scan.h>
#include <sinew/io/write.h>

namespace sinew {

Result<std::vector<OutputFile>> encode_character(const Character& character, const std::filesystem::path& path,
                                                 const WriteOptions& options) {
    const std::string extension = path.extension().string();
    const auto is = [&extension](std::string_view known) { return equals_ignoring_case(extension, known); };
    if (path == "-" || is(".glb") || is(".gltf") || is(".vrm")) return encode_gltf(character, path, options);
    if (is(".obj")) return encode_obj(character, path);
    if (is(".bvh")) return encode_bvh(character, options.clip, path);
    return fail(
        ErrorCode::unsupported,
        fmt::format("files of type {} cannot be written; glb, gltf, vrm, obj and bvh can", in_quotes(extension)));
}

Result<void> write_character(const Character& character, const std::filesystem::path& path,
                             const WriteOptions& options) {
    SINEW_TRY(const std::vector<OutputFile> files, encode_character(character, path, options));
    return write_files(files);
}

}  // namespace sinew
