// Resources: the files that another file refers to (a .bin, an image, an .mtl).
// Data flow: a name in a file → *here* (safe_path.h) → ReadOptions::resources → bytes.
#pragma once

#include <sinew/io/read.h>
#include <optional>
#include <string>
#include <vector>

namespace sinew {

// How every reader gets a file that its own file names: a name that is not safe never reaches options.resources.
Result<SharedBytes> fetch_resource(std::string_view name, const ReadOptions& options);

// A picture that a file names, by the first of its names that can be opened. Exporters write paths of their own
// machine: after each path itself, its last part is tried.
std::optional<Image> image_beside(std::vector<std::string> names, const ReadOptions& options);

// One warning for all the pictures that were not found, however many; none where `names` is empty.
void warn_of_missing_pictures(const std::vector<std::string>& names, std::vector<std::string>& warnings);

// Opens files in the folder of `main_file` and below it, and refuses all other names itself, too.
ResourceReader files_beside(const std::filesystem::path& main_file, const Limits& limits);

// For input that has no folder (standard input): refuses every name.
ResourceReader no_resources();

}  // namespace sinew
