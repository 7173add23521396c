// Closed shapes for the tests of volumes: tubes and boxes, and several of them as one mesh.
#pragma once

#include <sinew/weights/bones/choose_bones.h>
#include <sinew/weights/surface/surface.h>
#include <cmath>
#include <vector>

namespace sinew::test {

struct Shape {
    std::vector<Vec3> positions;
    std::vector<uint32_t> triangles;

    void add(const Shape& other) {
        const auto first = static_cast<uint32_t>(positions.size());
        positions.insert(positions.end(), other.positions.begin(), other.positions.end());
        for (const uint32_t corner : other.triangles) triangles.push_back(first + corner);
    }
    Surface surface() const {
        const WeightMesh mesh{positions, triangles};
        return make_surface(std::span(&mesh, 1));
    }
};

// Rings of vertices along a straight axis, with flat ends.
inline Shape tube(const Vec3& from, const Vec3& to, float radius, uint32_t rings, uint32_t sides) {
    Shape s;
    const Vec3 axis = (to - from).normalized(), u = axis.unitOrthogonal(), w = axis.cross(u);
    for (uint32_t r = 0; r < rings; ++r)
        for (uint32_t k = 0; k < sides; ++k) {
            const float angle = 2.0f * pi * static_cast<float>(k) / static_cast<float>(sides);
            const Vec3 middle = from + (to - from) * (static_cast<float>(r) / static_cast<float>(rings - 1));
            s.positions.push_back(middle + radius * (std::cos(angle) * u + std::sin(angle) * w));
        }
    const auto at = [&](uint32_t r, uint32_t k) { return r * sides + k % sides; };
    for (uint32_t r = 0; r + 1 < rings; ++r)
        for (uint32_t k = 0; k < sides; ++k)
            s.triangles.insert(s.triangles.end(),
                               {at(r, k), at(r, k + 1), at(r + 1, k + 1), at(r, k), at(r + 1, k + 1), at(r + 1, k)});
    const auto low = static_cast<uint32_t>(s.positions.size());
    s.positions.push_back(from);
    s.positions.push_back(to);
    for (uint32_t k = 0; k < sides; ++k)
        s.triangles.insert(s.triangles.end(),
                           {low, at(0, k + 1), at(0, k), low + 1, at(rings - 1, k), at(rings - 1, k + 1)});
    return s;
}

inline Shape box(const Vec3& low, const Vec3& high) {
    Shape s;
    for (int k = 0; k < 8; ++k)
        s.positions.push_back({k & 1 ? high.x() : low.x(), k & 2 ? high.y() : low.y(), k & 4 ? high.z() : low.z()});
    s.triangles = {0, 2, 3, 0, 3, 1, 4, 5, 7, 4, 7, 6, 0, 1, 5, 0, 5, 4,
                   2, 6, 7, 2, 7, 3, 0, 4, 6, 0, 6, 2, 1, 3, 7, 1, 7, 5};
    return s;
}

// A bone given in the shape's own units.
inline Bone bone(const Surface& surface, int32_t joint, const Vec3d& head, const Vec3d& tail) {
    Bone b;
    b.joint = joint;
    b.head = surface.to_surface(head);
    b.tail = surface.to_surface(tail);
    return b;
}

}  // namespace sinew::test
