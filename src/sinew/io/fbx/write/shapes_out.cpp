#include <fmt/format.h>

#include <sinew/io/fbx/write/meshes.h>
#include <algorithm>

namespace sinew::fbx {
namespace {

constexpr int32_t shape_version = 100;
constexpr double whole_percent = 100.0;

// The moves of one morph target by control point. A normal's move is the mean over the point's vertices.
struct ShapeMoves {
    std::vector<int32_t> points;
    std::vector<double> positions, normals;
};

ShapeMoves moves_of(const OutMesh& mesh, size_t target) {
    constexpr uint32_t none = ~0u;
    ShapeMoves result;
    std::vector<uint32_t> place(mesh.points.sources.size(), none);
    std::vector<double> count;
    for (size_t p = 0; p < mesh.mesh.primitives.size(); ++p) {
        const Primitive& primitive = mesh.mesh.primitives[p];
        const MorphTarget& morph = primitive.morphs[target];
        for (size_t i = 0; i < morph.vertices.size(); ++i) {
            const uint32_t vertex = morph.vertices[i], point = mesh.points.of_vertex[p][vertex];
            const bool moved = mesh.follows_joints({uint32_t(p), vertex});
            const Mat3d linear = moved ? Mat3d(mesh.placed.linear()) : Mat3d(Mat3d::Identity());
            if (place[point] == none) {
                place[point] = uint32_t(result.points.size());
                result.points.push_back(int32_t(point));
                const Vec3d move = linear * morph.positions[i].cast<double>() * centimetres;
                result.positions.insert(result.positions.end(), move.data(), move.data() + 3);
                result.normals.insert(result.normals.end(), 3, 0.0);
                count.push_back(0);
            }
            if (morph.normals.empty()) continue;
            const uint32_t at = place[point];
            Vec3d turned = linear * morph.normals[i].cast<double>();
            turned /= std::max(linear.colwise().norm().maxCoeff(), 1e-30);
            for (int k = 0; k < 3; ++k) result.normals[3 * at + size_t(k)] += turned[k];
            count[at] += 1;
        }
    }
    for (size_t i = 0; i < count.size(); ++i)
        for (size_t k = 0; k < 3 && count[i] > 0; ++k) result.normals[3 * i + k] /= count[i];
    // A shape that moves nothing moves one point by nothing: some programs stumble over empty lists.
    if (result.points.empty()) {
        result.points = {0};
        result.positions = result.normals = {0, 0, 0};
    }
    return result;
}

double rest_percent(const MeshInstance& instance, const MeshGroup& mesh, size_t target) {
    const std::vector<float>& weights = instance.morph_weights.empty() ? mesh.morph_weights : instance.morph_weights;
    return target < weights.size() ? whole_percent * double(weights[target]) : 0.0;
}

}  // namespace

std::vector<int64_t> write_shapes(Output& output, const MeshInstance& instance, const OutMesh& mesh, int64_t geometry) {
    const int64_t deformer_id = output.new_id();
    Record deformer = output.object("Deformer", deformer_id, mesh.mesh.name, "Deformer", "BlendShape");
    deformer.add("Version", shape_version);
    output.objects.add(std::move(deformer));
    output.connect(deformer_id, geometry);
    std::vector<int64_t> channels;
    UniqueNames names;
    for (size_t t = 0; t < morph_count(mesh.mesh); ++t) {
        const std::string name = names.take(mesh.mesh.primitives[0].morphs[t].name, fmt::format("shape_{}", t));
        const ShapeMoves moves = moves_of(mesh, t);
        const int64_t channel_id = output.new_id(), shape_id = output.new_id();
        const double percent = rest_percent(instance, mesh.mesh, t);
        Record channel = output.object("Deformer", channel_id, name, "SubDeformer", "BlendShapeChannel");
        channel.add("Properties70").add("P", "DeformPercent", "Number", "", "A", percent);
        channel.add("Version", shape_version);
        channel.add("DeformPercent", percent);
        channel.add("FullWeights", std::vector<double>{whole_percent});
        output.objects.add(std::move(channel));
        Record shape = output.object("Geometry", shape_id, name, "Geometry", "Shape");
        shape.add("Version", shape_version);
        shape.add("Indexes", moves.points);
        shape.add("Vertices", moves.positions);
        shape.add("Normals", moves.normals);
        output.objects.add(std::move(shape));
        output.connect(shape_id, channel_id);
        output.connect(channel_id, deformer_id);
        channels.push_back(channel_id);
    }
    return channels;
}

}  // namespace sinew::fbx
