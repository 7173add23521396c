// Damaged copies of a character's mesh, the same for the same seed.
#pragma once

#include <sinew/core/random.h>
#include <sinew/sample/sample.h>
#include <sinew/weights/surface/surface.h>
#include <support/data.h>
#include <support/dirty.h>
#include <map>

#include "truth.h"

namespace sinew::test {

inline DirtyMesh joined(const Rigged& rigged) {
    DirtyMesh mesh;
    for (const WeightMesh& m : rigged.meshes()) {
        const auto base = static_cast<uint32_t>(mesh.positions.size());
        mesh.positions.insert(mesh.positions.end(), m.positions.begin(), m.positions.end());
        for (uint32_t i : m.triangles) mesh.triangles.push_back(base + i);
    }
    for (size_t v = 0; v < mesh.positions.size(); ++v) mesh.clean.push_back(static_cast<int64_t>(v));
    return mesh;
}

// Damage, then a turn and a scale; the rig goes with it.
inline DirtyMesh damaged(const Rigged& rigged, uint64_t seed, WeightRig& rig) {
    Random random(seed);
    DirtyMesh mesh = joined(rigged);
    damage(mesh, random);
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
inline void remove_faces(DirtyMesh& mesh, Random& random) {
    std::vector<uint32_t> kept;
    for (size_t i = 0; i < mesh.triangles.size(); i += 3)
        if (random.uniform() >= 0.15)
            kept.insert(kept.end(), mesh.triangles.begin() + static_cast<ptrdiff_t>(i),
                        mesh.triangles.begin() + static_cast<ptrdiff_t>(i) + 3);
    mesh.triangles = std::move(kept);
}

// A corner of its own for every face, each face a little smaller: nothing is shared, nothing coincides.
inline void make_soup(DirtyMesh& mesh, float shrink) {
    DirtyMesh soup{.positions = {}, .triangles = {}, .clean = {}, .done = mesh.done};
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

inline void tight_soup(DirtyMesh& mesh, Random&) {
    make_soup(mesh, 0.03f);
}
inline void loose_soup(DirtyMesh& mesh, Random&) {
    make_soup(mesh, 0.4f);
}
inline void turned_soup(DirtyMesh& mesh, Random& random) {
    make_soup(mesh, 0.4f);
    for (size_t i = 0; i < mesh.triangles.size(); i += 3)
        if (random.uniform() < 0.5) std::swap(mesh.triangles[i + 1], mesh.triangles[i + 2]);
}

// 25 pieces, each the faces nearest to one of 25 vertices, drawn apart by a thousandth of the size.
inline void cut_apart(DirtyMesh& mesh, Random& random) {
    std::vector<Vec3> seeds;
    for (int i = 0; i < 25; ++i) seeds.push_back(mesh.positions[random.below(mesh.positions.size())]);
    Box box = bounds(mesh.positions);
    const Vec3 centre = 0.5f * (box.min + box.max);
    std::map<std::pair<uint32_t, size_t>, uint32_t> copy;
    DirtyMesh cut{.positions = {}, .triangles = {}, .clean = {}, .done = mesh.done};
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
inline void tear(DirtyMesh& mesh, Random& random) {
    punch_holes(mesh, random, 8, 0.05f);
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
inline DirtyOutcome bind_damaged(const DirtyMesh& mesh, const WeightRig& rig, const Influences& clean) {
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

// The characters whose meshes are damaged: a sample, and real ones where there is a folder of them.
inline std::vector<std::unique_ptr<Rigged>> victims(const std::optional<std::filesystem::path>& data) {
    std::vector<std::unique_ptr<Rigged>> list;
    list.push_back(take_apart("quadruped", make_sample("quadruped").value()));
    if (data)
        for (const char* file :
             {"gltf-khronos/CesiumMan.glb", "gltf-khronos/Fox.glb", "gltf-khronos/RiggedFigure.glb",
              "rigged-gt/kaykit_Knight.glb", "rigged-gt/m2m_var_fox-horse.glb", "rigged-gt/m2m_var_fox-panda.glb",
              "rigged-gt/m2m_var_human-zombie.glb", "rigged-gt/m2m_kaiju-animations.glb"})
            list.push_back(read_rigged(*data / file));
    return list;
}

// The weights of the mesh as it was, all its primitives as one.
inline Influences clean_weights(const Rigged& rigged) {
    const DirtyMesh mesh = joined(rigged);
    const WeightMesh one{mesh.positions, mesh.triangles};
    return compute_weights({&one, 1}, rigged.rig).value().influences[0];
}

// Mean L1 distance to the truth of a character whose mesh was damaged, over the vertices that came from it.
inline double mean_l1(const Rigged& rigged, const DirtyMesh& mesh, const Influences& weights) {
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
