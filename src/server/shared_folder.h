// The folder whose files the page may read: which there are, and one of them by its name. Nothing outside it, whatever
// links say. Data flow: a folder → *here* → studio_server.cpp.
#pragma once

#include <sinew/core/result.h>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace sinew::server {

struct SharedFile {
    std::string name;  // relative, with '/' between folders
    uint64_t size = 0;
};

// Characters, motions, and what they refer to, in the folder and up to three folders deep, by name; at most 2000.
// Hidden files and folders are left out.
std::vector<SharedFile> list_shared(const std::filesystem::path& folder);

// A descriptor of the file, open for reading. Nothing where the name leaves the folder, goes through a link out of it,
// or is not one that list_shared could name.
struct OpenFile {
    int descriptor = -1;
    uint64_t size = 0;
    std::string tag;  // changes when the file does
};
std::optional<OpenFile> open_shared(const std::filesystem::path& folder, const std::string& name);

// The same for any kind of file: the page's own.
std::optional<OpenFile> open_below(const std::filesystem::path& folder, const std::string& name);

}  // namespace sinew::server
