// The same character turned, scaled and damaged gets the same skeleton, or a warning, and not too many warnings: a
// seeded sample of what bench/rig_bench.cpp runs in full.
#include <doctest/doctest.h>

#include <rig/load.h>
#include <rig/sweep.h>
#include <support/data_case.h>

using namespace sinew;
using namespace sinew::test;

namespace {

// Returns whether the fit is accepted.
bool check_change(const BareCharacter& c, const RigResult& untouched, const Change& change) {
    const Outcome outcome = run_changed(c, untouched, change);
    const bool accepted = outcome.rig.confidence >= accepted_confidence;
    CAPTURE(c.name);
    CAPTURE(outcome.done);
    CAPTURE(outcome.apart.mean);
    CAPTURE(outcome.rig.confidence);
    if (change.damage == 0) CHECK(outcome.same);
    // Confidence is a gate: what it lets through is right.
    if (accepted) CHECK(to_string(outcome.rig.kind) == c.kind);
    if (accepted && outcome.score.any) CHECK(outcome.score.mean <= 6.0);
    if (!outcome.same)
        MESSAGE(fmt::format("{} {}: apart {:.1f}% confidence {:.2f}", c.name, outcome.done, outcome.apart.mean,
                            outcome.rig.confidence));
    return accepted;
}

}  // namespace

DATA_TEST_CASE("rig: turned, scaled and damaged characters get the skeleton they have upright") {
    const std::vector<Quatd> turns = axis_turns();
    Random random(77);
    uint64_t index = 0;
    int creatures = 0, upright = 0, whole = 0, whole_accepted = 0, damaged = 0, damaged_accepted = 0;
    for (const CharacterFile& file : character_files()) {
        const BareCharacter c = load_bare(file);
        const bool stands = c.kind == "biped" || c.kind == "quadruped";
        const RigResult untouched = fit_skeleton(c.positions, c.triangles).value();
        Change change{.turn = turns[random.below(24)], .scale = any_scale(random)};
        ++index;
        if (index % 3 == 0) change.damage = 100 + index;
        if (index % 3 == 1 && stands) change.turn = free_turn(random);
        const bool accepted = check_change(c, untouched, change);
        creatures += c.kind != "generic";
        if (c.kind == "generic") CHECK(untouched.confidence < accepted_confidence);
        if (untouched.confidence < accepted_confidence) continue;
        ++upright;
        (change.damage == 0 ? whole : damaged) += 1;
        (change.damage == 0 ? whole_accepted : damaged_accepted) += accepted;
    }
    // A gate that lets nothing through is no use. Upright every creature but the reptile is accepted (docs/rig.md); what
    // is of no known kind never is, unless somebody says so.
    // What is only turned and scaled stays so: bench/rig_bench.cpp finds the same skeleton in 99% of the turns. Of the
    // damaged it finds the same in 95%; birds with holes in their wings are most of the rest.
    CHECK(upright >= creatures - 1);
    CHECK(whole_accepted == whole);
    CHECK(damaged >= 5);
    CHECK(damaged_accepted >= damaged - 1);
}
