// Files at the edge: read a whole file, write a whole file atomically. Everything else works on bytes.
#pragma once

#include <sinew/core/bytes.h>
#include <sinew/core/limits.h>
#include <sinew/core/result.h>
#include <filesystem>
#include <vector>

namespace sinew {

// Refuses directories and files beyond limits.max_file_bytes before allocating. "-" reads standard input.
Result<Bytes> read_file(const std::filesystem::path& path, const Limits& limits = {});

// One file of an output that may consist of several (a .gltf with its .bin and images).
struct OutputFile {
    std::filesystem::path path;
    Bytes bytes;
};

// Writes each file beside its target under a temporary name, flushes it to disk, then renames all of them, the last
// one last. After a failure none of the targets has changed. A folder directly below the last file's own is made when
// it is missing (images of a .gltf); no other folder is. "-" writes to standard output (single files only).
Result<void> write_file(const std::filesystem::path& path, ByteSpan bytes);
Result<void> write_files(std::span<const OutputFile> files);

}  // namespace sinew
