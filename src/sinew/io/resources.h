// Resources: the files that another file refers to (a .bin, an image, an .mtl).
// Data flow: a name in a file → *here* (safe_path.h) → ReadOptions::resources → bytes.
#pragma once

#include <sinew/io/read.h>

namespace sinew {

// How every reader gets a file that its own file names: a name that is not safe never reaches options.resources.
Result<SharedBytes> fetch_resource(std::string_view name, const ReadOptions& options);

// Opens files in the folder of `main_file` and below it, and refuses all other names itself, too.
ResourceReader files_beside(const std::filesystem::path& main_file, const Limits& limits);

// For input that has no folder (standard input): refuses every name.
ResourceReader no_resources();

}  // namespace sinew
