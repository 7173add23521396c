// Scene: what the parts of the FBX reader pass to each other. For io/fbx alone.
// Data flow: Graph, Models → materials.cpp, meshes.cpp (skins.cpp, shapes.cpp), clips.cpp → Character.
#pragma once

#include <sinew/io/fbx/joints.h>
#include <sinew/io/fbx/mesh.h>
#include <sinew/io/read.h>

namespace sinew::fbx {

// A blend shape with its in-betweens: one number in the file, several morph targets of the character.
struct ShapeChannel {
    int32_t object = -1;               // what its percentage is a property of
    std::string_view property;         // and the property's name
    std::vector<double> full_weights;  // the percentage at which each target alone is shown, increasing
    double percent = 0;                // at rest
    size_t first_target = 0;           // among the mesh's morph targets

    // The targets' weights at a percentage: linear between neighbours and beyond the last, 0 at 0.
    void weights_at(double percentage, float* weights) const;
};

struct Scene {
    const Graph& graph;
    const ReadOptions& options;
    Models models;
    Character character;
    std::vector<int32_t> material_of_object;          // −1: the object is no material
    std::vector<std::vector<ShapeChannel>> channels;  // per mesh of the character
    // Told once for the whole file.
    size_t bones_without_node = 0, dual_quaternion_skins = 0;
};

// Each checks every index and count that it uses, and leaves out, with a warning, what makes no sense.
void add_materials(Scene& scene);
Result<void> add_meshes(Scene& scene);

// For meshes.cpp: a geometry's binding. Empty influences in `primitives` where it has no skin.
struct Binding {
    std::vector<int32_t> joints;
    std::vector<AffineD> joint_from_mesh;
    bool has_loose_vertices = false;  // these follow the joint after the last
};
Result<Binding> add_influences(Scene& scene, int32_t geometry, const Model& model,
                               std::vector<PrimitiveSource>& primitives);
std::vector<ShapeChannel> add_shapes(Scene& scene, int32_t geometry, const AffineD& geometric,
                                     std::vector<PrimitiveSource>& primitives);

}  // namespace sinew::fbx
