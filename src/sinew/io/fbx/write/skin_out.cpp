#include <sinew/io/fbx/write/meshes.h>
#include <algorithm>
#include <cmath>

namespace sinew::fbx {
namespace {

constexpr int32_t skin_version = 101, cluster_version = 100;
constexpr double deform_accuracy = 50.0;  // what all programs write; it has no effect on linear skins
constexpr double least_volume = 1e-12;    // relative to the largest entry cubed: below it a matrix is flat

bool can_invert(const AffineD& m) {
    const double largest = m.linear().cwiseAbs().maxCoeff();
    return m.matrix().allFinite() && std::abs(m.linear().determinant()) > least_volume * largest * largest * largest;
}

// Where the node stands that a bone's tree hangs on: Blender makes an armature of it.
AffineD armature_world(const Outline& outline, int32_t node) {
    while (node >= 0 && outline.nodes[size_t(node)].kind == OutNode::Kind::bone)
        node = outline.nodes[size_t(node)].parent;
    return node < 0 ? AffineD(AffineD::Identity()) : outline.rest[size_t(outline.nodes[size_t(node)].joint)];
}

struct ClusterWeights {
    std::vector<int32_t> points;
    std::vector<double> weights;
};

std::vector<ClusterWeights> weights_of(const Skin& skin, const OutMesh& mesh) {
    std::vector<ClusterWeights> clusters(skin.joints.size());
    for (size_t point = 0; point < mesh.points.sources.size(); ++point) {
        const auto [p, v] = mesh.points.sources[point];
        if (!mesh.follows_joints({p, v})) continue;
        for (const Influence& influence : mesh.mesh.primitives[p].influences.of(v)) {
            clusters[influence.joint].points.push_back(int32_t(point));
            clusters[influence.joint].weights.push_back(double(influence.weight));
        }
    }
    return clusters;
}

}  // namespace

AffineD mesh_placement(const Output& output, const MeshInstance& instance) {
    const Skin& skin = output.character.skins[size_t(instance.skin)];
    int32_t top = -1;  // the joint nearest to a root
    for (size_t i = 0; i < skin.joints.size(); ++i) {
        const bool is_node = output.outline.node_of_joint[size_t(skin.joints[i])] >= 0;
        if (is_node && can_invert(skin.inverse_bind[i].cast<double>()) &&
            (top < 0 || skin.joints[i] < skin.joints[size_t(top)]))
            top = int32_t(i);
    }
    if (top < 0) return AffineD::Identity();
    const AffineD placed =
        output.outline.rest[size_t(skin.joints[size_t(top)])] * skin.inverse_bind[size_t(top)].cast<double>();
    return can_invert(placed) ? placed : AffineD(AffineD::Identity());
}

void write_skin(Output& output, const MeshInstance& instance, const OutMesh& mesh, int64_t geometry,
                std::vector<AffineD>& bind, std::vector<bool>& is_bound) {
    const Skin& skin = output.character.skins[size_t(instance.skin)];
    const int64_t skin_id = output.new_id();
    Record deformer = output.object("Deformer", skin_id, skin.name, "Deformer", "Skin");
    deformer.add("Version", skin_version);
    deformer.add("Link_DeformAcuracy", deform_accuracy);
    output.objects.add(std::move(deformer));
    output.connect(skin_id, geometry);
    const std::vector<ClusterWeights> weights = weights_of(skin, mesh);
    for (size_t i = 0; i < skin.joints.size(); ++i) {
        const auto joint = size_t(skin.joints[i]);
        const int32_t node = output.outline.node_of_joint[joint];
        if (node < 0) continue;
        const AffineD joint_from_mesh = skin.inverse_bind[i].cast<double>();
        const AffineD joint_from_bind = joint_from_mesh * mesh.placed.inverse();
        const AffineD world = can_invert(joint_from_bind) ? joint_from_bind.inverse() : output.outline.rest[joint];
        if (!is_bound[joint]) bind[joint] = world;
        is_bound[joint] = true;
        const OutNode& bone = output.outline.nodes[size_t(node)];
        const int64_t id = output.new_id();
        Record cluster = output.object("Deformer", id, bone.name, "SubDeformer", "Cluster");
        cluster.add("Version", cluster_version);
        cluster.add("UserData", "", "");
        if (!weights[i].points.empty()) {
            cluster.add("Indexes", weights[i].points);
            cluster.add("Weights", weights[i].weights);
        }
        cluster.add("Transform", in_centimetres(joint_from_bind));
        cluster.add("TransformLink", in_centimetres(world));
        cluster.add("TransformAssociateModel", in_centimetres(armature_world(output.outline, node)));
        output.objects.add(std::move(cluster));
        output.connect(id, skin_id);
        output.connect(bone.id, id);
    }
}

}  // namespace sinew::fbx
