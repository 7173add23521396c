// Meshes for tests of cloth: a flat sheet, and a ball.
#pragma once

#include <sinew/math/types.h>
#include <cmath>
#include <cstdint>
#include <vector>

namespace sinew::test {

struct GridMesh {
    std::vector<Vec3> positions;
    std::vector<uint32_t> triangles;
};

// nx by ny vertices, row after row, in the plane of x and −y. `equal_sided`: every second row is moved by half a step,
// and all diagonals are of one length.
inline GridMesh grid(int nx, int ny, float dx, float dy, bool equal_sided = false) {
    GridMesh mesh;
    for (int j = 0; j < ny; ++j)
        for (int i = 0; i < nx; ++i)
            mesh.positions.emplace_back(dx * (static_cast<float>(i) + (equal_sided && j % 2 ? 0.5f : 0.0f)),
                                        -dy * static_cast<float>(j), 0.0f);
    for (int j = 0; j + 1 < ny; ++j)
        for (int i = 0; i + 1 < nx; ++i) {
            const auto a = static_cast<uint32_t>(j * nx + i), b = a + 1, c = a + static_cast<uint32_t>(nx), d = c + 1;
            const bool other = equal_sided ? j % 2 == 1 : (i + j) % 2 == 1;
            if (other)
                mesh.triangles.insert(mesh.triangles.end(), {a, c, d, a, d, b});
            else
                mesh.triangles.insert(mesh.triangles.end(), {a, c, b, b, c, d});
        }
    return mesh;
}

// A closed ball around the origin, with normals outwards.
inline GridMesh ball(float radius, int rings, int sides) {
    GridMesh mesh;
    mesh.positions.emplace_back(0, radius, 0);
    for (int r = 1; r < rings; ++r)
        for (int s = 0; s < sides; ++s) {
            const float u = pi * static_cast<float>(r) / static_cast<float>(rings),
                        w = 2 * pi * static_cast<float>(s) / static_cast<float>(sides);
            mesh.positions.emplace_back(radius * std::sin(u) * std::cos(w), radius * std::cos(u),
                                        -radius * std::sin(u) * std::sin(w));
        }
    mesh.positions.emplace_back(0, -radius, 0);
    const auto last = static_cast<uint32_t>(mesh.positions.size() - 1);
    const auto at = [&](int r, int s) { return static_cast<uint32_t>(1 + (r - 1) * sides + s % sides); };
    for (int s = 0; s < sides; ++s) {
        mesh.triangles.insert(mesh.triangles.end(), {0u, at(1, s), at(1, s + 1)});
        mesh.triangles.insert(mesh.triangles.end(), {last, at(rings - 1, s + 1), at(rings - 1, s)});
        for (int r = 1; r + 1 < rings; ++r)
            mesh.triangles.insert(mesh.triangles.end(),
                                  {at(r, s), at(r + 1, s), at(r, s + 1), at(r, s + 1), at(r + 1, s), at(r + 1, s + 1)});
    }
    return mesh;
}

}  // namespace sinew::test
