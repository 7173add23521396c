// Parts of the FBX mesh writer: a geometry with its layers, its skin, its blend shapes. For io/fbx/write alone.
// Data flow: meshes.cpp → geometry_out.cpp, skin_out.cpp, shapes_out.cpp → Output.
#pragma once

#include <sinew/io/fbx/write/control_points.h>
#include <sinew/io/fbx/write/output.h>

namespace sinew::fbx {

// One mesh as an instance shows it. The bind pose is the rest pose as far as one placement of the mesh can make it so:
// skinned vertices are written where that placement puts them.
struct OutMesh {
    const MeshGroup& mesh;
    ControlPoints points;
    AffineD placed = AffineD::Identity();  // world_from_mesh at bind time, for vertices that follow joints
    std::vector<int32_t> slots;            // the materials of its primitives, each once

    bool follows_joints(const ControlPoints::Vertex& vertex) const;
    Vec3d position(const ControlPoints::Vertex& vertex) const;  // in centimetres
};

Record geometry_record(const Output& output, int64_t id, const OutMesh& mesh);

// The skin's deformer and clusters; `bind` gets the world matrix of each of its joints at bind time.
void write_skin(Output& output, const MeshInstance& instance, const OutMesh& mesh, int64_t geometry,
                std::vector<AffineD>& bind, std::vector<bool>& is_bound);
AffineD mesh_placement(const Output& output, const MeshInstance& instance);

// Returns the ids of its channels, one per morph target.
std::vector<int64_t> write_shapes(Output& output, const MeshInstance& instance, const OutMesh& mesh, int64_t geometry);

}  // namespace sinew::fbx
