// Random motions and bindings for the skinning tests.
#pragma once

#include <sinew/core/random.h>
#include <sinew/skin/deform.h>
#include <vector>

namespace sinew::test {

inline float number(Random& random, double size) {
    return static_cast<float>(random.uniform(-size, size));
}
inline Vec3 vector(Random& random, double size) {
    const float x = number(random, size), y = number(random, size);
    return {x, y, number(random, size)};
}

inline Affine random_rigid(Random& random) {
    Affine m;
    const float angle = number(random, 3);
    m.linear() = Eigen::AngleAxisf(angle, vector(random, 1).normalized()).toRotationMatrix();
    m.translation() = vector(random, 2);
    return m;
}

// With a scale of 0.5…1.5 along each axis, and some shear.
inline Affine random_affine(Random& random) {
    Affine m = random_rigid(random);
    const Vec3 scale = Vec3(1.0f, 1.0f, 1.0f) + vector(random, 0.5);
    m.linear() = (m.linear() * scale.asDiagonal()).eval();
    m.linear()(0, 1) += 0.2f;
    return m;
}

// Up to `most` influences per vertex over `joints` joints; every seventh vertex has none.
inline Influences random_influences(Random& random, size_t vertices, uint32_t joints, uint32_t most) {
    std::vector<uint32_t> first = {0};
    std::vector<Influence> raw;
    for (size_t v = 0; v < vertices; ++v) {
        const uint64_t count = v % 7 == 6 ? 0 : 1 + random.below(most);
        for (uint64_t i = 0; i < count; ++i) {
            const auto joint = static_cast<uint32_t>(random.below(joints));
            raw.push_back({joint, static_cast<float>(0.05 + random.uniform())});
        }
        first.push_back(static_cast<uint32_t>(raw.size()));
    }
    return *Influences::create(std::move(first), std::move(raw), joints);
}

// The attributes of a mesh, deformed or not.
struct Vertices {
    std::vector<Vec3> positions;
    std::vector<Vec3> normals;
    std::vector<Vec4> tangents;

    DeformBuffers onto(Vertices& out) const {
        out = *this;
        return {positions, normals, tangents, out.positions, out.normals, out.tangents};
    }
};

inline Vertices random_vertices(Random& random, size_t count) {
    Vertices result;
    for (size_t v = 0; v < count; ++v) {
        result.positions.push_back(vector(random, 2));
        const Vec3 normal = vector(random, 1).normalized();
        const Vec3 tangent = normal.cross(vector(random, 1)).normalized();
        result.normals.push_back(normal);
        result.tangents.emplace_back(tangent.x(), tangent.y(), tangent.z(), v % 2 == 0 ? 1.0f : -1.0f);
    }
    return result;
}

inline Vertices deformed(Deformer& deformer, std::span<const Affine> palette, const DeformBinding& binding,
                         const Vertices& in) {
    Vertices out;
    deformer(palette, binding, in.onto(out));
    return out;
}

}  // namespace sinew::test
