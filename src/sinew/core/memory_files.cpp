#include <sinew/core/memory_files.h>

#include <algorithm>

namespace sinew {

std::map<std::string, Bytes>& memory_files() {
    static std::map<std::string, Bytes> files;
    return files;
}

std::string memory_name(std::string_view path) {
    std::string name;
    while (!path.empty()) {
        const std::string_view part = path.substr(0, path.find('/'));
        path.remove_prefix(std::min(part.size() + 1, path.size()));
        if (part.empty() || part == ".") continue;
        name += (name.empty() ? "" : "/") + std::string(part);
    }
    return name;
}

}  // namespace sinew
