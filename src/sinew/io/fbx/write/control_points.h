// ControlPoints: the points of an FBX geometry. Vertices that differ only in what FBX has at corners (normals, UVs,
// colours) are one of them, so that a mesh is not torn along its seams. Data flow: MeshGroup → *here* → meshes.cpp.
#pragma once

#include <sinew/character/character.h>
#include <cstdint>
#include <vector>

namespace sinew::fbx {

struct ControlPoints {
    struct Vertex {
        uint32_t primitive = 0, vertex = 0;
    };
    std::vector<Vertex> sources;                   // of each point, the first of its vertices
    std::vector<std::vector<uint32_t>> of_vertex;  // by primitive and vertex
};

// One point for all vertices with the same position, the same influences and the same moves of all morph targets. O(n).
ControlPoints find_control_points(const MeshGroup& mesh);

}  // namespace sinew::fbx
