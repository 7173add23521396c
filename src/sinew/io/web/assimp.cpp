#include <sinew/io/assimp/assimp.h>

#include <algorithm>
#include <array>

#include <fmt/format.h>

namespace sinew {
namespace {

constexpr std::array<std::string_view, 4> native_formats = {"dae", "ply", "stl", "off"};

}  // namespace

bool assimp_reads(std::string_view format) {
    return std::ranges::find(native_formats, format) != native_formats.end();
}

Result<Character> read_with_assimp(SharedBytes, std::string_view format, const ReadOptions&) {
    return fail(
        ErrorCode::unsupported,
        fmt::format("the studio does not read .{0} files; convert it first: sinew convert file.{0} file.glb", format));
}

}  // namespace sinew
