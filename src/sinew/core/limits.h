// Limits: how much a reader may allocate for one file before it says no. Generous for real work, finite for hostile
// files.
#pragma once

#include <cstddef>

namespace sinew {

struct Limits {
    size_t max_file_bytes = size_t{4} << 30;
    size_t max_vertices = 100'000'000;   // over all meshes
    size_t max_triangles = 200'000'000;  // over all meshes
    size_t max_joints = 65'535;
    size_t max_keys = 200'000'000;               // over all tracks of all clips
    size_t max_decoded_bytes = size_t{8} << 30;  // what compressed geometry may expand to
    int max_depth = 512;                         // nesting of JSON and of node trees in text formats
};

}  // namespace sinew
