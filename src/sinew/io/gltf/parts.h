// The parts of a character as a document states them: nodes, skins, primitives, materials, clips.
// Data flow: GltfDocument → *here* → read.cpp (assembles a Character) and write.cpp (asks what has changed).
#pragma once

#include <sinew/character/character.h>
#include <sinew/io/gltf/document.h>
#include <string>
#include <vector>

namespace sinew::gltf {

// What the readers share. Writers use one to learn whether reading a part had to repair it.
struct Context {
    const GltfDocument& document;
    Limits limits;
    std::vector<std::string> warnings;
    size_t vertices = 0, triangles = 0, deltas = 0, keys = 0;  // so far, against the limits
    size_t repairs = 0;

    // The file says something that glTF forbids; Sinew reads it in the sensible way. The first hundred are reported.
    void repaired(std::string where, std::string_view what);
};

struct Nodes {
    Skeleton skeleton;
    std::vector<int32_t> joint_source;   // node of each joint
    std::vector<int32_t> joint_of_node;  // joint of each node
    std::vector<bool> in_scene;          // per node: reachable from the active scene
};
// Nodes in file order wherever parents already stand before their children.
Result<Nodes> read_nodes(Context& context);

Result<Skin> read_skin(Context& context, const Nodes& nodes, size_t index);

// How many joints the skins have that place this mesh: the fewest, as its JOINTS must suit all. 0: it is not skinned.
std::vector<size_t> skin_joints_per_mesh(const GltfDocument& document);

// Morph targets of a mesh: the most that any of its primitives has.
size_t target_count(const Json& mesh);

struct PrimitiveOptions {
    size_t skin_joints = 0;  // skin_joints_per_mesh
    size_t targets = 0;      // target_count
};
Result<Primitive> read_primitive(Context& context, size_t mesh, size_t primitive, const PrimitiveOptions& options);

// Everything of a mesh except its primitives' arrays.
MeshGroup read_mesh_header(Context& context, size_t mesh);
std::vector<std::string> target_names(const Json& mesh, size_t count);

// One per node with a mesh, in node order, their morph weights laid out.
Result<std::vector<MeshInstance>> read_instances(Context& context, const Nodes& nodes);

Material read_material(const GltfDocument& document, size_t index);
Image read_image(const GltfDocument& document, size_t index);

// The morph weights that a node's "weights" channel moves.
struct MorphRange {
    int32_t first = 0;
    int32_t count = 0;
};
struct ClipTargets {
    std::vector<int32_t> joint_of_node;
    std::vector<MorphRange> morphs_of_node;
};
ClipTargets clip_targets(const GltfDocument& document, const Nodes& nodes, const std::vector<MeshInstance>& instances);

// `channels`, when given, receives the number of the channel that each track came from.
Result<Clip> read_clip(Context& context, const ClipTargets& targets, size_t index,
                       std::vector<size_t>* channels = nullptr);

}  // namespace sinew::gltf
