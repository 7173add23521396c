// Meshes as they come: torn, doubled, with faces turned around, with strays; seeded. For the tests of weights and rig.
#pragma once

#include <sinew/core/random.h>
#include <sinew/mesh/mesh.h>
#include <string>
#include <vector>

namespace sinew::test {

struct DirtyMesh {
    std::vector<Vec3> positions;
    std::vector<uint32_t> triangles;
    std::vector<int64_t> clean;  // the clean vertex that each came from, −1: none
    std::string done;
    bool keeps_shape = true;
};

inline float size_of(const DirtyMesh& mesh) {
    return bounds(mesh.positions).diagonal();
}

// Round holes; `radius` in parts of the mesh's size.
inline void punch_holes(DirtyMesh& mesh, Random& random, int holes, float radius) {
    radius *= size_of(mesh);
    for (int hole = 0; hole < holes; ++hole) {
        const Vec3 at = mesh.positions[random.below(mesh.positions.size())];
        std::vector<uint32_t> kept;
        for (size_t i = 0; i < mesh.triangles.size(); i += 3)
            if ((mesh.positions[mesh.triangles[i]] - at).norm() > radius)
                kept.insert(kept.end(), mesh.triangles.begin() + static_cast<ptrdiff_t>(i),
                            mesh.triangles.begin() + static_cast<ptrdiff_t>(i) + 3);
        if (!kept.empty()) mesh.triangles = std::move(kept);
    }
}
inline void small_holes(DirtyMesh& mesh, Random& random) {
    punch_holes(mesh, random, 6, 0.02f);
}

inline void split_seams(DirtyMesh& mesh, Random& random) {
    for (uint32_t& corner : mesh.triangles) {
        if (random.uniform() > 0.3) continue;
        mesh.positions.push_back(mesh.positions[corner]);
        mesh.clean.push_back(mesh.clean[corner]);
        corner = static_cast<uint32_t>(mesh.positions.size()) - 1;
    }
}

inline void flip_faces(DirtyMesh& mesh, Random& random) {
    for (size_t i = 0; i < mesh.triangles.size(); i += 3)
        if (random.uniform() < 0.3) std::swap(mesh.triangles[i + 1], mesh.triangles[i + 2]);
}

inline void double_shell(DirtyMesh& mesh, Random&) {
    const size_t vertices = mesh.positions.size(), corners = mesh.triangles.size();
    for (size_t v = 0; v < vertices; ++v) {
        mesh.positions.push_back(mesh.positions[v]);
        mesh.clean.push_back(mesh.clean[v]);
    }
    for (size_t i = 0; i < corners; ++i) mesh.triangles.push_back(mesh.triangles[i] + static_cast<uint32_t>(vertices));
}

inline void add_strays(DirtyMesh& mesh, Random& random) {
    const Box box = bounds(mesh.positions);
    for (int i = 0; i < 20; ++i) {
        mesh.positions.push_back(box.min +
                                 Vec3(random.uniform(), random.uniform(), random.uniform()).cwiseProduct(box.size()));
        mesh.clean.push_back(-1);
    }
}

inline void intersect(DirtyMesh& mesh, Random& random) {
    const Vec3 at = mesh.positions[random.below(mesh.positions.size())];
    const float half = 0.04f * size_of(mesh);
    const auto base = static_cast<uint32_t>(mesh.positions.size());
    for (int k = 0; k < 8; ++k) {
        mesh.positions.push_back(at + half * Vec3(k & 1 ? 1 : -1, k & 2 ? 1 : -1, k & 4 ? 1 : -1));
        mesh.clean.push_back(-1);
    }
    for (uint32_t i : {0u, 2u, 1u, 1u, 2u, 3u, 4u, 5u, 6u, 5u, 7u, 6u, 0u, 1u, 4u, 1u, 5u, 4u,
                       2u, 6u, 3u, 3u, 6u, 7u, 0u, 4u, 2u, 2u, 4u, 6u, 1u, 3u, 5u, 3u, 7u, 5u})
        mesh.triangles.push_back(base + i);
    mesh.keeps_shape = false;
}

struct Damage {
    const char* name;
    void (*apply)(DirtyMesh&, Random&);
};
inline constexpr Damage damages[] = {{"holes", small_holes},    {"seams", split_seams}, {"flipped", flip_faces},
                                     {"doubled", double_shell}, {"strays", add_strays}, {"intersecting", intersect}};

// One to three kinds of damage.
inline void damage(DirtyMesh& mesh, Random& random) {
    for (uint64_t i = 0, count = 1 + random.below(3); i < count; ++i) {
        const Damage& chosen = damages[random.below(std::size(damages))];
        chosen.apply(mesh, random);
        mesh.done += std::string(i ? "+" : "") + chosen.name;
    }
}

}  // namespace sinew::test
