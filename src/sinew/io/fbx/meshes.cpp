#include <fmt/format.h>

#include <sinew/io/fbx/scene.h>
#include <array>
#include <map>

namespace sinew::fbx {
namespace {

// What makes two uses of a geometry one mesh of the character.
struct MeshKey {
    int32_t geometry = 0;
    std::vector<int32_t> materials;
    std::array<double, 12> geometric{};

    auto operator<=>(const MeshKey&) const = default;
};

struct BuiltMesh {
    int32_t mesh = -1;
    Binding binding;
};

class MeshAdder {
public:
    explicit MeshAdder(Scene& scene) : scene_(scene) {}

    Result<void> add_all() {
        for (const Model& model : scene_.models.all)
            for (const Link& link : scene_.graph.children[size_t(model.object)]) {
                const Object& object = scene_.graph.objects[size_t(link.object)];
                if (object.kind == "Geometry" && object.type != "Shape" && object.node->find("Vertices") != nullptr)
                    SINEW_TRY_VOID(add(model, link.object));
            }
        layout_morphs(scene_.character);
        warn();
        return {};
    }

private:
    Result<void> add(const Model& model, int32_t geometry) {
        MeshKey key{geometry, materials_of(model), {}};
        Eigen::Map<Eigen::Matrix<double, 3, 4>>(key.geometric.data()) = model.geometric.matrix();
        const auto [known, is_new] = built_.try_emplace(std::move(key));
        if (is_new) {
            SINEW_TRY(known->second, build(model, geometry, known->first.materials));
        }
        const BuiltMesh& built = known->second;
        if (built.mesh < 0) return {};
        MeshInstance& instance = scene_.character.instances.emplace_back();
        instance.joint = model.scaled_joint;
        instance.mesh = built.mesh;
        instance.in_scene = scene_.graph.objects[size_t(model.object)].real("Visibility", 1.0) > 0;
        if (!built.binding.joints.empty()) {
            instance.skin = int32_t(scene_.character.skins.size());
            scene_.character.skins.push_back(make_skin(model, built.binding));
        }
        return {};
    }

    std::vector<int32_t> materials_of(const Model& model) const {
        std::vector<int32_t> result;
        for (const int32_t material : scene_.graph.children_of(model.object, "Material"))
            result.push_back(scene_.material_of_object[size_t(material)]);
        return result;
    }

    Result<BuiltMesh> build(const Model& model, int32_t geometry_object, const std::vector<int32_t>& materials) {
        const Geometry geometry = read_geometry(*scene_.graph.objects[size_t(geometry_object)].node);
        vertices_ += std::max(geometry.corners.size(), geometry.points.size());
        broken_ += geometry.broken_polygons;
        const Limits& limits = scene_.options.limits;
        if (vertices_ > limits.max_vertices || vertices_ > limits.max_triangles)
            return fail(ErrorCode::limit_exceeded,
                        "the file has too many vertices or triangles; split it into smaller files");
        std::vector<PrimitiveSource> primitives =
            make_primitives(geometry, model.geometric, scene_.models.space, materials, triangulator_);
        BuiltMesh result;
        if (primitives.empty()) return result;
        SINEW_TRY(result.binding, add_influences(scene_, geometry_object, model, primitives));
        std::vector<ShapeChannel> channels = add_shapes(scene_, geometry_object, model.geometric, primitives);
        MeshGroup group;
        group.name = scene_.graph.objects[size_t(geometry_object)].name;
        if (group.name.empty()) group.name = scene_.graph.objects[size_t(model.object)].name;
        for (PrimitiveSource& source : primitives) {
            source.primitive.source = int32_t(group.primitives.size());
            group.primitives.push_back(std::move(source.primitive));
        }
        group.morph_weights.assign(morph_count(group), 0.0f);
        for (const ShapeChannel& channel : channels)
            channel.weights_at(channel.percent, &group.morph_weights[channel.first_target]);
        result.mesh = int32_t(scene_.character.meshes.size());
        scene_.character.meshes.push_back(std::move(group));
        scene_.channels.push_back(std::move(channels));
        return result;
    }

    // Loose vertices follow the node that shows them, so that every instance has a skin of its own.
    Skin make_skin(const Model& model, const Binding& binding) const {
        Skin skin;
        skin.name = scene_.graph.objects[size_t(model.object)].name;
        skin.joints = binding.joints;
        for (const AffineD& matrix : binding.joint_from_mesh) skin.inverse_bind.push_back(matrix.cast<float>());
        skin.joints.push_back(model.scaled_joint);
        skin.inverse_bind.push_back(Affine::Identity());
        return skin;
    }

    void warn() {
        if (broken_ > 0)
            scene_.character.warnings.push_back(
                fmt::format("{} polygons use points that do not exist and were left out", broken_));
        if (scene_.bones_without_node > 0)
            scene_.character.warnings.push_back(
                fmt::format("{} bones of skins name no node and were left out", scene_.bones_without_node));
        if (scene_.dual_quaternion_skins > 0)
            scene_.character.warnings.push_back(fmt::format(
                "{} skins were made for dual quaternions, which glTF cannot say; bake and preview show them "
                "so with --skinning dqs",
                scene_.dual_quaternion_skins));
        if (triangulator_.out_of_budget())
            scene_.character.warnings.push_back("some polygons are too large to be split with care; they may overlap");
    }

    Scene& scene_;
    Triangulator triangulator_;
    std::map<MeshKey, BuiltMesh> built_;
    size_t vertices_ = 0, broken_ = 0;
};

}  // namespace

Result<void> add_meshes(Scene& scene) {
    return MeshAdder(scene).add_all();
}

}  // namespace sinew::fbx
