#include <sinew/io/fbx/transform_chain.h>
#include <sinew/io/fbx/write/output.h>
#include <sinew/math/transform.h>

namespace sinew::fbx {
namespace {

constexpr int32_t model_version = 232;
constexpr int32_t plain_inheritance = 1;  // a parent's matrix times the child's own
constexpr double shown_bone_size = 5.0;   // centimetres: how large programs draw a joint

std::string_view type_of(OutNode::Kind kind) {
    if (kind == OutNode::Kind::bone) return "LimbNode";
    return kind == OutNode::Kind::mesh ? "Mesh" : "Null";
}

// A bone's rest pose is turned before its own angles, which are 0 at rest and stay far from gimbal lock.
void add_transform(const Transform& rest, bool is_bone, Record& properties) {
    const Vec3d angles = degrees_from_rotation(Quatd(rest.rotation.cast<double>()), RotationOrder::xyz);
    properties.add("P", "RotationActive", "bool", "", "", int32_t(1));
    properties.add("P", "InheritType", "enum", "", "", plain_inheritance);
    if (is_bone) properties.add("P", "PreRotation", "Vector3D", "Vector", "", angles);
    properties.add("P", "Lcl Translation", "Lcl Translation", "", "A",
                   Vec3d(rest.translation.cast<double>() * centimetres));
    properties.add("P", "Lcl Rotation", "Lcl Rotation", "", "A", is_bone ? Vec3d(Vec3d::Zero()) : angles);
    properties.add("P", "Lcl Scaling", "Lcl Scaling", "", "A", Vec3d(rest.scale.cast<double>()));
}

Record model_of(const Output& output, const OutNode& node) {
    Record model = output.object("Model", node.id, node.name, "Model", type_of(node.kind));
    model.add("Version", model_version);
    Record& properties = model.add("Properties70");
    const Transform rest = node.joint < 0 ? Transform{} : output.character.skeleton.rest()[size_t(node.joint)];
    add_transform(rest, node.kind == OutNode::Kind::bone, properties);
    properties.add("P", "DefaultAttributeIndex", "int", "Integer", "", int32_t(0));
    if (node.instance >= 0 && !output.character.instances[size_t(node.instance)].in_scene)
        properties.add("P", "Visibility", "Visibility", "", "A", 0.0);
    model.add("Shading", true);
    model.add("Culling", "CullingOff");
    return model;
}

Record attribute_of(const Output& output, int64_t id, const OutNode& node) {
    Record attribute = output.object("NodeAttribute", id, node.name, "NodeAttribute", type_of(node.kind));
    Record& properties = attribute.add("Properties70");
    if (node.kind == OutNode::Kind::bone) properties.add("P", "Size", "double", "Number", "", shown_bone_size);
    attribute.add("TypeFlags", node.kind == OutNode::Kind::bone ? "Skeleton" : "Null");
    return attribute;
}

}  // namespace

AffineD in_centimetres(const AffineD& transform) {
    AffineD result = transform;
    result.translation() *= centimetres;
    return result;
}

void write_nodes(Output& output) {
    for (OutNode& node : output.outline.nodes) {
        node.id = output.new_id();
        output.objects.add(model_of(output, node));
        output.connect(node.id, node.parent < 0 ? scene_id : output.outline.nodes[size_t(node.parent)].id);
        if (node.kind == OutNode::Kind::mesh) continue;
        const int64_t attribute = output.new_id();
        output.objects.add(attribute_of(output, attribute, node));
        output.connect(attribute, node.id);
    }
}

}  // namespace sinew::fbx
