// Folders at the edge: what is there, before anything is read. In a browser, the files that the page put into memory.
// Data flow: a path → *here* → which files to read.
#pragma once

#include <sinew/core/result.h>
#include <filesystem>
#include <vector>

namespace sinew {

// A file or a folder.
bool path_exists(const std::filesystem::path& path);
bool is_folder(const std::filesystem::path& path);

// Two names of one file.
bool is_same_file(const std::filesystem::path& a, const std::filesystem::path& b);

// The plain files of a folder, sorted by name; not those of folders in it.
Result<std::vector<std::filesystem::path>> files_in(const std::filesystem::path& folder);

}  // namespace sinew
