// Damaged copies of a character's mesh, the same for the same seed.
#pragma once

#include <sinew/core/random.h>
#include <sinew/sample/sample.h>
#include <support/data.h>
#include <map>

#include "truth.h"

namespace sinew::test {

struct Dirty {
    std::vector<Vec3> positions;
    std::vector<uint32_t> triangles;
    std::vector<int64_t> clean;  // the clean vertex that each came from, −1: none
    std::string done;
    bool keeps_shape = true;
};

inline Dirty joined(const Rigged& rigged) {
    Dirty mesh;
    for (const WeightMesh& m : rigged.meshes()) {
        const auto base = static_cast<uint32_t>(mesh.positions.size());
        mesh.positions.insert(mesh.positions.end(), m.positions.begin(), m.positions.end());
        for (uint32_t i : m.triangles) mesh.triangles.push_back(base + i);
    }
    for (size_t v = 0; v < mesh.positions.size(); ++v) mesh.clean.push_back(static_cast<int64_t>(v));
    return mesh;
}

inline float size_of(const Dirty& mesh) {
    return bounds(mesh.positions).diagonal();
}

inline void punch_holes(Dirty& mesh, Random& random) {
    const float radius = 0.02f * size_of(mesh);
    for (int hole = 0; hole < 6; ++hole) {
        const Vec3 at = mesh.positions[random.below(mesh.positions.size())];
        std::vector<uint32_t> kept;
        for (size_t i = 0; i < mesh.triangles.size(); i += 3)
            if ((mesh.positions[mesh.triangles[i]] - at).norm() > radius)
                kept.insert(kept.end(), mesh.triangles.begin() + static_cast<ptrdiff_t>(i),
                            mesh.triangles.begin() + static_cast<ptrdiff_t>(i) + 3);
        if (!kept.empty()) mesh.triangles = std::move(kept);
    }
}

inline void split_seams(Dirty& mesh, Random& random) {
    for (uint32_t& corner : mesh.triangles) {
        if (random.uniform() > 0.3) continue;
        mesh.positions.push_back(mesh.positions[corner]);
        mesh.clean.push_back(mesh.clean[corner]);
        corner = static_cast<uint32_t>(mesh.positions.size()) - 1;
    }
}

inline void flip_faces(Dirty& mesh, Random& random) {
    for (size_t i = 0; i < mesh.triangles.size(); i += 3)
        if (random.uniform() < 0.3) std::swap(mesh.triangles[i + 1], mesh.triangles[i + 2]);
}

inline void double_shell(Dirty& mesh, Random&) {
    const size_t vertices = mesh.positions.size(), corners = mesh.triangles.size();
    for (size_t v = 0; v < vertices; ++v) {
        mesh.positions.push_back(mesh.positions[v]);
        mesh.clean.push_back(mesh.clean[v]);
    }
    for (size_t i = 0; i < corners; ++i) mesh.triangles.push_back(mesh.triangles[i] + static_cast<uint32_t>(vertices));
}

inline void add_strays(Dirty& mesh, Random& random) {
    const Box box = bounds(mesh.positions);
    for (int i = 0; i < 20; ++i) {
        mesh.positions.push_back(box.min +
                                 Vec3(random.uniform(), random.uniform(), random.uniform()).cwiseProduct(box.size()));
        mesh.clean.push_back(-1);
    }
}

inline void intersect(Dirty& mesh, Random& random) {
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
    void (*apply)(Dirty&, Random&);
};
constexpr Damage damages[] = {{"holes", punch_holes},    {"seams", split_seams}, {"flipped", flip_faces},
                              {"doubled", double_shell}, {"strays", add_strays}, {"intersecting", intersect}};

// One to three kinds of damage, then a turn and a scale; the rig goes with it.
inline Dirty damaged(const Rigged& rigged, uint64_t seed, WeightRig& rig) {
    Random random(seed);
    Dirty mesh = joined(rigged);
    for (uint64_t i = 0, count = 1 + random.below(3); i < count; ++i) {
        const Damage& damage = damages[random.below(std::size(damages))];
        damage.apply(mesh, random);
        mesh.done += std::string(i ? "+" : "") + damage.name;
    }
    AffineD change = AffineD::Identity();
    const Vec3d axis(random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(0.1, 1));
    change.linear() = std::pow(10.0, random.uniform(-4, 4)) *
                      Eigen::AngleAxisd(random.uniform(0, 6), axis.normalized()).toRotationMatrix();
    for (Vec3& p : mesh.positions) p = (change * p.cast<double>()).cast<float>();
    rig = rigged.rig;
    for (AffineD& frame : rig.mesh_from_joint) frame = change * frame;
    return mesh;
}

// Worse than the above: what is left of the surface says little about what hangs together.
inline void remove_faces(Dirty& mesh, Random& random) {
    std::vector<uint32_t> kept;
    for (size_t i = 0; i < mesh.triangles.size(); i += 3)
        if (random.uniform() >= 0.15)
            kept.insert(kept.end(), mesh.triangles.begin() + static_cast<ptrdiff_t>(i),
                        mesh.triangles.begin() + static_cast<ptrdiff_t>(i) + 3);
    mesh.triangles = std::move(kept);
}

// A corner of its own for every face, each face a little smaller: nothing is shared, nothing coincides.
inline void make_soup(Dirty& mesh, float shrink) {
    Dirty soup{.positions = {}, .triangles = {}, .clean = {}, .done = mesh.done};
    for (size_t i = 0; i < mesh.triangles.size(); i += 3) {
        const uint32_t* t = &mesh.triangles[i];
        const Vec3 middle = (mesh.positions[t[0]] + mesh.positions[t[1]] + mesh.positions[t[2]]) / 3.0f;
        for (size_t k = 0; k < 3; ++k) {
            soup.triangles.push_back(static_cast<uint32_t>(soup.positions.size()));
            soup.positions.push_back(mesh.positions[t[k]] + shrink * (middle - mesh.positions[t[k]]));
            soup.clean.push_back(mesh.clean[t[k]]);
        }
    }
    mesh = std::move(soup);
}

inline void tight_soup(Dirty& mesh, Random&) {
    make_soup(mesh, 0.03f);
}
inline void loose_soup(Dirty& mesh, Random&) {
    make_soup(mesh, 0.4f);
}
inline void turned_soup(Dirty& mesh, Random& random) {
    make_soup(mesh, 0.4f);
    for (size_t i = 0; i < mesh.triangles.size(); i += 3)
        if (random.uniform() < 0.5) std::swap(mesh.triangles[i + 1], mesh.triangles[i + 2]);
}

// 25 pieces, each the faces nearest to one of 25 vertices, drawn apart by a thousandth of the size.
inline void cut_apart(Dirty& mesh, Random& random) {
    std::vector<Vec3> seeds;
    for (int i = 0; i < 25; ++i) seeds.push_back(mesh.positions[random.below(mesh.positions.size())]);
    Box box = bounds(mesh.positions);
    const Vec3 centre = 0.5f * (box.min + box.max);
    std::map<std::pair<uint32_t, size_t>, uint32_t> copy;
    Dirty cut{.positions = {}, .triangles = {}, .clean = {}, .done = mesh.done};
    for (size_t i = 0; i < mesh.triangles.size(); i += 3) {
        const uint32_t* t = &mesh.triangles[i];
        const Vec3 middle = (mesh.positions[t[0]] + mesh.positions[t[1]] + mesh.positions[t[2]]) / 3.0f;
        size_t nearest = 0;
        for (size_t s = 1; s < seeds.size(); ++s)
            if ((seeds[s] - middle).norm() < (seeds[nearest] - middle).norm()) nearest = s;
        for (size_t k = 0; k < 3; ++k) {
            const auto [at, fresh] = copy.try_emplace({t[k], nearest}, static_cast<uint32_t>(cut.positions.size()));
            if (fresh) {
                cut.positions.push_back(mesh.positions[t[k]] + 0.002f * (seeds[nearest] - centre));
                cut.clean.push_back(mesh.clean[t[k]]);
            }
            cut.triangles.push_back(at->second);
        }
    }
    mesh = std::move(cut);
}

// Holes as large as a palm: a tenth of the surface in all.
inline void tear(Dirty& mesh, Random& random) {
    const float radius = 0.05f * size_of(mesh);
    for (int hole = 0; hole < 8; ++hole) {
        const Vec3 at = mesh.positions[random.below(mesh.positions.size())];
        std::vector<uint32_t> kept;
        for (size_t i = 0; i < mesh.triangles.size(); i += 3)
            if ((mesh.positions[mesh.triangles[i]] - at).norm() > radius)
                kept.insert(kept.end(), mesh.triangles.begin() + static_cast<ptrdiff_t>(i),
                            mesh.triangles.begin() + static_cast<ptrdiff_t>(i) + 3);
        if (!kept.empty()) mesh.triangles = std::move(kept);
    }
}

constexpr Damage ruins[] = {{"15% of the faces gone", remove_faces},
                            {"soup", tight_soup},
                            {"loose soup", loose_soup},
                            {"loose turned soup", turned_soup},
                            {"25 pieces", cut_apart},
                            {"30% flipped", flip_faces},
                            {"torn", tear}};

// What must hold for every damaged variant, and how far it is from the clean mesh's own weights.
struct DirtyOutcome {
    size_t unweighted = 0, cracks = 0, broken = 0;
    double sum_error = 0.0;
    double l1_to_clean = 0.0;
};
inline DirtyOutcome bind_damaged(const Dirty& mesh, const WeightRig& rig, const Influences& clean) {
    const WeightMesh one{mesh.positions, mesh.triangles};
    const auto result = compute_weights({&one, 1}, rig).value();
    const Influences& weights = result.influences[0];
    DirtyOutcome outcome{.unweighted = weights.unweighted_vertices(), .sum_error = result.report.largest_sum_error};
    std::vector<uint32_t> same(rig.joints.size());
    for (size_t j = 0; j < same.size(); ++j) same[j] = static_cast<uint32_t>(j);
    std::vector<double> difference(same.size(), 0.0);
    const Surface surface = make_surface({&one, 1});
    std::vector<int64_t> first(surface.vertex_count(), -1);
    size_t count = 0;
    for (size_t v = 0; v < mesh.positions.size(); ++v) {
        int64_t& twin = first[surface.vertex_of[v]];
        if (twin < 0) twin = static_cast<int64_t>(v);
        outcome.cracks += row_distance(weights.of(v), weights.of(static_cast<size_t>(twin)), same, difference) > 0.0;
        for (const Influence& i : weights.of(v)) outcome.broken += !std::isfinite(i.weight);
        if (mesh.clean[v] < 0) continue;
        outcome.l1_to_clean +=
            row_distance(weights.of(v), clean.of(static_cast<size_t>(mesh.clean[v])), same, difference);
        ++count;
    }
    outcome.l1_to_clean /= static_cast<double>(std::max<size_t>(count, 1));
    return outcome;
}

// The characters whose meshes are damaged.
inline std::vector<std::unique_ptr<Rigged>> victims() {
    std::vector<std::unique_ptr<Rigged>> list;
    list.push_back(take_apart("quadruped", make_sample("quadruped").value()));
    if (const auto data = data_dir())
        for (const char* file :
             {"gltf-khronos/CesiumMan.glb", "gltf-khronos/Fox.glb", "gltf-khronos/RiggedFigure.glb",
              "rigged-gt/kaykit_Knight.glb", "rigged-gt/m2m_var_fox-horse.glb", "rigged-gt/m2m_var_fox-panda.glb",
              "rigged-gt/m2m_var_human-zombie.glb", "rigged-gt/m2m_kaiju-animations.glb"})
            list.push_back(read_rigged(*data / file));
    return list;
}

// The weights of the mesh as it was, all its primitives as one.
inline Influences clean_weights(const Rigged& rigged) {
    const Dirty mesh = joined(rigged);
    const WeightMesh one{mesh.positions, mesh.triangles};
    return compute_weights({&one, 1}, rigged.rig).value().influences[0];
}

// Mean L1 distance to the truth of a character whose mesh was damaged, over the vertices that came from it.
inline double mean_l1(const Rigged& rigged, const Dirty& mesh, const Influences& weights) {
    std::vector<std::pair<size_t, size_t>> origin;
    for (size_t m = 0; m < rigged.primitives.size(); ++m)
        for (size_t v = 0; v < rigged.primitives[m]->mesh.vertex_count(); ++v) origin.emplace_back(m, v);
    const std::vector<uint32_t> merged = merge_leaves(rigged.character.skeleton, rigged.rig.joints);
    std::vector<double> difference(merged.size(), 0.0);
    double sum = 0.0;
    size_t count = 0;
    for (size_t v = 0; v < mesh.positions.size(); ++v) {
        if (mesh.clean[v] < 0) continue;
        const auto [m, w] = origin[static_cast<size_t>(mesh.clean[v])];
        const auto truth = rigged.primitives[m]->influences.of(w);
        if (truth.empty()) continue;
        sum += row_distance(weights.of(v), truth, merged, difference);
        ++count;
    }
    return count ? sum / static_cast<double>(count) : 0.0;
}

}  // namespace sinew::test
