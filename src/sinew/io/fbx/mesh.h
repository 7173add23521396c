// FbxMesh: an FBX geometry as primitives, with what leads back to its control points.
// Data flow: Geometry → *here* → skins.cpp and shapes.cpp, which know control points only → Character.
#pragma once

#include <sinew/character/character.h>
#include <sinew/io/fbx/geometry.h>
#include <sinew/io/fbx/space.h>
#include <sinew/io/obj/polygon.h>

namespace sinew::fbx {

struct PrimitiveSource {
    Primitive primitive;
    std::vector<uint32_t> points;  // the control point of each vertex
};

// One primitive per material, in the order of `materials` (the character's, one per slot of the geometry), in Sinew's
// space. Corners that are equal in all they have become one vertex.
std::vector<PrimitiveSource> make_primitives(const Geometry& geometry, const AffineD& geometric, const Space& space,
                                             const std::vector<int32_t>& materials, Triangulator& triangulator);

}  // namespace sinew::fbx
