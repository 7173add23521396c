// VertexStream: where deformed vertices go — the caller's own vertex buffers, packed or interleaved.
// Data flow: the caller → *here* → skin/compiled/compiled_deform.h, character/character_deformer.h.
#pragma once

#include <cstddef>

namespace sinew {

// One attribute of a vertex buffer: three floats a vertex (four for tangents), `stride` bytes from one vertex to the
// next, 0 when they are packed. Any alignment. Null: this attribute is not written.
struct VertexStream {
    float* data = nullptr;
    size_t stride = 0;
};

struct SkinOutput {
    VertexStream positions = {};
    VertexStream normals = {};
    VertexStream tangents = {};
};

enum class VertexOrder {
    compiled,  // the order in which the kernels work, which is faster: remap the triangles' indices once
    original,  // as in the mesh
};

}  // namespace sinew
