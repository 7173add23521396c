// Closed shapes with known volumes, and the damage that real files have. For the tests of mesh.
#pragma once

#include <sinew/core/random.h>
#include <sinew/mesh/mesh.h>
#include <cmath>
#include <utility>

namespace sinew::test {

// Rings of latitude; the poles are single vertices. Outward.
inline Mesh sphere(const Vec3& centre, float radius, uint32_t rings = 48) {
    Mesh mesh;
    const uint32_t sectors = 2 * rings;
    mesh.positions.push_back(centre + radius * Vec3::UnitY());
    for (uint32_t r = 1; r < rings; ++r) {
        const float a = pi * static_cast<float>(r) / static_cast<float>(rings);
        for (uint32_t s = 0; s < sectors; ++s) {
            const float b = 2.0f * pi * static_cast<float>(s) / static_cast<float>(sectors);
            mesh.positions.push_back(centre +
                                     radius * Vec3(std::sin(a) * std::sin(b), std::cos(a), std::sin(a) * std::cos(b)));
        }
    }
    mesh.positions.push_back(centre - radius * Vec3::UnitY());
    const auto at = [&](uint32_t r, uint32_t s) {
        return r == 0       ? 0u
               : r == rings ? static_cast<uint32_t>(mesh.positions.size() - 1)
                            : 1 + (r - 1) * sectors + s % sectors;
    };
    for (uint32_t r = 0; r < rings; ++r) {
        for (uint32_t s = 0; s < sectors; ++s) {
            if (r > 0) mesh.triangles.insert(mesh.triangles.end(), {at(r, s), at(r + 1, s), at(r, s + 1)});
            if (r + 1 < rings)
                mesh.triangles.insert(mesh.triangles.end(), {at(r, s + 1), at(r + 1, s), at(r + 1, s + 1)});
        }
    }
    return mesh;
}

inline void append(Mesh& mesh, const Mesh& other) {
    const auto base = static_cast<uint32_t>(mesh.positions.size());
    mesh.positions.insert(mesh.positions.end(), other.positions.begin(), other.positions.end());
    for (uint32_t v : other.triangles) mesh.triangles.push_back(base + v);
}

// Every triangle with its own three vertices, moved by up to `jitter`.
inline Mesh soup(const Mesh& mesh, float jitter, uint64_t seed) {
    Random random(seed);
    Mesh result;
    for (uint32_t v : mesh.triangles) {
        const auto noise = [&] { return jitter * static_cast<float>(random.uniform(-1.0, 1.0)); };
        result.triangles.push_back(static_cast<uint32_t>(result.positions.size()));
        result.positions.push_back(mesh.positions[v] + Vec3(noise(), noise(), noise()));
    }
    return result;
}

inline void flip_faces(Mesh& mesh, double share, uint64_t seed) {
    Random random(seed);
    for (size_t t = 0; t + 2 < mesh.triangles.size(); t += 3)
        if (random.uniform() < share) std::swap(mesh.triangles[t], mesh.triangles[t + 1]);
}

inline void drop_faces(Mesh& mesh, double share, uint64_t seed) {
    Random random(seed);
    std::vector<uint32_t> kept;
    for (size_t t = 0; t + 2 < mesh.triangles.size(); t += 3)
        if (random.uniform() >= share)
            kept.insert(kept.end(), mesh.triangles.begin() + static_cast<long>(t),
                        mesh.triangles.begin() + static_cast<long>(t) + 3);
    mesh.triangles = std::move(kept);
}

// Removes the faces whose middle satisfies `gone`.
template <class Predicate>
void cut_faces(Mesh& mesh, const Predicate& gone) {
    std::vector<uint32_t> kept;
    for (size_t t = 0; t + 2 < mesh.triangles.size(); t += 3) {
        const Vec3 middle = (mesh.positions[mesh.triangles[t]] + mesh.positions[mesh.triangles[t + 1]] +
                             mesh.positions[mesh.triangles[t + 2]]) /
                            3.0f;
        if (!gone(middle))
            kept.insert(kept.end(), mesh.triangles.begin() + static_cast<long>(t),
                        mesh.triangles.begin() + static_cast<long>(t) + 3);
    }
    mesh.triangles = std::move(kept);
}

// A closed tube along points.
inline Mesh tube(const std::vector<Vec3>& points, float radius) {
    constexpr uint32_t sectors = 10;
    Mesh mesh;
    for (size_t i = 0; i < points.size(); ++i) {
        const Vec3 along = (points[std::min(i + 1, points.size() - 1)] - points[i == 0 ? 0 : i - 1]).normalized();
        const Vec3 u = along.unitOrthogonal(), v = along.cross(u);
        for (uint32_t s = 0; s < sectors; ++s) {
            const float a = 2.0f * pi * static_cast<float>(s) / sectors;
            mesh.positions.push_back(points[i] + radius * (std::cos(a) * u + std::sin(a) * v));
        }
    }
    for (uint32_t i = 0; i + 1 < points.size(); ++i)
        for (uint32_t s = 0; s < sectors; ++s) {
            const uint32_t a = i * sectors + s, b = i * sectors + (s + 1) % sectors;
            mesh.triangles.insert(mesh.triangles.end(), {a, b, a + sectors, b, b + sectors, a + sectors});
        }
    const auto first = static_cast<uint32_t>(mesh.positions.size());
    mesh.positions.push_back(points.front());
    mesh.positions.push_back(points.back());
    const auto last = static_cast<uint32_t>((points.size() - 1) * sectors);
    for (uint32_t s = 0; s < sectors; ++s) {
        mesh.triangles.insert(mesh.triangles.end(), {first, (s + 1) % sectors, s});
        mesh.triangles.insert(mesh.triangles.end(), {first + 1, last + s, last + (s + 1) % sectors});
    }
    return mesh;
}

}  // namespace sinew::test
