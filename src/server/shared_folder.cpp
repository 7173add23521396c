#include "shared_folder.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <string_view>

#include <fmt/format.h>

namespace sinew::server {
namespace {

namespace fs = std::filesystem;

constexpr size_t most_files = 2000;
constexpr int deepest = 3;
constexpr std::array<std::string_view, 20> types = {".glb", ".gltf", ".vrm", ".vrma", ".obj",  ".mtl", ".fbx",
                                                    ".bvh", ".asf",  ".amc", ".dae",  ".ply",  ".stl", ".off",
                                                    ".bin", ".png",  ".jpg", ".jpeg", ".webp", ".json"};

bool is_shared_type(const fs::path& path) {
    std::string extension = path.extension().string();
    for (char& c : extension)
        if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
    return std::ranges::find(types, extension) != types.end();
}

bool is_hidden(const fs::path& relative) {
    return std::ranges::any_of(relative, [](const fs::path& part) { return part.string().starts_with("."); });
}

// Both are resolved: `path` is `folder` or lies below it.
bool is_within(const fs::path& folder, const fs::path& path) {
    const auto [in_folder, in_path] = std::mismatch(folder.begin(), folder.end(), path.begin(), path.end());
    return in_folder == folder.end();
}

}  // namespace

std::vector<SharedFile> list_shared(const fs::path& folder) {
    std::vector<SharedFile> files;
    std::error_code error, ignored;
    fs::recursive_directory_iterator entry(folder, fs::directory_options::skip_permission_denied, error), end;
    for (; !error && entry != end && files.size() < most_files; entry.increment(error)) {
        const fs::path relative = entry->path().lexically_relative(folder);
        if (is_hidden(relative) || entry.depth() >= deepest) {
            entry.disable_recursion_pending();
            if (is_hidden(relative)) continue;
        }
        if (!is_shared_type(relative) || !entry->is_regular_file(ignored)) continue;
        if (const auto open = open_shared(folder, relative.generic_string())) {
            files.push_back({relative.generic_string(), open->size});
            ::close(open->descriptor);
        }
    }
    std::ranges::sort(files, {}, &SharedFile::name);
    return files;
}

std::optional<OpenFile> open_below(const fs::path& folder, const std::string& name) {
    const fs::path relative = fs::path(name).lexically_normal();
    if (relative.empty() || relative.is_absolute() || *relative.begin() == "..") return std::nullopt;
    std::error_code error;
    const fs::path root = fs::canonical(folder, error);
    if (error) return std::nullopt;
    const fs::path target = fs::canonical(root / relative, error);
    if (error || !is_within(root, target)) return std::nullopt;
    OpenFile open{::open(target.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK), 0, {}};
    struct stat info {};
    if (open.descriptor < 0) return std::nullopt;
    if (::fstat(open.descriptor, &info) != 0 || !S_ISREG(info.st_mode)) {
        ::close(open.descriptor);
        return std::nullopt;
    }
    open.size = static_cast<uint64_t>(info.st_size);
    open.tag = fmt::format("\"{:x}-{:x}-{:x}\"", open.size, static_cast<uint64_t>(info.st_mtim.tv_sec),
                           static_cast<uint64_t>(info.st_mtim.tv_nsec));
    return open;
}

std::optional<OpenFile> open_shared(const fs::path& folder, const std::string& name) {
    if (!is_shared_type(name) || is_hidden(fs::path(name).lexically_normal())) return std::nullopt;
    return open_below(folder, name);
}

}  // namespace sinew::server
