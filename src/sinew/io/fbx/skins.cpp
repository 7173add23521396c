#include <sinew/io/fbx/scene.h>
#include <sinew/skeleton/pose.h>
#include <algorithm>
#include <cmath>
#include <optional>

namespace sinew::fbx {
namespace {

// Sixteen numbers, column by column of a matrix that takes column vectors.
std::optional<AffineD> matrix_of(const Node* node) {
    const std::vector<double> numbers = reals_of(node);
    if (numbers.size() < 16) return std::nullopt;
    AffineD result;
    for (int column = 0; column < 4; ++column)
        for (int row = 0; row < 3; ++row) result.matrix()(row, column) = numbers[size_t(4 * column + row)];
    if (!result.matrix().allFinite()) return std::nullopt;
    return result;
}

// The clusters of all skins of a geometry: a joint, its bind matrix, and weights of control points.
struct Cluster {
    int32_t joint = -1;
    AffineD joint_from_mesh;  // in Sinew's space
    std::vector<std::pair<uint32_t, double>> weights;
};

class ClusterReader {
public:
    ClusterReader(Scene& scene, const Model& model) : scene_(scene), model_(model) {}

    std::vector<Cluster> read(int32_t geometry) {
        std::vector<Cluster> clusters;
        for (const int32_t skin : scene_.graph.children_of(geometry, "Deformer", "Skin")) {
            for (const int32_t object : scene_.graph.children_of(skin, "Deformer", "Cluster"))
                if (auto cluster = read_one(object)) clusters.push_back(*std::move(cluster));
            const Node* type = scene_.graph.objects[size_t(skin)].node->find("SkinningType");
            if (type != nullptr && (type->text(0) == "DualQuaternion" || type->text(0) == "Blend"))
                ++scene_.dual_quaternion_skins;
        }
        return clusters;
    }

private:
    std::optional<Cluster> read_one(int32_t object) {
        const Node& node = *scene_.graph.objects[size_t(object)].node;
        const std::vector<int32_t> links = scene_.graph.children_of(object, "Model");
        const Model* bone = links.empty() ? nullptr : scene_.models.find(links[0]);
        if (bone == nullptr) {
            scene_.bones_without_node += !reals_of(node.find("Weights")).empty();
            return std::nullopt;
        }
        Cluster cluster;
        cluster.joint = bone->scaled_joint;
        const std::vector<int64_t> indices = integers_of(node.find("Indexes"));
        const std::vector<double> weights = reals_of(node.find("Weights"));
        for (size_t i = 0; i < std::min(indices.size(), weights.size()); ++i)
            if (indices[i] >= 0 && indices[i] <= UINT32_MAX && weights[i] > 0 && std::isfinite(weights[i]))
                cluster.weights.emplace_back(uint32_t(indices[i]), weights[i]);
        if (const auto transform = matrix_of(node.find("Transform")))
            cluster.joint_from_mesh = scene_.models.space.matrix(*transform);
        else
            cluster.joint_from_mesh = world_of(bone->scaled_joint).inverse() * world_of(model_.scaled_joint);
        if (!cluster.joint_from_mesh.matrix().cast<float>().allFinite()) cluster.joint_from_mesh = AffineD::Identity();
        return cluster;
    }

    AffineD world_of(int32_t joint) const {
        const Skeleton& skeleton = scene_.character.skeleton;
        AffineD world = AffineD::Identity();
        for (; joint >= 0; joint = skeleton.parents()[size_t(joint)])
            world = to_affine_d(skeleton.rest()[size_t(joint)]) * world;
        return world;
    }

    Scene& scene_;
    const Model& model_;
};

// Weights by control point, one after another.
struct PointWeights {
    std::vector<uint32_t> first;
    std::vector<Influence> all;

    PointWeights(const std::vector<Cluster>& clusters, size_t points) : first(points + 1, 0) {
        const auto each = [&](auto&& use) {
            for (size_t c = 0; c < clusters.size(); ++c)
                for (const auto& [point, weight] : clusters[c].weights)
                    if (point < points) use(point, Influence{uint32_t(c), float(weight)});
        };
        each([&](uint32_t point, const Influence&) { ++first[point + 1]; });
        for (size_t p = 0; p < points; ++p) first[p + 1] += first[p];
        all.resize(first.back());
        std::vector<uint32_t> next(first.begin(), first.end() - 1);
        each([&](uint32_t point, const Influence& influence) { all[next[point]++] = influence; });
    }
};

}  // namespace

Result<Binding> add_influences(Scene& scene, int32_t geometry, const Model& model,
                               std::vector<PrimitiveSource>& primitives) {
    const std::vector<Cluster> clusters = ClusterReader(scene, model).read(geometry);
    Binding binding;
    if (clusters.empty()) return binding;
    uint32_t points = 0;
    for (const PrimitiveSource& source : primitives)
        for (const uint32_t p : source.points) points = std::max(points, p + 1);
    const PointWeights weights(clusters, points);
    for (const Cluster& cluster : clusters) {
        binding.joints.push_back(cluster.joint);
        binding.joint_from_mesh.push_back(cluster.joint_from_mesh);
    }
    for (PrimitiveSource& source : primitives) {
        std::vector<uint32_t> first{0};
        std::vector<Influence> all;
        for (const uint32_t p : source.points) {
            all.insert(all.end(), weights.all.begin() + weights.first[p], weights.all.begin() + weights.first[p + 1]);
            if (weights.first[p] == weights.first[p + 1]) {
                all.push_back({uint32_t(clusters.size()), 1.0f});
                binding.has_loose_vertices = true;
            }
            first.push_back(uint32_t(all.size()));
        }
        SINEW_TRY(source.primitive.influences,
                  Influences::create(std::move(first), std::move(all), clusters.size() + 1));
    }
    return binding;
}

}  // namespace sinew::fbx
