#include <sinew/morph/key_shapes.h>

#include <sinew/core/check.h>
#include <cmath>

namespace sinew {
namespace {

using Attribute = std::vector<Vec3> KeyShape::*;

std::vector<Vec3> combine(std::span<const KeyShape> shapes, std::span<const float> weights, Attribute attribute) {
    const size_t count = shapes[0].positions.size();
    for (const KeyShape& shape : shapes) {
        if ((shape.*attribute).size() != count) return {};
    }
    std::vector<Vec3> result(count);
    for (size_t v = 0; v < count; ++v) {
        Vec3d sum = Vec3d::Zero();
        for (size_t s = 0; s < shapes.size(); ++s) sum += double{weights[s]} * (shapes[s].*attribute)[v].cast<double>();
        result[v] = sum.cast<float>();
    }
    return result;
}

bool has(const KeyShape& shape, const KeyShape& neutral, Attribute attribute) {
    return !(neutral.*attribute).empty() && (shape.*attribute).size() == (neutral.*attribute).size();
}

MorphTarget delta(const KeyShape& shape, const KeyShape& neutral, float tolerance) {
    SINEW_CHECK(shape.positions.size() == neutral.positions.size());
    const bool normals = has(shape, neutral, &KeyShape::normals), tangents = has(shape, neutral, &KeyShape::tangents);
    MorphTarget target;
    target.name = shape.name;
    for (size_t v = 0; v < shape.positions.size(); ++v) {
        const Vec3 position = shape.positions[v] - neutral.positions[v];
        const Vec3 normal = normals ? Vec3(shape.normals[v] - neutral.normals[v]) : Vec3::Zero();
        const Vec3 tangent = tangents ? Vec3(shape.tangents[v] - neutral.tangents[v]) : Vec3::Zero();
        const Vec3 largest = position.cwiseAbs().cwiseMax(normal.cwiseAbs()).cwiseMax(tangent.cwiseAbs());
        if (largest.maxCoeff() <= tolerance) continue;
        target.vertices.push_back(static_cast<uint32_t>(v));
        target.positions.push_back(position);
        if (normals) target.normals.push_back(normal);
        if (tangents) target.tangents.push_back(tangent);
    }
    return target;
}

void add(std::vector<Vec3>& values, std::span<const uint32_t> vertices, std::span<const Vec3> deltas) {
    if (values.empty() || deltas.empty()) return;
    for (size_t i = 0; i < vertices.size(); ++i) values[vertices[i]] += deltas[i];
}

}  // namespace

KeyShape combine(std::span<const KeyShape> shapes, std::span<const float> weights) {
    SINEW_CHECK(!shapes.empty() && shapes.size() == weights.size());
    for (const KeyShape& shape : shapes) SINEW_CHECK(shape.positions.size() == shapes[0].positions.size());
    return {.name = {},
            .positions = combine(shapes, weights, &KeyShape::positions),
            .normals = combine(shapes, weights, &KeyShape::normals),
            .tangents = combine(shapes, weights, &KeyShape::tangents)};
}

std::vector<MorphTarget> to_deltas(std::span<const KeyShape> shapes, size_t neutral, float tolerance) {
    SINEW_CHECK(neutral < shapes.size());
    std::vector<MorphTarget> targets;
    for (size_t s = 0; s < shapes.size(); ++s) {
        if (s != neutral) targets.push_back(delta(shapes[s], shapes[neutral], tolerance));
    }
    return targets;
}

std::vector<KeyShape> to_key_shapes(const KeyShape& neutral, std::span<const MorphTarget> targets) {
    std::vector<KeyShape> shapes = {neutral};
    for (const MorphTarget& target : targets) {
        KeyShape& shape = shapes.emplace_back(neutral);
        shape.name = target.name;
        add(shape.positions, target.vertices, target.positions);
        add(shape.normals, target.vertices, target.normals);
        add(shape.tangents, target.vertices, target.tangents);
    }
    return shapes;
}

std::vector<float> delta_weights(std::span<const float> convex, size_t neutral) {
    SINEW_CHECK(neutral < convex.size());
    std::vector<float> weights(convex.begin(), convex.end());
    weights.erase(weights.begin() + static_cast<std::ptrdiff_t>(neutral));
    return weights;
}

std::vector<float> convex_weights(std::span<const float> deltas, size_t neutral) {
    SINEW_CHECK(neutral <= deltas.size());
    double sum = 0.0;
    for (const float weight : deltas) sum += weight;
    std::vector<float> weights(deltas.begin(), deltas.end());
    weights.insert(weights.begin() + static_cast<std::ptrdiff_t>(neutral), static_cast<float>(1.0 - sum));
    return weights;
}

}  // namespace sinew
