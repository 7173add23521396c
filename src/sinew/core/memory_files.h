// Files in memory: what a browser page has instead of a disk.
// Data flow: the page → *here* → core/file.h and core/folder.h as built for a browser (core/web).
#pragma once

#include <sinew/core/bytes.h>
#include <map>
#include <string>
#include <string_view>

namespace sinew {

// By name; folders are parts of names: "textures/skin.png".
std::map<std::string, Bytes>& memory_files();

// "./a//b.obj" and "/a/b.obj" are "a/b.obj".
std::string memory_name(std::string_view path);

}  // namespace sinew
