#include <sinew/io/safe_path.h>

#include <sinew/io/gltf/uri.h>
#include <algorithm>
#include <string>

namespace sinew {
namespace {

bool is_forbidden(char c) {
    return static_cast<unsigned char>(c) < 0x20 || c == 0x7f || c == '\\' || c == ':';
}

// Windows drops dots and blanks at the end of a name, so that ".. " and "..." also lead upwards there.
bool climbs(std::string_view part) {
    return part.size() > 1 && part.find_first_not_of(". ") == std::string_view::npos;
}

bool is_safe_as_written(std::string_view name) {
    if (name.empty() || name.front() == '/' || name.back() == '/') return false;
    if (std::ranges::any_of(name, is_forbidden)) return false;
    for (size_t start = 0; start <= name.size();) {
        const size_t end = std::min(name.find('/', start), name.size());
        if (climbs(name.substr(start, end - start))) return false;
        start = end + 1;
    }
    return true;
}

}  // namespace

bool is_safe_path(std::string_view name) {
    constexpr int most_decodings = 4;  // nobody encodes a name as often as that
    std::string decoded(name);
    for (int i = 0; i < most_decodings && is_safe_as_written(decoded); ++i) {
        std::string again = gltf::percent_decode(decoded);
        if (again == decoded) return true;
        decoded = std::move(again);
    }
    return false;
}

}  // namespace sinew
