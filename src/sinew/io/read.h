// Reading files: any format Sinew knows → Character. The one place where a format is chosen.
// Data flow: a path or bytes → *here* → Character.
#pragma once

#include <sinew/character/character.h>
#include <sinew/core/bytes.h>
#include <sinew/core/file.h>
#include <sinew/core/progress.h>
#include <sinew/core/result.h>
#include <filesystem>
#include <functional>
#include <string>
#include <string_view>

namespace sinew {

// Opens a file that another one refers to (a .bin, an image, an .mtl), given its name, percent-decoded. The name is
// relative and stays in its folder (safe_path.h): readers refuse all others. read_character(path) supplies a reader
// that opens files in the main file's folder and below it.
using ResourceReader = std::function<Result<SharedBytes>(std::string_view name)>;

struct ReadOptions {
    Limits limits = {};
    Progress progress = {};
    ResourceReader resources = {};        // empty: a file that refers to others fails, saying so
    std::filesystem::path skeleton = {};  // for formats whose motion and skeleton are two files (AMC): the .asf
};

// By extension, and by content where the extension says nothing. "-" is standard input.
Result<Character> read_character(const std::filesystem::path& path, const ReadOptions& options = {});

// The same from memory; `format` is an extension without its dot ("glb", "obj", …).
Result<Character> read_character(SharedBytes bytes, std::string_view format, const ReadOptions& options);

}  // namespace sinew
