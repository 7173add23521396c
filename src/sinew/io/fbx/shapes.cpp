#include <sinew/io/fbx/scene.h>
#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

namespace sinew::fbx {
namespace {

constexpr double full_percent = 100.0;

// A shape's moves by control point, in Sinew's space; of several at one point the last one counts.
struct PointMoves {
    std::vector<int32_t> place;  // by control point; −1: it does not move
    std::vector<Vec3> moves;
    std::vector<Vec3> normals;  // as long as `moves`, or empty
};

// `strengths`: percent for each move, or nothing.
PointMoves read_moves(const Node& shape, const std::vector<double>& strengths, const AffineD& geometric,
                      const Space& space, size_t points) {
    PointMoves result;
    result.place.assign(points, -1);
    const std::vector<int64_t> indices = integers_of(shape.find("Indexes"));
    const std::vector<double> numbers = reals_of(shape.find("Vertices")), turns = reals_of(shape.find("Normals"));
    const auto at = [](const std::vector<double>& from, size_t i) {
        return Vec3d(from[3 * i], from[3 * i + 1], from[3 * i + 2]);
    };
    const bool has_normals =
        turns.size() == 3 * indices.size() && std::any_of(turns.begin(), turns.end(), [](double x) { return x != 0; });
    const double size = geometric.linear().colwise().norm().maxCoeff();
    for (size_t i = 0; i < std::min(indices.size(), numbers.size() / 3); ++i) {
        if (indices[i] < 0 || size_t(indices[i]) >= points) continue;
        const double strength = i < strengths.size() ? strengths[i] / full_percent : 1.0;
        const Vec3 move = space.point(geometric.linear() * at(numbers, i) * strength).cast<float>();
        Vec3 turn = Vec3::Zero();
        if (has_normals && size > 0)
            turn = space.direction(geometric.linear() * at(turns, i) * (strength / size)).cast<float>();
        if (!turn.allFinite()) turn.setZero();
        if (!move.allFinite() || (move.isZero(0) && turn.isZero(0))) continue;
        result.place[size_t(indices[i])] = int32_t(result.moves.size());
        result.moves.push_back(move);
        if (has_normals) result.normals.push_back(turn);
    }
    return result;
}

void add_target(const std::string& name, const PointMoves& moves, PrimitiveSource& source) {
    MorphTarget& morph = source.primitive.morphs.emplace_back();
    morph.name = name;
    const bool has_normals = !moves.normals.empty() && !source.primitive.mesh.normals.empty();
    for (size_t v = 0; v < source.points.size(); ++v) {
        const int32_t place = moves.place[source.points[v]];
        if (place < 0) continue;
        morph.vertices.push_back(uint32_t(v));
        morph.positions.push_back(moves.moves[size_t(place)]);
        if (has_normals) morph.normals.push_back(moves.normals[size_t(place)]);
    }
}

class ShapeReader {
public:
    ShapeReader(Scene& scene, const AffineD& geometric, std::vector<PrimitiveSource>& primitives)
        : scene_(scene), geometric_(geometric), primitives_(primitives) {
        for (const PrimitiveSource& source : primitives)
            for (const uint32_t p : source.points) points_ = std::max<size_t>(points_, size_t(p) + 1);
    }

    void read_channel(int32_t object) {
        const Object& channel = scene_.graph.objects[size_t(object)];
        const std::vector<int32_t> shapes = scene_.graph.children_of(object, "Geometry", "Shape");
        if (shapes.empty()) return;
        std::vector<double> full = reals_of(channel.node->find("FullWeights")), strengths;
        // Blender writes how strongly each point moves where in-betweens belong.
        if (shapes.size() == 1 && full.size() > 1) strengths = std::exchange(full, {});
        full.resize(shapes.size(), full_percent);
        std::vector<size_t> order(shapes.size());
        std::iota(order.begin(), order.end(), size_t{0});
        std::stable_sort(order.begin(), order.end(), [&](size_t a, size_t b) { return full[a] < full[b]; });
        ShapeChannel result;
        result.object = object;
        result.property = "DeformPercent";
        const Node* percent = channel.node->find("DeformPercent");
        result.percent = channel.real("DeformPercent", percent != nullptr ? percent->real(0) : 0.0);
        result.first_target = targets_;
        for (const size_t i : order) {
            const Object& shape = scene_.graph.objects[size_t(shapes[i])];
            result.full_weights.push_back(std::isfinite(full[i]) && full[i] != 0 ? full[i] : full_percent);
            add_shape(shapes.size() > 1 ? shape.name : channel.name, *shape.node, strengths);
        }
        channels.push_back(std::move(result));
    }

    // Before 7300: a shape stands in its geometry, which has a property with the shape's name; before 7000 that is the
    // model's.
    void read_embedded(int32_t geometry) {
        const std::vector<int32_t> models = scene_.graph.parents_of(geometry, "Model");
        const bool of_model = scene_.graph.document->version < first_version_with_ids && !models.empty();
        const int32_t owner = of_model ? models[0] : geometry;
        for (const Node& shape : scene_.graph.objects[size_t(geometry)].node->children) {
            if (shape.name != "Shape") continue;
            ShapeChannel result;
            result.object = owner;
            result.property = shape.text(0);
            result.percent = scene_.graph.objects[size_t(owner)].real(result.property, 0.0);
            result.full_weights = {full_percent};
            result.first_target = targets_;
            add_shape(as_utf8(shape.text(0)), shape, {});
            channels.push_back(std::move(result));
        }
    }

    std::vector<ShapeChannel> channels;

private:
    void add_shape(const std::string& name, const Node& shape, const std::vector<double>& strengths) {
        const PointMoves moves = read_moves(shape, strengths, geometric_, scene_.models.space, points_);
        for (PrimitiveSource& source : primitives_) add_target(name, moves, source);
        ++targets_;
    }

    Scene& scene_;
    const AffineD& geometric_;
    std::vector<PrimitiveSource>& primitives_;
    size_t points_ = 0;
    size_t targets_ = 0;
};

}  // namespace

void ShapeChannel::weights_at(double percentage, float* weights) const {
    const size_t count = full_weights.size();
    std::fill_n(weights, count, 0.0f);
    // At 0 no target is shown, so that it stands between those below and those above it.
    const size_t zero = size_t(std::lower_bound(full_weights.begin(), full_weights.end(), 0.0) - full_weights.begin());
    const auto knot = [&](size_t i) { return i == zero ? 0.0 : full_weights[i < zero ? i : i - 1]; };
    size_t next = 1;
    while (next < count && percentage > knot(next)) ++next;
    const double width = knot(next) - knot(next - 1);
    const double u = width != 0 ? (percentage - knot(next - 1)) / width : 1.0;
    const auto set = [&](size_t i, double weight) {
        if (i != zero && std::isfinite(float(weight))) weights[i < zero ? i : i - 1] = float(weight);
    };
    set(next - 1, 1 - u);
    set(next, u);
}

std::vector<ShapeChannel> add_shapes(Scene& scene, int32_t geometry, const AffineD& geometric,
                                     std::vector<PrimitiveSource>& primitives) {
    ShapeReader reader(scene, geometric, primitives);
    for (const int32_t deformer : scene.graph.children_of(geometry, "Deformer", "BlendShape"))
        for (const int32_t channel : scene.graph.children_of(deformer, "Deformer", "BlendShapeChannel"))
            reader.read_channel(channel);
    reader.read_embedded(geometry);
    return std::move(reader.channels);
}

}  // namespace sinew::fbx
