// Meshes as they come: torn, doubled, inside out, tiny, turned. Every one must be bound, and much as its clean self.
#include <doctest/doctest.h>

#include <sinew/sample/sample.h>
#include <support/data.h>
#include <support/dirty.h>

#include <fmt/format.h>

#include "truth.h"

using namespace sinew;
using namespace sinew::test;

namespace {

DirtyMesh joined(const Rigged& rigged) {
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
DirtyMesh damaged(const Rigged& rigged, uint64_t seed, WeightRig& rig) {
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

std::vector<std::unique_ptr<Rigged>> characters() {
    std::vector<std::unique_ptr<Rigged>> list;
    list.push_back(take_apart("quadruped", make_sample("quadruped").value()));
    if (const auto data = data_dir()) {
        for (const char* file :
             {"gltf-khronos/CesiumMan.glb", "gltf-khronos/Fox.glb", "gltf-khronos/RiggedFigure.glb",
              "rigged-gt/kaykit_Knight.glb", "rigged-gt/m2m_var_fox-horse.glb", "rigged-gt/m2m_var_fox-panda.glb",
              "rigged-gt/m2m_var_human-zombie.glb", "rigged-gt/m2m_kaiju-animations.glb"})
            list.push_back(read_rigged(*data / file));
    }
    return list;
}

}  // namespace

TEST_CASE("dirty: 200 damaged variants are bound whole, without cracks, and like their clean selves") {
    const auto list = characters();
    std::vector<Influences> clean;
    for (const auto& rigged : list) {
        const DirtyMesh mesh = joined(*rigged);
        const WeightMesh one{mesh.positions, mesh.triangles};
        clean.push_back(compute_weights({&one, 1}, rigged->rig).value().influences[0]);
    }
    double kept_sum = 0.0, other_sum = 0.0, worst = 0.0;
    int kept = 0, others = 0;
    for (uint64_t variant = 0; variant < 200; ++variant) {
        const size_t who = variant % list.size();
        WeightRig rig;
        const DirtyMesh mesh = damaged(*list[who], 1000 + variant, rig);
        CAPTURE(list[who]->name);
        CAPTURE(mesh.done);
        const WeightMesh one{mesh.positions, mesh.triangles};
        const auto result = compute_weights({&one, 1}, rig);
        REQUIRE(result.has_value());
        const Influences& weights = result->influences[0];
        CHECK(weights.unweighted_vertices() == 0);
        CHECK(result->report.largest_sum_error < 1e-5);

        std::vector<uint32_t> same(rig.joints.size());
        for (size_t j = 0; j < same.size(); ++j) same[j] = static_cast<uint32_t>(j);
        std::vector<double> difference(same.size(), 0.0);
        const Surface surface = make_surface({&one, 1});
        std::vector<int64_t> first(surface.vertex_count(), -1);
        double sum = 0.0;
        size_t count = 0, cracks = 0;
        for (size_t v = 0; v < mesh.positions.size(); ++v) {
            int64_t& twin = first[surface.vertex_of[v]];
            if (twin < 0) twin = static_cast<int64_t>(v);
            cracks += row_distance(weights.of(v), weights.of(static_cast<size_t>(twin)), same, difference) > 0.0;
            for (const Influence& i : weights.of(v)) CHECK(std::isfinite(i.weight));
            if (mesh.clean[v] < 0) continue;
            sum += row_distance(weights.of(v), clean[who].of(static_cast<size_t>(mesh.clean[v])), same, difference);
            ++count;
        }
        CHECK(cracks == 0);
        const double l1 = sum / static_cast<double>(count);
        worst = std::max(worst, mesh.keeps_shape ? l1 : 0.0);
        (mesh.keeps_shape ? kept_sum : other_sum) += l1;
        ++(mesh.keeps_shape ? kept : others);
        if (l1 > 0.15) MESSAGE(fmt::format("{} {}: {:.3f}", list[who]->name, mesh.done, l1));
    }
    MESSAGE(fmt::format(
        "L1 to the clean result: {:.4f} over {} variants that keep the shape (worst {:.3f}); {:.4f} over {} others",
        kept_sum / std::max(kept, 1), kept, worst, other_sum / std::max(others, 1), others));
    CHECK(kept_sum / std::max(kept, 1) <= 0.10);
}
