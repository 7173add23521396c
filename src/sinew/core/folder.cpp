#include <sinew/core/folder.h>

#include <algorithm>

namespace sinew {

namespace fs = std::filesystem;

bool path_exists(const fs::path& path) {
    std::error_code ignored;
    return fs::exists(path, ignored);
}

bool is_folder(const fs::path& path) {
    std::error_code ignored;
    return fs::is_directory(path, ignored);
}

bool is_same_file(const fs::path& a, const fs::path& b) {
    std::error_code ignored;
    return fs::equivalent(a, b, ignored);
}

Result<std::vector<fs::path>> files_in(const fs::path& folder) {
    std::vector<fs::path> files;
    std::error_code error, ignored;
    for (fs::directory_iterator entry(folder, error), end; !error && entry != end; entry.increment(error))
        if (entry->is_regular_file(ignored)) files.push_back(entry->path());
    if (error) return fail(ErrorCode::not_found, "the folder cannot be read: " + error.message());
    std::ranges::sort(files);
    return files;
}

}  // namespace sinew
