// Files at the edge: read a whole file, write a whole file atomically. Everything else works on bytes.
#pragma once

#include <sinew/core/bytes.h>
#include <sinew/core/result.h>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <vector>

namespace sinew {

// `bytes`, or this part of what can be addressed where that is less: in a browser, of 4 GB.
constexpr size_t at_most_address_space(uint64_t bytes, size_t part) {
    return bytes < SIZE_MAX / part ? static_cast<size_t>(bytes) : SIZE_MAX / part;
}

// How much a reader may allocate for one file before it says no: generous for real work, finite for hostile files.
struct Limits {
    size_t max_file_bytes = at_most_address_space(uint64_t{4} << 30, 4);
    size_t max_vertices = 100'000'000;   // over all meshes
    size_t max_triangles = 200'000'000;  // over all meshes
    size_t max_joints = 65'535;
    size_t max_keys = 200'000'000;                                           // over all tracks of all clips
    size_t max_decoded_bytes = at_most_address_space(uint64_t{8} << 30, 2);  // what compressed geometry may expand to
    int max_depth = 512;  // nesting of JSON and of node trees in text formats
};

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
