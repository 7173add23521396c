// Meshes as they come: torn, doubled, inside out, tiny, turned. Every one must be bound, and much as its clean self.
#include <doctest/doctest.h>

#include <fmt/format.h>

#include "damage.h"
#include "support/data_case.h"

using namespace sinew;
using namespace sinew::test;

namespace {

// Every `step`th of the 200 variants that `script/bench weight_quality` goes through.
void check_variants(const std::vector<std::unique_ptr<Rigged>>& list, uint64_t step) {
    std::vector<Influences> clean;
    for (const auto& rigged : list) clean.push_back(clean_weights(*rigged));
    double kept_sum = 0.0, worst = 0.0;
    int kept = 0;
    for (uint64_t variant = 0; variant < 200; variant += step) {
        const size_t who = variant % list.size();
        WeightRig rig;
        const DirtyMesh mesh = damaged(*list[who], 1000 + variant, rig);
        CAPTURE(list[who]->name);
        CAPTURE(mesh.done);
        const DirtyOutcome outcome = bind_damaged(mesh, rig, clean[who]);
        CHECK(outcome.unweighted == 0);
        CHECK(outcome.sum_error < 1e-5);
        CHECK(outcome.broken == 0);
        CHECK(outcome.cracks == 0);
        if (!mesh.keeps_shape) continue;
        worst = std::max(worst, outcome.l1_to_clean);
        kept_sum += outcome.l1_to_clean;
        ++kept;
    }
    MESSAGE(fmt::format("L1 to the clean result: {:.4f} over {} variants that keep the shape (worst {:.3f})",
                        kept_sum / std::max(kept, 1), kept, worst));
    CHECK(kept_sum / std::max(kept, 1) <= 0.10);
}

}  // namespace

TEST_CASE("dirty: a damaged sample is bound whole, without cracks, and like its clean self") {
    check_variants(victims(std::nullopt), 25);
}

// Every character and damage is among them.
DATA_TEST_CASE("dirty: damaged variants are bound whole, without cracks, and like their clean selves") {
    check_variants(victims(data), 5);
}

TEST_CASE("ruins: cut, shrunk and turned faces are put together again where they can be, and told where not") {
    const auto body = take_apart("quadruped", make_sample("quadruped").value());
    const Influences clean = clean_weights(*body);
    for (const Damage& ruin : ruins) {
        CAPTURE(ruin.name);
        Random random(9);
        DirtyMesh mesh = joined(*body);
        ruin.apply(mesh, random);
        const DirtyOutcome outcome = bind_damaged(mesh, body->rig, clean);
        MESSAGE(fmt::format("{}: {:.3f} to the clean result", ruin.name, outcome.l1_to_clean));
        CHECK(outcome.unweighted == 0);
        CHECK(outcome.cracks == 0);
        const bool shredded = std::string_view(ruin.name).starts_with("loose");
        CHECK(outcome.l1_to_clean < (shredded ? 0.45 : 0.15));
        const WeightMesh one{mesh.positions, mesh.triangles};
        const auto report = compute_weights({&one, 1}, body->rig).value().report;
        CHECK(report.pieces[0].how.starts_with(shredded ? "heat, both sides alike" : "heat: "));
    }
}
