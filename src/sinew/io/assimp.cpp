#include <sinew/io/assimp.h>
namespace sinew {
bool assimp_reads(std::string_view) {
    return false;
}
Result<Character> read_with_assimp(SharedBytes, std::string_view, const ReadOptions&) {
    return fail(ErrorCode::unsupported, "later");
}
}  // namespace sinew
