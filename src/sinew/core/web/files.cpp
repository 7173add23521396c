#include <sinew/core/file.h>
#include <sinew/core/folder.h>
#include <sinew/core/memory_files.h>

#include <fmt/format.h>

namespace sinew {

namespace fs = std::filesystem;

namespace {

// The names in a folder begin with this.
std::string start_of(const fs::path& folder) {
    const std::string name = memory_name(folder.string());
    return name.empty() ? name : name + "/";
}

}  // namespace

bool is_folder(const fs::path& path) {
    const std::string start = start_of(path);
    const auto first = memory_files().lower_bound(start);
    return start.empty() || (first != memory_files().end() && first->first.starts_with(start));
}

bool path_exists(const fs::path& path) {
    return memory_files().contains(memory_name(path.string())) || is_folder(path);
}

bool is_same_file(const fs::path& a, const fs::path& b) {
    return memory_name(a.string()) == memory_name(b.string());
}

Result<std::vector<fs::path>> files_in(const fs::path& folder) {
    const std::string start = start_of(folder);
    std::vector<fs::path> files;
    for (const auto& [name, bytes] : memory_files())
        if (name.starts_with(start) && name.find('/', start.size()) == std::string::npos)
            files.push_back(folder / name.substr(start.size()));
    return files;
}

Result<Bytes> read_file(const fs::path& path, const Limits& limits) {
    const auto found = memory_files().find(memory_name(path.string()));
    if (found == memory_files().end())
        return fail(ErrorCode::not_found, "cannot open: No such file or directory; check the name and the folder");
    if (found->second.size() > limits.max_file_bytes)
        return fail(ErrorCode::limit_exceeded,
                    fmt::format("the file has {} bytes; the limit is {}", found->second.size(), limits.max_file_bytes));
    return found->second;
}

Result<void> write_file(const fs::path& path, ByteSpan bytes) {
    memory_files()[memory_name(path.string())] = Bytes(bytes.begin(), bytes.end());
    return {};
}

Result<void> write_files(std::span<const OutputFile> files) {
    for (const OutputFile& file : files) SINEW_TRY_VOID(write_file(file.path, file.bytes));
    return {};
}

}  // namespace sinew
