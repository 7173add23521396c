#include <sinew/io/fbx/write/meshes.h>
#include <algorithm>
#include <map>

namespace sinew::fbx {
namespace {

constexpr int32_t pose_version = 100;

class InstanceWriter {
public:
    explicit InstanceWriter(Output& output)
        : output_(output), bind_(output.outline.rest), is_bound_(output.outline.rest.size(), false) {}

    void write_all() {
        const Character& character = output_.character;
        output_.shape_channels.resize(character.instances.size());
        for (size_t i = 0; i < character.instances.size(); ++i) write(i);
        if (std::ranges::find(is_bound_, true) != is_bound_.end()) write_pose();
    }

private:
    // Weights and blend shapes belong to a geometry in FBX: only plain ones are shared by instances.
    void write(size_t number) {
        const MeshInstance& instance = output_.character.instances[number];
        const MeshGroup& mesh = output_.character.meshes[size_t(instance.mesh)];
        const int64_t node = output_.outline.nodes[size_t(output_.outline.node_of_instance[number])].id;
        const size_t targets = morph_count(mesh);
        const bool plain = instance.skin < 0 && targets == 0;
        const std::vector<int32_t> slots = slots_of(mesh);
        int64_t& shared = geometry_of_mesh_[instance.mesh];
        int64_t geometry = plain ? shared : 0;
        if (geometry == 0) {
            geometry = output_.new_id();
            if (plain) shared = geometry;
            OutMesh out{mesh, find_control_points(mesh), AffineD::Identity(), slots};
            if (instance.skin >= 0) out.placed = mesh_placement(output_, instance);
            output_.objects.add(geometry_record(output_, geometry, out));
            if (instance.skin >= 0) write_skin(output_, instance, out, geometry, bind_, is_bound_);
            if (targets > 0) output_.shape_channels[number] = write_shapes(output_, instance, out, geometry);
        }
        output_.connect(geometry, node);
        for (const int32_t material : slots)
            output_.connect(material < 0 ? output_.materials.back() : output_.materials[size_t(material)], node);
    }

    static std::vector<int32_t> slots_of(const MeshGroup& mesh) {
        std::vector<int32_t> slots;
        for (const Primitive& primitive : mesh.primitives)
            if (std::ranges::find(slots, primitive.material) == slots.end()) slots.push_back(primitive.material);
        if (slots == std::vector<int32_t>{-1}) slots.clear();
        return slots;
    }

    // Where everything stood when the skins were bound.
    void write_pose() {
        const Outline& outline = output_.outline;
        const int64_t id = output_.new_id();
        Record pose = output_.object("Pose", id, "BindPose", "Pose", "BindPose");
        pose.add("Type", "BindPose");
        pose.add("Version", pose_version);
        pose.add("NbPoseNodes", int32_t(outline.nodes.size()));
        for (const OutNode& node : outline.nodes) {
            int32_t at = int32_t(&node - outline.nodes.data());
            while (at >= 0 && outline.nodes[size_t(at)].joint < 0) at = outline.nodes[size_t(at)].parent;
            const AffineD world =
                at < 0 ? AffineD(AffineD::Identity()) : bind_[size_t(outline.nodes[size_t(at)].joint)];
            Record& entry = pose.add("PoseNode");
            entry.add("Node", node.id);
            entry.add("Matrix", in_centimetres(world));
        }
        output_.objects.add(std::move(pose));
    }

    Output& output_;
    std::vector<AffineD> bind_;  // world_from_joint at bind time
    std::vector<bool> is_bound_;
    std::map<int32_t, int64_t> geometry_of_mesh_;
};

}  // namespace

void write_meshes(Output& output) {
    InstanceWriter(output).write_all();
}

}  // namespace sinew::fbx
